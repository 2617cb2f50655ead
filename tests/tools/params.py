"""The parameters of all solvers as a type of the player's scripts.

    python -m tests.tools.params

prints `Params`; `make lint` keeps it in `svmviz/player/web/engine/params.d.ts`.
"""

from collections import defaultdict

from svmviz.data.params import Param
from svmviz.solvers import SOLVERS

# Those that the server works out (svmviz/player/wire/run.py).
TOLD = {"kernel": "Kernel", "loss": "Loss"}


def kind(param: Param) -> list[str]:
    """Return the types of a parameter's values.

    >>> kind(Param("rule", "rule", "a", options=("a", "b"))), kind(Param("k", "k", 1))
    (['"a"', '"b"'], ['number'])
    """
    if param.name in TOLD:
        return [TOLD[param.name]]
    if param.options:
        return [f'"{option}"' for option in param.options]
    return [{bool: "boolean", str: "string"}.get(type(param.default), "number")]


def declared() -> str:
    """Return the interface: each parameter of any solver, by its name."""
    kinds = defaultdict(dict)
    for solver in SOLVERS.values():
        for param in solver.params:
            kinds[param.name].update(dict.fromkeys(kind(param)))
    lines = [f"  {name}: {' | '.join(found)};\n" for name, found in kinds.items()]
    return (
        "// Made by `make lint` from the solvers' declarations. Each solver has some of these: the\n"
        "// value of another solver's parameter is `undefined`.\n"
        f"interface Params {{\n{''.join(lines)}}}\n"
    )


if __name__ == "__main__":
    print(declared(), end="")
