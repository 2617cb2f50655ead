"""What an author of a solver needs, in one import. `svmviz new KEY` writes a solver to start from;
CONTRIBUTING.md says what its parts mean.
"""

from svmviz.data.constant import of_bias
from svmviz.data.params import Param
from svmviz.maths import kernels, losses, matrix, sampling
from svmviz.maths.kernels.weights import add, expansion, respond, scale
from svmviz.maths.machine.jit import bare, jit
from svmviz.record import questions
from svmviz.record.changes import AFTER, BEFORE, each
from svmviz.record.outcome import Record
from svmviz.record.sentences import Line, Lines, Sentence, Sentences
from svmviz.record.solver import (
    Algorithm,
    Goal,
    Solver,
    Space,
    Story,
    Uses,
)
from svmviz.record.symbols import CONSTANT, Symbol, shared
from svmviz.theory import reference

__all__ = [
    "AFTER",
    "BEFORE",
    "CONSTANT",
    "Algorithm",
    "Goal",
    "Line",
    "Lines",
    "Param",
    "Record",
    "Sentence",
    "Sentences",
    "Solver",
    "Space",
    "Story",
    "Symbol",
    "Uses",
    "add",
    "bare",
    "each",
    "expansion",
    "jit",
    "kernels",
    "losses",
    "matrix",
    "of_bias",
    "questions",
    "reference",
    "respond",
    "sampling",
    "scale",
    "shared",
]
