"""The recipe of a stream: data, rule, budget, length. Link and run follow from it, as they do from
`recipe.Recipe`.

>>> Streamed.of("waves").query()["B"]
'100'
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from svmviz.data.params import Param
from svmviz.data.plane import Dataset
from svmviz.maths import kernels
from svmviz.run import link
from svmviz.run.recipe import Recipe
from svmviz.run.streams import sources, stream
from svmviz.solvers.bsgd.algorithm import refuse
from svmviz.solvers.bsgd.solver import BSGD
from svmviz.work.words import count

EXAMPLES = Param(
    "examples", "", 100_000, 10_000, 10_000_000, "Generated as it goes.", log=True, title="examples"
)
PASSES = Param("passes", "", 5, 1, 20, "A new order for each pass; t goes on.", title="passes")
SEED = Param("seed", "", 0, 0, 2**31, "Same seed, same stream.", title="run seed")
PARAMS = tuple(
    p for p in BSGD.params if p.name not in ("sampling", "search", "forget", "multiclass")
)
USUAL = {"B": 100, "lam": 1e-3}
UNBUDGETED = 50_000  # examples at most where every error stays: time and memory have no other end
FIRST = next(iter(sources.ENDLESS))


def of_data(key: str) -> dict[str, Param]:
    """What a stream can be told of its data: not how many there are, and not their seed, which is
    the stream's.
    """
    item = (sources.PICTURES | sources.KEPT).get(key)
    return {p.name: p for p in item.params if p.name not in ("n", "seed")} if item else {}


@dataclass(frozen=True)
class Streamed:
    data: str
    given: Mapping[str, Any] = field(default_factory=dict)  # parameters of the data
    params: Mapping[str, Any] = field(default_factory=dict)  # all of BSGD's
    examples: int = EXAMPLES.default  # where the data have no end
    passes: int = PASSES.default  # where they have
    seed: int = SEED.default
    own: Mapping[str, Dataset] = field(
        default_factory=dict, compare=False
    )  # that only this visitor has

    @classmethod
    def of(
        cls,
        data: str,
        own: Mapping[str, Dataset] | None = None,
        given: Mapping[str, Any] | None = None,
        **more,
    ):
        """These data with the usual parameters."""
        new = cls(data, dict(given or {}), own=own or {}, **more)
        return replace(
            new,
            params={p.name: p.default for p in BSGD.params}
            | USUAL
            | {"kernel": kernels.rbf(new.source.gamma)},
        )

    @property
    def source(self) -> sources.Source:
        return sources.source(self.data, self.own, self.given)

    @property
    def length(self) -> int:
        return self.passes * self.source.rows or self.examples

    @property
    def name(self) -> str:
        p = self.params
        budget = "no budget" if p["maintenance"] == "none" else f"{p['maintenance']}, B = {p['B']}"
        return f"{p['rule']}, {budget}, {p['kernel'] or 'linear kernel'}, λ = {p['lam']:g}"

    def on(self, data: str) -> "Streamed":
        """The same on other data; a width of the kernel that was those data's own becomes that of
        these.
        """
        other = Streamed.of(
            data, self.own, examples=self.examples, passes=self.passes, seed=self.seed
        )
        fitting = self.params["kernel"] == kernels.rbf(self.source.gamma)
        return replace(
            other,
            params=dict(self.params) | ({"kernel": other.params["kernel"]} if fitting else {}),
        )

    def allowed(self) -> None:
        """Refuse with a sentence what cannot be, or would have no end."""
        classes = self.source.classes
        refuse(self.params, classes if classes > 2 else 1)
        if self.params["maintenance"] == "none" and self.length > UNBUDGETED:
            raise ValueError(
                f"without a budget a stream may have {count(UNBUDGETED)} examples, because every"
                f" one costs more than the one before, got {count(self.length)}"
            )

    def run(self) -> Iterator[stream.Progress]:
        return sources.run(self.source, self.params, self.length, self.seed)

    def points(self) -> Iterator[sources.Point]:
        return sources.points(self.run())

    def query(self) -> dict[str, str]:
        named, length = of_data(self.data), PASSES if self.source.rows else EXAMPLES
        return {
            "data": self.data,
            **{name: named[name].write(value) for name, value in self.given.items()},
            **{
                p.name: p.write(self.params[p.name]) for p in PARAMS if p.named(self.params[p.name])
            },
            length.name: length.write(getattr(self, length.name)),
            "seed": str(self.seed),
        }


def from_recipe(recipe: Recipe, own: Mapping[str, Dataset]) -> Streamed:
    """The Playground's data and parameters."""
    given = {
        name: value for name, value in recipe.data_params.items() if name in of_data(recipe.data)
    }
    new = Streamed.of(recipe.data, own, given)
    return replace(new, params=dict(new.params) | {p.name: recipe.current[p.name] for p in PARAMS})


def from_query(
    query: Mapping[str, str], own: Mapping[str, Dataset], also: Iterable[str] = ()
) -> tuple[Streamed, list[str]]:
    """The stream of a link, and a sentence for each part of it that could not be used.

    >>> from_query({"B": "50", "examples": "-3"}, {})[1][0].partition(": ")[2]
    'examples must lie in [10000, 10000000], got -3.'
    """
    found = link.Reader(query, also)
    data = found.take("data", link.one_of_data(sources.titles(own)), FIRST)
    given = {
        name: found.take(name, p.read, p.default)
        for name, p in of_data(data).items()
        if name in query
    }
    new = Streamed.of(data, own, given)
    params = {p.name: found.take(p.name, p.read, new.params[p.name]) for p in PARAMS}
    length = PASSES if new.source.rows else EXAMPLES
    numbers = {p.name: found.take(p.name, p.read, p.default) for p in (length, SEED)}
    return replace(new, params=dict(new.params) | params, **numbers), found.answer()
