"""The Python that reproduces a run of the app to the last bit."""

from svmviz.solvers import SOLVERS


def of(recipe, t: int | str) -> str:
    """A script that reproduces the trace of a recipe exactly and prints step t."""
    solver = SOLVERS[recipe.solver]
    call = ", ".join(f"{name}={value!r}" for name, value in recipe.data_params.items())
    params = {p.name: p for p in solver.params}
    given = [f"{name}={_source(value)}" for name, value in recipe.params.items() if params[name].named(value)]
    if recipe.changes:
        listed = ", ".join(f"({s}, {{{', '.join(f'{n!r}: {_source(v)}' for n, v in new.items())}}})"
                           for s, new in recipe.changes)
        given.append(f"changes=[{listed}]")
    drawn = [f"    svmviz.edits.edit({e.t}, {list(e.drop)}, {list(e.add)})," for e in recipe.edits]
    if drawn:
        given.append("active=active")
        drawn = ["problem, active = svmviz.edits.apply(problem, [", *drawn, "])"]
    if recipe.chosen:
        given.append(f"chosen={list(recipe.chosen)}")
    make = recipe.source.code
    return "\n".join([
        "import svmviz", "", f"problem = {make}({call})" if recipe.source.params else f"problem = {make}",
        *drawn, f'trace = svmviz.SOLVERS["{recipe.solver}"].trace(', f"    problem, steps={recipe.steps}, seed={recipe.seed},",
        *(f"    {item}," for item in given), ")", f"print(trace.why({t}))",
        f'print("{solver.objective} =", trace.metrics["{solver.objective}"][{t}], " error =",'
        f' trace.metrics["error"][{t}])', ""])


def _source(value) -> str:
    return f"svmviz.parts.{value}" if hasattr(value, "kind") else repr(value)
