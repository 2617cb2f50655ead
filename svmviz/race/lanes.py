"""Who may take part in a race on a kind of problem, and what each lane is called: a solver, a
variant of one, or a solver with parameters of the lane's own, as in `bsgd[B=5;lam=0.1]`. One solver
may run in several lanes.

>>> named("bsgd[B=5]").title
'Budgeted SGD, B = 5'
>>> named("svr[epsilon=0.3]", kinds.TARGETS).title
'Dual ascent, ε = 0.3'
>>> parted("pegasos,bsgd[B=5;kernel=poly(degree=2, gamma=1.0, coef0=1.0)]")
['pegasos', 'bsgd[B=5;kernel=poly(degree=2, gamma=1.0, coef0=1.0)]']
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from svmviz.data.params import Param
from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.race import kinds
from svmviz.race.kinds import TWO, Kind
from svmviz.record.solver import Solver
from svmviz.run.fork import worded
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief

MOST, USUAL = 24, 6  # rivals that a race may have, and that it has where nobody says how many
OWN = re.compile(r"([a-z0-9_]+)\[(.*)\]")
SPACE = {
    "kernel",
    "gamma",
    "features",
    "intercept",
    "constant",
    "bias",
}  # parameters that make the space of w
LOSS = {"loss", "smoothing", "epsilon", "costs"}  # and what is paid there


class Rival(NamedTuple):
    """A solver that may take part, with what sets it apart from its default; `line_up` gives it all
    of its parameters, and says how many steps it will take.
    """

    key: str
    title: str
    solver: str
    params: Mapping[str, Any] = {}
    steps: int = 0
    elsewhere: bool = (
        False  # its space or its loss is not that of the others, and its P no measure beside theirs
    )


TITLES = {
    "sbp": "SBP",
    "sdca": "SDCA",
    "smo": "SMO",
    "fourier": "Fourier",
    "classes": "Pegasos, classes",
    "sequences": "Sentence tagger",
    "regression": "Pegasos",
    "svr": "Dual ascent",
}
USED = {
    "sbp": {"iterate": "average"}
}  # the average is what the guarantee is about, and what predicts
VARIANTS = {  # by kind of problem
    "two": (
        Rival("pegasos-average", "Pegasos, average", "pegasos", {"iterate": "average"}),
        Rival("sbp-last", "SBP, last w", "sbp", {"iterate": "last"}),
        Rival("pegasos-k10", "Pegasos, k = 10", "pegasos", {"k": 10}),
    ),
    "targets": (
        Rival("regression-average", "Pegasos, average", "regression", {"iterate": "average"}),
        Rival("regression-k10", "Pegasos, k = 10", "regression", {"k": 10}),
    ),
    "classes": (Rival("classes-k10", "Pegasos, k = 10", "classes", {"k": 10}),),
}
UNLIKE = {
    "bias": "has a bias, and the others have none",
    "sequences": "tags sentences, not points",
}  # of two classes


def rivals(kind: Kind = TWO) -> dict[str, Rival]:
    """Every solver that works on this kind of problem, the one whose parameters are common to all
    first; then variants.

    >>> list(rivals(kinds.TARGETS))
    ['regression', 'svr', 'regression-average', 'regression-k10']
    """
    every = [
        Rival(key, TITLES.get(key, solver.title), key, USED.get(key, {}))
        for key, solver in SOLVERS.items()
        if kind.admits(solver)
    ]
    every.sort(key=lambda rival: rival.key != kind.solver)
    return {rival.key: rival for rival in (*every, *VARIANTS[kind.key]) if rival.solver in SOLVERS}


def everybody() -> dict[str, Rival]:
    """The rivals of all kinds of problems."""
    return {key: rival for kind in kinds.KINDS.values() for key, rival in rivals(kind).items()}


def usual(kind: Kind = TWO, data: str = "") -> tuple[str, ...]:
    """Who takes part where nobody was chosen: the solvers, and variants where there are few. Who
    tags sentences does where it is first met.
    """
    known = (
        rival.key
        for rival in rivals(kind).values()
        if not SOLVERS[rival.solver].space.chained
        or f"data={data}&" in SOLVERS[rival.solver].uses.opening
    )
    return tuple(known)[: max(min(len(SOLVERS), USUAL), USUAL - 1)]


def hindrance(
    rival: Rival,
    kernel: kernels.Kernel | None,
    n: int,
    kind: Kind = TWO,
    terms: Mapping[str, Any] = {},
    problem: Problem | None = None,
) -> str:
    """Why it cannot take part, in words; empty if it can. `terms` are what is common besides λ and
    kernel.
    """
    names, kernel = (
        {p.name for p in SOLVERS[rival.solver].params},
        rival.params.get("kernel", kernel),
    )
    if kind is TWO and rival.solver in UNLIKE:
        return UNLIKE[rival.solver]
    if rival.params.get("k", 1) > n:
        return f"draws {rival.params['k']} of {n} points at a time"
    if other := foreign(rival, kind, terms):
        return f"minimises another P, with the usual {other}"
    if problem is not None and (words := unfit(rival, problem)):
        return words
    if "maintenance" in names:
        return (
            ""
            if kernel is not None and kernel.kind in kernels.RADIAL
            else "merges with kernels of the distance only"
        )
    if "kernel" in names:
        return ""
    if "gamma" in names:
        return (
            ""
            if kernel is not None and kernel.kind == kernels.RBF
            else "stands for the Gaussian kernel only"
        )
    return "" if kernel is None else "is linear"


def unfit(rival: Rival, problem: Problem) -> str:
    """What speaks against its solver on these data."""
    solver = SOLVERS[rival.solver]
    try:
        solver.algorithm.suits(problem, solver.check(rival.params))
    except ValueError as error:
        return str(error).removeprefix(f"{solver.title} ")
    return ""


def foreign(rival: Rival, kind: Kind, terms: Mapping[str, Any]) -> str:
    """What of the common terms is not as usual and nothing that this rival knows, by its title."""
    solver, common = SOLVERS[rival.solver], {p.name: p for p in kind.params}
    here = {p.name: p.default for p in kind.params} | dict(terms)
    params = solver.check(rival.params) | {"multiclass": kind is kinds.CLASSES} | here
    known = {p.name: p for p in solver.params if p.matters(params)}
    return next(
        (
            common[name].title
            for name, value in terms.items()
            if value != common[name].default
            and common[name].matters(here)
            and not (name in known and known[name].accepts(value))
        ),
        "",
    )


def parted(text: str) -> list[str]:
    """The names of lanes in a row, at the commas outside of brackets; each once."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth <= 0:
            found.append("")
        else:
            found[-1] += letter
    return list(dict.fromkeys(filter(None, found)))


def named(key: str, kind: Kind = TWO) -> Rival:
    """The rival of this name; refused with a sentence where there is none."""
    every, found = rivals(kind), OWN.fullmatch(key)
    if key in every:
        return every[key]
    if not found or found[1] not in every:
        why = (
            f"is not for {kind.words}"
            if (found[1] if found else key) in everybody()
            else "is not known"
        )
        raise ValueError(f"the lane {brief(key)!r} {why}; there are {', '.join(every)}")
    base, params = every[found[1]], {p.name: p for p in SOLVERS[found[1]].params}
    own: dict[str, Any] = {}
    for name, _, value in (part.partition("=") for part in found[2].split(";")):
        if name not in params:
            raise ValueError(
                f"the lane {brief(key)!r} is not known; one with parameters of its own reads"
                " bsgd[B=5;lam=0.1]"
            )
        try:
            own[name] = params[name].read(value)
        except ValueError as error:
            raise ValueError(f"the lane {brief(key)!r} is not possible: {error}") from None
    title, rest = known_as(base, own)
    return base._replace(
        key=write(base.solver, own),
        params=dict(base.params) | own,
        elsewhere=not own.keys().isdisjoint(SPACE | LOSS),
        title=", ".join([title, *(told(params[name], rest[name]) for name in rest)]),
    )


def known_as(base: Rival, own: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of the well-known algorithm that a solver is with these parameters, else its title;
    and what that leaves unsaid.

    >>> known_as(
    ...     named("bsgd"), {"rule": "margin Perceptron", "maintenance": "stop", "beta": 0.0, "B": 5}
    ... )
    ('Stoptron', {'B': 5})
    """
    presets = {
        name: preset
        for name, preset in SOLVERS[base.solver].uses.presets.items()
        if preset.items() <= own.items()
    }
    name = max(presets, key=lambda name: len(presets[name]), default=base.title)
    return name, {key: value for key, value in own.items() if key not in presets.get(name, {})}


def write(solver: str, own: Mapping[str, Any]) -> str:
    """The name of a lane with these parameters; the solver's where there are none."""
    params = SOLVERS[solver].params
    parts = [f"{p.name}={p.write(own[p.name])}" for p in params if p.name in own]
    return f"{solver}[{';'.join(parts)}]" if parts else solver


def lane_of(
    solver: str,
    params: Mapping[str, Any],
    lam: float,
    kernel: kernels.Kernel | None,
    kind: Kind = TWO,
    **terms,
) -> str:
    """The lane that runs a solver with these parameters beside others of this λ, kernel, and what
    else is common to them.

    >>> lane_of("pegasos", SOLVERS["pegasos"].check({"lam": 0.1, "k": 5}), 0.1, None)
    'pegasos[k=5]'
    >>> lane_of("sbp", SOLVERS["sbp"].check({}), 0.1, None)
    'sbp[nu=0.05;iterate=last]'
    >>> lane_of(
    ...     "svr", SOLVERS["svr"].check({"epsilon": 0.3}), 0.01, None, kinds.TARGETS, epsilon=0.1
    ... )
    'svr[epsilon=0.3]'
    """
    known = {p.name: p.default for p in SOLVERS[solver].params} | dict(rivals(kind)[solver].params)
    known |= alike(
        SOLVERS[solver], kind, lam, kernel, **dict.fromkeys(("nu", "C"), ...), **terms
    )  # which follow from the data
    return write(solver, {name: value for name, value in params.items() if value != known[name]})


def alike(
    solver: Solver,
    kind: Kind,
    lam: float,
    kernel: kernels.Kernel | None,
    bias: bool = False,
    **terms,
) -> dict[str, Any]:
    """What of the common λ, kernel and terms this solver is told. Where two classes have a row of w
    each, either is half of the other solvers' w, up to its sign, and λ is twice as large.
    """
    known = {
        "lam": 2 * lam if solver.space.every_class and kind is TWO else lam,
        "kernel": kernel,
        "gamma": kernel.gamma if kernel else 1.0,
        "bias": bias,
    } | terms
    return {p.name: known[p.name] for p in solver.params if p.name in known}


def told(param: Param, value) -> str:
    """A parameter of a lane in its title."""
    if isinstance(value, bool):
        return param.title if value else f"no {param.title}"
    if param.is_kernel:
        return f"{worded(param, value)} kernel"
    number = f"{value:.3g}" if isinstance(value, float) else param.write(value)
    return number if param.options else f"{param.symbol or param.title} = {number}"
