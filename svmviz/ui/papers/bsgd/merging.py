"""Merging beyond the BSGD paper: where z lies for other kernels and for opposite signs, and what it
brings to let any two merge.
"""

from svmviz.papers.bsgd import line as bsgd_line
from svmviz.papers.bsgd import pairs as bsgd_pairs
from svmviz.papers.evidence.experiment import Results
from svmviz.solvers.bsgd.budget import PAIRS
from svmviz.ui.papers import blocks as ui
from svmviz.views.merging import over_place

RATIOS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
WHY = {
    ("Gaussian", True): "z lies between both, nearer to the heavier one.",
    ("Laplacian", True): (
        "z is always the heavier vector: merging is projecting m on it, and the best partner is the"
        " nearest."
    ),
    (
        "inverse multiquadric",
        True,
    ): "As with the Gaussian kernel; but what is far away is still felt.",
    (
        "Gaussian",
        False,
    ): "The two cancel where they overlap. z goes beyond the heavier vector, away from both.",
    ("Laplacian", False): "z is the heavier vector again, on the line and anywhere else.",
    (
        "inverse multiquadric",
        False,
    ): "The two cancel where they overlap. z goes beyond the heavier vector, away from both.",
}
EQUAL = (
    "Both weigh the same: z lies halfway, or beside one of them where they are far apart.",
    "Both weigh the same: z is either of them.",
)  # with the Laplacian kernel


def signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def place() -> ui.Blocks:
    """Where z lies: to play with."""
    yield ui.Header("Where z lies")
    yield ui.Caption(
        "Two vectors on a line; the loss of every place of z, with the best coefficient for each,"
        " over what removing m would lose."
    )
    kernel, sign = yield ui.Row(
        (
            ui.Choice("Kernel", bsgd_line.KERNELS, "bsgd.line.kernel", default="Gaussian"),
            ui.Choice("Signs", ["same", "opposite"], "bsgd.line.sign", default="opposite"),
        )
    )
    distance = "Distance, in widths of the kernel"
    r, ratio = yield ui.Row(
        (
            ui.Slider(distance, 0.05, 3.0, 0.6, 0.05, "bsgd.line.distance"),
            ui.Scale("Weight of m over that of n", RATIOS, 0.7, "bsgd.line.ratio", "{:g}".format),
        )
    )
    same = sign == "same"
    line = bsgd_line.along(kernel, same, r, ratio)
    yield ui.Chart(
        lambda look: over_place(look, line.z, line.lost, (line.best, line.least), r, same),
        "bsgd.line",
    )
    why = EQUAL[kernel == "Laplacian"] if same and ratio == 1.0 else WHY[kernel, same]
    text = (
        f"{why} Here **h = {signed(line.h(r))}** loses **{line.least:.3f}** of what removal does,"
        f" projecting m on n {line.projected:.3f}."
    )
    if not same and kernel == "Gaussian" and ratio == 1.0 and r <= 0.3:
        text += (
            " As the distance goes to 0, h goes to −∞: z stays 1/√(2γ) away, where nothing was, and"
            " keeps 1/e of what is left of the two."
        )
    yield ui.Text(text)


def pairs_shown(results: Results) -> ui.Blocks:
    accuracy, E_bar, events, crossed, seconds = (
        results.tables(field) for field in bsgd_pairs.Stand._fields
    )
    rows = []
    for label in results.labels:
        which, B = label.rsplit(", ", 1)
        b, timed = int(B), seconds[label].mean() > 0
        base = f"{PAIRS[0]}, {B}"
        extra = (seconds[label] - seconds[base]) / events[label]
        rows.append(
            {
                "pairs": which,
                "B": B,
                "accuracy": f"{accuracy[label].mean():.2%}",
                "Ē": f"{E_bar[label].mean():.4f}",
                "kernel values of an overflow": f"{b * (b + 1) // 2 if which == PAIRS[1] else b}",
                "seconds": f"{seconds[label].mean():.2f}" if timed else "–",
                "more per overflow": (
                    f"{1e3 * extra.mean():.2f} ms" if timed and label != base else "–"
                ),
                "of the other sign": f"{crossed[label].sum() / events[label].sum():.1%}",
            }
        )
    narrow = "\n".join(
        f"- **{row['pairs']}, B = {row['B']}**: {row['accuracy']}, Ē = {row['Ē']},"
        f" {row['seconds']} s"
        for row in rows
    )
    yield ui.Table(rows, narrow=[ui.Text(narrow)])


ANY_TWO = ui.Figure(
    "Any two, and either sign",
    f"Here: {bsgd_pairs.experiment().data}, one score. The smallest vector with its best partner,"
    " as in the paper; the best of all pairs of one sign, the choice *pairs that may merge* in the"
    " Playground; and the smallest with a partner of either sign, which no solver here does.",
    bsgd_pairs.experiment(),
    pairs_shown,
    "The optimal pair can be found by looking at all of them, which takes O(B²) time; to reduce"
    " that, m is fixed as the smallest vector (Section 6.3).",
)
