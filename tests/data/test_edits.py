"""Points that come and go while a run goes on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.data import edits, plane, uploads
from svmviz.maths import kernels
from svmviz.player.wire import run
from svmviz.record import metrics
from svmviz.run.recipe import Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from tests.tools import forked
from tests.tools.rotation import at_times

PEGASOS = SOLVERS["pegasos"]
BASE = plane.blobs(n=60, seed=2)
EDITS = (
    edits.edit(40, [3, 7], [(0.5, -1.25, 1)]),
    edits.edit(40, [60], [(2.0, 2.0, -1), (-1.5, 0.3, 1)]),
    edits.edit(90, [0], []),
)
RECIPE = Recipe(
    "blobs", {"n": 60, "seed": 2}, params={"lam": 0.02}, seed=3, steps=150, edits=EDITS
).checked()


def test_the_past_stays_and_what_is_gone_is_never_drawn_again():
    problem, active = edits.apply(BASE, EDITS)
    before = PEGASOS.trace(BASE, steps=150, seed=3, lam=0.02)
    after = PEGASOS.trace(problem, steps=150, seed=3, lam=0.02, active=active)
    assert all(np.array_equal(before.at(t).w, after.at(t).w) for t in range(41))
    assert np.array_equal(before.metrics["primal"][:41], after.metrics["primal"][:41])
    assert set(after.drawn[41:].tolist()) <= set(active[1][1].tolist()) and not {3, 7, 60} & set(
        after.drawn[41:].tolist()
    )
    assert 0 not in after.drawn[91:] and {61, 62} & set(after.drawn[41:].tolist())


@pytest.mark.parametrize("kernel", [None, kernels.rbf(1.0)], ids=str)
def test_loss_error_and_optimum_count_the_active_points_only(kernel):
    problem, active = edits.apply(BASE, EDITS)
    trace = PEGASOS.trace(problem, steps=150, seed=3, lam=0.02, active=active, kernel=kernel)
    for t, rows in (
        (40, active[0][1]),
        (41, active[1][1]),
        (90, active[1][1]),
        (150, active[2][1]),
    ):
        f, y = trace.f(t, problem.X[rows]), problem.y[rows]
        assert trace.metrics["hinge"][t] == pytest.approx(
            np.maximum(0, 1 - y * f).mean(), abs=1e-12
        )
        assert trace.metrics["error"][t] == ((f >= 0) != (y > 0)).mean()
    header = run.pack(trace).header
    rows = active[1][1]
    exact = reference.optimum(
        problem._replace(X=problem.X[rows], y=problem.y[rows]), lam=0.02, kernel=kernel
    )
    assert header["segments"][1]["optimum"]["value"] == pytest.approx(exact.primal, rel=1e-9)
    assert [s["label"] for s in header["segments"]] == ["", "2 moved", "−1 points"]


@at_times()
def test_a_link_and_a_script_hold_the_drawn_points(tmp_path):
    again, messages = from_query(RECIPE.query())
    assert again == RECIPE and not messages
    script = (
        RECIPE.python(100)
        + f"import numpy as np\nnp.save({str(tmp_path / 'c.npy')!r}, trace.at(150).coef)\n"
    )
    forked.run(script)
    assert np.array_equal(np.load(tmp_path / "c.npy"), RECIPE.trace().at(150).coef)


def test_too_many_points_for_a_link_stay_out_of_it_but_tell_runs_apart():
    many = RECIPE.edited(100, [], [(k / 100, k / 50, 1) for k in range(400)])
    more = many.edited(100, [], [(0.1, 0.2, -1)])
    assert "edit" in RECIPE.query() and "edit" not in more.query() and many.key() != more.key()
    with pytest.raises(ValueError, match="at most 500 points"):
        more.edited(100, [], [(0.0, 0.0, 1)] * 200).trace()


def test_the_data_as_a_file_are_the_same_points_when_they_are_uploaded():
    problem, active = RECIPE.union()
    built = uploads.build(uploads.read(RECIPE.data_csv().encode(), "data.csv"), label="label")
    rows = active[-1][1]
    assert np.array_equal(built.problem.X, problem.X[rows]) and np.array_equal(
        built.problem.y, problem.y[rows]
    )


def test_restart_takes_all_edits_to_the_start_and_an_earlier_edit_forgets_later_ones():
    assert [e.t for e in RECIPE.restarted().edits] == [0, 0, 0]
    assert (
        RECIPE.restarted().trace().segments[0].active.tolist() == RECIPE.union()[1][-1][1].tolist()
    )
    assert RECIPE.edited(50, [1], []).edits == (*EDITS[:2], edits.Edit(50, (1,), ()))
    assert RECIPE.changed(60, {"lam": 0.1}).edits == EDITS[:2]
    assert RECIPE.edited(150, [1], []).steps == 300


@pytest.mark.parametrize(
    "bad, words",
    [
        ([edits.Edit(5, (99,), ())], "drops a point that is not there"),
        ([edits.Edit(5, (1,), ()), edits.Edit(6, (1,), ())], "not there"),
        (
            [edits.Edit(5, tuple(np.flatnonzero(BASE.y > 0).tolist()), ())],
            "both classes need a point",
        ),
    ],
)
def test_edits_that_make_no_sense_are_refused(bad, words):
    with pytest.raises(ValueError, match=words):
        edits.apply(BASE, bad)


@pytest.mark.parametrize(
    "row", [(float("nan"), 0, 1), (float("inf"), 0, 1), (1e9, 0, 1), (0, 0, 2)]
)
def test_points_that_make_no_sense_are_refused(row):
    with pytest.raises(ValueError, match="a point needs"):
        edits.edit(1, [], [row])


@given(st.text(alphabet="0123456789:.,;!-einfa ", max_size=40))
def test_no_text_breaks_the_reader_of_edits(text):
    try:
        edits.read(text)
    except ValueError:
        pass


def test_the_table_of_an_edited_run_can_be_written():
    assert len(metrics.to_csv(RECIPE.trace()).splitlines()) == 152


@pytest.mark.parametrize("value", [1e308, 3.5e38, 1e6, float("nan"), float("inf")])
def test_a_coordinate_that_is_too_large_is_refused_in_a_sentence(value):
    with pytest.raises(ValueError, match="below a million"):
        edits.edit(0, [], [(value, 0.0, 1)])
