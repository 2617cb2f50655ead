"""The field of the BSGD paper in numbers: its Table 1."""

import numpy as np
import streamlit as st

from svmviz.papers.bsgd import costs
from svmviz.papers.bsgd.table_verdicts import order
from svmviz.papers.evidence.experiment import Results
from svmviz.papers.evidence.verdicts import SIGNS, Verdict
from svmviz.ui.papers.evidence import Foot, evidence
from svmviz.ui.papers.page import beside, column

# --- Table 1 --------------------------------------------------------------------------------------


def table_1() -> None:
    with column():
        st.header("Table 1: what an update costs")
        experiment = costs.table_1()
        st.caption(
            f"As printed; measured on {experiment.data}: the power of B with which the time of an"
            " example and the numbers that are kept grow. An example costs its prediction, which"
            " the O(1) in print leaves out, and an update: nearly always with Pegasos' steps,"
            " every second time with a Perceptron's. Tighter and Tightest keep the kernel values"
            " between their vectors here: more space, and less time than to compute them anew."
        )
        evidence(experiment, costs_shown)


def costs_shown(results: Results, behind: Results | None, foot: Foot) -> None:
    found = costs.judge(results)
    half = len(found.verdicts) // 2
    judged = {
        item: pair
        for item, *pair in zip(
            costs.TABLE_1, found.verdicts[:half], found.verdicts[half:], strict=True
        )
    }
    rows = [cost_row(item, judged[item], results) for item in costs.TABLE_1]
    st.dataframe(rows, hide_index=True, width="stretch", height=36 * (len(rows) + 1) + 2)
    foot()
    beside(
        "Removal and merging take O(B) time and space, projection O(B²) of both (Table 1).",
        found,
        "bsgd.table1",
    )


def cost_row(item: costs.Item, judged: list[Verdict], results: Results) -> dict[str, str]:
    row = {"algorithm": item.name, "maintenance": item.keeps, "time, printed": order(item.time)}
    micro = 1e6 * np.median(costs.table(results, item.preset, "seconds"), axis=0)
    at = dict(zip(costs.BUDGETS, micro, strict=True))
    return row | {
        "measured": power(judged[0]),
        "µs at B = 100": f"{at[100]:.1f}",
        "at B = 800": f"{at[800]:.1f}",
        "space, printed": order(item.space),
        "space, measured": power(judged[1]),
    }


def power(verdict: Verdict) -> str:
    """B to the power that was measured, and what that says of the printed one."""
    return f"B^{verdict.measured} {SIGNS[verdict.outcome]}"
