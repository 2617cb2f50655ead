"""A recipe is everything that makes a run: data, solver, parameters and their changes, seed, steps.

The link, the Python script and the trace all follow from it, so they cannot disagree. Reading a
link never fails: what cannot be used is replaced by its default and said in a sentence.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from svmviz.data import edits, many_features, projection
from svmviz.data.bundled import BUNDLED, told_apart
from svmviz.data.edits import Edit
from svmviz.data.many_classes import MULTICLASS
from svmviz.data.params import Param
from svmviz.data.plane import DATASETS, Dataset
from svmviz.data.sizes import computable, refuse_large, step_work
from svmviz.data.targets import REGRESSION
from svmviz.record import given as handed_over
from svmviz.record.solver import plan_segments
from svmviz.record.trace import Trace
from svmviz.run import batches, link, saved, script
from svmviz.solvers import SOLVERS
from svmviz.work.words import whole

LAST = 20_000  # the step that a run may reach
STEPS = Param(
    "T",
    "",
    120,
    1,
    LAST,
    "Steps computed at first. Playing on asks for more.",
    log=True,
    title="steps",
)
SEED = Param(
    "seed", "", 0, 0, 2**32 - 1, "Seed of the draws: same seed, same run.", title="run seed"
)
LINK = 4000  # characters of drawn points that a link may hold
SOURCES = DATASETS | MULTICLASS | many_features.FAMILIES | BUNDLED | REGRESSION | saved.sources()
WORK = 400_000_000  # multiplications of a run, about two seconds
QUICK = WORK // 10
PASS = (
    1000  # steps after which a run on many examples is opened, although it has not seen all of them
)


@dataclass(frozen=True)
class Recipe:
    data: str = "blobs"
    data_params: Mapping[str, Any] = field(default_factory=dict)
    solver: str = "pegasos"
    params: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    seed: int = SEED.default
    steps: int = STEPS.default
    own: Dataset | None = field(default=None, compare=False)  # data that only this visitor has
    edits: tuple[Edit, ...] = ()  # points dropped and added on the way
    chosen: tuple[
        tuple[int, int], ...
    ] = ()  # (t, example) that the visitor handed over in step t, see `replay`
    plane: str = (
        ""  # principal components where there are more than two features, or "0,3": these two
    )

    @property
    def source(self) -> Dataset:
        return self.own or SOURCES[self.data]

    def checked(self) -> "Recipe":
        """The same recipe with every value checked and every default written out."""
        dataset, solver = self.source, SOLVERS[self.solver]
        params = solver.check(self.params)
        self.pair()
        link.in_time(self.changes, LAST)
        plan_segments(solver, params, self.changes)
        return replace(
            self,
            chosen=self.chosen if "chosen" in solver.algorithm.takes else (),
            data_params={
                p.name: p.check(self.data_params.get(p.name, p.default)) for p in dataset.params
            },
            params=params,
            seed=SEED.check(self.seed),
            steps=STEPS.check(self.steps),
        )

    def about(self) -> str:
        """The data in words: what they are called and what they were made with."""
        given = [
            f"{p.symbol or p.title or p.name} = {p.write(self.data_params[p.name])}"
            for p in self.source.params
        ]
        drawn = (
            [f"edited {len(self.edits)} times" if len(self.edits) > 1 else "edited once"]
            if self.edits
            else []
        )
        return ", ".join([self.source.title, *given, *drawn])

    @property
    def current(self) -> dict[str, Any]:
        """The parameters in force after all changes."""
        return self.in_force(self.steps)

    def in_force(self, t: int) -> dict[str, Any]:
        """The parameters in force after step t, with what was changed there."""
        changes = tuple(change for change in self.changes if change[0] <= t)
        return plan_segments(SOLVERS[self.solver], dict(self.params), changes)[-1][1]

    def changed(self, t: int, new: Mapping[str, Any]) -> "Recipe":
        """The recipe that goes on from step t with other parameters; what was changed later than t
        is forgotten.
        """
        t = whole("a step", t, 0, LAST)
        if t <= 0:
            return replace(self, params=dict(self.params) | dict(new), changes=(), chosen=())
        past = [(s, dict(c)) for s, c in self.changes if s <= t]
        drawn = tuple(e for e in self.edits if e.t <= t)
        if past and past[-1][0] == t:
            past[-1][1].update(new)
        else:
            past.append((t, dict(new)))
        return replace(
            self,
            changes=link.in_time(tuple(past), LAST),
            edits=drawn,
            chosen=tuple(c for c in self.chosen if c[0] <= t),
            steps=self.reaching(t),
        )

    def edited(self, t: int, drop, add) -> "Recipe":
        """The recipe that goes on from step t with other points; what was planned later than t is
        forgotten.
        """
        drawn = link.in_time((*(e for e in self.edits if e.t <= t), edits.edit(t, drop, add)), LAST)
        return replace(
            self,
            edits=drawn,
            steps=self.reaching(t),
            changes=tuple((s, new) for s, new in self.changes if s <= t),
            chosen=tuple(c for c in self.chosen if c[0] <= t),
        )

    def handed(self, t: int, i: int) -> "Recipe":
        """The recipe in which example i arrives in step t + 1; what was planned later than t is
        forgotten.
        """
        if not 0 <= i < self.problem().n:
            raise ValueError(f"there is no point {i + 1}")
        return replace(
            self,
            chosen=(*(c for c in self.chosen if c[0] <= t), (t + 1, i)),
            steps=self.reaching(t),
            edits=tuple(e for e in self.edits if e.t <= t),
            changes=tuple((s, new) for s, new in self.changes if s <= t),
        )

    def reaching(self, t: int) -> int:
        """Steps of a run in which what is changed after step t is seen: more if t is the last,
        where a page can afford it.
        """
        return (
            self.steps
            if t < self.steps
            else max(self.steps, min(max(2 * self.steps, t + 1), self.most_steps()))
        )

    def with_params(self, **new) -> "Recipe":
        """The same run from the first step on with other parameters."""
        return replace(self, params=dict(self.params) | new, changes=()).checked()

    def with_solver(self, key: str) -> "Recipe":
        """The same data for another solver from the first step on: of the parameters in force it
        keeps those that it knows by the same name and can use, together with its own; another
        kernel than its own only where there is one.
        """
        now, solver, params = self.current, SOLVERS[key], SOLVERS[key].params
        kept = {
            p.name: now[p.name]
            for p in params
            if p.name in now
            and p.accepts(now[p.name])
            and (now[p.name] is not None or p.default is None)
        }
        if not solver.goes(kept):
            fewer = ({name: value for name, value in kept.items() if name != left} for left in kept)
            kept = next(filter(solver.goes, fewer), {})
        return replace(
            self,
            solver=key,
            params=kept,
            changes=(),
            edits=tuple(e._replace(t=0) for e in self.edits),
        ).checked()

    def with_data(self, key: str, own: Dataset | None = None) -> "Recipe":
        """The same solver with the parameters in force on other data, from the first step on; who
        has a score for each class gets all classes that there are.
        """
        apart = told_apart(key) if SOLVERS[self.solver].space.every_class and not own else {}
        there = (
            Recipe(key, apart, self.solver, self.current, (), self.seed, self.steps, own)
            .checked()
            .fitted()
        )
        return (
            there.with_solver("regression")
            if there.problem().real and not SOLVERS[self.solver].space.real
            else there
        )

    def fitted(self) -> "Recipe":
        """The recipe with mini-batches no larger than the number of points, whichever there are at
        that step.
        """
        try:
            problem, active = self.union()
        except ValueError:  # whoever makes the run will say why
            return self
        points = {0: problem.n} | {t: len(rows) for t, rows in active}
        params, changes = batches.fitted(self.params, self.changes, points)
        return replace(self, params=params, changes=changes)

    def undone(self) -> "Recipe":
        """The recipe without its latest change."""
        return replace(self, changes=self.changes[:-1])

    def restarted(self) -> "Recipe":
        """The recipe that uses the latest parameters from the first step on."""
        return replace(
            self, params=self.current, changes=(), edits=tuple(e._replace(t=0) for e in self.edits)
        )

    def problem(self):
        return self.union()[0]

    def union(self):
        """All points that ever take part, and which of them do from which step on."""
        base = (
            self.own.problem(**self.data_params)
            if self.own
            else _made(self.data, tuple(sorted(self.data_params.items())))
        )
        return edits.apply(base, self.edits)

    def data_csv(self) -> str:
        """The points that take part at the end, to the last digit."""
        problem, active = self.union()
        rows = active[-1][1] if active else range(problem.n)
        points = (
            (*map(float, problem.X[i]), float(problem.y[i]) if problem.real else int(problem.y[i]))
            for i in rows
        )
        return f"x1,x2,{'target' if problem.real else 'label'}\n" + "".join(
            f"{x!r},{y!r},{label}\n" for x, y, label in points
        )

    def pair(self) -> tuple[int, int] | None:
        """The two features that span the plane, where two were picked."""
        return link.pair(self.plane, len(self.source.names)) if self.plane else None

    def look(self, problem) -> projection.Plane:
        """The plane on which the stage shows the data."""
        names, pair = self.source.names, self.pair()
        return (
            projection.features(problem, *pair, names)
            if pair
            else projection.default(problem, names)
        )

    def step_work(self, problem) -> int:
        """Multiplications of a step at most."""
        solver = SOLVERS[self.solver]
        return max(
            step_work(problem.X, solver, params)
            for _, params in plan_segments(solver, dict(self.params), self.changes)
        )

    def most_steps(self, problem=None) -> int:
        """Steps that the page can afford."""
        return min(LAST, WORK // self.step_work(problem or self.problem()))

    def quick(self, share: float = 1.0) -> bool:
        """Whether the run takes so little that it need not wait, some tenth of a second at most; or
        a share of it.
        """
        return self.steps * self.step_work(self.problem()) <= share * QUICK

    def after_one_pass(self) -> tuple["Recipe", int]:
        """The recipe with steps enough to be opened where every example was looked at about once,
        and that step: at the first there is nothing to see yet.
        """
        problem = self.problem()
        most = self.most_steps(problem)
        t = max(1, min(-(-problem.n // self.params.get("k", 1)), most, PASS))
        return replace(self, steps=max(1, min(most, max(STEPS.default, 2 * t)))), t

    def allowed(self, problem=None) -> None:
        """Refuse with a sentence what would take too long for a page that answers at once, and
        points that cannot be.
        """
        problem = problem or self.problem()
        refuse_large(problem.X)
        most = self.most_steps(problem)
        if self.steps > most:
            raise ValueError(
                f"at this size the page allows {most} steps, and the run asks for {self.steps};"
                " lower the number of points, the mini-batch or the steps"
            )
        for _, params in plan_segments(SOLVERS[self.solver], dict(self.params), self.changes):
            computable(problem, params.get("kernel"))
            SOLVERS[self.solver].algorithm.suits(problem, params)

    def admitted(self) -> bool:
        """Whether nothing speaks against running it, as far as one can tell before."""
        try:
            problem, solver = self.problem(), SOLVERS[self.solver]
            self.allowed(problem)
        except ValueError:
            return False
        batches = [
            params.get("k", 1)
            for _, params in plan_segments(solver, dict(self.params), self.changes)
        ]
        return not solver.refusal(problem) and max(batches) <= problem.n

    def trace(self) -> Trace:
        """Run it, if it is allowed."""
        problem, active = self.union()
        self.allowed(problem)
        solver, mine = SOLVERS[self.solver], [(t, i) for t, i in self.chosen if i < problem.n]
        return solver.trace(
            problem,
            self.steps,
            self.seed,
            changes=self.changes,
            active=active,
            chosen=mine,
            **self.params,
        )

    def stretches(self, problem, active) -> list[tuple[dict[str, Any], Any]]:
        """Parameters and examples of each stretch of the run, which is not carried out for that."""
        found = SOLVERS[self.solver].stretches(
            problem, self.steps, self.params, self.changes, active
        )
        return [(params, rows) for _, _, params, rows in found]

    def query(self) -> dict[str, str]:
        """The recipe as the key-value pairs of a link."""
        dataset, solver = self.source, SOLVERS[self.solver]
        params = {p.name: p for p in solver.params}
        out = {
            "data": self.data,
            **{_data_key(p): p.write(self.data_params[p.name]) for p in dataset.params},
            "solver": self.solver,
            **{
                name: p.write(self.params[name])
                for name, p in params.items()
                if p.named(self.params[name])
            },
            "seed": str(self.seed),
            "T": str(self.steps),
        }
        if self.plane:
            out["plane"] = self.plane
        if self.edits and len(edits.write(self.edits)) <= LINK:
            out["edit"] = edits.write(self.edits)
        if self.chosen and "chosen" in solver.algorithm.takes:
            out["chosen"] = handed_over.write(self.chosen)
        if self.changes:
            out["change"] = link.write_changes(self.changes, solver)
        return out

    def key(self) -> str:
        """What tells this run from every other, however long."""
        return json.dumps([self.query(), edits.write(self.edits)])

    def python(self, t: int | str | None = None) -> str:
        """A script that reproduces the trace exactly and prints step t."""
        return script.of(self, self.steps if t is None else t)


@lru_cache(maxsize=16)
def _made(data: str, given: tuple[tuple[str, Any], ...]):
    """Data that anybody may have, made once for all who ask what is in them: the sidebar, the
    limits, the run.
    """
    return SOURCES[data].problem(**dict(given))


def _data_key(param: Param) -> str:
    """Its name in a link, in which runs, races and solvers have names of their own."""
    return f"data_{param.name}" if param.name in ("seed", "length") else param.name


def from_query(
    query: Mapping[str, str], also: Iterable[str] = (), own: Mapping[str, Dataset] | None = None
) -> tuple[Recipe, list[str]]:
    """The recipe of a link, and a sentence for each part of it that could not be used; `own` holds
    the visitor's own data.

    >>> from_query({"lam": "0.2"})[0].params["lam"]
    0.2
    >>> from_query({"lam": "abc"})[1]
    ["The link's lam was replaced by its default: lam must be a number, got 'abc'."]
    """
    found, sources = link.Reader(query, also), SOURCES | dict(own or {})
    take = found.take
    data = take("data", link.one_of_data(sources), Recipe.data)
    mine = (own or {}).get(data)
    solver = take("solver", link.one_of(SOLVERS), Recipe.solver)
    named = {
        "seed",
        *(p.name for p in SOLVERS[solver].params),
    }  # parameters of data have other names beside these
    data_params = {
        p.name: take(
            p.name if p.name in query and p.name not in named else _data_key(p), p.read, p.default
        )
        for p in sources[data].params
    }
    params = {p.name: take(p.name, p.read, p.default) for p in SOLVERS[solver].params}
    seed, steps = take("seed", SEED.read, SEED.default), take("T", STEPS.read, STEPS.default)
    changes = take("change", lambda text: link.changes(text, SOLVERS[solver], LAST), ())
    plane = take(
        "plane",
        lambda text: text and "{},{}".format(*link.pair(text, len(sources[data].names))),
        "",
    )
    drawn = take("edit", lambda text: link.in_time(edits.read(text), LAST), ())
    handed = "chosen" in SOLVERS[solver].algorithm.takes and take(
        "chosen", lambda text: link.in_time(handed_over.read(text), LAST, LAST), ()
    )
    return (
        Recipe(
            data,
            data_params,
            solver,
            params,
            changes,
            seed,
            steps,
            mine,
            drawn,
            handed or (),
            plane,
        ),
        found.answer(),
    )
