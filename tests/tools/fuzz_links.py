"""Links as nobody should write them, for test_links.py: made of the parameters' own declarations,
and beyond them.

A link is a list of (key, value) pairs; of a key that comes twice the last value counts, as in
Streamlit. Most of them ask for small runs, so that thousands can be carried out; those that ask for
too much must be refused.
"""

from functools import cache

from hypothesis import strategies as st

from svmviz.data.params import Param
from svmviz.race.lanes import everybody
from svmviz.run.recipe import SEED, SOURCES, STEPS
from svmviz.solvers import SOLVERS

WORDS = (
    "",
    " ",
    "nan",
    "inf",
    "-inf",
    "-1",
    "-0",
    "0",
    "0.5",
    "1e400",
    "-1e400",
    "1e-400",
    "1e308",
    "5e-324",
    "0x10",
    "1_0",
    "١٢",
    "²",
    "９",
    "9" * 400,
    "9" * 5000,
    "None",
    "True",
    "true",
    "<b>x</b>",
    "[x](y)",
    "$x$",
    ":smile:",
    "\0",
    "\u202e",
    "\u2028",
    "a" * 2000,
    "{step}",
    "__import__('os')",
    "rbf(",
    "';--",
    "../..",
    "constructor",
    "🙂",
    ",",
    ";",
    ":",
    "=",
    "%00",
    "0,1,2",
)
NUMBERS = st.one_of(
    st.sampled_from(
        [
            "0",
            "1",
            "2",
            "3.5",
            "-1",
            "1e-300",
            "1e-30",
            "1e-6",
            "0.1",
            "10",
            "100",
            "1e6",
            "1e30",
            "1e100",
            "1e300",
            "1e400",
            "nan",
            "9" * 400,
        ]
    ),
    st.floats().map(repr),
    st.integers().map(str),
)
nonsense = st.one_of(st.sampled_from(WORDS), st.text(max_size=12), NUMBERS)
few = st.integers(0, 70).map(str)
place = st.one_of(
    few,
    few,
    few,
    st.sampled_from(["-1", "20000", "20001", "1000001", "9999999", "9" * 30, "٣", "", "x", "1.5"]),
)


def mostly(usual, *others):
    """One of the first strategy in four of five cases."""
    rare = st.one_of(*others)
    return st.integers(0, 9).flatmap(lambda k: usual if k < 8 else rare)


@st.composite
def kernels(draw):
    name = mostly(
        st.sampled_from(["rbf", "poly", "laplacian", "imq", "linear"]),
        st.sampled_from(["precomputed", "exit", "", "((("]),
    )
    field = st.tuples(
        st.sampled_from(["gamma", "degree", "coef0", "", "delta"]), mostly(NUMBERS, nonsense)
    )
    name, fields = draw(name), draw(st.lists(field, max_size=4))
    return f"{name}({', '.join(f'{field}={value}' if field else value for field, value in fields)})"


KERNELS = st.one_of(
    st.sampled_from(
        [
            "none",
            "linear()",
            "rbf(gamma=2.0)",
            "rbf(0.1)",
            "laplacian(gamma=1.0)",
            "poly(degree=2, gamma=0.5, coef0=1.0)",
            "poly(degree=3, gamma=1.0, coef0=0.0)",
        ]
    ),
    kernels(),
)


def values(param: Param, high: float | None = None):
    """Texts for a parameter: what it allows, mostly, in a small range where `high` says so, and
    what it does not.
    """
    if param.is_kernel:
        return mostly(KERNELS, nonsense)
    if param.text:
        return mostly(st.sampled_from(["", "0,2/1,0", "0,1,2/1,0,1/0.5,1,0"]), nonsense)
    if param.options:
        return mostly(st.sampled_from(param.options), nonsense)
    if isinstance(param.default, bool):
        return mostly(st.sampled_from(["0", "1"]), nonsense)
    top = param.high if high is None else min(high, param.high)
    inside = (
        st.integers(param.low, int(top))
        if isinstance(param.default, int)
        else st.floats(param.low, top)
    )
    return mostly(
        st.one_of(inside.map(str), st.just(str(param.default)), st.just(str(param.low))), nonsense
    )


LENGTHS = values(STEPS, 70)
SMALL = {
    "n": 60,
    "d": 40,
    "T": 70,
    "k": 20,
    "K": 20,
    "B": 40,
    "features": 60,
    "horizon": 1000,
    "length": 40,
    "pool": 60,
}


def params_of(params, rename=lambda name: name):
    """Some of the parameters of a solver or a data set, as pairs; its size always."""
    each = [st.tuples(st.just(rename(p.name)), values(p, SMALL.get(p.name))) for p in params]
    needed = [pair for p, pair in zip(params, each, strict=True) if p.name in ("n", "d")]
    some = st.lists(st.one_of(each), max_size=4) if each else st.just([])
    return st.tuples(st.tuples(*needed), some).map(lambda found: [*found[0], *found[1]])


def changes(solver):
    one = st.sampled_from(solver.params).flatmap(
        lambda p: st.tuples(place, st.just(p.name), values(p, SMALL.get(p.name))).map(
            lambda c: f"{c[0]}:{c[1]}={c[2]}"
        )
    )
    many = st.tuples(st.integers(90, 130), values(solver.params[0])).map(
        lambda c: ";".join(f"{t}:{solver.params[0].name}={c[1]}" for t in range(1, c[0]))
    )
    return mostly(st.lists(one, min_size=1, max_size=4).map(";".join), many, nonsense)


point = st.tuples(
    mostly(st.floats(-3, 3).map(lambda v: f"{v:g}"), nonsense),
    st.floats(-3, 3).map(lambda v: f"{v:g}"),
    mostly(st.sampled_from(["1", "-1"]), nonsense),
).map(",".join)
edit = st.tuples(
    place, st.lists(place, max_size=3).map(".".join), st.lists(point, max_size=3).map("!".join)
).map(":".join)
EDITS = mostly(
    st.lists(edit, min_size=1, max_size=3).map(";".join),
    nonsense,
    st.just("0::" + "!".join(["0.5,0.5,1"] * 501)),
)
CHOSEN = mostly(st.lists(st.tuples(place, place).map(":".join), max_size=4).map(";".join), nonsense)
PLANES = mostly(
    st.tuples(place, place).map(",".join), nonsense, st.sampled_from(["0,1", "01,1", "00,0", "3,2"])
)
VIEWS = {
    "t": place,
    "beat": nonsense,
    "x": st.sampled_from(["steps", "epochs", "constructor", ""]),
    "field": nonsense,
    "y": st.sampled_from(["", "objective", "error", "front", "__proto__"]),
    "present": st.sampled_from(["", "1", "x"]),
}


ENDS = mostly(st.just([]), st.lists(st.tuples(st.text(max_size=8), nonsense), max_size=8))


@cache  # to put a strategy together takes longer than to draw from it
def of_data(name: str):
    return params_of(SOURCES[name].params, lambda name: "data_seed" if name == "seed" else name)


@cache
def of_solver(name: str):
    """The parameters of a solver, and of what else a link may hold one pair."""
    extra = {
        "seed": values(SEED),
        "change": changes(SOLVERS[name]),
        "edit": EDITS,
        "chosen": CHOSEN,
        "plane": PLANES,
        **VIEWS,
        "data": nonsense,
        "solver": nonsense,
        "kernel": KERNELS,
        "lam": nonsense,
    }
    return params_of(SOLVERS[name].params), st.one_of(
        [st.tuples(st.just(key), value) for key, value in extra.items()]
    )


@st.composite
def links(draw):
    """A link to the Playground."""
    data, solver = draw(st.sampled_from([*SOURCES])), draw(st.sampled_from([*SOLVERS]))
    params, extra = of_solver(solver)
    pairs = [
        ("data", data),
        ("solver", solver),
        ("T", draw(LENGTHS)),
        *draw(of_data(data)),
        *draw(params),
    ]
    return [*pairs, *draw(st.lists(extra, max_size=3)), *draw(ENDS)]


OWN = (
    "pegasos[lam=0.1;k=5]",
    "bsgd[B=5]",
    "regression[epsilon=0.3]",
    "classes[loss=logistic;costs=0,1/2,0]",
    "sbp[nu=-1]",
    "svr[kernel=poly(degree=2, gamma=0.5, coef0=1.0)]",
    "fourier[gamma=]",
    "pegasos-k10[k=2]",
)


@st.composite
def races(draw):
    """A link to the Race."""
    pairs = draw(links())
    taking_part = draw(
        mostly(st.lists(st.sampled_from([*everybody(), *OWN]), max_size=3).map(",".join), nonsense)
    )
    seeds, length = draw(mostly(st.just("1"), nonsense)), draw(mostly(st.just("100"), nonsense))
    short = [("lanes", taking_part), ("seeds", seeds), ("length", length)]
    return [pair for pair in pairs if pair[0] != "T"] + short
