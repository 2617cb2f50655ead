"""What can be swept, what is said of what cannot, and a sweep as a file and as a link."""

from dataclasses import replace

import pytest

from svmviz.explore import specfile
from svmviz.explore.axes import Axis, ranges, sweepable, usual_range
from svmviz.explore.faults import ESTIMATOR
from svmviz.explore.spec import Spec
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS

MOONS = Recipe("moons", {"n": 40}, params={"kernel": "rbf(gamma=2.0)"}, steps=50)
SPEC = Spec(MOONS, (Axis("lam", 0.01, 1.0, 3), Axis("gamma", 0.1, 10.0, 3)), (0, 1), 3)


@pytest.mark.parametrize(
    ("changed", "control", "words"),
    [
        ({"axes": ()}, "axis1", "1 to 6 parameters"),
        ({"axes": (Axis("lamb"),)}, "axis1", "'lamb' cannot be swept here; what can is lam, gamma"),
        ({"axes": (Axis("lam", 0.1, 1.0), Axis("lam", 0.1, 1.0))}, "axis2", "swept twice"),
        ({"axes": (Axis("lam", 1.0, 0.1),)}, "axis1", "λ: the range must rise, got 1.0 to 0.1"),
        ({"axes": (Axis("lam", 0.1, 1e9),)}, "axis1", "lam must lie in"),
        (
            {"axes": (Axis("lam", 0.1, 1.0, 2),)},
            "axis1",
            "λ: the number of values must be a whole number from 3 to 31",
        ),
        (
            {
                "axes": (Axis("coef0", 0.0, 1.0, log=True),),
                "recipe": replace(MOONS, params={"kernel": "poly"}),
            },
            "axis1",
            "above 0",
        ),
        ({"axes": (Axis("sampling", choices=("by chance",)),)}, "axis1", "sampling must be one of"),
        ({"axes": (Axis("loss", choices=("hinge",)),)}, "axis1", "2 to 31 different values"),
        (
            {"axes": (Axis("gamma", 0.1, 1.0), Axis("kernel", choices=("rbf", "linear")))},
            "axis1",
            "part of the kernel",
        ),
        ({"axes": (Axis("T", 10, 100),), "search": "halving"}, "axis1", "steps cannot be swept"),
        ({"seeds": (1, 1)}, "seeds", "different seeds"),
        ({"seeds": (-1,)}, "seeds", "a seed must be a whole number"),
        ({"folds": 21}, "folds", "folds must be a whole number from 2 to 20"),
        (
            {"folds": 20, "recipe": replace(MOONS, data_params={"n": 30})},
            "folds",
            "the smallest class has 15 rows",
        ),
        ({"held_out": 0.99}, "held_out", "a share from 0.05 to 0.9"),
        ({"search": "clever"}, "search", "one of grid, random, halving"),
        ({"draws": 0}, "draws", "draws must be a whole number"),
        ({"factor": 1}, "factor", "factor must be a whole number"),
        ({"recipe": Recipe("tagging", solver="sequences")}, "solver", "tear apart"),
        ({"recipe": Recipe("sine")}, "data", "choose other data, or another solver"),
        ({"recipe": replace(MOONS, params={"lam": -1})}, "solver", "lam must lie in"),
        (
            {
                "axes": tuple(
                    Axis(name, low, high, 31)
                    for name, low, high in (
                        ("lam", 0.01, 1),
                        ("gamma", 0.1, 10),
                        ("k", 1, 40),
                        ("T", 1, 99),
                    )
                )
            },
            "fits",
            "fits, and a sweep may have",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said_beside_its_control(changed, control, words):
    faults = replace(SPEC, **changed).faults()
    assert [fault.control for fault in faults] == [control] and words in faults[0].sentence
    with pytest.raises(ValueError, match="."):
        replace(SPEC, **changed).checked()


def every(key: str) -> Spec:
    """A sweep of all that this solver lets be swept, three at a time."""
    opened = Recipe(
        **{"data": "sine"} if SOLVERS[key].space.real else {}, solver=key, steps=50
    ).checked()
    known = sweepable(opened)
    axes = [
        (
            Axis(name, *usual_range(param, known[name].default or 1), 3)
            if ranges(param)
            else Axis(name, choices=(None, "rbf(gamma=2.0)") if param.is_kernel else ())
        )
        for name, param in known.items()
        if name not in ("gamma", "degree", "coef0") or name in opened.params
    ]
    return Spec(
        opened, tuple(axes[:5]), (0, 4, 5), 4, search="random", draws=9, factor=2, optimum=True
    ).checked()


@pytest.mark.parametrize("key", ESTIMATOR)
def test_a_file_and_a_link_hold_every_sweep(key):
    spec = every(key)
    again = specfile.read(specfile.write(spec))
    assert (
        again.swept == spec.swept
        and again.cells.tolist() == spec.cells.tolist()
        and again.data == spec.data
    )
    for other in (again, specfile.from_query(specfile.query(spec))[0]):
        assert other.swept == spec.swept and other.recipe.query() == spec.recipe.query()
        assert replace(other, axes=(), recipe=spec.recipe) == replace(spec, axes=())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seeds = [", "not TOML"),
        ("seeds = " + 5000 * "[", "nested too deeply"),
        ("colour = 1", "'colour', which means nothing here; there are seeds"),
        ("run = 3", "must be a table"),
        ("[[axes]]\nname = 'lam'\nhigh = 'much'", "lam must be a number"),
        ("[run]\nlam = 'x'\n[[axes]]\nname = 'k'", "[run] lam: lam must be a number, got 'x'"),
        ("[run]\nfile = 'nowhere.csv'", "cannot be read"),
        ("seeds = 'a'\n[[axes]]\nname = 'lam'\nlow = 0.01\nhigh = 1", "whole number"),
        ("[[axes]]\nname = 'lam'\nhigher = 2", "holds 'higher'"),
        ("folds = 'x'\n[[axes]]\nname='lam'\nlow=0.01\nhigh=1", "whole number"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_why(text, words):
    with pytest.raises(ValueError) as said:
        specfile.read(text)
    assert words in str(said.value)


def test_data_of_ones_own_stand_beside_the_file(tmp_path):
    rows = "\n".join(f"{k % 7},{k % 5},{'yes' if k % 2 else 'no'}" for k in range(40))
    (tmp_path / "mine.csv").write_text(f"a,b,kind\n{rows}\n")
    spec = "[run]\nfile = 'mine.csv'\n[[axes]]\nname = 'lam'\nlow = 0.01\nhigh = 1.0\n"
    (tmp_path / "spec.toml").write_text(spec)
    found = specfile.load(tmp_path / "spec.toml")
    assert found.problem().X.shape == (40, 2)
    assert specfile.read(specfile.write(found, "mine.csv"), tmp_path).data == found.data


def test_a_link_with_bad_parts_says_which_and_uses_the_rest():
    spec, said = specfile.from_query(
        {"sweep": "lam:0.01:1:5:log", "seeds": "3-x", "lam": "?", "what": "1"}
    )
    assert spec.shape == (5,) and spec.seeds == (0,)
    assert len(said) == 3 and "seeds read 0-4" in "".join(said)
    for sweep in ("", "lam", "lam:1:2", "lam:1:0.5:5:log", "nothing:1:2:3:log", "lam:a:b:c:d"):
        spec, said = specfile.from_query({"sweep": sweep})
        assert spec is None and len(said) == 1
