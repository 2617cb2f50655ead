"""The field of the BSGD paper: its Figure 1 and Table 1."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from svmviz.papers import bsgd_costs as costs
from svmviz.papers import bsgd_figures as figures
from svmviz.papers.bsgd_table_verdicts import order
from svmviz.papers.experiment import Results
from svmviz.papers.verdicts import SIGNS, Verdict
from svmviz.ui.evidence import Foot, evidence
from svmviz.ui.papers import beside, column


class Leaf(NamedTuple):
    """An algorithm, and what it is here: a preset of the solver, or a solver of its own."""

    name: str
    preset: str = ""
    solver: str = ""

    def query(self) -> dict[str, str]:
        """Where it runs in the Playground, if anywhere."""
        if self.preset:
            return figures.recipes((self.preset,))[self.preset].query()
        return {"solver": self.solver} if self.solver else {}


class Branch(NamedTuple):
    title: str
    leaves: tuple[Leaf, ...] = ()
    branches: tuple["Branch", ...] = ()


def leaves(*names: str) -> tuple[Leaf, ...]:
    """Algorithms that are not here."""
    return tuple(map(Leaf, names))


HIERARCHY = Branch("Large-scale SVMs", branches=(
    Branch("Offline", branches=(
        Branch("exact or nearly so, with a kernel (2.1)", (Leaf("LIBSVM, by its SMO", solver="smo"), *leaves(
            "LASVM", "SimpleSVM", "CVM", "SimplerCVM"))),
        Branch("linear, or made linear (2.1)", (
            Leaf("Pegasos", solver="pegasos"), Leaf("SGD (Zhang)", solver="sgd"), Leaf("dual coordinates", solver="sdca"),
            Leaf("random features", solver="fourier"), *leaves("SVM-perf", "SGD-QN", "LLSVM"))),
        Branch("a model made smaller (2.2)", leaves("reduced sets", "RSVM", "forward selection")))),
    Branch("Online", branches=(
        Branch("by a quadratic programme (2.3)", leaves("IDSVM", "LASVM")),
        Branch("by gradients and additive steps (2.3, 2.4)", (
            Leaf("Norma", "Norma"), Leaf("Pegasos with a kernel", "Pegasos"), Leaf("margin Perceptron", "MP"),
            Leaf("Perceptron", solver="perceptron"), Leaf("PA", solver="pa1"), *leaves("ALMA", "ROMMA", "MIRA", "ILK"))),
        Branch("on a budget (2.3, 2.4, and what the paper adds)", branches=(
            Branch("stop", (Leaf("Stoptron", "Stoptron"), Leaf("MP + stop", "MP + stop"))),
            Branch("remove", (
                Leaf("Random", "Random Perceptron"), Leaf("Forgetron", "Forgetron"), Leaf("MP + random", "MP + random"),
                Leaf("BSGD + removal", "BPegasos + remove"), *leaves("Budget", "Tighter", "Tightest", "SILK"))),
            Branch("project", (
                Leaf("BSGD + project", "BPegasos + project"), *leaves("Projectron++", "BPA-S", "BPA-NN", "BPA-P"))),
            Branch("merge", (
                Leaf("BSGD + merge", "BPegasos + merge"), Leaf("BNorma + merge", "BNorma + merge"),
                Leaf("BMP + merge", "BMP + merge"), *leaves("TVM"))))))),
))


def figure_1() -> None:
    with column():
        st.header("Figure 1: a hierarchy of large-scale SVMs")
        st.caption("Of the paper's picture only the caption was at hand: this one is drawn after its Section 2. Links open in "
                   "the Playground; what is grey does not run here.")
        drawn(HIERARCHY, "0")


def drawn(branch: Branch, place: str) -> None:
    """A branch with its leaves, and what grows from it, further in."""
    with st.container(key=f"tree-{place}", gap="small"):
        st.markdown(f"**{branch.title}**")
        if branch.leaves:
            row = st.container(key=f"leaves-{place}", horizontal=True, gap="small", vertical_alignment="center")
            for leaf in branch.leaves:
                if query := leaf.query():
                    row.page_link("pages/playground.py", label=leaf.name, query_params=query, width="content")
                else:
                    row.caption(leaf.name, width="content")
        for k, part in enumerate(branch.branches):
            drawn(part, f"{place}-{k}")


# --- Table 1 ----------------------------------------------------------------------------------------------------------------

def table_1() -> None:
    with column():
        st.header("Table 1: what an update costs")
        experiment = costs.table_1()
        st.caption(f"As printed; measured on {experiment.data}: the power of B with which the time of an example and the "
                   "numbers that are kept grow. An example costs its prediction, which the O(1) in print leaves out, and "
                   "an update: nearly always with Pegasos' steps, every second time with a Perceptron's.")
        evidence(experiment, costs_shown)


def costs_shown(results: Results, behind: Results | None, foot: Foot) -> None:
    found = costs.judge(results)
    half = len(found.verdicts) // 2
    judged = {item: pair for item, *pair in zip(costs.RUNNING, found.verdicts[:half], found.verdicts[half:], strict=True)}
    rows = [cost_row(item, judged.get(item), results) for item in costs.TABLE_1]
    st.dataframe(rows, hide_index=True, width="stretch", height=36 * (len(rows) + 1) + 2)
    foot()
    beside("Removal and merging take O(B) time and space, projection O(B²) of both (Table 1).", found, "bsgd.table1")


def cost_row(item: costs.Item, judged: list[Verdict] | None, results: Results) -> dict[str, str]:
    row = {"algorithm": item.name, "maintenance": item.keeps, "time, printed": order(item.time)}
    if judged is None:
        return row | {"measured": "does not run here", "µs at B = 100": "", "at B = 800": "",
                      "space, printed": order(item.space), "space, measured": ""}
    micro = 1e6 * np.median(costs.table(results, item.preset, "seconds"), axis=0)
    at = dict(zip(costs.BUDGETS, micro, strict=True))
    return row | {"measured": power(judged[0]), "µs at B = 100": f"{at[100]:.1f}", "at B = 800": f"{at[800]:.1f}",
                  "space, printed": order(item.space), "space, measured": power(judged[1])}


def power(verdict: Verdict) -> str:
    """B to the power that was measured, and what that says of the printed one."""
    return f"B^{verdict.measured} {SIGNS[verdict.outcome]}"
