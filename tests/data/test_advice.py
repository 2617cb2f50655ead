"""What is guessed of a file, and that every guess is said and can be overruled."""

from collections import Counter

import numpy as np
import pytest

from svmviz.data.uploads import advice, build, guess_label, read

RNG = np.random.default_rng(0)
FLAGS = RNG.integers(0, 2, (60, 12))
KINDS = np.arange(60) % 3 + 1


def table(*columns, names=()) -> bytes:
    rows = ([",".join(names)] if names else []) + [
        ",".join(map(str, row)) for row in zip(*columns, strict=True)
    ]
    return "\n".join(rows).encode()


def said(upload) -> str:
    return " ".join(f"{title}: {text}" for title, text in upload.report)


@pytest.mark.parametrize(
    ("data", "label"),
    [
        (table(KINDS, *FLAGS.T), "column 1"),  # as in the DNA set: three classes before 0 and 1
        (table(*FLAGS.T, KINDS), "column 13"),
        (table(*FLAGS.T), "column 12"),  # nothing tells: the last
        (
            table(["LBR"[k % 3] for k in range(60)], *RNG.integers(1, 6, (4, 60))),
            "column 1",
        ),  # words before numbers of few values
        (
            table(["MFI"[k % 3] for k in range(60)], RNG.normal(size=60), KINDS % 2),
            "column 3",
        ),  # a sex is no class
        (
            table(
                RNG.normal(size=60),
                ["mf"[k % 2] for k in range(60)],
                RNG.normal(size=60),
                KINDS % 2,
            ),
            "column 4",
        ),
        (table(KINDS, RNG.normal(size=60), RNG.normal(size=60)), "column 1"),  # as in the wine set
        (table(KINDS, *FLAGS.T[:2], names=("a", "class", "b")), "class"),
    ],
)
def test_the_label_is_found_by_its_name_its_values_and_its_place(data, label):
    assert guess_label(read(data)) == label


def test_columns_are_counted_once_however_many_there_are(monkeypatch):
    """Once for all, not once for each: 5000 columns of two values took ten seconds."""
    counted = []
    monkeypatch.setattr(
        advice,
        "Counter",
        lambda values: counted.append(len(found := list(values))) or Counter(found),
    )
    assert guess_label(read(table(*np.tile(FLAGS, (1, 4)).T))) == "column 48" and counted == [48]


def test_row_numbers_and_copies_of_the_label_are_left_out_and_said():
    data = table(
        np.arange(60),
        RNG.normal(size=60).round(3),
        10 * (KINDS % 2),
        ["cat" if k % 2 else "dog" for k in KINDS],
        names=("id", "x", "code", "kind"),
    )
    upload = build(read(data))
    assert upload.names == ("x",) and upload.skipped == {
        "row numbers": ["id"],
        "copies of the label": ["code"],
    }
    assert "1 column left out, for they are row numbers: 'id'" in said(upload)
    assert "1 column left out, for they are copies of the label: 'code'" in said(upload)
    kept = build(read(data), skip=())
    assert (
        kept.names == ("id", "x", "code")
        and "say the same as the label" in said(kept)
        and not kept.skipped
    )
    assert build(read(data), features=["id"]).names == ("id",)
    assert build(read(data), skip=["code"]).names == ("id", "x")


def test_nothing_is_left_out_where_nothing_else_would_be_left():
    data = table(np.arange(60), KINDS % 2, names=("id", "kind"))
    assert build(read(data)).names == ("id",)
    data = table(np.full(60, 3), 2 * (KINDS % 2), KINDS % 2, names=("always", "code", "kind"))
    assert build(read(data)).names == ("code",), "what does not vary is nothing"


def test_a_few_rows_prove_nothing():
    assert build(read(b"x,z,kind\n1,0,cat\n2,0,cat\n3,1,dog\n4,1,dog\n")).names == ("x", "z")


@pytest.mark.parametrize(
    ("columns", "scaling"),
    [
        ((RNG.normal(size=60), RNG.normal(size=60)), "none"),
        ((RNG.normal(size=60), 300 * RNG.normal(size=60)), "standardise"),
        ((RNG.uniform(size=60), 0.01 * RNG.uniform(size=60)), "standardise"),
        (
            (RNG.integers(27, 160, 60), RNG.integers(27, 160, 60)),
            "standardise",
        ),  # alike, but far from 1: as satellite images
        (tuple(FLAGS.T), "none"),
    ],
)
def test_numbers_on_very_different_scales_are_standardised_unless_chosen_otherwise(
    columns, scaling
):
    data = read(table(*columns, ["cat" if k == 1 else "dog" for k in KINDS]))
    upload = build(data)
    assert upload.scaling == scaling and ("so features are standardised" in said(upload)) == (
        scaling != "none"
    )
    plain = build(data, scaling="none")
    assert (
        plain.scaling == "none"
        and plain.scale is None
        and "so features are standardised" not in said(plain)
    )


def test_sparse_data_are_scaled_for_size_alone_and_never_centred():
    words = [f"{k % 2} {1 + k % 7}:{0.01 + k % 3} {9 + k % 11}:0.001" for k in range(60)]
    small = build(read("\n".join(words).encode()))
    large = build(read("\n".join(f"{line} 30:{40 + k}" for k, line in enumerate(words)).encode()))
    assert (
        small.scaling == "none" and large.scaling == "standardise" and not large.scale.shift.any()
    )
