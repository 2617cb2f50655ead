"""The field of the BSGD paper in numbers: its Table 1."""

import numpy as np

from svmviz.papers.bsgd import costs
from svmviz.papers.bsgd.table_verdicts import order
from svmviz.papers.evidence.experiment import Results
from svmviz.papers.evidence.verdicts import SIGNS, Verdict
from svmviz.ui.papers import blocks as ui


def costs_shown(results: Results) -> list[ui.Table]:
    verdicts = costs.judge(results).verdicts
    half = len(verdicts) // 2
    judged = zip(costs.TABLE_1, verdicts[:half], verdicts[half:], strict=True)
    return [ui.Table([cost_row(item, pair, results) for item, *pair in judged], whole=True)]


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


TABLE_1 = ui.Figure(
    "Table 1: what an update costs",
    f"As printed; measured on {costs.table_1().data}: the power of B with which the time of an"
    " example and the numbers that are kept grow. An example costs its prediction, which the O(1)"
    " in print leaves out, and an update: nearly always with Pegasos' steps, every second time with"
    " a Perceptron's. Tighter and Tightest keep the kernel values between their vectors here: more"
    " space, and less time than to compute them anew.",
    costs.table_1(),
    costs_shown,
    "Removal and merging take O(B) time and space, projection O(B²) of both (Table 1).",
)
