"""The table of what mistakes cost, to be edited cell by cell."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from svmviz.data.params import Param
from svmviz.maths import contest
from svmviz.ui.visit.session import widget_key
from svmviz.work.words import brief

MOST = 10  # classes that a table in the sidebar has room for
FITS = 2  # letters of a name that fit above a column


def class_names(source, classes: int) -> list[str]:
    """What the classes of the data are called; where nobody named them, they are counted."""
    if classes == 2:
        return ["−1", "+1"]
    return (
        list(source.classes) if len(source.classes) == classes else [str(c) for c in range(classes)]
    )


def kept(cells: np.ndarray) -> tuple[str, str]:
    """What was typed as the text of a parameter, and a sentence about what could not be: cells that
    hold no number are 1, costs lie within their range, and are 0 where a class is taken for itself.

    >>> kept(np.array([["0", "1e9"], ["1", "0"]]))
    ('0,1000/1,0', 'A cost is a number from 0 to 1000: 1e9 became 1000.')
    """
    typed = np.vectorize(number, otypes=[float])(cells)
    table = np.where(np.isnan(typed), 1.0, np.clip(typed, 0.0, contest.MOST_COST))
    np.fill_diagonal(table, 0.0)
    off = [
        f"{brief(cells[at] or 'nothing')} became {table[at]:g}"
        for at in zip(*np.nonzero(typed != table), strict=True)
    ]
    return contest.write(table), (
        f"A cost is a number from 0 to {contest.MOST_COST:g}: {', '.join(off)}." if off else ""
    )


def number(text) -> float:
    """What a cell holds; not a number where it holds none."""
    try:
        return float(str(text).replace(",", "."))
    except ValueError:
        return float("nan")


def costs_widget(param: Param, value: str, names: Sequence[str], group: str) -> str:
    """A row for each true class, a column for each that it may be taken for; costs of other classes
    are forgotten.
    """
    if not 0 < len(names) <= MOST:  # targets have no classes
        return value
    try:
        table = contest.read(value, len(names))
    except ValueError:
        table = contest.even(len(names))
    now = contest.write(table)
    key = widget_key(f"{group}.{param.name}.{now}.{st.session_state.get('costs_again', 0)}")
    with st.container(key=f"stacked-{key}"):
        st.markdown(
            f"{param.title} {param.symbol}",
            help=(
                "What it costs to take an example of the class in the row for one of the class in"
                " the column: by as much it must lead. 0 where a class is taken for itself."
            ),
        )
        columns = {
            str(c): st.column_config.TextColumn(name, width=40, help=name)
            for c, name in enumerate(names)
        }
        cells = [[f"{v:g}" for v in row] for row in table]
        import pandas as pd  # only where costs are a table

        shown = pd.DataFrame(cells, index=pd.Index(names, name="true"), columns=list(columns))
        typed = st.data_editor(shown, key=key, column_config=columns, width="stretch").to_numpy(
            object
        )
        if max(map(len, names)) > FITS:
            st.caption("Columns stand in the order of the rows.")
        found, said = kept(typed)
        if said:
            st.session_state["costs_said"] = found, said
        about, words = st.session_state.get("costs_said", ("", ""))
        if words and about == found:  # as long as the table is what became of it
            st.caption(words)
    if said and found == now:  # nothing has changed but the cell that cannot be: a fresh table
        st.session_state["costs_again"] = st.session_state.get("costs_again", 0) + 1
        st.rerun()
    return found
