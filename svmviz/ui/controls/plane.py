"""The control that chooses which plane of the data is shown."""

import streamlit as st

from svmviz.ui.visit.session import widget_key


def plane_widget(names: tuple[str, ...], plane: str, group: str) -> str:
    """Principal components, or two features of the visitor's choice."""
    first, second = map(int, plane.split(",")) if plane else (0, 1)
    kinds = ("principal components", "two features")
    kind = st.selectbox(
        "plane",
        kinds,
        kinds.index(kinds[bool(plane)]),
        key=widget_key(group),
        help=(
            "What the plane shows. f is the slice of the decision values through the mean of the"
            " rest."
        ),
    )
    if kind == kinds[0]:
        return ""
    numbers = range(len(names))
    across = st.selectbox(
        "across", numbers, first, format_func=lambda j: names[j], key=widget_key(f"{group}.x")
    )
    rest = [j for j in numbers if j != across]
    up = st.selectbox(
        "up",
        rest,
        rest.index(second) if second in rest else 0,
        format_func=lambda j: names[j],
        key=widget_key(f"{group}.y"),
    )
    return f"{across},{up}"
