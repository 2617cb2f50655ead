"""The Twin Vector Machine: an exact SVM over at most B twin vectors, each of which stands for many
examples.

    min over w of  1/2 |w|² + C Σ_k [s+_k max(0, 1 - f(x_k)) + s-_k max(0, 1 + f(x_k))],    f(x) =
    <w, phi(x)>,  over k <= B.

Wang, Vucetic: "Online training on a budget of support vector machines using twin prototypes", 2010;
a rival in the BSGD paper. As long as there is room every example becomes a twin vector, and the
machine is the SVM of all (IDSVM). Once the rack is full, an example whose margin is above θ is not
taken. Any other comes in, and then there is one too many: a twin vector all of whose examples lie
beyond a margin of τ on their own side is dropped, the farthest first; its alphas are 0, so that w
stays as it is; if there is none, two on the same side of the boundary are combined into one at the
mean of their examples, with both counts of both. The SVM over what is left is exact after every
step (`twins`, `idsvm.path`), without a bias.

Which two are combined, and when one is dropped, the BSGD paper does not say; here it is, of those
on one side, Ward's criterion, the least increase of the squared distances between examples and who
stands for them. Combining across the boundary would wipe out the rarer class. A twin vector keeps
the counts of both labels, for some examples lie on the wrong side. K(x, x) is not counted;
distances come with kernel values.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from svmviz.data.constant import kernel_of, of_bias
from svmviz.data.params import Param
from svmviz.maths import kernels, matrix, sampling
from svmviz.record.changes import Changes
from svmviz.record.outcome import Made, Record
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.solvers.tvm import story
from svmviz.solvers.tvm import twins as racks
from svmviz.solvers.tvm.twins import COMBINED, EVALS, USED, Twins

FIRST = {
    "taken": 0.0,
    "room": 0.0,
    "m": -1.0,
    "n": -1.0,
    "z": -1.0,
    "h": 0.0,
    "n_sv": 0.0,
    "stands": 0.0,
    "gap": 0.0,
    "row": -1.0,
    "alpha": 0.0,
    "s_m": 0.0,
    "s_n": 0.0,
    "beyond": 0.0,
    "full": 0.0,
}
DENSE = 20_000_000  # coordinates of twin vectors that can be kept


class State(NamedTuple):
    twins: Twins
    made: int
    setting: tuple  # kernel and C


def refuse(params) -> None:
    """Say which parameters do not go together."""
    kernel = params["kernel"] or kernels.linear()
    if kernel.kind == kernels.PRECOMPUTED:
        raise ValueError("twin vectors need coordinates, and a precomputed kernel has none")


def prepared(state: State | None, d: int, params, more: int) -> Twins:
    """A rack with room for the budget, or for so many more examples if these are fewer; a new one,
    or a copy.
    """
    kernel, C = kernel_of(params), params["C"]
    used = 0 if state is None else int(state.twins.count[USED])
    places = min(max(params["B"], used), used + more) + 1
    if d * places > DENSE:
        raise ValueError(
            f"twin vectors are kept dense, and {places} of {d} features are too many; lower B"
        )
    if state is None:
        return racks.empty(d, places)
    if state.setting == (kernel, C) and state.twins.row.size == places:
        copied = state.twins
        box = copied.box._replace(
            **{name: getattr(copied.box, name).copy() for name in copied.box._fields}
        )
        own = {
            name: getattr(copied, name).copy()
            for name in ("V", "K", "apart", "stand", "row", "near", "count")
        }
        return copied._replace(box=box, **own)
    return racks.resized(state.twins, places, kernel, C)


def excess(twins: Twins, C: float) -> float:
    """P - D of the SVM over the twin vectors, divided by C times all that they stand for: 0 but for
    rounding.
    """
    box = twins.box
    there = box.member[: box.count[racks.N_MEMBERS]]
    alpha, f = box.alpha[there], box.g[there] + 1.0
    loss = matrix.inner(box.C[there], np.maximum(0.0, 1.0 - f))
    return (matrix.inner(alpha, f) + loss - matrix.inner(alpha, np.ones(alpha.size))) / (
        C * max(twins.stand.sum(), 1.0)
    )


def learnt(twins: Twins) -> tuple[np.ndarray, np.ndarray]:
    """The vectors that w is made of, and their coefficients, (b, 1)."""
    used = np.flatnonzero(twins.stand.any(axis=1))
    return twins.V[used], np.array([racks.coefficient(twins, k) for k in used.tolist()]).reshape(
        -1, 1
    )


class Table:
    """The rows of a recorded run that are in use, with their coefficients, and those made on the
    way.
    """

    def __init__(self, n: int, d: int, made: int, twins: Twins):
        self.n, self.made, self.vectors, self.parents = n, made, [np.empty((0, d))], []
        self.held = {int(twins.row[k]): 0.0 for k in range(twins.row.size) if racks.there(twins, k)}

    def make(self, x: np.ndarray, m: int, other: int) -> int:
        """A new row."""
        self.vectors.append(x[None, :].copy())
        self.parents.append((m, other))
        self.made += 1
        return self.n + self.made - 1

    def changes(self, twins: Twins) -> list[tuple[int, float, bool]]:
        """What is other than before: row, by how much its coefficient was raised, and whether it is
        gone.
        """
        now = {
            int(twins.row[k]): racks.coefficient(twins, k)
            for k in range(twins.row.size)
            if racks.there(twins, k)
        }
        out = [(row, -held, True) for row, held in self.held.items() if row not in now]
        for row, coef in now.items():
            held = self.held.get(row)
            if held is None or coef != held:
                out.append((row, coef - (held or 0.0), False))
                now[row] = (held or 0.0) + (coef - (held or 0.0))
        self.held = now
        return out


def run(problem, params, order, start, active) -> tuple[Record, State]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    refuse(params)
    rows, y, kernel, count = matrix.rows(problem.X), problem.y, kernel_of(params), len(order)
    B, C, near, far = (params[name] for name in ("B", "C", "near", "far"))
    twins = prepared(start.state, problem.d, params, count)
    table = Table(problem.n, problem.d, start.state.made if start.state else 0, twins)
    if start.state is not None:
        before = start.state.twins
        table.held = {
            int(before.row[k]): racks.coefficient(before, k)
            for k in range(before.row.size)
            if racks.there(before, k)
        }
    own = {name: np.zeros(count) for name in FIRST}
    for name in ("m", "n", "z", "row"):
        own[name] -= 1.0
    margin, evals, changed, rooms = np.empty((count, 1)), np.zeros(count, np.int64), [], []
    for s, i in enumerate(order[:, 0].tolist()):
        k, f = racks.look(twins, rows, i, kernel)
        margin[s], own["full"][s] = y[i] * f, float(twins.count[USED] >= B)
        happened = []
        if twins.count[USED] < B or margin[s] <= near:
            there = set(twins.row[twins.stand.any(axis=1)].tolist())
            twins.row[k] = i if i not in there else table.make(twins.V[k], i, -1)
            own["row"][s] = twins.row[k]
            racks.take(twins, k, y[i], kernel, C)
            own["taken"][s], own["alpha"][s] = 1.0, abs(racks.coefficient(twins, k))
        while twins.count[USED] > B:
            stand, row = twins.stand.copy(), twins.row.copy()
            far_off = [
                racks.beyond(twins, j) if racks.there(twins, j) else -np.inf
                for j in range(row.size)
            ]
            kind, a, b, h = racks.make_room(twins, kernel, C, far)
            own["room"][s], own["m"][s], own["n"][s], own["h"][s] = (
                kind,
                row[a],
                row[b] if kind == COMBINED else -1,
                h,
            )
            own["s_m"][s], own["s_n"][s] = (
                stand[a].sum(),
                (stand[b].sum() if kind == COMBINED else 0.0),
            )
            own["beyond"][s], own["z"][s] = max(far_off), -1
            if kind == COMBINED:
                own["z"][s] = twins.row[a] = table.make(twins.V[a], int(row[a]), int(row[b]))
            happened.append((kind, int(row[a]), int(own["n"][s]), int(own["z"][s])))
        own["n_sv"][s], own["stands"][s], own["gap"][s] = (
            twins.count[USED],
            twins.stand.sum(),
            excess(twins, C),
        )
        evals[s] = twins.count[EVALS]
        rooms.append(happened)
        changed.append(table.changes(twins))
    flat = [change for step in changed for change in step]
    told = [room for step in rooms for room in step]
    changes = Changes(
        np.ones(count),
        np.concatenate([[0], np.cumsum([len(step) for step in changed])]),
        np.array([row for row, _, _ in flat], np.int64),
        np.array([by for _, by, _ in flat])[:, None],
        np.array([gone for _, _, gone in flat], np.bool_),
    )
    kept = sp.csr_array if sp.issparse(problem.X) else np.array
    made = Made(
        kept(np.concatenate(table.vectors)), np.array(table.parents, np.int64).reshape(-1, 2)
    )
    own |= {
        "room_first": np.concatenate([[0], np.cumsum([len(step) for step in rooms])]),
        "rooms": np.array(told, np.int64).reshape(-1, 4),
    }
    record = Record(
        order,
        margin + 0.0,
        changes,
        story.ran(params, own),
        story.spoken(own),
        evals,
        evals * problem.d,
        own,
        made,
    )
    return record, State(twins, table.made, (kernel, C))


TVM = Solver(
    key="tvm",
    title="Twin Vector Machine",
    paper="Wang, Vucetic 2010",
    params=(
        Param("B", "B", 20, 2, 1000, "Twin vectors that may stay.", log=True, title="budget"),
        Param(
            "C",
            "C",
            2.0,
            1e-3,
            1e3,
            "What one example may weigh: the boxes of a twin vector are C times its counts.",
            log=True,
            title="box",
        ),
        Param(
            "kernel",
            "K",
            kernels.rbf(1.0),
            title="kernel",
            help="Any; places are combined in the space of the data.",
        ),
        Param(
            "near",
            "θ",
            1.0,
            -1.0,
            1.0,
            "Once the rack is full, an example with a larger margin is not taken.",
            title="margin that keeps out",
        ),
        Param(
            "far",
            "τ",
            1.2,
            1.0,
            100.0,
            "A twin vector whose examples all lie beyond this margin may be dropped.",
            title="margin to be dropped",
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[1],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn. The papers make one pass in random order.",
        ),
        *of_bias(mark=""),
    ),
    algorithm=Algorithm(
        run=run,
        refuse=refuse,
        start=lambda problem, params, active: FIRST,
        work=lambda n, d, params: 40 * min(params["B"], n) ** 2 + 4 * n * kernels.COST,
        record="twins",
    ),
    story=Story(
        figure=lambda params: "Online, on a budget",
        lines=story.lines,
        why=story.WHY,
        values=story.values,
        questions=story.QUESTIONS,
        symbols=story.SYMBOLS,
    ),
    goal=Goal(objective="hinge"),
    space=Space(lifted=False),
    # one too many, and two that become one
    uses=Uses(
        opening=(
            "data=checkerboard&n=400&B=30&C=2&kernel=rbf(gamma=3.0)&seed=1&T=400&t=131&beat=look"
        ),
        fit_defaults={"B": 200},
        fit_steps=lambda n, params: n,
        keeps="merge",
    ),
)
