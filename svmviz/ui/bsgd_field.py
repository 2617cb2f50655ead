"""The field of the BSGD paper in numbers: its Table 1, and the rows of Table 3 beside budgeted Pegasos."""

import numpy as np
import streamlit as st

from svmviz.papers import bsgd_costs as costs
from svmviz.papers import bsgd_figures as figures
from svmviz.papers import bsgd_rivals as rivals
from svmviz.papers import bsgd_sets
from svmviz.papers.bsgd_table_verdicts import order
from svmviz.papers.experiment import Results
from svmviz.papers.verdicts import SIGNS, Verdict
from svmviz.ui.bsgd import OPENED
from svmviz.ui.evidence import Foot, evidence
from svmviz.ui.papers import beside, column, judgements, links
from svmviz.ui.shell import on_phone

# --- Table 1 ----------------------------------------------------------------------------------------------------------------

def table_1() -> None:
    with column():
        st.header("Table 1: what an update costs")
        experiment = costs.table_1()
        st.caption(f"As printed; measured on {experiment.data}: the power of B with which the time of an example and the "
                   "numbers that are kept grow. An example costs its prediction, which the O(1) in print leaves out, and "
                   "an update: nearly always with Pegasos' steps, every second time with a Perceptron's. Tighter and Tightest "
                   "keep the kernel values between their vectors here: more space, and less time than to compute them anew.")
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


# --- Table 3 ----------------------------------------------------------------------------------------------------------------

def table_3_rivals() -> None:
    with column():
        st.header("Table 3: the other rows that run here")
        experiment = rivals.table_3_rivals()
        st.caption(f"The paper chose all parameters of every row by cross-validation; here: {experiment.data}, kernel widths "
                   "and Pegasos' λ as above, λ and η of Norma and U of BMP chosen on training rows that are held out. η is 1 "
                   "or 0.5 √(2 + 0.5 N^−½), about 0.71. Support vectors are given as shares of the examples seen, too, as the "
                   "paper learnt from more.")
        evidence(experiment, rows_shown, here=rivals.table_3_rivals(tuple(name for name in rivals.ORDER
                                                                         if name in bsgd_sets.available())))
        links({f"{name} on the {data}": figures.recipes((name,), 100, data)[name] for data in OPENED[:1]
               for name in (*rivals.UNBUDGETED, *rivals.BUDGETED)})


def rows_shown(results: Results, behind: Results | None, foot: Foot) -> None:
    accuracy, vectors = (rivals.table(results, field) for field in ("accuracy", "vectors"))
    names = [name for name in rivals.ORDER if any(cell.name == name for cell in accuracy)]
    name = st.selectbox("Data", names, key="bsgd.rivals.data", format_func=lambda one: bsgd_sets.DATA[one].title)
    cells = [cell for cell in accuracy if cell.name == name]
    judged = {cell: rivals.verdicts.cell(cell.algorithm + (f", B = {cell.B}" if cell.B else ""), rivals.printed(cell),
                                         accuracy[cell]) for cell in cells}
    if on_phone():
        judgements(list(judged.values()), "bsgd.rivals.cells")
    else:
        shares = rivals.table(results, "rows")
        st.dataframe([{"algorithm": cell.algorithm, "B": str(cell.B or "none"), "published": f"{rivals.printed(cell):.2f} %",
                       "measured": one.measured, "difference": one.difference, "verdict": f"{SIGNS[one.outcome]} {one.outcome}",
                       "vectors, published": in_print(cell), "vectors, measured": counted(vectors[cell], shares[cell]),
                       "chosen": chosen(results, cell)} for cell, one in judged.items()], hide_index=True, width="stretch",
                     height=36 * (len(cells) + 1) + 2)
    foot()
    beside("Pegasos and MP are alike on most data sets, but Pegasos is significantly better on the noisy Gauss and Waveform. "
           "Norma is generally less accurate and keeps more support vectors. BPegasos + merge and BMP + merge are the two most "
           "accurate and comparable on most data sets; MP + stop and MP + random are significantly lower (Section 7.2).",
           rivals.judge(results), "bsgd.rivals", "Over all data sets: ")


def in_print(cell: rivals.Cell) -> str:
    if not (found := rivals.printed_vectors(cell)):
        return str(cell.B)
    many, of = found
    return f"{many / 1000:g}K of {of / 1000:g}K, {many / of:.0%}"


def counted(vectors: np.ndarray, rows: np.ndarray) -> str:
    return f"{np.median(vectors):.0f} of {rows[0]:.0f}, {np.median(vectors / rows):.0%}"


def chosen(results: Results, cell: rivals.Cell) -> str:
    """What was chosen for the row, in the marks of the solver."""
    marks = {"lam": "λ", "eta": "η", "U": "U"}
    return ", ".join(f"{marks[name]} = {value:.3g}" if value else f"no {marks[name]}"
                     for name, value in rivals.settings(results, cell).items())
