"""What runs say about a claim, in sentences with their numbers. Nothing here knows what it ought to find."""

import numpy as np

from svmviz.theory.certificate import named

POINT = 0.01  # of error


def near(best: float) -> float:
    """An error that is as good as the optimum's, as far as test sets of some thousand rows can tell."""
    return 1.05 * best + 0.002


def held(curves) -> np.ndarray:
    """(seeds, grid) errors; beyond its end a run keeps what it had reached."""
    table = np.atleast_2d(np.array(curves, np.float64))
    last = np.maximum.accumulate(np.where(np.isnan(table), 0, np.arange(table.shape[1])), axis=1)
    return np.take_along_axis(table, last, axis=1)


def ended(curves) -> int:
    """Where on the grid the middle one of the runs has its last point."""
    table = np.atleast_2d(np.array(curves, np.float64))
    return int(np.median((~np.isnan(table)).sum(axis=1))) - 1


def settled(grid: np.ndarray, error: np.ndarray, target: float) -> float:
    """The cost from which on the error stays within the target; infinite if it never does.

    >>> settled(np.array([1.0, 10.0, 100.0]), np.array([0.1, 0.3, 0.2]), 0.2)
    100.0
    """
    above = np.flatnonzero(error > target)
    if above.size == 0:
        return float(grid[0])
    return float(grid[above[-1] + 1]) if above[-1] + 1 < len(grid) else float("inf")


def amount(value: float) -> str:
    """A cost in words: 4.1 million.

    >>> amount(4_123_000), amount(81_000), amount(float("inf"))
    ('4.1 million', '81 thousand', 'more than was run')
    """
    if not np.isfinite(value):
        return "more than was run"
    for size, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if value >= size:
            return f"{value / size:.2g} {word}" if value < 100 * size else f"{value / size:.0f} {word}"
    return f"{value:.0f}"


def power(value: float) -> str:
    """A number as a small one times a power of ten.

    >>> power(1_640_000.0)
    '1.6 · 10⁶'
    """
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits} · 10{str(int(exponent)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def on_rivals(grid, errors: dict[str, np.ndarray], best: float, first_pass: dict[str, float],
              unproven: float = 0.0) -> list[str]:
    """Figure 2: SBP against the others; `errors` are medians over the grid, `best` the optimum's, of which something may be
    `unproven`."""
    target, out = near(best), []
    costs = {name: settled(grid, error, target) for name, error in errors.items()}
    listed = ", ".join(f"{name} {amount(cost)}" for name, cost in sorted(costs.items(), key=lambda item: item[1]))
    out.append(f"To stay at {target:.1%} or less ({named(unproven)} has {best:.1%}) takes, in kernel evaluations: "
               f"{listed}.")
    slower = [name for name in ("Pegasos", "SDCA") if name in costs and costs[name] > costs["SBP"]]
    ahead = {name: int((errors["SBP"] < errors[name] - POINT / 5).sum()) for name in ("Pegasos", "SDCA") if name in costs}
    behind = {name: int((errors["SBP"] > errors[name] + POINT / 5).sum()) for name in ahead}
    first = "SBP is there before Pegasos and SDCA"
    said = ("Not as published: SBP is not there before Pegasos and SDCA" if not slower else
            f"Partly as published: SBP is there before {slower[0]} only" if len(slower) == 1 else
            f"As published, {first}" if all(ahead[name] >= behind[name] for name in ahead) else
            f"Partly as published: {first}, but lags behind for longer on the way")
    steps = [f"{name} at {ahead[name]} and behind at {behind[name]} of {len(grid)} costs" for name in ahead]
    out.append(f"{said}; it is ahead of {' and of '.join(steps)}.")
    if "SMO" in errors:
        out.append(on_smo(grid, errors, costs))
    if "Perceptron" in errors:
        at = int(np.clip(np.searchsorted(grid, first_pass["Perceptron"]), 0, len(grid) - 1))
        out.append(f"After the Perceptron's first pass ({amount(first_pass['Perceptron'])}) it errs on "
                   f"{errors['Perceptron'][at]:.1%} and SBP on {errors['SBP'][at]:.1%}; in the end "
                   f"{errors['Perceptron'][-1]:.1%} and {errors['SBP'][-1]:.1%}.")
    return out


def on_smo(grid, errors, costs) -> str:
    """Whether SMO is of little use until it drops all at once."""
    others = np.min([error for name, error in errors.items() if name not in ("SMO", "Perceptron")], axis=0)
    bad = np.flatnonzero(errors["SMO"] > others + 5 * POINT)
    if bad.size == 0:
        return "SMO does not lag behind here, other than published."
    last, done = float(grid[bad[-1]]), costs["SMO"]
    sudden = bad.size >= len(grid) / 8 and done < 5 * last
    words = "As published, SMO drops suddenly" if sudden else "A sudden drop of SMO does not show clearly"
    return (f"{words}: up to {amount(last)} evaluations it is more than five points worse than the best, and it is there "
            f"after {amount(done)}.")


def on_fourier(grid, sbp: np.ndarray, ks, fourier: np.ndarray, n: int, best: float, claimed: bool,
               unproven: float = 0.0) -> str:
    """Figure 3: what SBP and Fourier features cost for the same error, in inner products."""
    target = near(best)
    a, b = settled(grid, sbp, target), settled(np.asarray(ks) * float(n), fourier, target)
    if not np.isfinite(a) and not np.isfinite(b):
        return f"Neither stays at {target:.1%} or less; {named(unproven)} has {best:.1%}."
    words = "SBP is cheaper" if a < b else "Fourier features are cheaper" if b < a else "Both cost the same"
    agrees = ("as published" if a < b else "other than published for data of this kind") if claimed else (
        "on data for which the paper claims nothing")
    pairs = f" ({b / n:.0f} pairs)" if np.isfinite(b) else f" ({max(ks)} pairs were the most)"
    return (f"{words}, {agrees}: to stay at {target:.1%} or less ({named(unproven)} has {best:.1%}) SBP takes "
            f"{amount(a)} inner products, Fourier features {amount(b)}{pairs}.")


def on_libsvm(seconds: float, error: float, quarter: dict[str, float], full: dict[str, float]) -> str:
    """Whether SBP has LIBSVM's error in a quarter of its time, to 0.2 points as in the paper."""
    best = min(quarter, key=quarter.get)
    words = "As published" if quarter[best] <= error + 0.2 * POINT else "Not as published here"
    return (f"{words}: LIBSVM stops after {seconds:.3g} s with {error:.2%}. In a quarter of that SBP has "
            + ", ".join(f"{value:.2%} ({name} iterate)" for name, value in quarter.items()) + "; in the same time "
            + ", ".join(f"{value:.2%}" for value in full.values()) + ".")
