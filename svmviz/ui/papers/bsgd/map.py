"""The map of the BSGD page: Figure 1 and Table 1 of the paper as a tree, and a long stream through
all that have a budget.
"""

import numpy as np

from svmviz.papers.bsgd import million, tree
from svmviz.papers.bsgd.table_verdicts import order
from svmviz.papers.evidence.experiment import Results
from svmviz.race import field
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.ui.papers import blocks as ui
from svmviz.ui.shell.frame import plain
from svmviz.views.looks import OVERFLOWS


def figure_1() -> ui.Blocks:
    yield ui.Header("Figure 1 and Table 1: the field as a tree")
    yield ui.Caption(
        "Drawn after Section 2 of the paper; costs of an update and of what is kept as Table 1"
        " prints them. A link opens an algorithm in the Playground, each on the same stream:"
        f" {tree.said()}. Grey: named in the paper, and not here."
    )
    marks = (
        f".st-key-overflow-{name} {{ --mark: light-dark({one.light}, {one.dark}); }}"
        for name, one in OVERFLOWS.items()
    )
    yield ui.Style("".join(marks))
    branches = (fan(branch, k) for k, branch in enumerate(tree.TREE.branches))
    yield ui.Group((ui.Text(f"**{tree.TREE.title}**"), *branches), "tree")
    label = "Race the whole field on one stream"
    yield ui.Link("race", label, field.link(), ":material/flag:")


def fan(branch: tree.Branch, k: int) -> ui.Group:
    """A branch of the stem, and what grows from it side by side."""
    twigs = [
        ui.Group(
            (titled(twig), ui.Group(map(leaf_of, twig.leaves), f"leaves-{k}-{j}")),
            f"overflow-{twig.overflow}" if twig.overflow else f"twig-{k}-{j}",
        )
        for j, twig in enumerate(branch.branches)
    ]
    return ui.Group((titled(branch), ui.Group(twigs, f"fan-{k}")), f"branch-{k}")


def titled(branch: tree.Branch) -> ui.Text:
    return ui.Text(f"**{branch.title}**" + (f" :small[{branch.grows}]" if branch.grows else ""))


def leaf_of(leaf: tree.Leaf) -> ui.Link | ui.Text:
    """An algorithm, with its costs and what it does where those tell it from others."""
    cost = (
        f" :small[time {order(leaf.cost.time)}, space {order(leaf.cost.space)}]"
        if leaf.cost
        else ""
    )
    label = f"**{plain(leaf.name)}**{cost}" + (f" :small[{leaf.does}]" if leaf.does else "")
    query = leaf.query()
    return ui.Link("playground", label, query) if query else ui.Text(f":gray[{label}]")


def overflow(name: str) -> str:
    if name in PRESETS:
        return PRESETS[name]["maintenance"].split()[0]
    return SOLVERS[name.lower()].uses.keeps


def passed_row(results: Results, name: str) -> dict[str, str]:
    middle = {part: np.median(results.table(name, part)) for part in million.Passed._fields}
    return {
        "algorithm": name,
        "on overflow": field.OVERFLOWS[overflow(name)].lower(),
        "µs an example": f"{1e6 * middle['late']:.1f}",
        "accuracy": f"{100 * middle['accuracy']:.2f} %",
        "vectors": f"{middle['vectors']:.0f}",
        "maintained": f"{middle['events']:.0%}",
        "memory grew by": f"{middle['grown']:.0f} kB",
    }


MILLION = ui.Figure(
    "A stream of a million",
    f"Every algorithm with a budget on the same streams: {million.million().data}, else the usual"
    " parameters, none chosen for the accuracy. Time is that of one processor, prediction included."
    " Memory: each run has a process of its own, and what is shown is by how much the most that it"
    " ever held grew after the first tenth of the stream.",
    million.million(),
    lambda results: [ui.Table([passed_row(results, name) for name in results.labels], whole=True)],
    "Budgeted SGD has constant space and constant update time (Section 1).",
)
