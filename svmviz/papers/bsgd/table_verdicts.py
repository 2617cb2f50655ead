"""What runs say about Tables 3 and 4 of the BSGD paper."""

from collections.abc import Mapping, Sequence

import numpy as np

from svmviz.papers.bsgd.verdicts import printed_share
from svmviz.papers.evidence.verdicts import (
    INF,
    POINTS,
    TIMES,
    Found,
    Verdict,
    combined,
    difference,
    judged,
    mean,
    number,
    points_away,
    power_of,
    ratio,
)

THREE = ("remove", "project", "merge")
MUCH = 5.0  # times: "much smaller"
PERCENT = POINTS._replace(
    show=lambda value: f"{value:+.2f}", away=lambda value: points_away(value / 100)
)


def cell(name: str, printed: float, percent, within: float = 1.0) -> Verdict:
    """A cell of Table 3: percent of every shuffle, alike to so many points."""
    return printed_share(name, printed, percent, within)


# --- Table 3: the claims of Section 7.2, what the paper says of each, and of how many cases -------

EXACT = "LIBSVM and IDSVM are the most accurate without a budget, or at most a point below"
NOISY = "On noisy data, Gauss and Waveform, Pegasos is more accurate than MP"
ALIKE = "On other data Pegasos and MP are alike, to a point"
NORMA = "Norma is less accurate than Pegasos and MP"
MANY = "Norma keeps more support vectors than Pegasos and MP"
MERGING = "BPegasos + merge is the most accurate with a budget, or at most a point below"
PROJECTING = "Projection is at most a point below removal and merging"
REMOVAL = "Removal is worse than projection and merging"
SIBLINGS = "BPegasos + merge and BMP + merge are alike, to a point"
AHEAD = "On Covertype BPegasos + merge is more than a point ahead of BMP + merge"
COMPARABLE = "TVM and BPA are comparable to BPegasos + merge, to a point"
LOWER = "Projectron++, MP + stop and MP + random are less accurate than BPegasos + merge"
PROJECTRON = "Of these three Projectron++ is the most accurate"
PRINTED_MERGE = "BPegasos + merge has what is in print, to 1.5 points"
PRINTED = "Accuracies are those in print, to a point"
CLAIMS = {
    EXACT: ("highest", "most"),
    NOISY: ("significantly, on both", "all"),
    ALIKE: ("most data sets", "most"),
    NORMA: ("generally", "most"),
    MANY: ("more", "most"),
    MERGING: ("the most accurate, with BMP + merge", "most"),
    PROJECTING: ("highly competitive", "most"),
    REMOVAL: ("significantly worse", "most"),
    SIBLINGS: ("most data sets", "most"),
    AHEAD: ("largely outperforms", "all"),
    COMPARABLE: ("comparable, but for BPA on IJCNN", "most"),
    LOWER: ("significantly lower", "most"),
    PROJECTRON: ("the most successful", "most"),
    PRINTED_MERGE: ("as in print", "most"),
    PRINTED: ("as in print", "most"),
}
Cases = dict[str, list[Verdict]]  # by claim


def cases(
    name: str,
    found: Mapping[tuple[str, str, int], np.ndarray],
    vectors: Mapping[tuple[str, str, int], np.ndarray],
    published: Mapping[tuple[str, str, int], float],
) -> Cases:
    """What a data set says of each claim, once for every budget: percent and support vectors of
    every shuffle by data, algorithm and B, 0 without a budget. Of rows that are not there nothing
    is said.
    """
    budgets = sorted({B for _, _, B in found if B})

    def some(B: int, *algorithms: str, table=found) -> list[np.ndarray]:
        return [
            np.asarray(table[name, one, B], float) for one in algorithms if (name, one, B) in table
        ]

    def apart(
        B: int, one: str, others: tuple[str, ...], low: float, high: float, best=np.max
    ) -> list[Verdict]:
        """One against the best or the worst of others, shuffle by shuffle."""
        own, rest = some(B, one), some(B, *others)
        return (
            [judged("", "", difference(own[0], best(rest, axis=0)), (low, high), PERCENT)]
            if own and rest
            else []
        )

    def each(
        one: str, others: tuple[str, ...], low: float, high: float, best=np.max
    ) -> list[Verdict]:
        return [verdict for B in budgets for verdict in apart(B, one, others, low, high, best)]

    noisy, merge, online = (
        name in ("gauss", "waveform"),
        "BPegasos + merge",
        ("Pegasos", "MP", "Norma"),
    )
    all_budgeted = tuple(
        dict.fromkeys(algorithm for _, algorithm, B in found if B and algorithm != merge)
    )
    fewer, norma = some(0, *online[:2], table=vectors), some(0, "Norma", table=vectors)
    out = {
        EXACT: [
            verdict for one in ("LIBSVM", "IDSVM") for verdict in apart(0, one, online, -1.0, INF)
        ],
        NOISY if noisy else ALIKE: apart(
            0, "Pegasos", ("MP",), 0.0 if noisy else -1.0, INF if noisy else 1.0
        ),
        NORMA: apart(0, "Norma", online[:2], -INF, 0.0, np.min),
        MANY: (
            [judged("", "", ratio(norma[0], np.max(fewer, axis=0)), (1.0, INF), TIMES)]
            if norma and fewer
            else []
        ),
        MERGING: each(merge, all_budgeted, -1.0, INF),
        PROJECTING: each("BPegasos + project", ("BPegasos + remove", merge), -1.0, INF),
        REMOVAL: each("BPegasos + remove", ("BPegasos + project", merge), -INF, 0.0, np.min),
        AHEAD if name == "covtype" else SIBLINGS: each(
            merge,
            ("BMP + merge",),
            1.0 if name == "covtype" else -1.0,
            INF if name == "covtype" else 1.0,
        ),
        COMPARABLE: [
            verdict for one in ("TVM", "BPA") for verdict in each(one, (merge,), -1.0, 1.0)
        ],
        LOWER: [
            verdict
            for one in ("Projectron++", "MP + stop", "MP + random")
            for verdict in each(one, (merge,), -INF, 0.0)
        ],
        PROJECTRON: each("Projectron++", ("MP + stop", "MP + random"), 0.0, INF),
        PRINTED_MERGE: [
            cell("", published[key], values, 1.5)
            for key, values in found.items()
            if key[1] == merge
        ],
        PRINTED: [cell("", published[key], values) for key, values in found.items()],
    }
    return {claim: parts for claim, parts in out.items() if parts}


def on_set(found: Cases) -> Found:
    """The claims on one data set: of all its cases, but of printed accuracies of most."""
    return Found(
        tuple(
            combined(claim, CLAIMS[claim][0], parts, "most" if claim == PRINTED else "all")
            for claim, parts in found.items()
        )
    )


def on_sets(found: Sequence[Cases]) -> Found:
    """The claims on all data sets together."""
    joined = {claim: [part for cases in found for part in cases.get(claim, [])] for claim in CLAIMS}
    return Found(
        tuple(
            combined(claim, published, joined[claim], rule)
            for claim, (published, rule) in CLAIMS.items()
            if joined[claim]
        )
    )


def stands(accuracy, E_bar, printed: Mapping[tuple[str, int], tuple[float, float]]) -> dict:
    """The cells of Table 4, accuracy and E-bar, against those in print."""
    out = {}
    for (name, B), (percent, error) in printed.items():
        own = np.asarray(E_bar[name, B], float)
        out[name, B] = (
            printed_share(
                f"accuracy, {name}, B = {B}", percent, 100 * np.asarray(accuracy[name, B], float)
            ),
            judged(
                f"Ē, {name}, B = {B}",
                f"{error:.3f}, to a tenth",
                mean(own),
                (0.9 * error, 1.1 * error),
                number(error, 3),
            ),
        )
    return out


def on_table_4(
    accuracy: Mapping[tuple[str, int], np.ndarray],
    E_bar: Mapping[tuple[str, int], np.ndarray],
    printed: Mapping[tuple[str, int], tuple[float, float]],
) -> Found:
    """By strategy and B, of every stream: whether smaller E-bar goes with higher accuracy, whether
    E-bar falls as B grows, and whether that of removal is much larger.
    """
    acc, err = (
        {key: np.asarray(values, float) for key, values in table.items()}
        for table in (accuracy, E_bar)
    )
    pairs = []
    for a, b, B in (
        (a, b, B) for B in (100, 500) for k, a in enumerate(THREE) for b in THREE[k + 1 :]
    ):
        turn = np.sign(err[b, B] - err[a, B])  # so that the one with the smaller E-bar comes first
        pairs.append(
            judged(
                "", "", difference(turn * acc[a, B], turn * acc[b, B], cases=6), (0.0, INF), POINTS
            )
        )
    rows = [
        combined(
            "A smaller Ē goes with a higher accuracy: pairs of strategies", "all", pairs, "all"
        )
    ]
    rows += [
        judged(
            f"Ē gets smaller with the budget: B = 500 over B = 100, {name}",
            f"below 1; in print {printed[name, 500][1] / printed[name, 100][1]:.3g}",
            ratio(err[name, 500], err[name, 100]),
            (-INF, 1.0),
            TIMES,
            f"{err[name, 500].mean():.3g} against {err[name, 100].mean():.3g}",
        )
        for name in THREE
    ]
    for B in (100, 500):
        both = np.maximum(err["project", B], err["merge", B])
        rows.append(
            judged(
                f"Ē of removal over the larger one of the others, B = {B}",
                f"much larger: above {MUCH:g}",
                ratio(err["remove", B], both),
                (MUCH, INF),
                TIMES,
                f"{err['remove', B].mean():.3g} against {both.mean():.3g}",
            )
        )
    return Found(tuple(rows))


def on_costs(budgets: Sequence[int], seconds: Mapping, numbers: Mapping) -> Found:
    """Table 1: (streams, budgets) seconds of an example and numbers kept, by row of the table."""

    def grows(item, what: str, power: int, table) -> Verdict:
        low, high = power - 0.5, power + 0.25
        published = f"{power}, {order(power)}; counts from {low:g} to {high:g}".replace("-", "−")
        return judged(
            f"{item.name}: {what} grows with B to the power",
            published,
            power_of(budgets, table),
            (low, high),
            number(float(power)),
        )

    rows = [
        grows(item, "the time of an example", item.time, table) for item, table in seconds.items()
    ]
    return Found(
        (*rows, *(grows(item, "the space", item.space, table) for item, table in numbers.items()))
    )


def order(power: int) -> str:
    """A power of B as the paper writes it.

    >>> order(0), order(1), order(2)
    ('O(1)', 'O(B)', 'O(B²)')
    """
    return ("O(1)", "O(B)", "O(B²)")[power]
