"""What runs say about Tables 3 and 4 of the BSGD paper."""

from collections.abc import Mapping, Sequence

import numpy as np

from svmviz.papers.bsgd_verdicts import printed_share
from svmviz.papers.verdicts import (
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
PERCENT = POINTS._replace(show=lambda value: f"{value:+.2f}", away=lambda value: points_away(value / 100))


def cell(name: str, printed: float, percent) -> Verdict:
    """A cell of Table 3: percent of every shuffle."""
    return printed_share(name, printed, percent)


def on_table_3(found: Mapping[tuple[str, str, int], tuple], published: Mapping[tuple[str, str, int], float]) -> Found:
    """Measured accuracies of the shuffles, and published ones, in percent by data, strategy and B."""
    pairs = sorted({(name, B) for name, _, B in found if all((name, strategy, B) in found for strategy in THREE)})

    def against_best(one: str, low: float, high: float) -> list[Verdict]:
        """The strategy against the best of the others, or all of them, shuffle by shuffle."""
        out = []
        for name, B in pairs:
            others = [np.asarray(found[name, s, B], float) for s in THREE if s != one]
            rest = np.min(others, axis=0) if one == "remove" else np.max(others, axis=0)
            out.append(judged("", "", difference(found[name, one, B], rest), (low, high), PERCENT))
        return out

    cells = [cell("", published[key], values) for key, values in found.items()]
    rows = (combined("Removal is worse than both others", "worse", against_best("remove", -INF, 0.0), "most"),
            combined("Merging is the most accurate or at most a point below", "most accurate or close",
                     against_best("merge", -1.0, INF), "most"),
            combined("Projection is the most accurate or at most a point below", "highly competitive",
                     against_best("project", -1.0, INF), "most"),
            combined("Accuracies are those in print, to a point", "most cells", cells, "most"))
    return Found(rows)


def stands(accuracy, E_bar, printed: Mapping[tuple[str, int], tuple[float, float]]) -> dict:
    """The cells of Table 4, accuracy and E-bar, against those in print."""
    out = {}
    for (name, B), (percent, error) in printed.items():
        own = np.asarray(E_bar[name, B], float)
        out[name, B] = (printed_share(f"accuracy, {name}, B = {B}", percent, 100 * np.asarray(accuracy[name, B], float)),
                        judged(f"Ē, {name}, B = {B}", f"{error:.3f}, to a tenth", mean(own), (0.9 * error, 1.1 * error),
                               number(error, 3)))
    return out


def on_table_4(accuracy: Mapping[tuple[str, int], np.ndarray], E_bar: Mapping[tuple[str, int], np.ndarray],
               printed: Mapping[tuple[str, int], tuple[float, float]]) -> Found:
    """By strategy and B, of every stream: whether smaller E-bar goes with higher accuracy, whether E-bar falls as B grows, and
    whether that of removal is much larger."""
    acc, err = ({key: np.asarray(values, float) for key, values in table.items()} for table in (accuracy, E_bar))
    pairs = []
    for a, b, B in ((a, b, B) for B in (100, 500) for k, a in enumerate(THREE) for b in THREE[k + 1:]):
        turn = np.sign(err[b, B] - err[a, B])  # so that the one with the smaller E-bar comes first
        pairs.append(judged("", "", difference(turn * acc[a, B], turn * acc[b, B], cases=6), (0.0, INF), POINTS))
    rows = [combined("A smaller Ē goes with a higher accuracy: pairs of strategies", "all", pairs, "all")]
    rows += [judged(f"Ē gets smaller with the budget: B = 500 over B = 100, {name}",
                    f"below 1; in print {printed[name, 500][1] / printed[name, 100][1]:.3g}",
                    ratio(err[name, 500], err[name, 100]), (-INF, 1.0), TIMES,
                    f"{err[name, 500].mean():.3g} against {err[name, 100].mean():.3g}") for name in THREE]
    for B in (100, 500):
        both = np.maximum(err["project", B], err["merge", B])
        rows.append(judged(f"Ē of removal over the larger one of the others, B = {B}", f"much larger: above {MUCH:g}",
                           ratio(err["remove", B], both), (MUCH, INF), TIMES,
                           f"{err['remove', B].mean():.3g} against {both.mean():.3g}"))
    return Found(tuple(rows))


def on_rivals(found: Mapping[tuple[str, str, int], np.ndarray], vectors: Mapping[tuple[str, str, int], np.ndarray],
              published: Mapping[tuple[str, str, int], float]) -> Found:
    """The other rows of Table 3: percent and support vectors of every shuffle by data, algorithm and B, 0 without a budget."""
    names = list(dict.fromkeys(name for name, _, _ in found))
    budgets = [(name, B) for name, algorithm, B in found if algorithm == "BMP + merge"]

    def apart(pairs, low: float, high: float) -> list[Verdict]:
        return [judged("", "", difference(one, other), (low, high), PERCENT) for one, other in pairs]

    def least(name: str, table=found, pick=np.minimum):
        return pick(*(np.asarray(table[name, algorithm, 0], float) for algorithm in ("Pegasos", "MP")))

    noisy = [name for name in ("gauss", "waveform") if name in names]
    rest = [(found[name, "Pegasos", 0], found[name, "MP", 0]) for name in names if name not in noisy]
    dropped = [(np.maximum(*(np.asarray(found[name, one, B], float) for one in ("MP + stop", "MP + random"))),
                found[name, "BPegasos + merge", B]) for name, B in budgets]
    both = [(found[name, "BPegasos + merge", B], found[name, "BMP + merge", B]) for name, B in budgets]
    more = [judged("", "", ratio(vectors[name, "Norma", 0], least(name, vectors, np.maximum)), (1.0, INF), TIMES)
            for name in names]
    return Found((
        combined("Pegasos is more accurate than MP on the noisy sets, Gauss and Waveform", "significantly, on both",
                 apart([(found[name, "Pegasos", 0], found[name, "MP", 0]) for name in noisy], 0.0, INF), "all"),
        combined("On the others both are alike, to a point", "most data sets", apart(rest, -1.0, 1.0), "most"),
        combined("Norma is less accurate than both", "generally",
                 apart([(found[name, "Norma", 0], least(name)) for name in names], -INF, 0.0), "most"),
        combined("Norma keeps more support vectors than both", "more", more, "most"),
        combined("MP that stops or removes at random is less accurate than BPegasos + merge", "significantly lower",
                 apart(dropped, -INF, 0.0), "most"),
        combined("BPegasos + merge and BMP + merge are alike, to a point", "most data sets", apart(both, -1.0, 1.0), "most"),
        combined("On Covertype BPegasos + merge is more than a point ahead of BMP + merge", "largely outperforms",
                 apart([pair for pair, (name, _) in zip(both, budgets, strict=True) if name == "covtype"], 1.0, INF), "all"),
        combined("Accuracies are those in print, to a point", "all cells in print",
                 [cell("", published[key], values) for key, values in found.items()], "most")))


def on_costs(budgets: Sequence[int], seconds: Mapping, numbers: Mapping) -> Found:
    """Table 1: (streams, budgets) seconds of an example and numbers kept, by row of the table."""
    def grows(item, what: str, power: int, table) -> Verdict:
        low, high = power - 0.5, power + 0.25
        published = f"{power}, {order(power)}; counts from {low:g} to {high:g}"
        return judged(f"{item.name}: {what} grows with B to the power", published, power_of(budgets, table), (low, high),
                      number(float(power)))

    rows = [grows(item, "the time of an example", item.time, table) for item, table in seconds.items()]
    return Found((*rows, *(grows(item, "the space", item.space, table) for item, table in numbers.items())))


def order(power: int) -> str:
    """A power of B as the paper writes it.

    >>> order(0), order(1), order(2)
    ('O(1)', 'O(B)', 'O(B²)')
    """
    return ("O(1)", "O(B)", "O(B²)")[power]
