"""The card of a race: data, λ, kernel, who takes part, how many seeds. Link, script and runs all follow from it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from svmviz.data.bundled import ALL, BUNDLED, against_rest
from svmviz.data.params import Param
from svmviz.data.plane import DATASETS, Dataset
from svmviz.data.problem import Problem
from svmviz.data.unseen import other_seed, test_set
from svmviz.maths import kernels
from svmviz.race import lanes, runs
from svmviz.run.link import UNKNOWN, Reader
from svmviz.run.recipe import Recipe, computable, from_query
from svmviz.solvers import SOLVERS
from svmviz.theory import certificate, reference

SEEDS = Param("seeds", "", 10, 1, 20, "Each seed is the same stream of draws for all solvers.", title="runs per solver")
LENGTH = Param("length", "", 5000, 100, 10_000, "Steps of a solver whose step is of middling cost; others get the same work.",
               log=True, title="steps")
LAM = replace(SOLVERS["pegasos"].params[0], low=1e-4, high=1.0, help="The same for all; ν and C follow from it.")
SOURCES = DATASETS | BUNDLED  # of two classes, or of which one can be set against the rest
KEYS = ("lanes", "seeds", "length")
RUN = ("solver", "seed", "T", "change", "edit", "chosen",  # what makes one run and is no part of a race
       *(p.name for p in SOLVERS["pegasos"].params if p.name not in ("lam", "kernel")))
LARGEST = 1000  # points: the exact optimum is needed at once


@dataclass(frozen=True)
class Card:
    base: Recipe  # data, λ and kernel, as a run of Pegasos
    rivals: tuple[str, ...]
    seeds: int = SEEDS.default
    length: int = LENGTH.default

    @property
    def lam(self) -> float:
        return self.base.params["lam"]

    @property
    def kernel(self) -> kernels.Kernel | None:
        return self.base.params["kernel"]

    @cached_property
    def problem(self) -> Problem:
        problem = self.base.problem()
        if problem.real:
            raise ValueError("a race is between solvers that separate two classes, and the targets of these data are numbers")
        if problem.classes > 2:
            raise ValueError(f"a race is between two classes, and here are {problem.classes}; set one of them against the rest")
        if problem.n > LARGEST:
            raise ValueError(f"a race allows {LARGEST} points, because every lane is measured against the optimum, and "
                             f"here are {problem.n}")
        computable(problem, self.kernel)
        return problem

    @cached_property
    def test(self) -> Problem | None:
        return test_set(self.base.source, self.base.data_params, self.problem)

    @property
    def tested_on(self) -> str:
        """What the error is measured on, in words."""
        if self.test is None:
            return f"the {self.problem.n} training points, because no others are there"
        if self.base.own or self.base.data not in DATASETS:
            return f"the {self.test.n} rows that no solver sees"
        return f"{self.test.n} fresh points, drawn with data seed {other_seed(self.base.data_params)}"

    @cached_property
    def optimum(self) -> reference.Optimum:
        best = reference.optimum(self.problem, self.lam, self.kernel)
        if best.norm == 0:
            raise ValueError(f"w = 0 is the optimum for λ = {self.lam:g}, and there is nothing to race for; lower λ")
        return best

    @property
    def nu(self) -> float:
        return self.optimum.hinge / self.optimum.norm

    @property
    def optimum_error(self) -> float:
        test = self.test or self.problem
        f = certificate.decision(self.problem, self.kernel, self.optimum, test.X)
        return float(((f >= 0) != (test.y > 0)).mean())

    def line_up(self) -> tuple[lanes.Rival, ...]:
        return runs.line_up(self.problem, self.rivals, self.lam, self.kernel, self.length)

    def recipe(self, rival: lanes.Rival, t: int) -> Recipe:
        """The run of seed 0 of a rival as the Playground shows it, long enough for step t."""
        steps = int(np.clip(2 * t, 120, rival.steps))
        return replace(self.base, solver=rival.solver, params=dict(rival.params), seed=0, steps=steps)

    def query(self) -> dict[str, str]:
        out = {key: value for key, value in self.base.query().items() if key not in RUN}
        return out | {"lanes": ",".join(self.rivals), "seeds": str(self.seeds), "length": str(self.length)}

    def key(self) -> str:
        """What tells the runs of this card from others; how many seeds there are changes none of them."""
        return str({key: value for key, value in self.query().items() if key not in ("lanes", "seeds")})

    def beside(self, other: "Card") -> tuple[str, str]:
        """What tells this card from another, in words: as it is here, and as it is there."""
        here, there = [], []

        def tell(words, mine, theirs):
            if mine != theirs:
                here.append(words(mine))
                there.append(words(theirs))

        a, b = self.base, other.base
        tell(lambda source: source.title, a.source, b.source)
        for p in a.source.params if a.source == b.source else ():
            tell(lambda value, p=p: f"{p.symbol or p.title} = {p.write(value)}", a.data_params[p.name], b.data_params[p.name])
        tell(lambda lam: f"λ = {lam:g}", self.lam, other.lam)
        tell(lambda kernel: str(kernel or "linear kernel"), self.kernel, other.kernel)
        tell(lambda length: f"{length} steps", self.length, other.length)
        for key in dict.fromkeys([*lanes.rivals(), *self.rivals, *other.rivals]):
            tell(lambda there, key=key: f"{'with' if there else 'without'} {lanes.named(key).title}", key in self.rivals,
                 key in other.rivals)
        return ", ".join(here), ", ".join(there)

    def python(self) -> str:
        """A script that reproduces the curves."""
        source, given = self.base.source, ", ".join(f"{name}={value!r}" for name, value in self.base.data_params.items())
        make = source.code
        kernel = f"svmviz.parts.{self.kernel}" if self.kernel else None
        return "\n".join([
            "import svmviz", "from svmviz import race", "",
            f"problem = {make}({given})" if source.params else f"problem = {make}",
            "test = None" if self.base.own else
            f"test = race.card.test_set(svmviz.recipe.SOURCES[{self.base.data!r}], dict({given}), problem)",
            f"lam, kernel = {self.lam!r}, {kernel}",
            f"lanes = race.line_up(problem, {list(self.rivals)}, lam, kernel, length={self.length})",
            "best = svmviz.reference.optimum(problem, lam, kernel)",
            f"tasks = [(lane, seed) for seed in range({self.seeds}) for lane in lanes]",
            "runs = {lane.key: [] for lane in lanes}",
            "for lane, _, result in race.results(problem, tasks, lam, best.hinge / best.norm, test):",
            "    runs[lane.key].append(result)", "tables = race.table.together(runs, best.primal)",
            "print(race.table.to_csv(tables, lanes, best.within))", ""])


def most(base: Recipe) -> int:
    """Points that a race allows: some rows of measured data are left to test on."""
    high = next((p.high for p in base.source.params if p.name == "n"), LARGEST)
    return min(LARGEST, high if base.source.key in DATASETS else high * 2 // 3)


def two_sided(params: tuple[Param, ...]) -> tuple[Param, ...]:
    """Parameters of data without the choice of all classes: every rival separates two."""
    return tuple(replace(p, options=tuple(o for o in p.options if o != ALL)) for p in params)


def fitting(base: Recipe) -> Recipe:
    """The recipe with no more points than a race allows."""
    if "n" not in base.data_params:
        return base
    return replace(base, data_params=dict(base.data_params) | {"n": min(base.data_params["n"], most(base))})


MOONS = Recipe("moons", {"n": 300, "noise": 0.25, "seed": 0}, params={"lam": 0.002, "kernel": kernels.rbf(4.0)})
OPENING = Card(MOONS.checked(), lanes.usual())


def read(query: Mapping[str, str], also=(), own: Mapping[str, Dataset] | None = None) -> tuple[Card, list[str]]:
    """The card of a link, and a sentence for each part of it that could not be used."""
    start = dict(OPENING.query()) if "data" not in query else {"lam": str(OPENING.lam)}
    about = {key: value for key, value in (start | dict(query)).items() if key not in KEYS and key not in RUN}
    base, messages = from_query(about, also, own)
    if other := [key for key in RUN if key in query]:
        messages.append(f"A race has no {', '.join(other)}, so that part of the link was left out.")
    if not base.own and (base.data not in SOURCES or base.data_params.get("positive") == ALL):
        base = replace(base, data_params=against_rest(base.data, base.data_params)) if base.data in SOURCES else OPENING.base
        messages.append(f"A race is between two classes, so it runs on {base.source.title}"
                        + (f", {base.data_params['positive']} against the rest." if "positive" in base.data_params else "."))
    link = Reader({key: query[key] for key in KEYS if key in query})
    found = {param.name: link.take(param.name, param.read, param.default) for param in (SEEDS, LENGTH)}
    rivals, complaints = link.take("lanes", rivals_of, (lanes.usual(), []))
    messages += link.answer() + complaints
    if "n" in query and fitting(base) != base:
        messages.append(f"The link's n was lowered to {fitting(base).data_params['n']}, which a race can answer at once.")
    return Card(fitting(base).checked(), rivals, **found), messages


def rivals_of(text: str) -> tuple[tuple[str, ...], list[str]]:
    """The rivals that a link names, and a sentence for each that cannot take part."""
    rivals, complaints = [], []
    for name in lanes.parted(text):
        try:
            rivals.append(lanes.named(name).key)
        except ValueError as error:
            complaints.append(f"The link's lanes: {error}.")
    left = len(complaints) - UNKNOWN
    complaints = complaints[:UNKNOWN] + ([f"So are {left} more of its lanes."] if left > 0 else [])
    rivals = list(dict.fromkeys(rivals))
    if len(rivals) > lanes.MOST:
        complaints.append(f"The link names {len(rivals)} lanes; the first {lanes.MOST} take part.")
    return tuple(rivals[:lanes.MOST]), complaints
