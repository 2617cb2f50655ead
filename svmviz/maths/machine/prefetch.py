"""Memory that will be needed soon, asked for in time: steps on random rows spend most of their time
waiting for them.

Whoever knows the next draws names them a few steps ahead. It changes no digit, and an address that
is never read does no harm.
"""

from collections.abc import Callable
from types import FunctionType

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from svmviz.maths.machine.jit import bare
from svmviz.maths.matrix import is_dense

AHEAD = 8  # steps from the request to the use: about as long as a row takes to come
LINE = 8  # numbers of 64 bits that come at once
LINES = 8  # that are asked for: what follows in a long row comes by itself


def ask(context, builder, signature, args):
    """The instruction, for element `at` of an array counted from its first, as if it had one
    dimension
    """
    address = builder.gep(
        context.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]]
    )
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
    to_read, keep, data = (ir.Constant(number, value) for value in (0, 3, 1))
    builder.call(
        cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0"),
        [builder.bitcast(address, byte), to_read, keep, data],
    )
    return context.get_dummy_value()


def nothing(array, at) -> None:
    """What it is where nothing is compiled."""


# prefetch(array, at): ask for array.flat[at], of an array in C order
prefetch: Callable[..., None] = (
    nothing
    if isinstance(is_dense, FunctionType)
    else intrinsic(lambda context, array, at: (types.void(array, types.int64), ask))
)


@bare
def prefetch_row(rows, i):
    """Ask for the beginning of row i"""
    if is_dense(rows):
        d = rows.X.shape[1]
        for j in range(0, min(d, LINE * LINES), LINE):
            prefetch(rows.X, i * d + j)
        prefetch(rows.X, i * d + min(d, LINE * LINES) - 1)
    # that of a short row in so many words: asking how long it is would take as long as to wait for
    # it
    else:
        first = rows.indptr[i]
        prefetch(rows.indices, first)
        prefetch(rows.indices, first + 2 * LINE - 1)
        prefetch(rows.data, first)
        prefetch(rows.data, first + LINE)
        prefetch(rows.data, first + 2 * LINE - 1)
