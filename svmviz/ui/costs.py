"""The table of what mistakes cost, to be edited cell by cell."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from svmviz.data.params import Param
from svmviz.maths import contest
from svmviz.ui.session import widget_key

MOST = 10  # classes that a table in the sidebar has room for


def class_names(source, classes: int) -> list[str]:
    """What the classes of the data are called; where nobody named them, they are counted."""
    if classes == 2:
        return ["−1", "+1"]
    return list(source.classes) if len(source.classes) == classes else [str(c) for c in range(classes)]


def kept(table: np.ndarray) -> str:
    """What was typed as the text of a parameter: cells that hold no cost are 1, and 0 where a class is taken for itself."""
    table = np.where(np.isfinite(table), np.clip(table, 0.0, contest.MOST_COST), 1.0)
    np.fill_diagonal(table, 0.0)
    return contest.write(table)


def costs_widget(param: Param, value: str, names: Sequence[str], group: str) -> str:
    """A row for each true class, a column for each that it may be taken for; costs of other classes are forgotten."""
    if len(names) > MOST:
        return value
    try:
        table = contest.read(value, len(names))
    except ValueError:
        table = contest.even(len(names))
    now = contest.write(table)
    key = widget_key(f"{group}.{param.name}.{now}.{st.session_state.get('costs_again', 0)}")
    with st.container(key=f"stacked-{key}"):
        st.markdown(f"{param.title} {param.symbol}", help="What it costs to take an example of the class in the row for one of "
                    "the class in the column: by as much it must lead. 0 where a class is taken for itself.")
        columns = {str(c): st.column_config.NumberColumn(name, min_value=0.0, max_value=contest.MOST_COST, width=40)
                   for c, name in enumerate(names)}
        shown = pd.DataFrame(table, index=pd.Index(names, name="true"), columns=list(columns))
        typed = st.data_editor(shown, key=key, column_config=columns, width="stretch").to_numpy(float)
    if kept(typed) == now and not np.array_equal(typed, table):  # a cell was typed that cannot be: a fresh table
        st.session_state["costs_again"] = st.session_state.get("costs_again", 0) + 1
        st.rerun()
    return kept(typed)
