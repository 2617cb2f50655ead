"""Figure 1 and Table 1 of the BSGD paper as one tree: which algorithms there are, what each does
when its budget overflows, what an update costs it, and, where it runs here, its run on the one
stream that all of them are opened with.

Of the paper's picture only the caption was at hand: the tree is that of its Section 2.
"""

from dataclasses import replace
from typing import NamedTuple

from svmviz.papers.bsgd import figures
from svmviz.papers.bsgd.costs import TABLE_1, Item
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.work.words import count

COSTS = {item.name: item for item in TABLE_1}
B, T = (
    100,
    500,
)  # of the runs that are opened, and the step at which they are: all budgets have overflown by then


class Leaf(NamedTuple):
    """An algorithm: what it does on overflow, and what it is here, a preset of budgeted SGD or a
    solver of its own.
    """

    name: str
    preset: str = ""
    solver: str = ""
    does: str = ""
    like: str = ""  # whose costs it has, where Table 1 has no row for it
    linear: bool = False  # without a kernel

    @property
    def cost(self) -> Item | None:
        return COSTS.get(self.like or self.name)

    def recipe(self) -> Recipe | None:
        """Its run on the stream of all, if it runs here."""
        if self.preset in PRESETS:
            return figures.recipes((self.preset,), B)[self.preset]
        if self.solver not in SOLVERS:
            return None
        there, kernel = stream().with_solver(self.solver), stream().params["kernel"]
        same = (
            {"gamma": kernel.gamma} if "gamma" in there.params else {}
        )  # it stands for that kernel
        same |= {"kernel": None} if self.linear else {}
        return replace(there.with_params(**same), steps=min(there.steps, there.most_steps()))

    def query(self) -> dict[str, str]:
        """Where it runs in the Playground, if anywhere."""
        found = self.recipe()
        return found.query() | {"t": str(min(T, found.steps))} if found else {}


class Branch(NamedTuple):
    title: str
    leaves: tuple[Leaf, ...] = ()
    branches: tuple["Branch", ...] = ()
    overflow: str = (
        ""  # what its leaves do when the budget overflows, by the word that the solver has for it
    )
    grows: str = ""  # with what time and space do


def stream() -> Recipe:
    return figures.recipes(("Pegasos",), B)["Pegasos"]


def said() -> str:
    """The stream that all are opened with, in words."""
    run = stream()
    return (
        f"{run.source.title}, {count(run.data_params['n'])} examples, seed {run.seed}; whoever has"
        f" a kernel has the Gaussian with γ = {run.params['kernel'].gamma:g}, whoever has a budget"
        f" B = {B}"
    )


def names(*known: str) -> tuple[Leaf, ...]:
    """Algorithms that are named, and are not here."""
    return tuple(map(Leaf, known))


BUDGETED = (
    Branch(
        "Stop",
        (
            Leaf("Stoptron", "Stoptron", does="learns until it is full, and never again"),
            Leaf(
                "MP + stop",
                "MP + stop",
                does="the same, learning from margin errors",
                like="Stoptron",
            ),
        ),
        overflow="stop",
    ),
    Branch(
        "Remove one",
        (
            Leaf("Random", "Random Perceptron", does="any one goes, by chance"),
            Leaf("Forgetron", "Forgetron", does="all shrink, the oldest goes"),
            Leaf(
                "Budget", "Budget Perceptron", does="who is surest to be right without itself goes"
            ),
            Leaf(
                "Tighter", "Tighter Perceptron", does="whose absence costs the fewest errors goes"
            ),
            Leaf(
                "Tightest", "Tightest Perceptron", does="the same, on counts of all that was seen"
            ),
            Leaf("SILK", "SILK", does="implicit steps, the smallest goes"),
            Leaf(
                "MP + random",
                "MP + random",
                does="any one goes, margin errors count",
                like="Random",
            ),
            Leaf("BSGD + removal", "BPegasos + remove", does="the smallest goes"),
        ),
        overflow="remove",
    ),
    Branch(
        "Project one",
        (
            Leaf(
                "Projectron",
                "Projectron",
                does="the newcomer, if the others nearly span it",
                like="Projectron++",
            ),
            Leaf("Projectron++", "Projectron++", does="the same, learning from margin errors too"),
            Leaf("BPA-S", "BPA-S", does="one goes, the newcomer takes over"),
            Leaf("BPA-NN", "BPA-NN", does="one goes, newcomer and nearest take over"),
            Leaf("BPA-P", "BPA-P", does="one goes, all others take over"),
            Leaf("BSGD + project", "BPegasos + project", does="the smallest, on all others"),
        ),
        overflow="project",
    ),
    Branch(
        "Merge two",
        (
            Leaf("BSGD + merge", "BPegasos + merge", does="the smallest and a partner become one"),
            Leaf(
                "BNorma + merge",
                "BNorma + merge",
                does="the same with Norma's steps",
                like="BSGD + merge",
            ),
            Leaf(
                "BMP + merge",
                "BMP + merge",
                does="the same with a Perceptron's steps",
                like="BSGD + merge",
            ),
            Leaf("TVM", solver="tvm", does="two on one side become one, the SVM is exact"),
        ),
        overflow="merge",
    ),
)
TREE = Branch(
    "Large-scale SVMs",
    branches=(
        Branch(
            "Offline",
            branches=(
                Branch(
                    "With a kernel, exact or nearly so",
                    (
                        Leaf("LIBSVM, by its SMO", solver="smo"),
                        *names("LASVM", "SimpleSVM", "CVM", "SimplerCVM"),
                    ),
                    grows="Section 2.1. Quadratic in N, and no bound on the vectors",
                ),
                Branch(
                    "Linear, or made linear",
                    (
                        Leaf("Pegasos", solver="pegasos", linear=True),
                        Leaf("SGD (Zhang)", solver="sgd", linear=True),
                        Leaf("dual coordinates", solver="sdca", linear=True),
                        Leaf("random features", solver="fourier"),
                        *names("SVM-perf", "SGD-QN", "LLSVM"),
                    ),
                    grows="Section 2.1. Linear in N, for few kinds of kernels",
                ),
                Branch(
                    "A model made smaller",
                    names("reduced sets", "RSVM", "forward selection"),
                    grows="Section 2.2. As few vectors as one likes, after many passes",
                ),
            ),
        ),
        Branch(
            "Online",
            branches=(
                Branch(
                    "By a quadratic programme",
                    (Leaf("IDSVM", solver="idsvm"), *names("LASVM")),
                    grows="Section 2.3. Exact, and ever more vectors",
                ),
                Branch(
                    "By gradients and additive steps",
                    (
                        Leaf("Norma", "Norma"),
                        Leaf("Pegasos with a kernel", "Pegasos"),
                        Leaf("margin Perceptron", "MP"),
                        Leaf("Perceptron", solver="perceptron"),
                        Leaf("PA", "PA", "pa1"),
                        Leaf("ILK", "ILK"),
                        *names("ALMA", "ROMMA", "MIRA"),
                    ),
                    grows="Sections 2.3 and 2.4. O(N) for an update and to keep: the curse",
                ),
            ),
        ),
        Branch(
            "Online, on a budget",
            branches=BUDGETED,
            grows="Sections 2.3, 2.4 and 6. What happens to one vector too many",
        ),
    ),
)
