"""The Python that repeats a sweep with scikit-learn's own search classes over our estimators: equal
numbers, one by one.
"""

from svmviz.explore.faults import ESTIMATOR, GRID, HALVING
from svmviz.explore.spec import Spec


def of(spec: Spec) -> str:
    """A script that carries the sweep out and prints the setting with the least mean error over all
    folds and seeds. Halving chooses for each seed by itself, as its later rounds have other
    settings.
    """
    made, recipe = ESTIMATOR[spec.recipe.solver], spec.recipe
    call = ", ".join(f"{name}={value!r}" for name, value in recipe.data_params.items())
    make = f"{recipe.source.code}({call})" if recipe.source.params else recipe.source.code
    drawn = [f"    svmviz.edits.edit({e.t}, {list(e.drop)}, {list(e.add)})," for e in recipe.edits]
    edited = [
        "problem, active = svmviz.edits.apply(problem, [",
        *drawn,
        "])",
        "rows = active[-1][1]",
        "X, y = problem.X[rows], problem.y[rows]",
    ]
    tried = spec.arguments()
    kept = {
        name: value
        for name, value in recipe.params.items()
        if name not in tried and named(spec, name, value)
    } | ({} if "steps" in tried else {"steps": recipe.steps})
    if spec.search == HALVING:
        kept.pop("steps")
    cv = spec.splitter()
    search, options = searches(spec)
    special = (
        "from sklearn.experimental import enable_halving_search_cv  # noqa: F401\n"
        if spec.search == HALVING
        else ""
    )
    listed = "\n".join(
        f"    {name!r}: [{', '.join(source(value) for value in values)}],"
        for name, values in tried.items()
    )
    given = ", ".join(
        [*(f"{name}={source(value)}" for name, value in kept.items()), "random_state=seed"]
    )
    end = (
        ["    print(seed, search.best_params_, 'test error', 1 - search.best_score_)"]
        if spec.search == HALVING
        else [
            "    scores.append(search.cv_results_['mean_test_score'])",
            "mean = sum(scores) / len(scores)",
            "best = mean.argmax()",
            "print(search.cv_results_['params'][best], 'test error', 1 - mean[best])",
        ]
    )
    return "\n".join(
        [
            (
                f"import svmviz\n{special}from sklearn.model_selection import {search},"
                f" {type(cv).__name__}"
            ),
            f"from svmviz.estimators import {made.__name__}",
            "",
            f"problem = {make}",
            *(edited if drawn else ["X, y = problem.X, problem.y"]),
            f"folds = {cv!r}".replace("\n", " "),
            "tried = {\n" + listed + "\n}",
            *(["scores = []"] if spec.search != HALVING else []),
            f"for seed in {list(spec.seeds)}:",
            f"    search = {search}({made.__name__}({given}), tried, cv=folds{options}, n_jobs=-1)",
            "    search.fit(X, y)",
            *end,
            "",
        ]
    )


def named(spec: Spec, name: str, value) -> bool:
    """Whether the estimator must be told: its default may be another one."""
    made = ESTIMATOR[spec.recipe.solver]
    default = made.__init__.__signature__.parameters[name].default
    return str(value) != str(default)


def searches(spec: Spec) -> tuple[str, str]:
    """The class, and what it is told besides."""
    if spec.search == GRID:
        return "GridSearchCV", ", refit=False"
    chance = f", random_state={spec.draw_seed}"
    if spec.search == HALVING:
        return (
            "HalvingRandomSearchCV",
            (
                f", n_candidates={spec.tried}, factor={spec.factor}, resource='steps', "
                f"max_resources={spec.recipe.steps}, min_resources='exhaust', refit=False{chance}"
            ),
        )
    return "RandomizedSearchCV", f", n_iter={spec.tried}, refit=False{chance}"


def source(value) -> str:
    return repr(str(value)) if hasattr(value, "kind") else repr(value)
