"""What runs say about the claims of the Pegasos paper, Section 7."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from svmviz.papers.evidence.costs import amount
from svmviz.papers.evidence.verdicts import (
    INF,
    TIMES,
    Found,
    combined,
    cost_ratio,
    digits,
    judged,
    middle,
    number,
    power_of,
    ratio,
    times_away,
)
from svmviz.work.words import short

COINCIDE = 2.0  # curves nearly coincide within this factor
CLEARLY = 0.5  # a suboptimality that is clearly below another, times this
MODERATE = 300  # examples: "mini-batch sizes of up to a few hundred"
INVERSE, FLAT = (
    (
        0.7,
        1.3,
    ),
    0.5,
)  # powers of 1/λ that are taken for 1, and those that are hardly any growth
SMALL = 1e4  # 1/λ from which on λ is called small
NEAR = 1.25  # a throughput is the printed one up to this factor
FAILED = 10.0  # times what Pegasos lacks: a run that has not converged


def sides(a: np.ndarray, b: np.ndarray) -> str:
    return f"{short(middle(a), 2)} against {short(middle(b), 2)}"


def on_sampling(runs: Mapping[str, np.ndarray], below: float = 1.0) -> Found:
    """Figure 8: suboptimality of (seeds, passes) with replacement, in a new order for every pass,
    and in a fixed one; an order must come below so much of the first.
    """
    replaced, new, fixed = (values[:, -1] for values in runs.values())
    rows = [
        judged(
            f"A {name} order beats drawing with replacement" + " by a factor of 2" * (below < 1.0),
            "significantly less" if below < 1.0 else "less",
            ratio(values, replaced),
            (-INF, below),
            TIMES,
            sides(values, replaced),
        )
        for name, values in (("new", new), ("fixed", fixed))
    ]
    rows.append(
        judged(
            "A new order for every pass is better than keeping one",
            "slightly less",
            ratio(new, fixed),
            (-INF, 1.0),
            TIMES,
            sides(new, fixed),
        )
    )
    ends = ", ".join(f"{short(middle(values[:, -1]), 2)} {name}" for name, values in runs.items())
    return Found(tuple(rows), (f"Suboptimality after the last pass, median: {ends}.",))


def on_batches(runs: Mapping[str, np.ndarray]) -> Found:
    """Figure 7: suboptimality after the same work, for every k against the first."""
    (first, base), *others = ((name, values[:, -1]) for name, values in runs.items())
    rows = tuple(
        judged(
            f"After the same work {name} is where {first} is",
            f"alike, within a factor of {COINCIDE:g}",
            ratio(values, base),
            (1 / COINCIDE, COINCIDE),
            TIMES,
            sides(values, base),
        )
        for name, values in others
    )
    ends = {name: middle(values[:, -1]) for name, values in runs.items()}
    return Found(
        rows,
        (
            "After the same work the largest median is"
            f" {max(ends.values()) / min(ends.values()):.1f} times the smallest ("
            + ", ".join(f"{short(value, 2)} for {name}" for name, value in ends.items())
            + ").",
        ),
    )


def on_work(runs: Mapping[str, np.ndarray]) -> Found:
    """Both plots of Figure 7: moderate k after the same work, and what becomes of the largest."""
    size = {name: int(name.removeprefix("k = ")) for name in runs}
    few = on_batches({name: values for name, values in runs.items() if size[name] <= MODERATE})
    first, largest = next(iter(runs)), max(runs, key=size.get)
    early, late = (ratio(runs[largest][:, at], runs[first][:, at]) for at in (0, -1))
    gained = ratio(
        runs[largest][:, -1] / runs[first][:, -1], runs[largest][:, 0] / runs[first][:, 0]
    )
    rows = (
        judged(
            f"Where k is overly large, {largest}, there is at first a loss",
            "more",
            early,
            (1.0, INF),
            TIMES,
            sides(runs[largest][:, 0], runs[first][:, 0]),
        ),
        judged(
            "With more steps this loss becomes less",
            "less",
            gained,
            (-INF, 1.0),
            TIMES,
            f"{digits(late.middle)} times against {digits(early.middle)} times",
        ),
    )
    return Found((*few.verdicts, *rows), few.notes)


def on_lambda(lams: Sequence[float], runs: Mapping[tuple[str, int], np.ndarray]) -> Found:
    """Figure 6: (seeds, λ) suboptimality of Pegasos and SDCA after so many passes."""
    x, rows = 1.0 / np.asarray(lams), []
    for (name, passes), table in runs.items():
        after, found = f"After {passes} pass{'es' * (passes > 1)}", power_of(x, table)
        if name == "Pegasos":
            rows.append(
                judged(
                    f"{after} the suboptimality of Pegasos is inversely proportional to λ",
                    f"power 1 of 1/λ, {INVERSE[0]:g} to {INVERSE[1]:g}",
                    found,
                    INVERSE,
                    number(1.0),
                )
            )
        else:
            rows.append(
                judged(
                    f"{after} {name} does not suffer from a small λ",
                    f"hardly any growth: a power below {FLAT:g}",
                    found,
                    (-INF, FLAT),
                    number(0.0),
                )
            )
    small = x >= 0.99 * SMALL
    powers = {key: power_of(x[small], table[:, small]).middle for key, table in runs.items()}
    said = ", ".join(
        f"{value:.2f} for {name} after {passes}" for (name, passes), value in powers.items()
    )
    return Found(
        tuple(rows),
        (
            (
                "The powers below are over all λ of the figure. Where λ is small, at most "
                f"{short(1 / SMALL)}, they are {said} passes."
            ),
        ),
    )


def on_rivals(
    found: Mapping[str, tuple[np.ndarray, np.ndarray]],
    published: Mapping[str, tuple[float, float]],
    base: str,
    eps: float,
    said: Callable[[float], str] = amount,
) -> Found:
    """Tables 1 and 2: cost and error of every rival where it first lacks less than ε, and seconds
    and errors in print.
    """
    rows = []
    for name, (cost, _) in found.items():
        if name == base:
            continue
        printed = published[name][0] / published[base][0]
        slower = printed > 1.0
        rows.append(
            judged(
                f"Until less than ε is left, {name} against {base}: {'more' if slower else 'less'}",
                f"{digits(printed)} times the seconds",
                cost_ratio(cost, found[base][0]),
                (1.0, INF) if slower else (-INF, 1.0),
                TIMES,
                f"{said(middle(cost))} against {said(middle(found[base][0]))}",
            )
        )
    late = {name: np.isinf(cost) for name, (cost, _) in found.items()}
    missed = [
        f"{name} did not get there in {there.sum()} of {there.size} runs."
        for name, there in late.items()
        if there.any()
    ]
    return Found(
        tuple(rows),
        (
            *missed,
            (
                f"ε = {short(eps, 2)}: whatever lacks less errs at most 1.1 times as often as the "
                "optimum."
            ),
            "Judged is who needs more, not by how much: that depends on the machine.",
        ),
    )


def seconds(value: float) -> str:
    """A time in words.

    >>> seconds(0.0123), seconds(INF)
    ('0.012 s', 'more than was run')
    """
    return f"{digits(value)} s" if np.isfinite(value) else amount(value)


def on_throughput(
    found: Mapping[str, Mapping[str, np.ndarray]],
    published: Mapping[str, Mapping[str, float]],
    base: str,
    slowest: str,
) -> Found:
    """Table 3: kernel evaluations a second by data and rival, one for each seed, and what is
    printed of them over `base`.
    """
    rows, cells = [], [(data, name) for data, printed in published.items() for name in printed]
    for data, name in cells:
        printed, (mine, its) = published[data][name], (found[data][one] for one in (name, base))
        rows.append(
            judged(
                f"{data}: evaluations a second of {name} over those of {base}",
                f"{printed:.2f}, up to a factor of {NEAR:g}",
                ratio(mine, its),
                (printed / NEAR, printed * NEAR),
                TIMES._replace(away=lambda value, printed=printed: times_away(value / printed)),
            )
        )

    def over(names: Sequence[str], region: tuple[float, float]) -> list:
        some = [(data, name) for data, name in cells if name in names]
        return [
            judged("", "", ratio(found[data][name], found[data][base], len(some)), region, TIMES)
            for data, name in some
        ]

    most, least = (pick(published[data][name] for data, name in cells) for pick in (max, min))
    rows += [
        combined(
            f"The discrepancy is minor: all rivals are within a factor of {COINCIDE:g} of {base}",
            f"{least:.2f} to {most:.2f}",
            over([name for _, name in cells], (1 / COINCIDE, COINCIDE)),
            "all",
        ),
        combined(
            f"{slowest} makes fewer a second, so that to count them is to its advantage",
            "{:.2f} to {:.2f}".format(
                *np.sort([printed[slowest] for printed in published.values()])[[0, -1]]
            ),
            over([slowest], (-INF, 1.0)),
            "all",
        ),
    ]
    said = ", ".join(f"{amount(middle(rates[base]))} on {data}" for data, rates in found.items())
    return Found(tuple(rows), (f"Kernel evaluations of {base} in a second, median: {said}.",))


def on_steps(runs: Mapping[str, np.ndarray]) -> Found:
    """Figure 9: suboptimality of Pegasos, Norma and fixed steps, after the last step."""
    ends = {name: values[:, -1] for name, values in runs.items()}
    pegasos, norma = ends.pop("Pegasos"), ends.pop("Norma")
    best, worst = (pick(ends, key=lambda name: middle(ends[name])) for pick in (min, max))
    rows = (
        judged(
            "Pegasos outperforms Norma",
            "Norma has more left",
            ratio(norma, pegasos),
            (1.0, INF),
            TIMES,
            sides(norma, pegasos),
        ),
        judged(
            f"The best of the fixed steps, {best}, converges at about the rate of Pegasos",
            f"alike, within a factor of {COINCIDE:g}",
            ratio(ends[best], pegasos),
            (-INF, COINCIDE),
            TIMES,
            sides(ends[best], pegasos),
        ),
        judged(
            f"Other steps fail to converge, such as {worst}",
            f"more than {FAILED:g} times as much left",
            ratio(ends[worst], pegasos),
            (FAILED, INF),
            TIMES,
            sides(ends[worst], pegasos),
        ),
    )
    left = {"Pegasos": pegasos, "Norma": norma} | ends
    said = ", ".join(f"{short(middle(values), 2)} with {name}" for name, values in left.items())
    return Found(rows, (f"Suboptimality after the last step, median: {said}.",))
