"""The Python that reproduces a run of the app to the last bit."""

from svmviz.solvers import SOLVERS


def of(recipe, t: int | str) -> str:
    """A script that reproduces the trace of a recipe exactly and prints step t."""
    return "\n".join([*_data(recipe), *_trace(recipe, "trace"), *_printed(recipe, "trace", t), ""])


def both(first, second, t: int | str) -> str:
    """The same for two recipes on the same data, and what the second says otherwise: f_B − f_A and
    whose label differs.
    """
    return "\n".join(
        [
            *_data(first),
            *_trace(first, "a"),
            *_trace(second, "b"),
            *_printed(first, "a", t),
            *_printed(second, "b", t),
            f"difference = b.f({t}, problem.X) - a.f({t}, problem.X)",
            f"flipped = (a.f({t}, problem.X) >= 0) != (b.f({t}, problem.X) >= 0)",
            (
                'print("f_B - f_A from", difference.min(), "to", difference.max(), " labels that'
                ' differ:", flipped.sum())'
            ),
            "",
        ]
    )


def _data(recipe) -> list[str]:
    call = ", ".join(f"{name}={value!r}" for name, value in recipe.data_params.items())
    make = recipe.source.code
    drawn = [f"    svmviz.edits.edit({e.t}, {list(e.drop)}, {list(e.add)})," for e in recipe.edits]
    return [
        "import svmviz",
        "",
        f"problem = {make}({call})" if recipe.source.params else f"problem = {make}",
        *(["problem, active = svmviz.edits.apply(problem, [", *drawn, "])"] if drawn else []),
    ]


def _trace(recipe, name: str) -> list[str]:
    params = {p.name: p for p in SOLVERS[recipe.solver].params}
    given = [
        f"{name}={_source(value)}"
        for name, value in recipe.params.items()
        if params[name].named(value)
    ]
    if recipe.changes:
        listed = ", ".join(
            f"({s}, {{{', '.join(f'{n!r}: {_source(v)}' for n, v in new.items())}}})"
            for s, new in recipe.changes
        )
        given.append(f"changes=[{listed}]")
    if recipe.edits:
        given.append("active=active")
    if recipe.chosen:
        given.append(f"chosen={list(recipe.chosen)}")
    return [
        f'{name} = svmviz.SOLVERS["{recipe.solver}"].trace(',
        f"    problem, steps={recipe.steps}, seed={recipe.seed},",
        *(f"    {item}," for item in given),
        ")",
    ]


def _printed(recipe, name: str, t: int | str) -> list[str]:
    objective = SOLVERS[recipe.solver].goal.objective
    return [
        f"print({name}.why({t}))",
        (
            f'print("{objective} =", {name}.metrics["{objective}"][{t}], " error =",'
            f' {name}.metrics["error"][{t}])'
        ),
    ]


def _source(value) -> str:
    return f"svmviz.parts.{value}" if hasattr(value, "kind") else repr(value)
