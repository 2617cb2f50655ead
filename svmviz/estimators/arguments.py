"""The arguments of an estimator: the parameters of its solver, and those that scikit-learn's users
expect.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from svmviz.data.params import Param
from svmviz.estimators.train import LATE, trainer
from svmviz.estimators.train.task import MEGABYTES
from svmviz.maths import kernels
from svmviz.record.solver import Solver

USUAL = (
    "One pass over a stream, ten passes where each step draws examples, SMO to a tolerance of 1e-3,"
    " else a thousand steps."
)


class Argument(NamedTuple):
    """One that is not a parameter of the solver."""

    default: Any
    help: str
    has: Callable[[Solver], bool] = lambda solver: True  # whether the estimator of a solver has it


def biased(solver: Solver) -> bool:
    return any(p.name in ("intercept", "bias") for p in solver.params)


def averages(solver: Solver) -> bool:
    """Whether a mean over the last half of the steps makes sense: where one over all of them does,
    of one run.
    """
    return (
        any(p.name == "iterate" and "average" in p.options for p in solver.params)
        and trainer(solver).means
    )


ARGUMENTS = {
    "fit_intercept": Argument(
        None,
        "Whether there is a bias, as the parameters have it that say so; None leaves it to these.",
        biased,
    ),
    "class_weight": Argument(
        None,
        "None, 'balanced', or a weight for each class, by which the losses of its examples are "
        "multiplied.",
        lambda solver: solver.uses.weighs,
    ),
    "steps": Argument(None, f"How many. By default: {USUAL}"),
    "max_iter": Argument(
        None,
        "At most so many passes over the data, or steps of a solver that chooses its examples"
        " itself.",
    ),
    "tol": Argument(
        None,
        "Ends earlier, once no two gradients that could still move differ by more, as LIBSVM and"
        " LIBLINEAR do; whoever is settled is left out on the way. None: after as many steps as"
        " there are.",
        lambda solver: trainer(solver).tolerant,
    ),
    "cache_size": Argument(
        MEGABYTES,
        "Megabytes of kernel values that are kept.",
        lambda solver: trainer(solver).caches,
    ),
    "warm_start": Argument(
        False,
        "Go on from where the last fit ended, if that was told so, too, with the same examples.",
    ),
    "verbose": Argument(0, "1 says about once a second how far it is."),
    "n_jobs": Argument(
        None,
        "Threads for one class against the rest, where there are more than two; -1: all"
        " processors.",
        lambda solver: not (solver.space.multiclass or solver.space.real),
    ),
    "trace": Argument(
        False,
        "Keep every step of the run, too, as `trace_`: what the app shows of it; with two classes"
        " or the solver's own method for more.",
    ),
    "random_state": Argument(0, "The seed of the run."),
}


def usual(solver: Solver) -> dict[str, Argument]:
    """Those that the estimator of a solver has besides its parameters."""
    return {name: argument for name, argument in ARGUMENTS.items() if argument.has(solver)}


def signature(solver: Solver) -> inspect.Signature:
    """Of its `__init__`: keywords only, with the defaults of the app or, where a good fit wants
    others, `fit_defaults`.
    """
    chosen = {p.name: solver.uses.fit_defaults.get(p.name, p.default) for p in solver.params}
    defaults = {
        name: str(value) if isinstance(value, kernels.Kernel) else value
        for name, value in chosen.items()
    }
    defaults |= {name: argument.default for name, argument in usual(solver).items()}
    return inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
                for name, value in defaults.items()
            ),
        ]
    )


def told(solver: Solver) -> str:
    """What each argument means, for the docstring."""
    words = {p.name: " ".join(filter(None, (p.help or p.title, allowed(p)))) for p in solver.params}
    if averages(solver):
        words["iterate"] += (
            f" Here also {LATE!r}: the mean over the last half of the steps, the best where they"
            " are few."
        )
    words |= {name: argument.help for name, argument in usual(solver).items()}
    return f"{solver.title} ({solver.paper}).\n\n" + "\n".join(
        f"    {name}: {help}" for name, help in words.items()
    )


def allowed(param: Param) -> str:
    """Which values it takes."""
    if param.name == "kernel":
        return (
            "None, or one of 'rbf(gamma=1.0)', 'poly(degree=3, gamma=1.0, coef0=1.0)',"
            " 'laplacian(gamma=1.0)', 'imq(gamma=1.0)'."
        )
    if param.options:
        return "One of " + ", ".join(map(repr, param.options)) + "."
    return "" if isinstance(param.default, bool | str) else f"From {param.low:g} to {param.high:g}."


def made(solver: Solver, base: type, kind: str, module: str) -> type:
    """The class of a solver, whose name says what it is."""
    signed = signature(solver)

    def __init__(self, **given):
        bound = signed.bind(self, **given)
        bound.apply_defaults()
        self.__dict__.update(
            {name: value for name, value in bound.arguments.items() if name != "self"}
        )

    __init__.__signature__ = signed
    title = solver.title.removesuffix(" for regression")
    name = "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", title)) + kind
    return type(
        name,
        (base,),
        {"__init__": __init__, "__module__": module, "solver": solver, "__doc__": told(solver)},
    )
