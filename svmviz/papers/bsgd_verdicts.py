"""What runs say about the claims of the BSGD paper, in sentences with their numbers. Nothing here knows what it ought to find.

Accuracies are shares, and a point is a hundredth.
"""

from collections.abc import Mapping, Sequence

import numpy as np

POINT = 0.01
THREE = ("remove", "project", "merge")
SAME = 0.3 * POINT  # what test sets of some thousand rows cannot tell apart


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def on_budget(accuracy: Mapping[int, float], unbudgeted: float) -> str:
    """Figure 2: whether accuracy rises with B towards that without a budget."""
    sizes = sorted(accuracy)
    first, last = accuracy[sizes[0]], accuracy[sizes[-1]]
    rises = all(accuracy[b] >= accuracy[a] - POINT for a, b in zip(sizes, sizes[1:], strict=False)) and last > first + SAME
    near = next((b for b in sizes if accuracy[b] >= unbudgeted - POINT), None)
    words = "As published" if rises and near else "Partly as published" if rises else "Not as published"
    reach = (f"From B = {near} on it is within a point of Pegasos without a budget ({share(unbudgeted)})"
             if near else f"At B = {sizes[-1]} it is still {100 * (unbudgeted - last):.1f} points below Pegasos without a "
                          f"budget ({share(unbudgeted)})")
    how = "accuracy rises with the budget" if rises else "accuracy does not rise steadily with the budget"
    return f"{words}: {how}, from {share(first)} at B = {sizes[0]} to {share(last)} at B = {sizes[-1]}. {reach}."


def on_passes(gain: Mapping[str, float]) -> str:
    """Figure 3: gains of five passes over one, in shares, by data set."""
    better, worse = (sum(sign * value > POINT / 10 for value in gain.values()) for sign in (1, -1))
    words = "As published" if 2 * better > len(gain) else "Not as published"
    listed = ", ".join(f"{name} {100 * value:+.2f}".replace("-", "−") for name, value in gain.items())
    return (f"{words}: five passes are better on {better} and worse on {worse} of {len(gain)} data sets, the others are within "
            f"a tenth of a point. Gains in points: {listed}.")


def grows(values: np.ndarray) -> bool:
    """Whether the later third of a curve lies above the first."""
    third = max(1, len(values) // 3)
    return float(values[-third:].mean()) > float(values[:third].mean()) + SAME


def on_evolution(merge: np.ndarray, pegasos: np.ndarray, vectors: tuple[int, int], others: Mapping[str, float],
                 claim: str) -> str:
    """Figure 4: accuracy of merging, and of Pegasos without a budget, at the same examples; vectors of both in the end. The
    claim is that merging "follows", "leads" or "trails" Pegasos; who was to follow may lead."""
    lead = float((merge - pegasos)[len(merge) // 3:].mean())
    found = "leads" if lead > SAME else "trails" if lead < -POINT else "follows"
    agrees = found == claim or (found, claim) == ("leads", "follows")
    words = ("As published" if agrees and grows(merge) else "Partly as published" if agrees or grows(merge) else
             "Not as published")
    words += f", the accuracy of merging {'rises' if grows(merge) else 'does not rise'} and {found} that of Pegasos"
    rest = ", ".join(f"{name} {share(value)}" for name, value in others.items())
    return (f"{words}: {share(float(merge[-1]))} with {vectors[0]} vectors against {share(float(pegasos[-1]))} with "
            f"{vectors[1]}; beyond the first third of the looks it is {100 * abs(lead):.1f} points "
            f"{'above' if lead > 0 else 'below'} on average." + (f" The others end at: {rest}." if rest else ""))


def on_strategies(curves: Mapping[str, np.ndarray]) -> str:
    """Figure 5: removal inferior to both others, which rise; whether removal falls after it rose."""
    ends = {name: float(curve[-max(1, len(curve) // 6):].mean()) for name, curve in curves.items()}
    inferior = ends["remove"] < min(ends["project"], ends["merge"]) - SAME
    rising = [name for name in ("project", "merge") if grows(curves[name])]
    words = ("As published" if inferior and len(rising) == 2 else "Partly as published" if inferior else "Not as published")
    drop = float(curves["remove"].max()) - ends["remove"]
    fall = (f"removal has lost {100 * drop:.1f} points since its best" if drop > POINT else "removal has not fallen by a point")
    order = ("merging is ahead of projecting" if ends["merge"] > ends["project"] + SAME else
             "projecting is ahead of merging" if ends["project"] > ends["merge"] + SAME else "merging and projecting are level")
    return (f"{words}: in the last looks removal has {share(ends['remove'])}, projection {share(ends['project'])}, merging "
            f"{share(ends['merge'])}; {fall}, and {order}.")


def slope(examples: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of N with which the time grows over the last quarter of the stream; on a log-log plot, a slope.

    >>> n = np.array([1e3, 1e4, 2e4, 4e4])
    >>> round(slope(n, 1e-9 * n**2), 3)
    2.0
    """
    x, t = np.asarray(examples, float), np.asarray(seconds, float)
    late = (x >= x[-1] / 4) & (t > 0)
    return float(np.polyfit(np.log(x[late]), np.log(t[late]), 1)[0]) if late.sum() > 1 else float("nan")


def on_time(slopes: Mapping[str, float], seconds: Mapping[tuple[str, int], float]) -> str:
    """Figure 6: how time grows with the stream, and from B = 100 to 500."""
    budgeted = [value for name, value in slopes.items() if name != "Pegasos"]
    linear = max(budgeted) < 1.3
    steep = slopes["Pegasos"] > 1.5 and slopes["Pegasos"] > max(budgeted)
    merge, project = (seconds[name, 500] / seconds[name, 100] for name in ("merge", "project"))
    words = "As published" if linear and steep and project > merge else "Partly as published" if linear or steep else (
        "Not as published")
    return (f"{words}: over the last quarter the time of Pegasos grows as N to the power {slopes['Pegasos']:.2f}, that of the "
            f"budgeted runs as N to the power {min(budgeted):.2f} to {max(budgeted):.2f}. From B = 100 to 500 merging takes "
            f"{merge:.1f} times as long, projecting {project:.1f} times.")


def on_pictures(project: Sequence, merge: Sequence) -> str:
    """Figure 7: `Pictures` of several runs of each."""
    def kinds(runs):
        return [len(set(run.digit.tolist())) for run in runs]

    copies, blurred = all(run.copies == len(run.digit) for run in project), all(run.copies == 0 for run in merge)
    whole = sum(k == 10 for k in kinds(merge))
    missing = sum(k < 10 for k in kinds(project))
    words = ("As published" if copies and blurred and whole == len(merge) and missing == len(project) else
             "Partly as published" if copies and blurred else "Not as published")
    said = ("every projected vector is a training example" if copies else
            "not every projected vector is a training example")
    also = "no merged one is" if blurred else "some merged ones are, too"
    return (f"{words}: {said}, {also}. Merging has all ten digits in {whole} of {len(merge)} runs (kinds: "
            f"{', '.join(map(str, kinds(merge)))}), projecting in {len(project) - missing} of {len(project)} "
            f"({', '.join(map(str, kinds(project)))}). Accuracy with ten vectors: merging "
            f"{', '.join(share(run.accuracy) for run in merge)}; projecting "
            f"{', '.join(share(run.accuracy) for run in project)}.")


def on_table_3(found: Mapping[tuple[str, str, int], float], published: Mapping[tuple[str, str, int], float]) -> str:
    """Measured and published accuracies in percent by data, strategy and B."""
    pairs = sorted({(name, B) for name, _, B in found
                    if all((name, strategy, B) in found for strategy in ("remove", "project", "merge"))})
    if not pairs:
        return "No budget is complete yet."
    last = [pair for pair in pairs if found[pair[0], "remove", pair[1]] < min(found[pair[0], "project", pair[1]],
                                                                              found[pair[0], "merge", pair[1]])]
    words = "As published" if len(last) == len(pairs) else "Mostly as published" if 2 * len(last) > len(pairs) else (
        "Not as published")
    away = [abs(value - published[key]) for key, value in found.items()]
    return (f"{words}: removal is the worst of the three in {len(last)} of {len(pairs)} cases. Measured and printed accuracies "
            f"are {np.median(away):.1f} points apart in the median, {max(away):.1f} at most.")


def on_table_4(accuracy: Mapping[tuple[str, int], float], E_bar: Mapping[tuple[str, int], float]) -> str:
    """Whether smaller E-bar goes with higher accuracy, as far as that can be told, and whether E-bar falls as B grows."""
    pairs = [(a, b, B) for B in (100, 500) for a in THREE for b in THREE if E_bar[a, B] < E_bar[b, B]]
    ahead = np.array([accuracy[a, B] - accuracy[b, B] for a, b, B in pairs])
    agree, against, level = (int(np.sum(found)) for found in (ahead > SAME, ahead < -SAME, np.abs(ahead) <= SAME))
    falls = [name for name in THREE if E_bar[name, 500] < E_bar[name, 100]]
    far = all(E_bar["remove", B] > 5 * max(E_bar["project", B], E_bar["merge", B]) for B in (100, 500))
    words = ("Cannot be told" if not agree and not against else
             "As published" if not against and len(falls) == 3 and far else
             "Partly as published" if far or not against else "Not as published")
    goes = (f"accuracies differ by {100 * SAME:.1f} points or less, which cannot be told apart, so that nothing can be said of "
            "them and Ē" if not agree and not against else
            f"a smaller Ē goes with a higher accuracy in {agree} of {len(pairs)} pairs"
            + (f", with a lower one in {against}" if against else "")
            + (f"; {level} cannot be told apart ({100 * SAME:.1f} points or less)" if level else ""))
    return (f"{words}: {goes}; Ē falls from "
            f"B = 100 to 500 for {', '.join(falls) or 'none of the three'}; that of removal is "
            f"{min(E_bar['remove', B] / max(E_bar['project', B], E_bar['merge', B], 1e-12) for B in (100, 500)):.0f} times the "
            "others' or more.")
