"""The Twin Vector Machine on a stream: blocks of examples that are read and forgotten, in the
memory of the twin vectors.

>>> from svmviz.maths import kernels
>>> found = stream.run(stream.checkerboard(3000), {"B": 40, "kernel": kernels.rbf(8.0)}, by=watch)
>>> found.examples, found.n_sv
(3000, 40)
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from svmviz.data.constant import kernel_of
from svmviz.maths import matrix
from svmviz.run.streams import stream
from svmviz.solvers.tvm import twins as racks
from svmviz.solvers.tvm.solver import TVM, learnt, prepared

PIECE = 512  # examples between two looks at the clock


def watch(
    chunks,
    params: Mapping[str, Any],
    *,
    classes: int = 2,
    test=None,
    every: int | None = None,
    epochs: int = 1,
    seed: int = 0,
) -> Iterator[stream.Progress]:
    """How the run stands after every few hundred examples, as `stream.watch` tells it. There is no
    gradient, and so no error of one: E_bar is 0.
    """
    params = TVM.check(params)
    TVM.algorithm.refuse(params)
    if classes != 2:
        raise ValueError(f"the Twin Vector Machine separates two classes, got {classes}")
    kernel, twins, t, spent, events = kernel_of(params), None, 0, 0.0, 0
    for epoch in range(1, epochs + 1):
        for X, y in chunks() if callable(chunks) else chunks:
            X, y = stream.checked(X, y, classes, None if twins is None else twins.V.shape[1])
            rows, a = matrix.rows(X), 0
            if twins is None:
                twins = prepared(None, X.shape[1], params, params["B"])
            while a < len(y):
                b = min(len(y), a + PIECE, len(y) if every is None else a + every - t % every)
                begun = time.thread_time()
                more, _ = racks.learn(
                    twins,
                    rows,
                    y,
                    np.arange(a, b),
                    params["B"],
                    params["C"],
                    kernel,
                    params["near"],
                    params["far"],
                )
                spent += time.thread_time() - begun
                events, t, a = events + more, t + b - a, b
                model = lambda twins=twins: stream.Model(*learnt(twins), kernel)  # noqa: E731
                look = test is not None and every is not None and t % every == 0
                yield stream.Progress(
                    t,
                    epoch,
                    int(twins.count[racks.USED]),
                    0.0,
                    spent,
                    events,
                    stream.accuracy(model(), test) if look else None,
                    model,
                )
