"""The map of the BSGD page: Figure 1 and Table 1 of the paper as a tree, and a long stream through
all that have a budget.
"""

import numpy as np
import streamlit as st

from svmviz.papers.bsgd import million, tree
from svmviz.papers.bsgd.table_verdicts import order
from svmviz.papers.evidence.experiment import Results
from svmviz.race import field
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.ui.papers.evidence import Foot, evidence
from svmviz.ui.papers.page import beside, column
from svmviz.ui.shell.frame import plain
from svmviz.views.looks import OVERFLOWS


def figure_1() -> None:
    with column():
        st.header("Figure 1 and Table 1: the field as a tree")
        st.caption(
            "Drawn after Section 2 of the paper; costs of an update and of what is kept as Table 1"
            " prints them. A link opens an algorithm in the Playground, each on the same stream:"
            f" {tree.said()}. Grey: named in the paper, and not here."
        )
        marks = "".join(
            f".st-key-overflow-{name} {{ --mark: light-dark({one.light}, {one.dark}); }}"
            for name, one in OVERFLOWS.items()
        )
        st.html(f"<style>{marks}</style>")
        with st.container(key="tree", gap="small"):
            st.markdown(f"**{tree.TREE.title}**")
            for k, branch in enumerate(tree.TREE.branches):
                fan(branch, k)
        st.page_link(
            "pages/race.py",
            label="Race the whole field on one stream",
            icon=":material/flag:",
            query_params=field.link(),
        )


def fan(branch: tree.Branch, k: int) -> None:
    """A branch of the stem, and what grows from it side by side."""
    with st.container(key=f"branch-{k}", gap="small"):
        st.markdown(f"**{branch.title}**" + (f" :small[{branch.grows}]" if branch.grows else ""))
        with st.container(key=f"fan-{k}"):
            for j, twig in enumerate(branch.branches):
                with st.container(
                    key=f"overflow-{twig.overflow}" if twig.overflow else f"twig-{k}-{j}",
                    gap="small",
                ):
                    st.markdown(
                        f"**{twig.title}**" + (f" :small[{twig.grows}]" if twig.grows else "")
                    )
                    with st.container(key=f"leaves-{k}-{j}"):
                        for leaf in twig.leaves:
                            drawn(leaf)


def drawn(leaf: tree.Leaf) -> None:
    """An algorithm, with its costs and what it does where those tell it from others."""
    cost = (
        f" :small[time {order(leaf.cost.time)}, space {order(leaf.cost.space)}]"
        if leaf.cost
        else ""
    )
    label = f"**{plain(leaf.name)}**{cost}" + (f" :small[{leaf.does}]" if leaf.does else "")
    if query := leaf.query():
        st.page_link("pages/playground.py", label=label, query_params=query)
    else:
        st.markdown(f":gray[{label}]")


def stream_of_a_million() -> None:
    with column():
        st.header("A stream of a million")
        experiment = million.million()
        st.caption(
            f"Every algorithm with a budget on the same streams: {experiment.data}, else the usual"
            " parameters, none chosen for the accuracy. Time is that of one processor, prediction"
            " included. Memory: each run has a process of its own, and what is shown is by how"
            " much the most that it ever held grew after the first tenth of the stream."
        )
        evidence(experiment, passed)


def passed(results: Results, behind: Results | None, foot: Foot) -> None:
    rows = [passed_row(results, name) for name in results.labels]
    st.dataframe(rows, hide_index=True, width="stretch", height=36 * (len(rows) + 1) + 2)
    foot()
    beside(
        "Budgeted SGD has constant space and constant update time (Section 1).",
        million.judge(results),
        "bsgd.million",
    )


def overflow(name: str) -> str:
    return PRESETS[name]["maintenance"].split()[0] if name in PRESETS else field.KEEPS[name.lower()]


def passed_row(results: Results, name: str) -> dict[str, str]:
    middle = {
        part: np.median(million.table(results, name, part)) for part in million.Passed._fields
    }
    return {
        "algorithm": name,
        "on overflow": field.OVERFLOWS[overflow(name)].lower(),
        "µs an example": f"{1e6 * middle['late']:.1f}",
        "accuracy": f"{100 * middle['accuracy']:.2f} %",
        "vectors": f"{middle['vectors']:.0f}",
        "maintained": f"{middle['events']:.0%}",
        "memory grew by": f"{middle['grown']:.0f} kB",
    }
