"""What a visitor is looking at: the recipe and the view, from the link on arrival and back into it."""

from dataclasses import replace

import streamlit as st

from svmviz.maths.words import brief
from svmviz.player import opening
from svmviz.record.solver import plan_segments
from svmviz.run.link import SEEN, VIEW_KEYS
from svmviz.run.recipe import STEPS, Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.ui.address import arrived, doubled, led_elsewhere

AXES = ("steps", "epochs", "examples", "features_read", "kernel_evals")  # what a curve may be drawn over
ANEW = {"t": 0, "beat": "", "x": "steps", "y": "", "field": ""}  # each solver begins with its own curve


def current_recipe(returned: bool) -> Recipe:
    """The visitor's recipe: from the link on arrival or when the address bar changed, else the one being edited, seen at
    the step where a visitor left it who returned from another page."""
    state, query = st.session_state, st.query_params.to_dict()
    asked = state.pop("heard", False)
    if "recipe" not in state or (led_elsewhere("stage", returned) and not asked and not news("stage", "reported")):
        recipe, view, messages = arrive(query)
        state.messages = [*doubled(), *messages]
        state.pop("past", None)  # of other solvers: a link tells all
        adopt(recipe, view)
        state.first_visit = not query
        arrived("stage")
    elif returned:
        state.view = state.view | state.seen
        arrived("stage")
    return state.recipe


def heard(answer):
    """The answer to a wish of the player, noted for `current_recipe`: as with its reports, see `news`, the address that comes
    along may be older than the one that we wrote last, and must not undo the answer."""

    def noted() -> None:
        st.session_state.heard = True
        answer()

    return noted


def news(player: str, reported: str) -> bool:
    """Whether this run of the script is due to a report of the player. The address that comes along with it may then be older
    than the one that we wrote last: a browser that is busy stepping has not followed yet, and nobody went anywhere."""
    view = getattr(st.session_state.get(player), "view", None)
    return isinstance(view, dict) and isinstance(view.get("t"), int | float) and view != st.session_state.get(reported)


def arrive(query: dict[str, str]) -> tuple[Recipe, dict, list[str]]:
    """Recipe, view and complaints of a link; the prepared example where there is none."""
    if not set(query) - set(VIEW_KEYS):
        recipe, messages, view = opening.OPENING, [], dict(opening.VIEW)
        if not query:
            return recipe, view, messages
        view = dict(ANEW)
    else:
        recipe, messages = from_query(query, VIEW_KEYS, st.session_state.get("own"))
        view = dict(ANEW)
    known = {"x": AXES, "beat": ("", "rest", *beats(recipe))}
    for name in SEEN[1:]:
        view[name] = query.get(name, view[name])[:40]
        if view[name] not in known.get(name, (view[name],)):
            messages.append(f"The link's {name} was left out: {name} may be {', '.join(filter(None, known[name]))}, "
                            f"got {view[name]!r}.")
            view[name] = ANEW[name]
    step = query.get("t", "0")
    if step.isdecimal() and step.isascii():
        step = step.lstrip("0")[:20] or "0"
        last = max([int(step), *(s + 1 for s, _ in recipe.changes)])
        recipe = replace(recipe, steps=min(STEPS.high, max(recipe.steps, last)))
        view["t"] = min(int(step), recipe.steps)
        if view["t"] < int(step):
            messages.append(f"The link's t was replaced by {view['t']}: a run may have {STEPS.high} steps, got {brief(step)}.")
    else:
        messages.append(f"The link's t was replaced by 0: t must be a whole number, 0 or more, got {brief(step)!r}.")
    view["present"] = query.get("present") == "1"
    return recipe, view, messages


def beats(recipe: Recipe) -> list[str]:
    """All that a step of this run may be made of."""
    solver = SOLVERS[recipe.solver]
    planned = plan_segments(solver, dict(recipe.params), recipe.changes)
    return list(dict.fromkeys(line.beat for _, params in planned for line in solver.lines(params)))


def adopt(recipe: Recipe, view: dict | None = None) -> None:
    """Make this the visitor's recipe; with a view the player is told to go there. Widgets start afresh from it."""
    state = st.session_state
    state.recipe = recipe
    state.pending = None
    state.generation = state.get("generation", 0) + 1
    if view is not None:
        state.view = view | {"serial": state.generation}
        state.seen = {name: view[name] for name in SEEN}


def lengthened(recipe: Recipe) -> None:
    """Make this the visitor's recipe, which the player made longer: its length gets a new control, as the browser would go on
    to say what the old one says."""
    st.session_state.recipe = recipe
    st.session_state.lengths = st.session_state.get("lengths", 0) + 1


def link_of(recipe: Recipe) -> dict[str, str]:
    """The link to this recipe as it is seen now, or at its end where it has become shorter."""
    seen = st.session_state.seen
    seen = seen | {"t": min(seen["t"], recipe.steps)}
    return recipe.query() | {name: str(value) for name, value in seen.items() if value != ""}


def restart(recipe: Recipe, t: int = 0) -> None:
    """Make this the visitor's recipe, seen from its first step or from another."""
    adopt(recipe, ANEW | {"t": t} | {name: st.session_state.get("seen", ANEW)[name] for name in SEEN[2:]})


def widget_key(name: str) -> str:
    """Widgets of another generation of the recipe are other widgets, so that they show its values."""
    return f"{st.session_state.get('generation', 0)}.{name}"  # 0 before the first recipe
