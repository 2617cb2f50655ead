"""Links by chance: what the declarations allow, small enough to be computed at once, and now and
then what they do not.
"""

from random import Random
from urllib.parse import urlencode

from svmviz.data.params import Param
from svmviz.maths import kernels as parts
from svmviz.race import card, field, kinds, rivals
from svmviz.run.recipe import SOURCES
from svmviz.solvers import SOLVERS

SMALL = {"n": (20, 200), "d": (2, 30), "B": (3, 40), "K": (1, 30), "features": (5, 60), "k": (1, 5)}
TEXTS = {"costs": ("", "0,2/1,0", "0,1,4/1,0,1/1,1,0")}
RUBBISH = (
    "",
    "nan",
    "-1",
    "1e400",
    "0x10",
    "none",
    "<b>",
    "rbf(",
    "9" * 400,
    "\u202e",
    "1;2",
    "true",
    "None",
)


def value(param: Param, rng: Random):
    """Something that the parameter allows."""
    if param.is_kernel:
        kernels = (
            parts.rbf(rng.choice((0.5, 2.0))),
            parts.poly(rng.choice((2, 3))),
            parts.laplacian(1.0),
            parts.imq(2.0),
        )
        return rng.choice((None, *kernels) if param.default is None else kernels)
    if param.options:
        return rng.choice(param.options)
    if isinstance(param.default, bool):
        return rng.random() < 0.5
    if param.text:
        return rng.choice(TEXTS[param.name])
    low, high = SMALL.get(param.name, (param.low, param.high))
    low, high = max(low, param.low), min(high, param.high)
    if isinstance(param.default, int):
        return rng.randint(int(low), int(min(high, low + 1000)))
    if param.log:
        return float(f"{max(low, 1e-4) * (high / max(low, 1e-4)) ** rng.random():.2g}")
    return round(rng.uniform(low, high), 3)


def sweep(rng: Random) -> str:
    """Explore with a sweep that is over soon."""
    solver = SOLVERS[
        rng.choice([key for key, solver in SOLVERS.items() if not solver.space.chained])
    ]
    numbers = [
        p
        for p in solver.params
        if p.low is not None and not isinstance(p.default, bool) and p.high < 1e9
    ]
    query = {
        "data": rng.choice(("moons", "blobs", "pinwheel", "sine", "iris")),
        "solver": solver.key,
        "T": "40",
        "folds": "2",
        "seeds": "0-1",
    }
    axes = rng.sample(numbers, min(len(numbers), rng.randint(1, 3)))
    query["sweep"] = ";".join(
        f"{p.name}:{p.write(value(p, rng))}:{p.write(value(p, rng))}:3:{rng.choice(('log', 'linear'))}"
        for p in axes
    )
    if rng.random() < 0.3:
        query[rng.choice([*query, "measure", "by", "held_out", "cell"])] = rng.choice(RUBBISH)
    return "/explore?" + urlencode(query)


def link(rng: Random) -> str:
    """The Playground at some step of some run."""
    solver, source = SOLVERS[rng.choice(list(SOLVERS))], SOURCES[rng.choice(list(SOURCES))]
    query = {
        "data": source.key,
        "solver": solver.key,
        "T": str(rng.choice((1, 20, 60, 120))),
        "seed": str(rng.randint(0, 9)),
    }
    for param in source.params:
        if param.name == "n" or rng.random() < 0.3:
            query["data_seed" if param.name == "seed" else param.name] = param.write(
                value(param, rng)
            )
    for param in solver.params:
        if rng.random() < 0.4:
            query[param.name] = param.write(value(param, rng))
    if rng.random() < 0.3:
        param = rng.choice(solver.params)
        query["change"] = f"{rng.randint(0, 60)}:{param.name}={param.write(value(param, rng))}"
    if rng.random() < 0.2 and len(source.names) == 2:
        query["edit"] = f"{rng.randint(0, 20)}:{rng.randint(0, 30)}:"
    if rng.random() < 0.7:
        query["t"] = str(rng.randint(0, 60))
    if rng.random() < 0.15:  # before others
        name, word = rng.choice(
            (
                ("present", "1"),
                ("zoom", "mechanism"),
                ("panels", "plane,code"),
                ("controls", "play,knobs"),
            )
        )
        query[name] = word
    if rng.random() < 0.15:
        query[rng.choice([*query, "plane", "x", "y", "beat", "zoom", "panels", "nonsense"])] = (
            rng.choice(RUBBISH)
        )
    return "/?" + urlencode(query)


def race(rng: Random) -> str:
    """A race on some data, of whichever kind their problem is; now and then that of the whole
    field.
    """
    if rng.random() < 0.1:
        return "/race?" + urlencode(
            field.link(rng.randint(2, 40)) | {"seeds": "1", "length": "200"}
        )
    kind = rng.choice([*kinds.KINDS.values()])
    source = rng.choice(
        [source for source in card.SOURCES.values() if kinds.of_data(source.key) is kind]
    )
    lanes = rng.sample([*rivals(kind)], rng.randint(1, min(4, len(rivals(kind)))))
    query = {
        "data": source.key,
        "lanes": ",".join(lanes),
        "seeds": str(rng.randint(1, 3)),
        "length": "200",
    }
    for param in (*source.params, *kind.params):
        if param.name == "n" or rng.random() < 0.4:
            query["data_seed" if param.name == "seed" else param.name] = param.write(
                value(param, rng)
            )
    return "/race?" + urlencode(query)
