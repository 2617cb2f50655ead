"""What runs say about the claims of the Pegasos paper, Sections 7.4 and 7.5."""

from collections.abc import Mapping

import numpy as np

from svmviz.papers.verdicts import INF, TIMES, Found, judged, middle, ratio

COINCIDE = 2.0  # curves nearly coincide within this factor


def sides(a: np.ndarray, b: np.ndarray) -> str:
    return f"{middle(a):.2g} against {middle(b):.2g}"


def on_sampling(runs: Mapping[str, np.ndarray]) -> Found:
    """Figure 8: suboptimality of (seeds, passes) with replacement, in a new order for every pass, and in a fixed one."""
    replaced, new, fixed = (values[:, -1] for values in runs.values())
    rows = [judged(f"A {name} order beats drawing with replacement", "less", ratio(values, replaced), (-INF, 1.0), TIMES,
                   sides(values, replaced)) for name, values in (("new", new), ("fixed", fixed))]
    rows.append(judged("A new order for every pass is better than keeping one", "slightly less", ratio(new, fixed), (-INF, 1.0),
                       TIMES, sides(new, fixed)))
    ends = ", ".join(f"{middle(values[:, -1]):.2g} {name}" for name, values in runs.items())
    return Found(tuple(rows), (f"Suboptimality after the last pass, median: {ends}.",))


def on_batches(runs: Mapping[str, np.ndarray]) -> Found:
    """Figure 7: suboptimality after the same work, for every k against the first."""
    (first, base), *others = ((name, values[:, -1]) for name, values in runs.items())
    rows = tuple(judged(f"After the same work {name} is where {first} is", f"alike, within a factor of {COINCIDE:g}",
                        ratio(values, base), (1 / COINCIDE, COINCIDE), TIMES, sides(values, base)) for name, values in others)
    ends = {name: middle(values[:, -1]) for name, values in runs.items()}
    return Found(rows, (f"After the same work the largest median is {max(ends.values()) / min(ends.values()):.1f} times the "
                        "smallest (" + ", ".join(f"{value:.2g} for {name}" for name, value in ends.items()) + ").",))
