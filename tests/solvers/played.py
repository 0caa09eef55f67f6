"""Modules that play a commercial solver: each ends every solve with one status, or one error.

They have what :mod:`cpe_opt.solvers` uses of the solver's Python package, and no more. Every point
is 1 in each column, every dual ½, the iterations are 7; only the interfaces are as documented.
"""

import importlib.machinery
import sys
from types import ModuleType, SimpleNamespace

from cpe_opt.modelling.result import Status
from cpe_opt.solvers.commercial import Environments
from cpe_opt.solvers.registry import get_backend

# Each status that a solver documents, with its code, and what it is here.
DOCUMENTED = {
    "gurobi": {
        "LOADED": (1, Status.ERROR),
        "OPTIMAL": (2, Status.OPTIMAL),
        "INFEASIBLE": (3, Status.INFEASIBLE),
        "INF_OR_UNBD": (4, Status.INFEASIBLE_OR_UNBOUNDED),
        "UNBOUNDED": (5, Status.UNBOUNDED),
        "CUTOFF": (6, Status.OTHER_LIMIT),
        "ITERATION_LIMIT": (7, Status.ITERATION_LIMIT),
        "NODE_LIMIT": (8, Status.OTHER_LIMIT),
        "TIME_LIMIT": (9, Status.TIME_LIMIT),
        "SOLUTION_LIMIT": (10, Status.OTHER_LIMIT),
        "INTERRUPTED": (11, Status.OTHER_LIMIT),
        "NUMERIC": (12, Status.IMPRECISE),
        "SUBOPTIMAL": (13, Status.IMPRECISE),
        "INPROGRESS": (14, Status.ERROR),
        "USER_OBJ_LIMIT": (15, Status.OTHER_LIMIT),
        "WORK_LIMIT": (16, Status.OTHER_LIMIT),
        "MEM_LIMIT": (17, Status.OTHER_LIMIT),
        "LOCALLY_OPTIMAL": (18, Status.ERROR),
        "LOCALLY_INFEASIBLE": (19, Status.ERROR),
    },
    "copt": {
        "UNSTARTED": (0, Status.ERROR),
        "OPTIMAL": (1, Status.OPTIMAL),
        "INFEASIBLE": (2, Status.INFEASIBLE),
        "UNBOUNDED": (3, Status.UNBOUNDED),
        "INF_OR_UNB": (4, Status.INFEASIBLE_OR_UNBOUNDED),
        "NUMERICAL": (5, Status.IMPRECISE),
        "NODELIMIT": (6, Status.OTHER_LIMIT),
        "IMPRECISE": (7, Status.IMPRECISE),
        "TIMEOUT": (8, Status.TIME_LIMIT),
        "UNFINISHED": (9, Status.IMPRECISE),
        "INTERRUPTED": (10, Status.OTHER_LIMIT),
        "ITERLIMIT": (11, Status.ITERATION_LIMIT),
        "LOCAL_OPTIMAL": (20, Status.ERROR),
        "LOCAL_INFEASIBLE": (21, Status.ERROR),
    },
}


def codes(solver):
    """The code of each status that the solver documents."""
    return {name: code for name, (code, _) in DOCUMENTED[solver].items()}


def play(monkeypatch, solver, code, *, error=None, at="solve"):
    """Put a module in place of the solver's package; its backend.

    Solves end with the status ``code``. With ``error``, (number, text), it is raised instead
    ``at`` the start ("start") or the end ("solve").
    """
    backend = get_backend(solver)
    module = ModuleType(backend.module)
    module.__spec__ = importlib.machinery.ModuleSpec(backend.module, None)

    def fail(where):
        if error and at == where:
            raise module.error(*error)

    PARTS[solver](module, code, fail)
    monkeypatch.setitem(sys.modules, backend.module, module)
    environments = f"cpe_opt.solvers.{solver}.ENVIRONMENTS"
    monkeypatch.setattr(environments, Environments(), raising=False)
    return backend


def gurobi_parts(module, code, fail):
    """gurobipy."""

    class GurobiError(Exception):
        def __init__(self, errno, message):
            super().__init__(message)
            self.errno = errno

    class Array(list):
        """Columns or rows: an attribute is the same number for each."""

        X, Pi = property(lambda self: [1.0] * len(self)), property(lambda self: [0.5] * len(self))

    class Env:
        def __init__(self, empty):
            assert empty

        def setParam(self, name, value):  # noqa: N802
            assert (name, value) == ("OutputFlag", 0)

        def start(self):
            fail("start")

    class Model:
        Status, SolCount, ObjBound, IterCount, BarIterCount = code, 1, 1e100, 3.0, 4

        def __init__(self, env):
            assert isinstance(env, Env)
            self.Params = SimpleNamespace()

        def __enter__(self):
            return self

        def __exit__(self, *what):
            pass

        def getParamInfo(self, name):  # noqa: N802
            return name, float, 0.0

        def setParam(self, name, value):  # noqa: N802
            pass

        def addMVar(self, size, **_):  # noqa: N802
            return Array([0] * size)

        def addMConstr(self, matrix, columns, senses, sides):  # noqa: N802
            return Array([0] * len(sides))

        def update(self):
            pass

        def optimize(self):
            fail("solve")

    module.Env, module.Model, module.GurobiError, module.error = Env, Model, *[GurobiError] * 2
    module.GRB = SimpleNamespace(
        Status=SimpleNamespace(**codes("gurobi")),
        Error=SimpleNamespace(SIZE_LIMIT_EXCEEDED=10010, NO_LICENSE=10009),
        Param=SimpleNamespace(MIPGap="MIPGap"),
        INTEGER="I", CONTINUOUS="C", MINIMIZE=1, MAXIMIZE=-1, INFINITY=1e100,
    )  # fmt: skip


def copt_parts(module, code, fail):
    """coptpy."""

    class CoptError(Exception):
        def __init__(self, retcode, message):
            super().__init__(message)
            self.retcode, self.message = retcode, message

    class Model:
        status, HasMipSol, HasLpSol, BestBnd = code, 1, 1, -1e30
        SimplexIter, BarrierIter, PDLPIter = 2, 2, 3

        def __getattr__(self, name):
            given = "setParam", "setObjSense", "setObjConst", "dispose"
            assert name in given, name
            return lambda *_: None

        def getParamInfo(self, name):  # noqa: N802
            return name, 1e-6, 1e-6, 0.0, 1e9

        def loadMatrix(self, costs, matrix, *sides):  # noqa: N802
            self.shape = matrix.shape

        def solve(self):
            fail("solve")

        def getValues(self):  # noqa: N802
            return [1.0] * self.shape[1]

        def getDuals(self):  # noqa: N802
            return [0.5] * self.shape[0]

    class Envr:
        def __init__(self):
            fail("start")

        def createModel(self):  # noqa: N802
            return Model()

    module.Envr, module.CoptError, module.error = Envr, *[CoptError] * 2
    module.COPT = SimpleNamespace(
        **codes("copt"),
        Param=SimpleNamespace(RelGap="RelGap"),
        INTEGER="I", CONTINUOUS="C", MINIMIZE=1, MAXIMIZE=-1, INFINITY=1e30,
    )  # fmt: skip


PARTS = {"gurobi": gurobi_parts, "copt": copt_parts}
