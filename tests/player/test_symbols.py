"""Every mark answers: those in pseudo-code, sentences and controls of every solver have an entry,
one for each stage.
"""

import base64
import itertools
import re
import string
from collections.abc import Mapping
from functools import cache

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.player.wire import run
from svmviz.record.sentences import DEPTHS
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from tests.player.node.ask import ask
from tests.player.test_parity import player  # noqa: F401  a fixture
from tests.tools.cases import together
from tests.tools.rotation import at_times
from tests.tools.variants import variants

# a Greek letter (sums apart), or a Latin one alone; articles are none
MARK = re.compile(r"[Α-ΡΤ-ωℓϕ]|(?<![A-Za-z0-9'’])[B-HJ-Zb-z](?![A-Za-z0-9'’])")
STATE = {
    "t",
    "n",
    "d",
    "norm",
    "primal",
    "optimum",
    "dual",
    "radius",
    "level",
    "b",
    "eta_0",
    "k",
    "support",
    "vectors",
    "waves",
    "label",
}  # of engine/symbols.js
each = together("key", SOLVERS)


def cut(marks: list[str], texts: list[str]) -> list[list[str]]:
    """Texts cut at their marks as the player cuts them: every second piece is one."""
    return ask(marks=marks, texts=texts)["pieces"]


class Reading(Mapping):
    """Parameters that remember which of them were looked at, in order."""

    def __init__(self, params: dict, names: dict | None = None):
        self.params, self.names = params, {} if names is None else names

    def __getitem__(self, name: str):
        self.names[name] = True
        return self.params[name]

    def __iter__(self):
        return iter(self.params)

    def __len__(self) -> int:
        return len(self.params)

    def __or__(self, other: dict) -> "Reading":
        return Reading(self.params | other, self.names)


def choices(solver) -> dict[str, list]:
    """Return the values that can select another listing, by parameter."""
    some = {}
    for p in (
        p for p in solver.params if p.name != "search"
    ):  # how a place is looked for is not written
        values = (
            [None, kernels.rbf(1.0)]
            if p.is_kernel
            else p.options
            or (
                [False, True]
                if isinstance(p.default, bool)
                else [p.default, type(p.default)(2)]
                if p.name in ("k", "U", "beta")
                else None
            )
        )
        if values:
            some[p.name] = list(values)
    return some


@cache
def written(key: str) -> set:
    """Return all lines of pseudo-code that a solver may have: of what a listing looks at, every
    value leads to another one.
    """
    solver, found, left = SOLVERS[key], set(), [{}]
    some = choices(solver)
    while left:
        chosen = left.pop()
        params = Reading(solver.check(chosen))
        lines = solver.story.lines(params)
        if new := next(
            (name for name in params.names if name in some and name not in chosen), None
        ):
            left += [chosen | {new: value} for value in some[new]]
        elif any(
            solver.goes(chosen | dict(zip(others, values, strict=True)))  # whatever the others are
            for others in itertools.combinations(
                some.keys() - chosen.keys(), min(1, len(some) - len(chosen))
            )
            for values in itertools.product(*(some[name] for name in others))
        ):
            found.update(lines)
    return found


def spoken(solver) -> set[str]:
    """All that a solver writes: pseudo-code with what stands beside it, its sentences, and the
    marks of its controls.
    """
    lines = written(solver.key)
    sentences = [text for depth in DEPTHS for text in solver.story.sentences(depth)]
    found = (
        {line.text for line in lines}
        | {line.value for line in lines}
        | {p.symbol for p in solver.params}
    )
    return {
        re.sub(r"\{\w+(:[^}]*)?\}", "0", text)
        for text in found | {text.replace("*", "") for text in sentences}
    } - {""}


def names(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@each
def test_every_mark_has_an_entry(key):
    solver = SOLVERS[key]
    texts = sorted(spoken(solver))
    for words, pieces in zip(
        texts, cut([symbol.mark for symbol in solver.story.symbols], texts), strict=True
    ):
        assert "".join(pieces) == words
        assert not (left := MARK.findall("  ".join(pieces[::2]))), (words, left)


@at_times()
@each
def test_every_mark_of_the_title_row_has_an_entry(player, key):  # noqa: F811
    solver, names = SOLVERS[key], set()
    for params in variants(solver):
        recipe = Recipe("blobs", {"n": 30}, solver=key, params=params, steps=6).checked()
        data = base64.b64encode(run.encode(run.pack_recipe(recipe))).decode()
        names |= {
            name for shown in player(data=data, steps=[0, 6])["shown"] for name in shown["numbers"]
        }
    texts = sorted(names)
    for words, pieces in zip(
        texts, cut([symbol.mark for symbol in solver.story.symbols], texts), strict=True
    ):
        assert not (left := MARK.findall("  ".join(pieces[::2]))), (words, left)
    assert texts


@each
def test_a_mark_has_one_meaning_in_a_few_words_and_values_that_are_known(key):
    solver, marks = SOLVERS[key], [symbol.mark for symbol in SOLVERS[key].story.symbols]
    assert len(marks) == len(set(marks))
    lines = written(key)
    said = [text for depth in DEPTHS for text in solver.story.sentences(depth)]
    known = (
        STATE
        | {p.name for p in solver.params}
        | set(solver.story.values(solver.trace(plane.blobs(n=20), 3), 3))
        | {name for text in (*said, *(line.value for line in lines)) for name in names(text)}
    )
    for symbol in solver.story.symbols:
        assert symbol.name and 1 <= len(symbol.meaning.split()) <= 10, symbol
        assert names(symbol.value) <= known, symbol


@each
def test_controls_that_are_called_alike_mean_the_same(key):
    params = SOLVERS[key].params
    shown = [p.symbol for p in params if p.symbol]
    assert len(shown) == len(set(shown))


def test_words_are_cut_at_marks_and_nowhere_else():
    marks = ["w", "w̄", "η", "η₀", "ν", "n", "P", "P*", "a", "Theorem 1"]
    said = {
        "w̄ ← w": ["", "w̄", " ← ", "w", ""],
        "νn = 4": ["", "ν", "", "n", " = 4"],
        "η₀/η": ["", "η₀", "/", "η", ""],
        "P* < P": ["", "P*", " < ", "P", ""],
        "now, wet": ["now, wet"],
        "it isn't": ["it isn't"],
        "Theorem 1, not Theorem 13": ["", "Theorem 1", ", not Theorem 13"],
    }
    assert cut(marks, list(said)) == list(said.values())
