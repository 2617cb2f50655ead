"""Tables of sweeps as files: what can be taken away, and results of the command line that are
looked at here.
"""

import io
import tempfile
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
import streamlit as st

from svmviz.explore import MEASURES, Spec, Table, results, specfile
from svmviz.explore.axes import sweepable
from svmviz.explore.rows import WORDS
from svmviz.ui.explore.controls import adopt
from svmviz.ui.explore.drafts import Draft
from svmviz.ui.explore.sweeping import add, kept
from svmviz.ui.jobs.background import begin, visitor, waited
from svmviz.ui.jobs.scope import PRIVATE, SHARED
from svmviz.ui.shell.frame import plain
from svmviz.work.store import Store

LARGEST = 200  # MB of a file of results


class Swept(Protocol):
    """A sweep on the page."""

    spec: Spec

    def look(self) -> Table:
        """What there is of it by now."""
        ...


def files(swept: Swept | None) -> None:
    """Below the controls. Files are made when asked for, in a thread that has no session: all that
    it needs goes along.
    """
    if swept is not None:
        spec, row = swept.spec, st.container(horizontal=True)
        row.download_button(
            "CSV",
            lambda: to_csv(swept.look()),
            "sweep.csv",
            "text/csv",
            width="stretch",
            on_click="ignore",
            help="One row per cell: its setting, and mean and standard error of every measure.",
        )
        if not spec.recipe.own:
            row.download_button(
                "Parquet",
                partial(to_parquet, spec, SHARED.store("rows")),
                "sweep.parquet",
                width="stretch",
                on_click="ignore",
                help="Every fit; svmviz sweep goes on from it, and Open results shows it.",
            )
    with st.expander("open results"):
        file = st.file_uploader(
            "Parquet file of svmviz sweep", "parquet", key="explore.file", max_upload_size=LARGEST
        )
        if file is not None and st.session_state.get("explore.file_shown") != file.file_id:
            take(file)


def take(file) -> None:
    """Show the sweep of a file; its rows stay in the session."""
    try:
        with st.spinner("Reading the results …"):
            reading = partial(results.read, file.getvalue(), None)
            spec, rows = waited(begin("results", ("results", file.file_id, visitor()), reading))
    except ValueError as error:
        st.warning(plain(f"{str(error).rstrip('.')}."))
        return
    state = st.session_state
    state["explore.file_shown"] = file.file_id
    add(PRIVATE.store("opened"), spec, rows)
    adopt(Draft(spec))
    st.rerun()


def to_csv(table: Table) -> str:
    """A row for each cell that was tried.

    >>> from svmviz.explore import Axis
    >>> from svmviz.run.recipe import Recipe
    >>> to_csv(Table(Spec(Recipe(), (Axis("lam", 0.01, 1.0, 3),)).checked())).splitlines()[1][:14]
    '0,0.01,to come'
    """
    spec, known = table.spec, sweepable(table.spec.recipe)
    columns = [
        values for name in MEASURES for values in (table.mean(name), table.error_of_mean(name))
    ]
    heads = [head for name in MEASURES for head in (name, f"{name}_se")]
    out = io.StringIO()
    out.write(",".join(["cell", *(axis.name for axis in spec.axes), "state", *heads]) + "\n")
    states = np.where(table.complete, np.array(WORDS)[table.status], "to come")
    for k, cell in enumerate(table.cells.tolist()):
        setting = [quoted(known[name].write(value)) for name, value in spec.setting(cell).items()]
        numbers = ["" if np.isnan(values[k]) else repr(float(values[k])) for values in columns]
        out.write(",".join([str(cell), *setting, states[k], *numbers]) + "\n")
    return out.getvalue()


def quoted(text: str) -> str:
    return f'"{text}"' if "," in text else text


def to_parquet(spec: Spec, store: Store) -> bytes:
    """All fits of this sweep that are there, as the command line writes them."""
    with tempfile.TemporaryDirectory(prefix="svmviz-") as folder:
        path = Path(folder, "sweep.parquet")
        results.write(path, specfile.write(spec), kept(spec, store))
        return path.read_bytes()
