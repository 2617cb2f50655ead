"""What runs say about the claims on figures of the BSGD paper, Section 7; `bsgd_table_verdicts`
judges its tables.

Accuracies are shares, and a point is a hundredth. Tables are (shuffles, looks) or (shuffles,
budgets).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from svmviz.papers.evidence.verdicts import (
    INF,
    POINT,
    POINTS,
    TIMES,
    Estimate,
    Form,
    Found,
    Verdict,
    combined,
    difference,
    every,
    judged,
    mean,
    middle,
    number,
    power_of,
    ratio,
    trend,
)


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def sides(a, b) -> str:
    return f"{share(np.nanmean(a))} against {share(np.nanmean(b))}"


def on_budget(
    sizes: Sequence[int],
    accuracy: np.ndarray,
    unbudgeted: np.ndarray,
    printed: float,
    short: bool = False,
) -> Found:
    """Figure 2: whether accuracy rises with B towards that without a budget, or stays `short` of
    it; `printed` in percent.
    """
    last = accuracy[:, -1]
    rises = trend(np.log2(sizes), accuracy)
    region, words = (
        ((-INF, -POINT), "more than a point below")
        if short
        else ((-POINT, INF), "at most a point below")
    )
    rows = (
        judged(
            "Accuracy rises with the budget: points for each doubling of B",
            "rises",
            rises,
            (0.0, INF),
            POINTS,
            f"{share(np.nanmean(accuracy[:, 0]))} at B = {sizes[0]}, {share(np.nanmean(last))} at B"
            f" = {sizes[-1]}",
        ),
        judged(
            f"At B = {sizes[-1]} against Pegasos without a budget",
            words,
            difference(last, unbudgeted),
            region,
            POINTS,
            sides(last, unbudgeted),
        ),
        printed_share(
            "Pegasos without a budget has what Table 3 prints", printed, 100 * unbudgeted
        ),
    )
    return Found(rows)


def printed_share(claim: str, printed: float, percent, within: float = 1.0) -> Verdict:
    """An accuracy in percent against the one in print, alike to a point or so many."""
    form = Form(lambda value: f"{value:.2f}", lambda value: f"{value - printed:+.2f} points", " %")
    words = "a point" if within == 1 else f"{within:g} points"
    return judged(
        claim,
        f"{printed:.2f} %, to {words}",
        mean(percent),
        (printed - within, printed + within),
        form,
    )


def on_passes(gain: Mapping[str, np.ndarray]) -> Found:
    """Figure 3: gains of five passes over one, in shares, by data set and shuffle."""
    rows = tuple(
        judged(name, "a gain", mean(values, "mean paired difference"), (0.0, INF), POINTS)
        for name, values in gain.items()
    )
    return Found(
        (combined("Five passes are better on most data sets", "most", rows, "most"), *rows)
    )


def ends_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(shuffles,) means of the first third of the looks and of the last."""
    third = max(1, values.shape[1] // 3)
    return values[:, :third].mean(axis=1), values[:, -third:].mean(axis=1)


def rising(name: str, values: np.ndarray) -> Verdict:
    early, late = ends_of(values)
    return judged(
        f"The accuracy of {name} rises: last third of the looks against the first",
        "rises",
        difference(late, early),
        (0.0, INF),
        POINTS,
        sides(late, early),
    )


def on_evolution(
    merge: np.ndarray,
    pegasos: np.ndarray,
    vectors: tuple[int, int],
    others: Mapping[str, float],
    claim: str,
    early: Mapping[str, np.ndarray] | None = None,
) -> Found:
    """Figure 4: accuracy of merging, and of Pegasos without a budget, at the same examples; vectors
    of both in the end. The claim is that merging "follows", "leads" or "trails" Pegasos; who was to
    follow may lead. Those of `early` grow faster at first and are passed later: their curves begin
    where the others do, and may end sooner.
    """
    region, words = {
        "follows": ((-POINT, INF), "at most a point below"),
        "leads": ((0.0, INF), "above"),
        "trails": ((-INF, 0.0), "below"),
    }[claim]
    late = slice(merge.shape[1] // 3, None)
    a, b = merge[:, late].mean(axis=1), pegasos[:, late].mean(axis=1)
    rows = [
        judged(
            f"Merging {claim} Pegasos: mean accuracy beyond the first third of the looks",
            words,
            difference(a, b),
            region,
            POINTS,
            sides(a, b),
        )
    ]
    if claim != "trails":
        rows.insert(0, rising("merging", merge))
    third = merge.shape[1] // 3
    for name, curve in (early or {}).items():
        ahead, first, last = (
            part.mean(axis=1) for part in (curve[:, :third], merge[:, :third], merge[:, -3:])
        )
        rows += [
            judged(
                f"{name} grows faster at first: mean accuracy over the first third of the looks",
                "above merging",
                difference(ahead, first),
                (0.0, INF),
                POINTS,
                sides(ahead, first),
            ),
            judged(
                f"Merging passes {name}: last looks of both, wherever they end",
                "above",
                difference(last, curve[:, -3:].mean(axis=1)),
                (0.0, INF),
                POINTS,
                sides(last, curve[:, -3:].mean(axis=1)),
            ),
        ]
    rest = ", ".join(f"{name} {share(value)}" for name, value in others.items())
    return Found(
        tuple(rows),
        (
            f"In the end merging has {share(np.nanmean(merge[:, -1]))} with {vectors[0]} vectors,"
            f" Pegasos {share(np.nanmean(pegasos[:, -1]))} with {vectors[1]}."
            + (f" The others: {rest}." if rest else ""),
        ),
    )


def on_strategies(curves: Mapping[str, np.ndarray], falls: bool, ahead: bool) -> Found:
    """Figure 5: removal inferior to both others, which rise. Removal `falls` after it rose, or
    stays about where it began; merging is well `ahead` of projecting where that is claimed.
    """
    sixth = max(1, curves["remove"].shape[1] // 6)
    end = {name: curve[:, -sixth:].mean(axis=1) for name, curve in curves.items()}
    others = {"project": "projecting", "merge": "merging"}
    rows = [
        judged(
            f"Removal is inferior to {called}: last sixth of the looks",
            "below",
            difference(end["remove"], end[name]),
            (-INF, 0.0),
            POINTS,
            sides(end["remove"], end[name]),
        )
        for name, called in others.items()
    ]
    rows += [rising(called, curves[name]) for name, called in others.items()]
    parts = np.array(
        [part.mean(axis=1) for part in np.array_split(curves["remove"], 6, axis=1)]
    )  # (6, shuffles)
    if falls:
        peak = parts[int(np.argmax(np.nan_to_num(parts.mean(axis=1))))]
        rows.append(
            judged(
                "Removal falls after a rise: last sixth of the looks against its best",
                "below",
                difference(parts[-1], peak),
                (-INF, 0.0),
                POINTS,
                sides(parts[-1], peak),
            )
        )
    else:
        first = curves["remove"][:, 0]
        rows.append(
            judged(
                "Removal stays about what the first 100 examples gave: last sixth of the looks",
                "alike, to a point",
                difference(parts[-1], first),
                (-POINT, POINT),
                POINTS,
                sides(parts[-1], first),
            )
        )
    if ahead:
        rows.append(
            judged(
                "Merging is well ahead of projecting: last sixth of the looks",
                "more than a point above",
                difference(end["merge"], end["project"]),
                (POINT, INF),
                POINTS,
                sides(end["merge"], end["project"]),
            )
        )
    return Found(tuple(rows))


def growth(examples: np.ndarray, seconds: np.ndarray) -> Estimate:
    """The power of N with which the time grows over the last quarter of the stream.

    >>> n = np.array([1e3, 1e4, 2e4, 4e4])
    >>> round(growth(n, np.array([1e-9 * n**2] * 3)).middle, 3)
    2.0
    """
    late = np.asarray(examples) >= examples[-1] / 4
    return power_of(np.asarray(examples)[late], np.asarray(seconds)[:, late])


def on_time(examples: np.ndarray, seconds: Mapping[str, np.ndarray]) -> Found:
    """Figure 6: how time grows with the stream, and from B = 100 to 500."""
    rows = [
        judged(
            f"The time of {name} grows as a power of N: over the last quarter of the stream",
            (
                "2, O(N²); counts from 1.5 to 2.5"
                if name == "Pegasos"
                else "1, linear; counts from 0.7 to 1.3"
            ),
            growth(examples, table),
            (1.5, 2.5) if name == "Pegasos" else (0.7, 1.3),
            number(2.0 if name == "Pegasos" else 1.0),
        )
        for name, table in seconds.items()
    ]
    merge, project = (
        seconds[f"{name}, 500"][:, -1] / seconds[f"{name}, 100"][:, -1]
        for name in ("merge", "project")
    )
    rows.append(
        judged(
            "From B = 100 to 500 the cost of projecting grows faster than that of merging",
            "above 1",
            ratio(project, merge),
            (1.0, INF),
            TIMES,
            f"{middle(project):.1f} times against {middle(merge):.1f} times",
        )
    )
    return Found(tuple(rows))


def on_pictures(project: Sequence, merge: Sequence) -> Found:
    """Figure 7: `Pictures` of several runs of each."""

    def kinds(runs):
        return [len(set(run.digit.tolist())) for run in runs]

    total = {
        name: sum(len(run.digit) for run in runs)
        for name, runs in (("project", project), ("merge", merge))
    }
    missing = mean([10 - k for k in kinds(project)])
    rows = (
        every(
            "Vectors left by projection are training examples",
            "all",
            sum(run.copies for run in project),
            total["project"],
            len(project),
            "vectors",
        ),
        judged(
            "They miss some of the ten digits: how many a run misses",
            "above 0",
            missing,
            (0.0, INF),
            number(0.0, 1),
        ),
        every(
            "Those left by merging are none",
            "none is an example",
            total["merge"] - sum(run.copies for run in merge),
            total["merge"],
            len(merge),
            "vectors are none",
        ),
        every(
            "They represent all ten digits in all runs",
            "all",
            sum(kinds(merge)),
            10 * len(merge),
            len(merge),
            "digits",
        ),
    )
    return Found(
        rows,
        (
            (
                f"Kinds of digits: merging {', '.join(map(str, kinds(merge)))}; projecting "
                f"{', '.join(map(str, kinds(project)))}. Accuracy with ten vectors: merging "
                f"{', '.join(share(run.accuracy) for run in merge)}; projecting "
                f"{', '.join(share(run.accuracy) for run in project)}."
            ),
        ),
    )
