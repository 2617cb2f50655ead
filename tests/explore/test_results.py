"""Rows in files: what is written is read again, and what is no file of ours is told so."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from svmviz.explore import results, specfile
from svmviz.explore import rows as store
from svmviz.explore.axes import Axis
from svmviz.explore.engine import sweep
from svmviz.explore.results import SCHEMA, Journal
from svmviz.explore.spec import Spec
from svmviz.run.recipe import Recipe
from tests.explore.here import Pretended

SPEC = Spec(Recipe("moons", {"n": 40}), (Axis("lam", 1e-3, 1.0, 5),), (0, 1), 3).checked()


@pytest.fixture(scope="module")
def parts() -> list[store.Rows]:
    found = store.joined(sweep(SPEC, Pretended(lambda params: params["lam"])))
    found.table["status"][0] = 2
    reasons = {found.table["key"].tolist()[0]: "no"}
    return [
        store.Rows(found.table[k : k + 5], {} if k else reasons) for k in range(0, len(found), 5)
    ]


def equal(a: store.Rows, b: store.Rows) -> bool:
    a, b = (rows.table[np.argsort(rows.table[["cell", "fold", "seed"]])] for rows in (a, b))
    return a.tobytes() == b.tobytes()


def test_a_file_gives_back_sweep_and_rows(tmp_path, parts):
    rows = store.joined(parts)
    results.write(tmp_path / "out.parquet", specfile.write(SPEC), rows)
    for source in (tmp_path / "out.parquet", (tmp_path / "out.parquet").read_bytes()):
        spec, found = results.read(source)
        assert spec == SPEC and equal(found, rows) and found.reasons == rows.reasons
    fewer = results.raw(tmp_path / "out.parquet")[1].matching(replace(SPEC, seeds=(1,)).checked())
    assert len(fewer) == len(rows) / 2
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


@pytest.mark.parametrize("lost", [1, 40, 700])
def test_a_journal_that_was_cut_off_gives_what_is_whole(tmp_path, parts, lost):
    journal = Journal(tmp_path / "out.parquet")
    for part in parts[:-1]:
        journal.append(part)
    (path,) = journal.folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-lost])
    found = Journal(tmp_path / "out.parquet").read()
    kept = sum(map(len, parts[:-1]))
    assert 0 < len(found) < kept and equal(
        found, store.Rows(store.joined(parts).table[: len(found)], {})
    )
    again = Journal(tmp_path / "out.parquet")
    again.append(parts[-2])
    again.append(parts[-1])
    assert len(list(journal.folder.iterdir())) == 2
    assert {*found.places(), *store.joined(parts[-2:]).places()} == again.read().places().keys()
    again.remove()
    assert not journal.folder.exists()


def written(tmp_path, table: pa.Table, text: str = ""):
    path = tmp_path / "bad.parquet"
    pq.write_table(
        table.replace_schema_metadata({results.ABOUT: (text or specfile.write(SPEC)).encode()}),
        path,
    )
    return path


def test_what_is_no_file_of_ours_is_told_so(tmp_path, parts, monkeypatch):
    good = pa.Table.from_batches([results.batch(part) for part in parts])

    def with_column(name, values):
        return good.set_column(
            SCHEMA.get_field_index(name), name, pa.array(values, SCHEMA.field(name).type)
        )

    tables = [
        good.drop_columns(["gap"]),
        with_column("status", [7] * len(good)),
        with_column("error", [None] * len(good)),
    ]
    bad = [written(tmp_path, table).read_bytes() for table in tables]
    bad += [
        b"",
        b"PAR1" + bytes(100),
        written(tmp_path, good).read_bytes()[:-50],
        written(tmp_path, good, "run = 1").read_bytes(),
    ]
    for source in bad:
        with pytest.raises(ValueError, match="this file holds no results that can be used"):
            results.read(source)
    monkeypatch.setattr(results, "MOST_ROWS", 10)
    with pytest.raises(ValueError, match="30 rows, more than can be shown"):
        results.read(written(tmp_path, good))
