"""Sparse tables from the file to the stage: what travels, what it costs, and that nothing is ever
spread out.
"""

import base64

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data import projection, uploads
from svmviz.data.plane import Dataset
from svmviz.data.problem import make_problem
from svmviz.data.sizes import CELLS, refuse_large
from svmviz.maths import kernels
from svmviz.player.wire import run
from svmviz.player.wire.packing import arrays
from svmviz.run.recipe import Recipe
from svmviz.run.streams import sources
from svmviz.solvers import SOLVERS
from tests.player.node.ask import ask
from tests.tools.rotation import in_turn

KERNELS = kernels.rbf(0.5), kernels.laplacian(0.3), kernels.poly(2), kernels.imq(0.5)


def text_like(n: int, d: int, words: int, seed: int = 0) -> sp.csr_array:
    """Rows of length 1 with few words out of many, as those of texts."""
    rng = np.random.default_rng(seed)
    columns = np.concatenate([np.sort(rng.choice(d, words, replace=False)) for _ in range(n)])
    X = sp.csr_array((rng.random(n * words), columns, words * np.arange(n + 1)), shape=(n, d))
    return sp.csr_array(sp.diags_array(1 / np.sqrt(X.multiply(X).sum(axis=1))) @ X)


def libsvm(X: sp.csr_array, y) -> bytes:
    rows = (
        f"{label:+d} "
        + " ".join(f"{j + 1}:{v!r}" for j, v in zip(row.indices, row.data.tolist(), strict=True))
        for label, row in zip(y, (X[[i]] for i in range(X.shape[0])), strict=True)
    )
    return "\n".join(rows).encode()


def labels(X) -> np.ndarray:
    f = X @ np.random.default_rng(1).normal(size=X.shape[1])
    return np.where(f > np.median(f), 1, -1)


SMALL = text_like(60, 400, 20)
TWINS = make_problem(SMALL, labels(SMALL)), make_problem(SMALL.toarray(), labels(SMALL))


def runs():
    """Every solver with every kernel that it takes."""
    for key, solver in SOLVERS.items():
        takes = any(p.name == "kernel" for p in solver.params)
        for kernel in (None, *KERNELS) if takes else (None,):
            given = {"kernel": kernel} if takes else {}
            if key == "bsgd" and (kernel is None or kernel.kind not in kernels.RADIAL):
                given["maintenance"] = "project smallest"
            usual = (
                kernel is None
                or kernel.kind in (kernels.RBF, kernels.POLY)
                and in_turn(f"{key} {kernel}", 3)
            )
            quick = key != "tvm" and usual
            yield pytest.param(
                key, given, id=f"{key}-{kernel}", marks=() if quick else pytest.mark.long
            )


STEPS = [40, 3, 90]
GRID = [k / 4 - 1 for k in range(9)]


@pytest.mark.parametrize(("key", "given"), [*runs()])
def test_a_sparse_table_plays_as_its_dense_twin_does(key, given):
    traces = [SOLVERS[key].trace(problem, 90, **given) for problem in TWINS]
    packed = [run.pack(trace) for trace in traces]
    assert [{"X", "X_value"} & set(one.header["arrays"]) for one in packed] == [{"X_value"}, {"X"}]
    sparse, dense = (
        ask(
            plotted=base64.b64encode(run.encode(one)).decode(), steps=STEPS, xs=GRID, ys=GRID[::-1]
        )["shown"]
        for one in packed
    )
    for t, mine, twin in zip(STEPS, sparse, dense, strict=True):
        f = traces[0].f(t, SMALL).ravel("F")  # class after class, where each has a score
        np.testing.assert_allclose(mine["f"][: f.size], f, atol=1e-5 * max(abs(f).max(), 1e-3))
        for name in ("f", "field"):
            np.testing.assert_allclose(
                mine[name], twin[name], atol=1e-9 * max(np.abs(twin[name]).max(), 1e-9)
            )


@pytest.mark.long
def test_a_wide_table_is_never_spread_out(monkeypatch):
    """1554 texts of 5610 words each would be 70 MB; what travels are the words that occur."""
    X = text_like(1554, 5610, 46)
    toarray = sp.csr_array.toarray

    def watched(self, *given, **named):
        assert self.shape[1] != 5610, f"a table of {self.shape} was spread out"
        return toarray(self, *given, **named)

    monkeypatch.setattr(sp.csr_array, "toarray", watched)
    problem = make_problem(X, labels(X))
    for key in ("pegasos", "simba", "perceptron", "bsgd", "fourier"):
        solver = SOLVERS[key]
        packed = (
            run.pack(solver.trace(problem, 20), projection.default(problem))
            if key != "bsgd"
            else run.pack(solver.trace(problem, 20, B=5, kernel=kernels.rbf(1.0)))
        )
        assert len(packed.body) < 2_000_000


def test_what_was_merged_of_sparse_vectors_travels_as_how_it_was_made():
    trace = SOLVERS["bsgd"].trace(TWINS[0], 90, B=5, kernel=kernels.rbf(1.0))
    sent = arrays(*((packed := run.pack(trace)).header["arrays"], packed.body))
    assert sp.issparse(trace.created) and trace.created.shape[0] == sent["made_h"].size > 10
    assert sent["X_stored"].size == 60


def test_the_plane_of_a_wide_table_is_the_one_of_its_dense_twin(monkeypatch):
    written_out = projection.principal(TWINS[0])
    monkeypatch.setattr(projection, "SPREAD_OUT", 0)
    found = projection.principal(TWINS[0])
    assert found.axes == written_out.axes and found.slice and found.rotated
    np.testing.assert_allclose(found.basis, written_out.basis, atol=1e-10)
    np.testing.assert_array_equal(projection.principal(TWINS[0]).basis, found.basis)


def test_the_plane_of_sparse_rows_on_a_line_still_has_two_directions(monkeypatch):
    monkeypatch.setattr(projection, "SPREAD_OUT", 0)
    rows = sp.csr_array(np.outer([1.0, 2.0, 3.0, 0.0, 5.0], [1.0, 0.0, 2.0, 0.0]))
    plane = projection.principal(make_problem(rows, [0, 1, 0, 1, 0]))
    np.testing.assert_allclose(plane.basis @ plane.basis.T, np.eye(2), atol=1e-12)


def test_the_order_of_entries_within_a_row_does_not_matter():
    ordered = SMALL.sorted_indices()
    mixed = sp.csr_array(
        (ordered.data[::-1].copy(), ordered.indices[::-1].copy(), ordered.indptr),
        shape=ordered.shape,
    )
    ordered = mixed.sorted_indices()
    assert not mixed.has_sorted_indices
    for kernel in KERNELS:
        np.testing.assert_array_equal(kernels.gram(kernel, mixed), kernels.gram(kernel, ordered))


def test_values_other_than_zero_are_counted_not_cells():
    refuse_large(text_like(2000, 20_000, 50))
    with pytest.raises(
        ValueError,
        match=f"at most {CELLS} values other than 0, and this has 600000; take at most 1666",
    ):
        refuse_large(text_like(2000, 20_000, 300))
    with pytest.raises(ValueError, match="points times features"):
        refuse_large(np.zeros((2000, 300)))


@pytest.mark.parametrize("key", SOLVERS)
def test_every_solver_may_take_hundreds_of_steps_on_a_thousand_texts(key):
    X = text_like(1554, 5610, 46)
    own = Dataset(
        "upload:x",
        "texts",
        lambda: make_problem(X, labels(X)),
        (),
        "",
        tuple(map(str, range(5610))),
    )
    recipe = Recipe("upload:x", {}, key, own=own).checked()
    recipe.allowed()
    assert recipe.most_steps() >= 400


def test_a_sparse_file_streams_with_a_kernel_as_wide_as_its_rows_are_apart():
    X = text_like(300, 900, 12)
    built = uploads.build(uploads.read(libsvm(X, labels(X))))
    assert sp.issparse(built.problem.X)
    own = {"whole:x": Dataset("whole:x", "texts", lambda: built.problem, (), "")}
    assert (
        1.0 <= sources.source("whole:x", own).gamma < 1.1
    )  # 1 over the number of features would see no difference at all


def test_a_narrow_or_full_file_of_pairs_is_dense():
    narrow = uploads.build(uploads.read(b"1 1:2\n2 2:6\n1 1:3\n"))
    full = uploads.build(uploads.read(b"1 1:2 2:1 3:5\n2 1:4 2:6\n1 1:3 2:2 3:1\n"))
    assert isinstance(narrow.problem.X, np.ndarray) and isinstance(full.problem.X, np.ndarray)
    assert any(title == "Zeros" for title, _ in narrow.report)
