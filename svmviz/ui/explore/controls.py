"""The sidebar of Explore: data, solver, what is swept and how it is measured; what is wrong stands
beside its control.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

import streamlit as st

from svmviz.data.params import Param
from svmviz.explore import MEASURES, Axis, Fault, Spec, sweepable
from svmviz.explore.axes import LEAST, MOST, options, ranges, shown
from svmviz.explore.faults import ESTIMATOR, GRID, HALVING, MOST_AXES, RANDOM
from svmviz.maths import kernels
from svmviz.run.fork import worded
from svmviz.run.recipe import SOURCES, STEPS, Recipe
from svmviz.run.view import prepared
from svmviz.run.visit.events import Afresh
from svmviz.solvers import SOLVERS
from svmviz.ui.controls.widgets import kernel_numbers, menu, stacked, widget
from svmviz.ui.explore import drafts
from svmviz.ui.explore.drafts import Draft
from svmviz.ui.explore.sweeping import CLUSTER
from svmviz.ui.shell.frame import plain
from svmviz.ui.visit.session import happened, visit, widget_key
from svmviz.work.words import count

NOBODY = ""  # instead of another parameter
FOLDS = Param(
    "folds",
    "",
    5,
    2,
    20,
    "Parts that the rows are divided into; each is tested once.",
    title="folds",
)
SEEDS = Param(
    "seeds", "", 3, 1, 20, "Runs of every cell and fold, with seeds 0, 1, 2 ...", title="seeds"
)
SHARE = Param(
    "held_out", "", 0.3, 0.05, 0.9, "The share of the rows that only test.", title="held out"
)
DRAWS = Param(
    "draws", "", 60, 10, 2000, "Cells that are tried, drawn by chance.", log=True, title="draws"
)
FACTOR = Param(
    "factor",
    "",
    3,
    2,
    10,
    "One cell in so many goes on to the next round, with as many times the steps.",
    title="one in",
)
SEARCHES = {RANDOM: "random", HALVING: "halving"}


def adopt(draft: Draft) -> None:
    """Make this the visitor's draft; its controls start afresh."""
    st.session_state["explore.draft"] = draft
    happened(Afresh())


def controls(draft: Draft) -> tuple[Draft, list[Fault]]:
    """The draft as the sidebar has it now, and what of it could not even be read. Faults are said
    by `complain` below.
    """
    recipe, faults = draft.spec.recipe, []
    recipe = data_controls(draft, recipe)
    recipe = solver_controls(draft, recipe)
    st.markdown("#### Sweep")
    axes, faults = axes_controls(replace(draft.spec, recipe=recipe))
    spec = drafts.searched(replace(draft.spec, recipe=recipe, axes=axes))
    spec = search_controls(spec)
    st.markdown("#### Measure")
    offered = drafts.measures(recipe)
    measure = st.selectbox(
        "shown",
        offered,
        offered.index(draft.measure) if draft.measure in offered else 0,
        format_func=MEASURES.get,
        key=widget_key(f"explore.measure.{len(offered)}"),
    )
    spec = measuring_controls(replace(spec, optimum=measure == "suboptimality"))
    where = where_controls(draft.where)
    return Draft(spec, measure, where), faults


def place_for(control: str) -> None:
    """Where faults of a control are said, once all controls are known."""
    st.session_state.setdefault("explore.places", {})[control] = st.container(
        key=f"explore-fault-{control}"
    )


def complain(faults: Iterable[Fault]) -> None:
    places = st.session_state.pop("explore.places", {})
    for fault in faults:
        with places.get(fault.control) or places["fits"]:
            st.warning(plain(f"{fault.sentence[:1].upper()}{fault.sentence[1:]}."))


def data_controls(draft: Draft, recipe: Recipe) -> Recipe:
    st.markdown("#### Data")
    now = visit()
    sources = SOURCES | now.own
    data = menu("data", sources, recipe.data, "explore.data")
    if data != recipe.data:
        adopt(drafts.with_recipe(draft, recipe.with_data(data, now.own.get(data))))
        st.rerun()
    values = {
        p.name: widget(p, recipe.data_params[p.name], f"explore.{data}")
        for p in sources[data].params
    }
    if recipe.edits:
        st.caption(f"With the points that you drew or removed ({len(recipe.edits)} times).")
    place_for("data")
    there = now.recipe
    if (
        there
        and there.solver in ESTIMATOR
        and not prepared(there)
        and there.restarted() != replace(recipe, seed=there.seed)
    ):
        st.button(
            "Take the Playground's run",
            key="explore.take",
            width="stretch",
            on_click=lambda: adopt(drafts.of_recipe(there)),
            help="Its data, with the points that you drew, its solver and its parameters.",
        )
    return replace(recipe, data_params=values)


def solver_controls(draft: Draft, recipe: Recipe) -> Recipe:
    st.markdown("#### Solver")
    able = {key: SOLVERS[key] for key in ESTIMATOR}
    solver = menu("solver", able, recipe.solver, "explore.solver")
    if solver != recipe.solver:
        adopt(drafts.with_solver(replace(draft, spec=replace(draft.spec, recipe=recipe)), solver))
        st.rerun()
    swept = {axis.name for axis in draft.spec.axes}
    params = dict(recipe.params)
    if "kernel" in params and "kernel" not in swept:
        params["kernel"] = kernel_control(draft, recipe, swept)
    rest = [
        p
        for p in SOLVERS[solver].params
        if not (p.is_kernel or p.text or p.name in swept or p.name.endswith("seed"))
        and p.matters(params)
    ]
    if rest:
        with st.expander("other parameters"):
            for param in rest:
                params[param.name] = widget(param, params[param.name], f"explore.{solver}")
    steps = recipe.steps if STEPS.name in swept else widget(STEPS, recipe.steps, "explore")
    place_for("solver")
    return replace(recipe, params=params, steps=steps)


def kernel_control(draft: Draft, recipe: Recipe, swept: set[str]):
    """Its kind, and those of its numbers that are not swept; a kernel without the number that is
    swept takes other axes.
    """
    value = recipe.params["kernel"]
    kind = st.selectbox(
        "kernel",
        range(len(kernels.TITLES)),
        0 if value is None else value.kind,
        format_func=lambda k: kernels.TITLES[k],
        key=widget_key("explore.kernel"),
    )
    if kind != (0 if value is None else value.kind):
        new = None if kind == kernels.LINEAR else kernels.KERNELS[kernels.NAMES[kind]]()
        there = replace(recipe, params=dict(recipe.params) | {"kernel": new})
        axes = tuple(axis for axis in draft.spec.axes if axis.name in sweepable(there))
        adopt(
            replace(
                draft,
                spec=replace(
                    draft.spec,
                    recipe=there,
                    axes=axes if len(axes) == len(draft.spec.axes) else drafts.usual_axes(there),
                ),
            )
        )
        st.rerun()
    if value is None or kind == kernels.LINEAR:
        return value
    return value._replace(**kernel_numbers(value, f"explore.kernel.{kind}", swept))


def axes_controls(spec: Spec) -> tuple[tuple[Axis, ...], list[Fault]]:
    """A parameter and its range for each axis, and a place for one more."""
    known, found, faults = sweepable(spec.recipe), [], []
    for k in range(1, MOST_AXES + 1):
        axis = spec.axes[k - 1] if k <= len(spec.axes) else None
        taken = {other.name for other in spec.axes if other is not axis}
        offered = [*([NOBODY] if k > 1 else []), *(name for name in known if name not in taken)]
        now = axis.name if axis and axis.name in offered else offered[0]
        with stacked(f"explore-axis{k}"):
            name = st.selectbox(
                f"parameter {k}",
                offered,
                offered.index(now),
                key=widget_key(f"explore.axis{k}"),
                format_func=lambda name: called(known[name]) if name else "one more parameter …",
                label_visibility="collapsed",
            )
        if name != now or (axis and axis.name not in offered):
            adopt_axes(spec, k, name)
        if not name:
            break
        this, wrong = axis_controls(k, axis, known[name])
        found.append(this)
        faults += wrong
        place_for(f"axis{k}")
    return tuple(found), faults


def called(param: Param) -> str:
    title = param.title or param.name
    return title if param.symbol in title else f"{title} {param.symbol}"


def adopt_axes(spec: Spec, k: int, name: str) -> None:
    """Another parameter on axis k, or none there."""
    draft, axes = st.session_state["explore.draft"], list(spec.axes)
    axes[k - 1 : k] = [drafts.usual_axis(spec.recipe, name)] if name else []
    adopt(replace(draft, spec=replace(spec, axes=tuple(axes))))
    st.rerun()


def axis_controls(k: int, axis: Axis, param: Param) -> tuple[Axis, list[Fault]]:
    """The range of a number, or which of its choices are tried."""
    key = f"explore.axis{k}.{axis.name}"
    if not ranges(param):
        return choices_control(key, axis, param), []
    given, faults = {}, []
    with st.container(horizontal=True, key=f"explore-range{k}"):
        for name, label in (("low", "from"), ("high", "to")):
            before = param.default if getattr(axis, name) is None else getattr(axis, name)
            text = st.text_input(
                f"{shown(param)} {label}",
                f"{before:g}",
                key=widget_key(f"{key}.{name}"),
                max_chars=24,
            )
            try:
                given[name] = param.check(text.replace("−", "-").strip())
            except ValueError as error:
                given[name] = before
                faults.append(Fault(f"axis{k}", f"{label}: {error}"))
        given["count"] = int(
            st.number_input(
                "values",
                LEAST,
                MOST,
                min(max(axis.count, LEAST), MOST),
                key=widget_key(f"{key}.count"),
            )
        )
    log = axis.scale(param)
    if given["low"] > 0:
        log = st.toggle("log scale", log, key=widget_key(f"{key}.log"))
    return (
        Axis(axis.name, given["low"], given["high"], given["count"], log and given["low"] > 0),
        faults,
    )


def choices_control(key: str, axis: Axis, param: Param) -> Axis:
    """Of a kernel the usual ones, of anything else its own options."""
    usual = [None, kernels.rbf(2.0), kernels.poly(3), kernels.laplacian(1.0), kernels.imq(1.0)]
    usual = usual if param.is_kernel else list(options(param))
    usual = [value for value in usual if param.accepts(value)]
    offered = [param.write(value) for value in dict.fromkeys([*usual, *axis.choices])]
    before = [param.write(value) for value in axis.choices or usual]
    with stacked(key):
        chosen = st.multiselect(
            "values",
            offered,
            before,
            key=widget_key(f"{key}.choices"),
            label_visibility="collapsed",
            format_func=lambda text: worded(param, param.read(text)),
        )
    return Axis(
        axis.name, choices=tuple(param.read(text) for text in chosen) or (param.read(before[0]),)
    )


def search_controls(spec: Spec) -> Spec:
    """How more than two parameters are searched."""
    if spec.search == GRID:
        return spec
    with stacked("explore-search"):
        search = (
            st.segmented_control(
                "search",
                list(SEARCHES),
                default=spec.search,
                format_func=SEARCHES.get,
                key=widget_key("explore.search"),
                width="stretch",
                help=(
                    "Random: so many cells, drawn without replacement. Halving: they begin with few"
                    " steps, and the better ones go on with more."
                ),
            )
            or spec.search
        )
    place_for("search")
    draws = widget(DRAWS, min(max(spec.draws, DRAWS.low), DRAWS.high), "explore")
    place_for("draws")
    factor = widget(FACTOR, spec.factor, "explore") if search == HALVING else spec.factor
    return replace(spec, search=search, draws=draws, factor=factor)


def measuring_controls(spec: Spec) -> Spec:
    with stacked("explore-how"):
        ways = "cross-validation", "held-out rows"
        before = ways[spec.held_out is not None]
        way = (
            st.segmented_control(
                "how",
                ways,
                default=before,
                key=widget_key("explore.how"),
                width="stretch",
                label_visibility="collapsed",
            )
            or before
        )
    if way == ways[0]:
        spec = replace(
            spec,
            held_out=None,
            folds=widget(FOLDS, min(max(spec.folds, FOLDS.low), FOLDS.high), "explore"),
        )
    else:
        spec = replace(
            spec, held_out=float(widget(SHARE, spec.held_out or SHARE.default, "explore"))
        )
    place_for("folds" if way == ways[0] else "held_out")
    many = len(spec.seeds)
    seeds = widget(replace(SEEDS, high=max(SEEDS.high, many)), many, "explore")
    place_for("seeds")
    return spec if seeds == many else replace(spec, seeds=tuple(range(seeds)))


def where_controls(where: str) -> str:
    """Where it runs; a choice only where this server was started with a cluster."""
    if CLUSTER not in os.environ:
        place_for("where")
        return "machine"
    st.markdown("#### Runs on")
    words: Mapping[str, str] = {"machine": "this machine", "cluster": "a Dask cluster"}
    chosen = st.radio(
        "runs on",
        list(words),
        list(words).index(where),
        format_func=words.get,
        key=widget_key("explore.where"),
        label_visibility="collapsed",
    )
    place_for("where")
    return chosen


def counted(spec: Spec, pace: float | None, width: int) -> str:
    """How much work it is, in words."""
    parts = [
        f"{count(spec.tried)} cells",
        f"{spec.splits} folds" if spec.held_out is None else "1 part",
        f"{len(spec.seeds)} seed{'s' * (len(spec.seeds) > 1)}",
    ]
    rungs = "" if len(spec.rungs) == 1 else f" in {len(spec.rungs)} rounds"
    share = (1 - 1 / spec.folds) if spec.held_out is None else 1 - spec.held_out
    text = (
        f"{' × '.join(parts)} = {count(spec.fits)} fits{rungs} of"
        f" {count(round(share * spec.problem().n))} rows"
    )
    about = drafts.duration(drafts.seconds(spec, pace, width))
    measured = f", {about} as measured" if pace else f", about {about}"
    return f"{text}{measured} on {width} process{'es' * (width > 1)}."
