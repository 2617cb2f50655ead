"""What a processor has an instruction for and Python has none: bits as a number, a number as bits,
and a * b + c rounded once.

Doubles or floats, which stay what they are. Numbers come out the same on every machine. Without
compilation (NUMBA_DISABLE_JIT) NumPy stands in.
"""

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

WHOLE = {types.float64: types.int64, types.float32: types.int32}
REAL = {whole: real for real, whole in WHOLE.items()}


def cast(to, of):
    """A signature, and code that takes the same bits for another type."""

    def code(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(to))

    return to(of), code


@intrinsic
def number(typingctx, bits):
    """The number that has these bits"""
    return cast(REAL[bits], bits)


@intrinsic
def bits(typingctx, x):
    """The bits of a number"""
    return cast(WHOLE[x], x)


@intrinsic
def fused(typingctx, a, b, c):
    """a * b + c, rounded once"""
    kind = types.float32 if {a, b, c} == {types.float32} else types.float64

    def code(context, builder, signature, args):
        return builder.fma(*args)

    return kind(kind, kind, kind), code


if numba.config.DISABLE_JIT:

    def number(bits):
        return np.asarray(bits).view(f"f{np.asarray(bits).itemsize}")[()]

    def bits(x):
        return np.asarray(x).view(f"i{np.asarray(x).itemsize}")[()]

    def fused(a, b, c):
        return a * b + c
