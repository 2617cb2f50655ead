"""The registry of solvers, the only one: a solver exists for the app, the tests and the player by
being listed here.
"""

from svmviz.solvers.averaged import AVERAGED
from svmviz.solvers.bias.solver import BIAS
from svmviz.solvers.bsgd.solver import BSGD
from svmviz.solvers.chw import CHW
from svmviz.solvers.classes.solver import CLASSES
from svmviz.solvers.fourier import FOURIER
from svmviz.solvers.idsvm.solver import IDSVM
from svmviz.solvers.incremental.solver import INCREMENTAL
from svmviz.solvers.norma import NORMA
from svmviz.solvers.pa1 import PA1
from svmviz.solvers.pegasos.solver import PEGASOS
from svmviz.solvers.perceptron import PERCEPTRON
from svmviz.solvers.pst import PST
from svmviz.solvers.regression.solver import REGRESSION
from svmviz.solvers.sbp.solver import SBP
from svmviz.solvers.sdca.solver import SDCA
from svmviz.solvers.sequences.solver import SEQUENCES
from svmviz.solvers.sgd import SGD
from svmviz.solvers.simba.solver import SIMBA
from svmviz.solvers.smo.solver import SMO
from svmviz.solvers.svr import SVR
from svmviz.solvers.tvm.solver import TVM

SOLVERS = {
    solver.key: solver
    for solver in (
        PEGASOS,
        SBP,
        SDCA,
        SMO,
        PERCEPTRON,
        FOURIER,
        BSGD,
        SIMBA,
        INCREMENTAL,
        AVERAGED,
        SGD,
        PA1,
        CHW,
        PST,
        BIAS,
        REGRESSION,
        SVR,
        CLASSES,
        SEQUENCES,
        IDSVM,
        TVM,
        NORMA,
    )
}
