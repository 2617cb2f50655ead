"""The card of a race: data, λ, kernel and what else their kind of problem has in common, who takes
part, how many seeds. Link, script and runs all follow from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from svmviz.data.bundled import BUNDLED
from svmviz.data.many_classes import MULTICLASS
from svmviz.data.params import Param
from svmviz.data.plane import DATASETS, Dataset
from svmviz.data.problem import Problem
from svmviz.data.sizes import computable
from svmviz.data.targets import REGRESSION
from svmviz.data.unseen import GENERATED, other_seed, test_set
from svmviz.maths import kernels
from svmviz.race import kinds, lanes, runs
from svmviz.race.kinds import Kind
from svmviz.run.fork import kernel_in_words
from svmviz.run.link import UNKNOWN, Reader
from svmviz.run.recipe import Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.theory import certificate

SEEDS = Param(
    "seeds",
    "",
    10,
    1,
    20,
    "Each seed is the same stream of draws for all solvers.",
    title="runs per solver",
)
LENGTH = Param(
    "length",
    "",
    5000,
    100,
    10_000,
    "Steps of a solver whose step is of middling cost, or less than twice as dear; "
    "others get the same work.",
    log=True,
    title="steps",
)
SOURCES = DATASETS | MULTICLASS | BUNDLED | REGRESSION
KEYS = ("lanes", "seeds", "length")
RUN = (
    "solver",
    "seed",
    "T",
    "change",
    "edit",
    "chosen",
)  # what makes one run and is no part of a race
LARGEST = 1000  # points: the exact optimum is needed at once


@dataclass(frozen=True)
class Card:
    # data and what is common to all, as a run of the solver that stands for their kind of problem
    base: Recipe
    rivals: tuple[str, ...]
    seeds: int = SEEDS.default
    length: int = LENGTH.default

    @property
    def lam(self) -> float:
        return self.base.params["lam"]

    @property
    def kernel(self) -> kernels.Kernel | None:
        return self.base.params["kernel"]

    @property
    def kind(self) -> Kind:
        return next(kind for kind in kinds.KINDS.values() if kind.solver == self.base.solver)

    @property
    def terms(self) -> dict[str, Any]:
        """The parameters that all lanes share besides λ and the kernel."""
        return self.kind.terms(self.base.params)

    @property
    def told(self) -> str:
        """What is common, in words."""
        return ", ".join(
            term(p, self.base.params[p.name])
            for p in self.kind.params
            if p.matters(self.base.params) and p.named(self.base.params[p.name])
        )

    @property
    def look(self) -> dict[str, str]:
        """What a race is opened with: where the lanes do not have one P, the error is what tells
        them apart.
        """
        return (
            {"y": "error"}
            if any(lanes.named(key, self.kind).elsewhere for key in self.rivals)
            else {}
        )

    @cached_property
    def problem(self) -> Problem:
        problem = self.base.problem()
        if problem.n > LARGEST:
            raise ValueError(
                f"a race allows {LARGEST} points, because every lane is measured against the"
                f" optimum, and here are {problem.n}"
            )
        computable(problem, self.kernel)
        SOLVERS[self.base.solver].algorithm.suits(problem, self.base.params)
        return problem

    @cached_property
    def test(self) -> Problem | None:
        return test_set(self.base.source, self.base.data_params, self.problem)

    @property
    def tested_on(self) -> str:
        """What the error is measured on, in words."""
        if self.test is None:
            return f"the {self.problem.n} training points, because no others are there"
        if self.base.own or self.base.data not in GENERATED:
            return f"the {self.test.n} rows that no solver sees"
        return (
            f"{self.test.n} fresh points, drawn with data seed {other_seed(self.base.data_params)}"
        )

    @cached_property
    def optimum(self) -> certificate.Optimum:
        best = runs.optimum(self.problem, self.lam, self.kernel, **self.terms)
        if best.norm == 0:
            raise ValueError(
                f"w = 0 is the optimum for λ = {self.lam:g}, and there is nothing to race for;"
                f" {self.kind.empty}"
            )
        return best

    @property
    def nu(self) -> float:
        return self.optimum.hinge / self.optimum.norm

    @property
    def optimum_error(self) -> float:
        """How far off the optimum is, by the yardstick of this kind of problem."""
        test = self.test or self.problem
        f = certificate.decision(self.problem, self.kernel, self.optimum, test.X)
        return float(self.kind.error(f[None], test.y)[0])

    def line_up(self) -> tuple[lanes.Rival, ...]:
        return runs.line_up(
            self.problem, self.rivals, self.lam, self.kernel, self.length, **self.terms
        )

    def recipe(self, rival: lanes.Rival, t: int) -> Recipe:
        """The run of seed 0 of a rival as the Playground shows it, long enough for step t."""
        steps = int(np.clip(2 * t, 120, rival.steps))
        return replace(
            self.base, solver=rival.solver, params=dict(rival.params), seed=0, steps=steps
        )

    def query(self) -> dict[str, str]:
        out = {
            key: value
            for key, value in self.base.query().items()
            if key not in of_one_run(self.kind)
        }
        return out | {
            "lanes": ",".join(self.rivals),
            "seeds": str(self.seeds),
            "length": str(self.length),
        }

    def key(self) -> str:
        """What tells the runs of this card from others; how many seeds there are changes none of
        them.
        """
        return str(
            {key: value for key, value in self.query().items() if key not in ("lanes", "seeds")}
        )

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
            tell(
                lambda value, p=p: f"{p.symbol or p.title} = {p.write(value)}",
                a.data_params[p.name],
                b.data_params[p.name],
            )
        for p in self.kind.params:
            if (
                p.name in other.kind.common[:2] or self.kind is other.kind
            ):  # the others mean something else there
                tell(lambda value, p=p: term(p, value), a.params[p.name], b.params[p.name])
        tell(lambda length: f"{length} steps", self.length, other.length)
        every = (
            dict.fromkeys([*lanes.rivals(self.kind), *self.rivals, *other.rivals])
            if self.kind is other.kind
            else ()
        )
        for lane in (lanes.named(key, self.kind) for key in every):
            tell(
                lambda there, lane=lane: f"{'with' if there else 'without'} {lane.title}",
                lane.key in self.rivals,
                lane.key in other.rivals,
            )
        return ", ".join(here), ", ".join(there)

    def python(self) -> str:
        """A script that reproduces the curves."""
        source, given = (
            self.base.source,
            ", ".join(f"{name}={value!r}" for name, value in self.base.data_params.items()),
        )
        make = source.code
        kernel = f"svmviz.parts.{self.kernel}" if self.kernel else None
        terms = "".join(f", {name}={value!r}" for name, value in self.terms.items())
        return "\n".join(
            [
                "import svmviz",
                "from svmviz import race",
                "",
                f"problem = {make}({given})" if source.params else f"problem = {make}",
                (
                    "test = None"
                    if self.base.own
                    else (
                        f"test = race.card.test_set(svmviz.recipe.SOURCES[{self.base.data!r}],"
                        f" dict({given}), problem)"
                    )
                ),
                f"lam, kernel = {self.lam!r}, {kernel}",
                (
                    f"lanes = race.line_up(problem, {list(self.rivals)}, lam, kernel,"
                    f" length={self.length}{terms})"
                ),
                f"best = race.optimum(problem, lam, kernel{terms})",
                f"tasks = [(lane, seed) for seed in range({self.seeds}) for lane in lanes]",
                "runs = {lane.key: [] for lane in lanes}",
                (
                    "for lane, _, result in race.results(problem, tasks, lam, best.hinge /"
                    " best.norm, test):"
                ),
                "    runs[lane.key].append(result)",
                "tables = race.table.together(runs, best.primal)",
                "print(race.table.to_csv(tables, lanes, best.within))",
                "",
            ]
        )


def term(p: Param, value: Any) -> str:
    """A parameter that all have in common, in words."""
    if p.is_kernel:
        return kernel_in_words(value)
    if p.options:
        return f"{value} {p.title}"
    return (
        f"{p.symbol} = {value:g}" if isinstance(value, float) else f"{p.symbol} = {value or 'even'}"
    )


def of_one_run(kind: Kind) -> tuple[str, ...]:
    """Parts of a link that make one run and are no part of a race."""
    return *RUN, *(p.name for p in SOLVERS[kind.solver].params if p.name not in kind.common)


def most(base: Recipe) -> int:
    """Points that a race allows: some rows of measured data are left to test on."""
    high = next((p.high for p in base.source.params if p.name == "n"), LARGEST)
    return min(LARGEST, high if base.source.key in GENERATED else high * 2 // 3)


def fitting(base: Recipe) -> Recipe:
    """The recipe with no more points than a race allows."""
    if "n" not in base.data_params:
        return base
    return replace(
        base, data_params=dict(base.data_params) | {"n": min(base.data_params["n"], most(base))}
    )


MOONS = Recipe(
    "moons", {"n": 300, "noise": 0.25, "seed": 0}, params={"lam": 0.002, "kernel": kernels.rbf(4.0)}
)
OPENING = Card(MOONS.checked(), lanes.usual())


def kind_of(recipe: Recipe) -> Kind:
    """The kind of problem that its data have."""
    return kinds.of_data(recipe.data, recipe.data_params.get("positive", ""), recipe.own)


def suited(base: Recipe) -> Recipe:
    """The recipe as a run of the solver that stands for the kind of problem that its data have:
    what that kind knows, too, stays.
    """
    kind = kind_of(base)
    if kind.solver == base.solver:
        return base
    there = base.with_solver(kind.solver)
    return replace(there, params={p.name: there.params[p.name] for p in kind.params}).checked()


def admits(recipe: Recipe) -> bool:
    """Whether a run can be a lane of a race: on data that anybody has, as they are, or on the
    visitor's own, and by a solver that takes part there.
    """
    solver, kind = SOLVERS[recipe.solver], kind_of(recipe)
    return (
        (bool(recipe.own) or recipe.data in SOURCES)
        and not recipe.edits
        and kind.admits(solver)
        and not (kind is kinds.TWO and solver.key in lanes.UNLIKE)
    )


def against(recipe: Recipe, *others: Recipe) -> Card:
    """Runs on the same data as lanes of a race, each with its last parameters from the first step
    on; what is common to all is that of the first.

    >>> from svmviz.run.recipe import Recipe
    >>> first = Recipe("sine", {}, "regression", {"epsilon": 0.2}).checked()
    >>> against(first, first.with_params(k=5), first.with_params(epsilon=0.3)).rivals
    ('regression', 'regression[k=5]', 'regression[epsilon=0.3]')
    """
    kind, solver, now = kind_of(recipe), SOLVERS[recipe.solver], recipe.current
    kernel = now.get("kernel", kernels.rbf(now["gamma"]) if "gamma" in now else None)
    lam = now["lam"] / lanes.alike(solver, kind, 1.0, None)["lam"] if "lam" in now else kind.lam
    now |= {"lam": lam, "kernel": kernel}
    common = {
        p.name: now[p.name]
        for p in SOLVERS[kind.solver].params
        if p.name in kind.common and p.name in now and p.accepts(now[p.name])
    }
    base = Recipe(
        recipe.data, recipe.data_params, kind.solver, common, own=recipe.own, plane=recipe.plane
    ).checked()
    card = Card(fitting(base), ())
    found = (
        lanes.lane_of(one.solver, one.current, card.lam, card.kernel, kind, **card.terms)
        for one in (recipe, *others)
    )
    return replace(card, rivals=tuple(dict.fromkeys(found)))


def read(
    query: Mapping[str, str], also=(), own: Mapping[str, Dataset] | None = None
) -> tuple[Card, list[str]]:
    """The card of a link, and a sentence for each part of it that could not be used."""
    about = dict(OPENING.query()) | dict(query) if "data" not in query else dict(query)
    kind = kinds.of_data(about["data"], about.get("positive", ""), (own or {}).get(about["data"]))
    alone = of_one_run(kind)
    about = {"lam": str(kind.lam)} | {
        key: value for key, value in about.items() if key not in KEYS and key not in alone
    }
    base, messages = from_query(about | {"solver": kind.solver}, also, own)
    if other := [key for key in alone if key in query]:
        messages.append(
            f"Left out of the link, as only a single run has such a thing: {', '.join(other)}."
        )
    if not base.own and base.data not in SOURCES:
        messages.append(
            f"There is no race on {base.source.title}, so it runs on {OPENING.base.source.title}."
        )
        base = OPENING.base
    base = suited(base)  # a link may name data that nobody knows
    kind = Card(base, ()).kind
    link = Reader({key: query[key] for key in KEYS if key in query})
    found = {
        param.name: link.take(param.name, param.read, param.default) for param in (SEEDS, LENGTH)
    }
    rivals, complaints = link.take(
        "lanes", lambda text: rivals_of(text, kind), (lanes.usual(kind, base.data), [])
    )
    messages += link.answer() + complaints
    if "n" in query and fitting(base) != base:
        messages.append(
            f"The link's n was lowered to {fitting(base).data_params['n']}, which a race can answer"
            " at once."
        )
    return Card(fitting(base).checked(), rivals, **found), messages


def rivals_of(text: str, kind: Kind) -> tuple[tuple[str, ...], list[str]]:
    """The rivals that a link names, and a sentence for each that cannot take part."""
    rivals, complaints = [], []
    for name in lanes.parted(text):
        try:
            rivals.append(lanes.named(name, kind).key)
        except ValueError as error:
            complaints.append(f"The link's {str(error).removeprefix('the ')}.")
    left = len(complaints) - UNKNOWN
    complaints = complaints[:UNKNOWN] + ([f"So are {left} more of its lanes."] if left > 0 else [])
    rivals = list(dict.fromkeys(rivals))
    if len(rivals) > lanes.MOST:
        complaints.append(f"The link names {len(rivals)} lanes; the first {lanes.MOST} take part.")
    return tuple(rivals[: lanes.MOST]), complaints
