"""Who may take part in a race, and what each lane is called: a solver, a variant of one, or a solver with parameters of the
lane's own, as in `bsgd[B=5;lam=0.1]`. One solver may run in several lanes.

>>> named("bsgd[B=5]").title
'Budgeted SGD, B = 5'
>>> parted("pegasos,bsgd[B=5;kernel=poly(degree=2, gamma=1.0, coef0=1.0)]")
['pegasos', 'bsgd[B=5;kernel=poly(degree=2, gamma=1.0, coef0=1.0)]']
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.maths.words import brief
from svmviz.solvers import SOLVERS

MOST = 6  # rivals
OWN = re.compile(r"([a-z0-9_]+)\[(.*)\]")
SPACE = {"kernel", "gamma", "features", "intercept", "constant", "bias"}  # parameters that make the space of w
MATCHED = {"lam", "nu", "C", "kernel", "gamma", "bias"}  # that follow from the others, unless a lane has its own


class Rival(NamedTuple):
    """A solver that may take part, with what sets it apart from its default; `line_up` gives it all of its parameters, and says
    how many steps it will take."""

    key: str
    title: str
    solver: str
    params: Mapping[str, Any] = {}
    steps: int = 0
    own: frozenset[str] = frozenset()  # parameters that the visitor has set for this lane

    @property
    def elsewhere(self) -> bool:
        """Whether its w lives in another space than that of the others."""
        return bool(self.own & SPACE)


TITLES = {"sbp": "SBP", "sdca": "SDCA", "smo": "SMO", "fourier": "Fourier"}
USED = {"sbp": {"iterate": "average"}}  # the average is what the guarantee is about, and what predicts
VARIANTS = (
    Rival("pegasos-average", "Pegasos, average", "pegasos", {"iterate": "average"}),
    Rival("sbp-last", "SBP, last w", "sbp", {"iterate": "last"}),
    Rival("pegasos-k10", "Pegasos, k = 10", "pegasos", {"k": 10}),
)


UNLIKE = {"bias": "has a bias, and the others have none", "sequences": "tags sentences, not points"}


def rivals() -> dict[str, Rival]:
    """Every solver, then variants of some."""
    every = [Rival(key, TITLES.get(key, solver.title), key, USED.get(key, {})) for key, solver in SOLVERS.items()
             if not solver.real]
    return {rival.key: rival for rival in (*every, *VARIANTS) if rival.solver in SOLVERS}


def usual() -> tuple[str, ...]:
    """Who takes part where nobody was chosen: the solvers, and variants where there are few."""
    return tuple(rivals())[:max(min(len(SOLVERS), MOST), MOST - 1)]


def hindrance(rival: Rival, kernel: kernels.Kernel | None, n: int) -> str:
    """Why it cannot take part, in words; empty if it can."""
    names, kernel = {p.name for p in SOLVERS[rival.solver].params}, rival.params.get("kernel", kernel)
    if rival.solver in UNLIKE:
        return UNLIKE[rival.solver]
    if rival.params.get("k", 1) > n:
        return f"draws {rival.params['k']} of {n} points at a time"
    if "maintenance" in names:
        return "" if kernel is not None and kernel.kind == kernels.RBF else "merges with the Gaussian kernel only"
    if "kernel" in names:
        return ""
    if "gamma" in names:
        return "" if kernel is not None and kernel.kind == kernels.RBF else "stands for the Gaussian kernel only"
    return "" if kernel is None else "is linear"


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


def named(key: str) -> Rival:
    """The rival of this name; refused with a sentence where there is none."""
    every = rivals()
    if key in every:
        return every[key]
    found = OWN.fullmatch(key)
    if not found or found[1] not in every or found[1] not in SOLVERS:
        raise ValueError(f"the lane {brief(key)!r} is not known; there are {', '.join(every)}")
    base, params = every[found[1]], {p.name: p for p in SOLVERS[found[1]].params}
    own: dict[str, Any] = {}
    for part in found[2].split(";"):
        name, _, value = part.partition("=")
        if name not in params:
            raise ValueError(f"a lane of its own reads bsgd[B=5;lam=0.1], got {brief(key)!r}")
        own[name] = params[name].read(value)
    return base._replace(key=write(base.solver, own), params=dict(base.params) | own, own=frozenset(own),
                         title=", ".join([base.title, *(told(params[name], value) for name, value in own.items())]))


def write(solver: str, own: Mapping[str, Any]) -> str:
    """The name of a lane with these parameters; the solver's where there are none."""
    params = SOLVERS[solver].params
    parts = [f"{p.name}={p.write(own[p.name])}" for p in params if p.name in own]
    return f"{solver}[{';'.join(parts)}]" if parts else solver


def lane_of(solver: str, params: Mapping[str, Any], lam: float, kernel: kernels.Kernel | None) -> str:
    """The lane that runs a solver with these parameters beside others of this λ and kernel.

    >>> lane_of("pegasos", SOLVERS["pegasos"].check({"lam": 0.1, "k": 5}), 0.1, None)
    'pegasos[k=5]'
    >>> lane_of("sbp", SOLVERS["sbp"].check({}), 0.1, None)
    'sbp[nu=0.05;iterate=last]'
    """
    usual = {p.name: p.default for p in SOLVERS[solver].params} | dict(rivals()[solver].params)
    same = {"lam": lam, "kernel": kernel, "gamma": kernel.gamma if kernel else None, "bias": False}
    return write(solver, {name: value for name, value in params.items()
                          if value != (same.get(name, ...) if name in MATCHED else usual[name])})


def told(param: Param, value) -> str:
    """A parameter of a lane in its title."""
    if isinstance(value, bool):
        return param.title if value else f"no {param.title}"
    return str(value) if param.options else f"{param.symbol or param.title} = {param.write(value) or 'linear'}"
