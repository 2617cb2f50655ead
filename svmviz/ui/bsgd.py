"""Section 7 of the BSGD paper on demand: its figures. Tables are filled by `bsgd_tables`."""

from functools import partial

import numpy as np
import streamlit as st

from svmviz.maths.words import count
from svmviz.papers import bsgd_figures as figures
from svmviz.papers import bsgd_sets, sets
from svmviz.papers import bsgd_verdicts as verdicts
from svmviz.papers.verdicts import Found
from svmviz.ui.background import gathered, large
from svmviz.ui.papers import asked_for, beside, chart, column, links, theme
from svmviz.views import budget as views
from svmviz.views.curves import bands

SHUFFLES = 3
OPENED = ("checkerboard", "waveform")  # data that the Playground has as well
SPREAD = f"{SHUFFLES} shuffles, median and band from the 1st to the 9th decile"
QUANTITIES = {"accuracy": ("test accuracy", False, ".0%"), "support vectors": ("support vectors", True, ""),
              "Ē": ("mean gradient error Ē so far", False, ".2f"), "time": ("milliseconds per 1000 examples", True, "")}


def split_of(name: str, rows: int):
    """The rows of a set, read once for all tasks that need them."""
    return large().once(f"bsgd {name} {rows}", partial(figures.page_split, name, 0, rows))


def choose(label: str, wanted: tuple[str, ...], key: str) -> str:
    """One of the data sets that are there."""
    known = [name for name in wanted if name in bsgd_sets.available()]
    return st.segmented_control(label, known, default=known[0], required=True, key=key,
                                format_func=lambda name: bsgd_sets.DATA[name].title)


def figure_2() -> None:
    with column():
        st.header("Figure 2: accuracy over the budget")
        name = choose("Data", ("letter", "covtype", "waveform", "checkerboard"), "bsgd.figure2.data")
        rows = 16_000 if name == "letter" else figures.ROWS
        st.caption(f"The paper used Letter (16K rows) and Covertype (0.5M); here: {bsgd_sets.DATA[name].title}, at most "
                   f"{count(rows)} rows, one pass, parameters found for B = 500, {SPREAD}.")
        key = f"bsgd.figure2.{name}"
        if asked_for(key):
            runs = [("merge", B) for B in figures.SWEEP] + [("none", 1)]
            tasks = {f"{key} {s} {B} {k}": lambda s=s, B=B, k=k: figures.accuracy_at(split_of(name, rows), name, s, B, k)
                     for s, B in runs for k in range(SHUFFLES)}
            found = gathered(tasks, f"{len(tasks)} passes", key)
            table = np.array([[found[f"{key} merge {B} {k}"] for B in figures.SWEEP] for k in range(SHUFFLES)])
            unbudgeted = np.array([found[f"{key} none 1 {k}"] for k in range(SHUFFLES)])
            chart(views.over_budget(theme(), figures.SWEEP, table, float(np.median(unbudgeted))), key)
            beside("On Letter and Covertype the accuracy of BPegasos + merge approaches that of Pegasos as the budget grows; "
                   "Covertype could do with a much larger one (Section 7.2). Table 3 has "
                   f"{bsgd_sets.DATA[name].unbudgeted} % for {bsgd_sets.DATA[name].title} without a budget.",
                   verdicts.on_budget(figures.SWEEP, table, unbudgeted, bsgd_sets.DATA[name].unbudgeted, name == "covtype"),
                   key)
        if name in OPENED:
            links({f"B = {B}": figures.recipes(("merge",), B, name)["merge"] for B in figures.SWEEP[:4]})


def figure_3() -> None:
    with column():
        st.header("Figure 3: five passes instead of one")
        known = list(bsgd_sets.available())
        st.caption(f"The paper used its 14 data sets; here: {len(known)} of them, at most {count(figures.ROWS)} rows each, "
                   f"merging with B = 500, a new order for each pass, t goes on; {SHUFFLES} shuffles (rings) and their mean "
                   "(bars).")
        if asked_for("bsgd.figure3"):
            tasks = {f"bsgd.figure3 {name} {epochs} {k}": lambda name=name, epochs=epochs, k=k: figures.accuracy_at(
                split_of(name, figures.ROWS), name, "merge", 500, k, epochs)
                for name in known for epochs in (1, 5) for k in range(SHUFFLES)}
            found = gathered(tasks, f"{len(tasks)} runs on {len(known)} data sets", "bsgd.figure3")
            gain = {name: np.array([found[f"bsgd.figure3 {name} 5 {k}"] - found[f"bsgd.figure3 {name} 1 {k}"]
                                    for k in range(SHUFFLES)]) for name in known}
            named = {bsgd_sets.DATA[name].title: values for name, values in gain.items()}
            chart(views.gains(theme(), named), "bsgd.figure3")
            beside("Five passes improve the accuracy of BPegasos + merge on most data sets (Section 7.2).",
                   verdicts.on_passes(named), "bsgd.figure3")
        links({bsgd_sets.DATA[name].title: figures.recipes(("merge",), 500, name)["merge"] for name in OPENED})


def evolved(key: str, name: str, runs: dict[str, tuple[str, int]]) -> dict[str, list[list[figures.Point]]]:
    """By name: the points of each shuffle. The same run is computed once for all figures that show it."""
    rows = figures.EVOLVING[name]

    def task(strategy, B, k):
        split = split_of(name, rows)
        return figures.evolution(split, figures.params(name, strategy, B, split.X.shape[1]), k)

    tasks = {f"bsgd {name} {s} {B} {k}": partial(task, s, B, k) for s, B in runs.values() for k in range(SHUFFLES)}
    found = gathered(tasks, f"{len(tasks)} streams of {count(rows)} examples", key)
    return {label: [found[f"bsgd {name} {s} {B} {k}"] for k in range(SHUFFLES)] for label, (s, B) in runs.items()}


def column_of(shuffles: list[list[figures.Point]], field: str) -> np.ndarray:
    """(shuffles, looks)"""
    return np.array([[getattr(point, field) for point in run] for run in shuffles], float)


def quantity(found: dict[str, list], which: str) -> dict[str, np.ndarray]:
    if which == "time":
        def pace(runs):
            x, t = column_of(runs, "examples"), column_of(runs, "seconds")
            return 1e6 * np.maximum(np.diff(t, axis=1), 1e-9) / np.diff(x, axis=1)

        return {name: smooth(pace(runs)) for name, runs in found.items()}
    field = {"accuracy": "accuracy", "support vectors": "n_sv", "Ē": "E_bar"}[which]
    return {name: column_of(runs, field)[:, 1:] for name, runs in found.items()}


def smooth(table: np.ndarray) -> np.ndarray:
    """The median of three neighbours: a clock is not exact over a hundred examples."""
    wide = np.pad(table, ((0, 0), (1, 1)), mode="edge")
    return np.median([wide[:, :-2], wide[:, 1:-1], wide[:, 2:]], axis=0)


def curves(key: str, found: dict[str, list]) -> None:
    """The runs over the length of the stream, in the quantity that the visitor picks."""
    which = st.segmented_control("Over the stream", list(QUANTITIES), default="accuracy", required=True, key=f"{key}.quantity")
    title, log_y, tick = QUANTITIES[which]
    x = np.array([point.examples for point in next(iter(found.values()))[0]], float)[1:]
    chart(bands(theme(), x, quantity(found, which), "examples seen", title, log_y, tick), key)


def evolving(figure: str, title: str, paper: str, runs: dict[str, tuple[str, int]], claim: dict[str, str], verdict) -> None:
    """Figures 4 and 5."""
    with column():
        st.header(title)
        name = choose("Data", tuple(figures.EVOLVING), f"bsgd.{figure}.data")
        gamma, lam = bsgd_sets.PARAMETERS[name, 100]
        d = {"checkerboard": 2, "waveform": 21, "covtype": 54}[name]
        st.caption(f"The paper used {paper}; here: {bsgd_sets.DATA[name].title}, {count(figures.EVOLVING[name])} examples, "
                   f"B = 100, γ = {gamma / d:.3g}, λ = {lam:g}, {SPREAD}; time is that of one processor.")
        key = f"bsgd.{figure}.{name}"
        if asked_for(key):
            found = evolved(key, name, runs)
            curves(key, found)
            beside(claim[name], verdict(found, name), key)
        if name in OPENED:
            strategies = [s for s, _ in runs.values()]
            links(dict(zip(runs, figures.recipes(strategies, data=name).values(), strict=True)))


def accuracy(found: dict[str, list], name: str) -> np.ndarray:
    return column_of(found[name], "accuracy")


def figure_4() -> None:
    runs = {"Pegasos": ("none", 100), "merge": ("merge", 100)} | {name: (name, 100) for name in figures.MARGIN_PERCEPTRONS}

    def verdict(found, name) -> Found:
        vectors = tuple(int(np.median([run[-1].n_sv for run in found[name]])) for name in ("merge", "Pegasos"))
        return verdicts.on_evolution(accuracy(found, "merge"), accuracy(found, "Pegasos"), vectors,
                                     {other: float(np.median(accuracy(found, other)[:, -1]))
                                      for other in figures.MARGIN_PERCEPTRONS},
                                     {"checkerboard": "follows", "waveform": "leads", "covtype": "trails"}[name])

    evolving("figure4", "Figure 4: accuracy as the stream goes by",
             "Checkerboard (10M examples), Waveform (2M) and Covertype (0.5M), and IDSVM, TVM and other rivals", runs, {
                 "checkerboard": "The accuracy of BPegasos + merge rises with the stream, follows Pegasos closely and passes "
                                 "it when Pegasos has to stop after 10 000 seconds (Section 7.2).",
                 "waveform": "The accuracy of BPegasos + merge grows faster than that of Pegasos: merging reduces noise "
                             "(Section 7.2).",
                 "covtype": "BPegasos + merge trails Pegasos significantly (Section 7.2)."}, verdict)


def figure_5() -> None:
    def verdict(found, name) -> Found:
        return verdicts.on_strategies({strategy: accuracy(found, strategy) for strategy in found}, name == "checkerboard",
                                      name == "waveform")

    both = "Removal is inferior and fluctuates about what 100 examples give; projection and merging rise strongly and steadily"
    evolving("figure5", "Figure 5: remove, project or merge", "Checkerboard (10M examples), Waveform (2M) and Covertype (0.5M)",
             {name: (name, 100) for name in bsgd_sets.STRATEGIES}, {
                 "checkerboard": "Removal is inferior and its accuracy even falls after a moderate rise; projection and "
                                 "merging rise strongly and steadily (Section 7.2).",
                 "waveform": f"{both}; merging is well ahead of projection (Section 7.2).",
                 "covtype": f"{both} (Section 7.2)."}, verdict)


def figure_6() -> None:
    runs = {"Pegasos": ("none", 100), "merge, 100": ("merge", 100), "merge, 500": ("merge", 500),
            "project, 100": ("project", 100), "project, 500": ("project", 500)}
    with column():
        st.header("Figure 6: what a stream costs")
        st.caption(f"The paper used the checkerboard with 10 million examples, in Matlab; here: the checkerboard, "
                   f"{count(figures.EVOLVING['checkerboard'])} examples, γ = 8, λ = 10⁻⁴, seconds of one processor of this "
                   f"machine, {SPREAD}. An example that the others span is projected at once and takes no slot, so that "
                   f"projecting may never fill B = 500.")
        if asked_for("bsgd.figure6"):
            found = evolved("bsgd.figure6", "checkerboard", runs)
            x = np.array([point.examples for point in found["Pegasos"][0]], float)
            seconds = {name: np.maximum(column_of(run, "seconds"), 1e-5) for name, run in found.items()}
            chart(bands(theme(), x, seconds, "examples seen", "seconds so far"), "bsgd.figure6")
            used = int(np.median([run[-1].n_sv for run in found["project, 500"]]))
            beside("The time of Pegasos grows as O(N²), that of merging and projecting linearly with the stream; the cost of "
                   "projecting grows much faster with the budget, O(B²) against O(B) (Section 7.2).",
                   verdicts.on_time(x, seconds)._replace(notes=(f"Projecting with B = 500 has come to {used} vectors.",)),
                   "bsgd.figure6")
        links(figures.recipes(("none", "merge", "project")))


def figure_7() -> None:
    usps = (sets.FOLDER / "usps").is_dir()
    with column():
        st.header("Figure 7: what the vectors look like")
        gamma, lam = figures.DIGIT_PARAMETERS[usps]
        here = "USPS too" if usps else "scikit-learn's digits, 1300 pictures of 8 by 8 pixels, because USPS is not there"
        st.caption(f"The paper used USPS with B = 10, three runs each; here: {here}, one pass, γ = {gamma:g}/d, λ = "
                   f"{lam:g} (with which merging errs least on held-out training rows), three shuffles. The number "
                   "over an example is its label, over a merged vector the digit that it speaks for most.")
        key = f"bsgd.figure7.{usps}"
        if asked_for(key):
            tasks = {f"{key} {s} {k}": partial(figures.pictures, s, k, usps) for s in ("project", "merge") for k in range(3)}
            found = gathered(tasks, "six passes over the digits", key)
            by = {s: [found[f"{key} {s} {k}"] for k in range(3)] for s in ("project", "merge")}
            chart(views.grid_of(theme(), [(f"{s}, run {k + 1}", run.images, [str(d) for d in run.digit])
                                          for s, runs in by.items() for k, run in enumerate(runs)]), key)
            beside("The ten vectors left by projection are training examples, and miss some of the ten digits. Those left by "
                   "merging are blurred by many mergings and represent all ten digits in all three runs (Section 7.2).",
                   verdicts.on_pictures(by["project"], by["merge"]), key)
        links({f"{s}, digits of scikit-learn": run for s, run in figures.recipes(("project", "merge"), 10, "digits").items()})
