"""A sweep as a file and as a link.

    seeds = [0, 1, 2]
    folds = 5                       # or held_out = 0.3

    [run]                           # what a link of the app says: data, solver, parameters; or file
    = "mine.csv" data = "moons" solver = "pegasos" kernel = "rbf(gamma=1.0)" T = 1000

    [[axes]]
    name = "lam"
    low = 1e-4
    high = 1.0
    count = 11

A link has the parts of the run and `sweep=lam:0.0001:1.0:11:log;loss:[hinge|logistic]`,
`seeds=0-2`, `folds=5` and so on.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from svmviz.data import uploads
from svmviz.data.params import Param
from svmviz.data.plane import Dataset
from svmviz.data.problem import private
from svmviz.explore.axes import Axis, sweepable
from svmviz.explore.faults import MOST_AXES, MOST_SEEDS
from svmviz.explore.spec import Spec
from svmviz.run import link
from svmviz.run.recipe import Recipe
from svmviz.run.recipe import from_query as run_from_query
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief

LARGEST = 1_000_000  # bytes of a file, most of which is points that somebody drew
OF_SPEC = {field.name: field for field in fields(Spec) if field.name not in ("recipe", "axes")}
IN_LINK = {
    name: {"search": "by"}.get(name, name) for name in OF_SPEC
}  # BSGD has a `search` of its own
OF_AXIS = [field.name for field in fields(Axis)]
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def write(spec: Spec, file: str = "") -> str:
    """The sweep as TOML; `file` names the data where these are the reader's own.

    >>> spec = Spec(Recipe("moons"), (Axis("lam", 0.01, 1.0, 3),)).checked()
    >>> read(write(spec)) == spec
    True
    """
    unusual = [name for name, field in OF_SPEC.items() if getattr(spec, name) != field.default]
    given = [f"{name} = {_toml(getattr(spec, name))}" for name in unusual]
    run = {
        key: value
        for key, value in spec.recipe.query().items()
        if key != "seed" and not (file and key == "data")
    }
    lines = [
        *given,
        *([""] if given else []),
        "[run]",
        *([f"file = {json.dumps(file)}"] if file else []),
    ]
    lines += [
        f"{key} = {value if NUMBER.fullmatch(value) else json.dumps(value)}"
        for key, value in run.items()
    ]
    known = sweepable(spec.recipe)
    for axis in spec.axes:
        lines += [
            "",
            "[[axes]]",
            *(f"{name} = {_toml(value)}" for name, value in _plain(axis, known[axis.name]).items()),
        ]
    return "\n".join(lines) + "\n"


def _plain(axis: Axis, param: Param) -> dict[str, Any]:
    """What TOML can hold of an axis, and must."""
    if axis.choices:
        return {
            "name": axis.name,
            "choices": [v if isinstance(v, int | float) else param.write(v) for v in axis.choices],
        }
    return {name: value for name in OF_AXIS if (value := getattr(axis, name)) not in (None, ())}


def _toml(value) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


def load(path: Path) -> Spec:
    """The sweep that a file describes; a data file is looked for beside it. A `ValueError` says
    what is wrong.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"{path} has more than {LARGEST} bytes, and no sweep needs that many")
        return read(path.read_text(encoding="utf-8"), path.parent)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def read(text: str, folder: Path | None = Path()) -> Spec:
    """The sweep of a text that `write` made, or somebody; a `ValueError` says what is wrong with
    it. Where there is no folder, none of this machine's files is read, whatever the text names.

    >>> read('[run]\\nfile = "secret.csv"', None)
    Traceback (most recent call last):
    ...
    ValueError: it was computed on 'secret.csv', a file that only its owner has
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"this is not TOML: {error}") from None
    except RecursionError:
        raise ValueError("this is no sweep: it is nested too deeply") from None
    run, axes = given.pop("run", {}), given.pop("axes", [])
    if (
        not isinstance(run, dict)
        or not isinstance(axes, list)
        or not all(isinstance(axis, dict) for axis in axes)
    ):
        raise ValueError("[run] must be a table, and each parameter that is swept a table [[axes]]")
    _only("the file", given, OF_SPEC)
    for axis in axes:
        _only("[[axes]]", axis, OF_AXIS)
    if isinstance(given.get("seeds"), list):
        given["seeds"] = tuple(given["seeds"])
    try:
        recipe = _run(run, folder)
        return Spec(
            recipe, tuple(_axis(axis, sweepable(recipe)) for axis in axes), **given
        ).checked()
    except TypeError as error:  # a text where a number belongs
        raise ValueError(f"the file holds a value of the wrong kind: {error}") from None


def _axis(given: dict[str, Any], known: Mapping[str, Param]) -> Axis:
    """An axis of a file, where a missing kernel is written as in a link."""
    param, choices = known.get(given.get("name", "")), tuple(given.get("choices", ()))
    choices = tuple(
        None if param and param.is_kernel and choice == "none" else choice for choice in choices
    )
    return Axis(**given | {"choices": choices})


def _only(where: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    for name in given:
        if name not in known:
            raise ValueError(
                f"{where} holds {brief(name)!r}, which means nothing here; there are"
                f" {', '.join(known)}"
            )


def _run(given: Mapping[str, Any], folder: Path | None) -> Recipe:
    """The run of a table, which has the parts of a link."""
    parts, own = (
        {
            key: str(int(value)) if isinstance(value, bool) else str(value)
            for key, value in given.items()
        },
        {},
    )
    if file := parts.pop("file", None):
        if folder is None:
            raise ValueError(f"it was computed on {brief(file)!r}, a file that only its owner has")
        own = {"own": of_file(folder / file, parts.get("solver", Recipe.solver))}
        parts["data"] = "own"
    recipe, messages = run_from_query(parts, (), own)
    if messages:
        raise ValueError(
            " ".join(
                message.replace("The link's ", "[run] ")
                .replace(" was replaced by its default", "")
                .replace("The link holds", "[run] holds")
                for message in messages
            )
        )
    return recipe


def of_file(path: Path, solver: str) -> Dataset:
    """The data of a file for this solver, as the page Data takes them, with every row."""
    try:
        table = uploads.read(path.read_bytes(), path.name)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    kind = SOLVERS.get(solver)
    built = (
        uploads.build_regression(table, uploads.guess_label(table))
        if kind and kind.space.real
        else uploads.build(table, several=bool(kind and kind.space.multiclass))
    )
    problem = private(built.problem)
    return Dataset("own", path.name, lambda: problem, (), "", built.names)


def query(spec: Spec) -> dict[str, str]:
    """The sweep as the key-value pairs of a link; what is as usual is not said."""
    known, axes = sweepable(spec.recipe), []
    for axis in spec.axes:
        param = known[axis.name]
        values = axis.values(param)
        scale = "log" if axis.scale(param) else "linear"
        axes.append(
            f"{axis.name}:[{'|'.join(map(param.write, values))}]"
            if axis.choices or axis.low is None
            else f"{axis.name}:{axis.low}:{axis.high}:{axis.count}:{scale}"
        )
    said = {
        IN_LINK[name]: str(getattr(spec, name))
        for name, field in OF_SPEC.items()
        if name not in ("seeds", "optimum") and getattr(spec, name) != field.default
    }
    run = {key: value for key, value in spec.recipe.query().items() if key != "seed"}
    return (
        run
        | {"sweep": ";".join(axes), "seeds": _seeds(spec.seeds)}
        | said
        | ({"optimum": "1"} if spec.optimum else {})
    )


def from_query(
    given: Mapping[str, str], also: Iterable[str] = (), own: Mapping[str, Dataset] | None = None
) -> tuple[Spec | None, list[str]]:
    """The sweep of a link, and a sentence for each part that could not be used; None where it
    sweeps nothing that can be.

    >>> spec, said = from_query({"sweep": "lam:0.01:1.0:3:log", "seeds": "0-2", "folds": "many"})
    >>> spec.shape, spec.seeds, spec.folds
    ((3,), (0, 1, 2), 5)
    >>> said[0].partition(": ")[2]
    "folds must be a number, got 'many'."
    """
    mine = {"sweep", *IN_LINK.values()}
    recipe, messages = run_from_query(
        {key: value for key, value in given.items() if key not in mine}, also, own
    )
    found = link.Reader({key: value for key, value in given.items() if key in mine})
    axes = found.take("sweep", lambda text: _axes(text, recipe), ())
    values = {
        name: found.take(IN_LINK[name], _reader(name), field.default)
        for name, field in OF_SPEC.items()
    }
    messages = messages + found.answer()
    if not axes:
        return None, messages
    try:
        return Spec(recipe, axes, **values).checked(), messages
    except ValueError as error:
        return None, [*messages, f"The link's sweep cannot be carried out: {error}."]


def _reader(name: str):
    kinds = {
        "seeds": _read_seeds,
        "search": str,
        "held_out": lambda text: _number(name, text, float),
        "optimum": lambda text: text == "1",
    }
    return kinds.get(name, lambda text: _number(name, text, int))


def _number(name: str, text: str, kind: type):
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, got {brief(text)!r}") from None


def _axes(text: str, recipe: Recipe) -> tuple[Axis, ...]:
    known, found = sweepable(recipe), []
    for part in text.split(";")[: MOST_AXES + 1]:
        name, _, rest = part.partition(":")
        if name not in known:
            raise ValueError(
                f"{brief(name)!r} cannot be swept here; what can is {', '.join(known)}"
            )
        if rest.startswith("[") and rest.endswith("]"):
            found.append(Axis(name, choices=tuple(map(known[name].read, rest[1:-1].split("|")))))
            continue
        parts = rest.split(":")
        if len(parts) != 4 or parts[3] not in ("log", "linear"):
            raise ValueError(f"a range reads lam:0.01:1:11:log, got {brief(part)!r}")
        low, high = (_number(name, value, float) for value in parts[:2])
        found.append(Axis(name, low, high, _number(name, parts[2], int), parts[3] == "log"))
    return tuple(found)


def _seeds(seeds: tuple[int, ...]) -> str:
    ascending = len(seeds) > 1 and list(seeds) == list(range(seeds[0], seeds[0] + len(seeds)))
    return f"{seeds[0]}-{seeds[-1]}" if ascending else ",".join(map(str, seeds))


def _read_seeds(text: str) -> tuple[int, ...]:
    first, dash, last = text.partition("-")
    words = text.split(",")
    if (
        dash
        and first.isdecimal()
        and last.isdecimal()
        and len(text) < 22
        and 0 <= int(last) - int(first) < MOST_SEEDS
    ):
        return tuple(range(int(first), int(last) + 1))
    if not all(word.isdecimal() and len(word) <= 10 for word in words):
        raise ValueError(f"seeds read 0-4 or 0,3,7, got {brief(text)!r}")
    return tuple(map(int, words))
