"""Modules that play a commercial solver: each ends every solve with one status, or one error.

They have what :mod:`cpe_opt.solvers` uses of the solver's Python package, and no more. Every point
is 1 in each column, every dual ½, the iterations are 7; only the interfaces are as documented.

Quadratic terms are kept as ``module.terms``: the entries (row, column, value), in order.
"""

import importlib.machinery
import sys
from enum import IntEnum
from types import ModuleType, SimpleNamespace

import scipy.sparse as sp

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
    # The status of the solve, of the solution, and of the stop; a completed solve has the second.
    "xpress": {
        "UNSTARTED": ((0, 0, 0), Status.ERROR),
        "NOTFOUND": ((3, 0, 0), Status.ERROR),
        "OPTIMAL": ((3, 1, 0), Status.OPTIMAL),
        "FEASIBLE": ((3, 2, 0), Status.IMPRECISE),
        "INFEASIBLE": ((3, 3, 0), Status.INFEASIBLE),
        "UNBOUNDED": ((3, 4, 0), Status.UNBOUNDED),
        "NONE": ((1, 2, 0), Status.ERROR),
        "TIMELIMIT": ((1, 2, 1), Status.TIME_LIMIT),
        "CTRLC": ((1, 2, 2), Status.OTHER_LIMIT),
        "NODELIMIT": ((1, 2, 3), Status.OTHER_LIMIT),
        "ITERLIMIT": ((1, 2, 4), Status.ITERATION_LIMIT),
        "MIPGAP": ((1, 2, 5), Status.OPTIMAL),
        "SOLLIMIT": ((1, 2, 6), Status.OTHER_LIMIT),
        "GENERICERROR": ((1, 2, 7), Status.ERROR),
        "MEMORYERROR": ((1, 2, 8), Status.OTHER_LIMIT),
        "USER": ((1, 2, 9), Status.OTHER_LIMIT),
        "SOLVECOMPLETE": ((1, 2, 10), Status.ERROR),
        "LICENSELOST": ((1, 2, 11), Status.ERROR),
        "NUMERICALERROR": ((1, 2, 13), Status.IMPRECISE),
        "WORKLIMIT": ((1, 2, 14), Status.OTHER_LIMIT),
        "NEXTOBJECTIVE": ((1, 2, 15), Status.ERROR),
        "MIPSTAGE": ((1, 2, 16), Status.OTHER_LIMIT),
    },
    "cplex": {
        "unknown": (0, Status.ERROR),
        "optimal": (1, Status.OPTIMAL),
        "unbounded": (2, Status.UNBOUNDED),
        "infeasible": (3, Status.INFEASIBLE),
        "infeasible_or_unbounded": (4, Status.INFEASIBLE_OR_UNBOUNDED),
        "optimal_infeasible": (5, Status.IMPRECISE),
        "num_best": (6, Status.IMPRECISE),
        "abort_iteration_limit": (10, Status.ITERATION_LIMIT),
        "abort_time_limit": (11, Status.TIME_LIMIT),
        "abort_obj_limit": (12, Status.OTHER_LIMIT),
        "abort_user": (13, Status.OTHER_LIMIT),
        "feasible_relaxed_sum": (14, Status.ERROR),
        "optimal_relaxed_sum": (15, Status.ERROR),
        "feasible_relaxed_inf": (16, Status.ERROR),
        "optimal_relaxed_inf": (17, Status.ERROR),
        "feasible_relaxed_quad": (18, Status.ERROR),
        "optimal_relaxed_quad": (19, Status.ERROR),
        "optimal_face_unbounded": (20, Status.IMPRECISE),
        "abort_primal_obj_limit": (21, Status.OTHER_LIMIT),
        "abort_dual_obj_limit": (22, Status.OTHER_LIMIT),
        "feasible": (23, Status.IMPRECISE),
        "first_order": (24, Status.IMPRECISE),
        "abort_dettime_limit": (25, Status.OTHER_LIMIT),
        "conflict_feasible": (30, Status.ERROR),
        "conflict_minimal": (31, Status.ERROR),
        "conflict_abort_contradiction": (32, Status.ERROR),
        "conflict_abort_time_limit": (33, Status.ERROR),
        "conflict_abort_iteration_limit": (34, Status.ERROR),
        "conflict_abort_node_limit": (35, Status.ERROR),
        "conflict_abort_obj_limit": (36, Status.ERROR),
        "conflict_abort_memory_limit": (37, Status.ERROR),
        "conflict_abort_user": (38, Status.ERROR),
        "conflict_abort_dettime_limit": (39, Status.ERROR),
        "benders_num_best": (41, Status.IMPRECISE),
        "MIP_optimal": (101, Status.OPTIMAL),
        "optimal_tolerance": (102, Status.OPTIMAL),
        "MIP_infeasible": (103, Status.INFEASIBLE),
        "solution_limit": (104, Status.OTHER_LIMIT),
        "node_limit_feasible": (105, Status.OTHER_LIMIT),
        "node_limit_infeasible": (106, Status.OTHER_LIMIT),
        "MIP_time_limit_feasible": (107, Status.TIME_LIMIT),
        "MIP_time_limit_infeasible": (108, Status.TIME_LIMIT),
        "fail_feasible": (109, Status.ERROR),
        "fail_infeasible": (110, Status.ERROR),
        "mem_limit_feasible": (111, Status.OTHER_LIMIT),
        "mem_limit_infeasible": (112, Status.OTHER_LIMIT),
        "MIP_abort_feasible": (113, Status.OTHER_LIMIT),
        "MIP_abort_infeasible": (114, Status.OTHER_LIMIT),
        "MIP_optimal_infeasible": (115, Status.IMPRECISE),
        "fail_feasible_no_tree": (116, Status.ERROR),
        "fail_infeasible_no_tree": (117, Status.ERROR),
        "MIP_unbounded": (118, Status.UNBOUNDED),
        "MIP_infeasible_or_unbounded": (119, Status.INFEASIBLE_OR_UNBOUNDED),
        "MIP_feasible_relaxed_sum": (120, Status.ERROR),
        "MIP_optimal_relaxed_sum": (121, Status.ERROR),
        "MIP_feasible_relaxed_inf": (122, Status.ERROR),
        "MIP_optimal_relaxed_inf": (123, Status.ERROR),
        "MIP_feasible_relaxed_quad": (124, Status.ERROR),
        "MIP_optimal_relaxed_quad": (125, Status.ERROR),
        "abort_relaxed": (126, Status.OTHER_LIMIT),
        "MIP_feasible": (127, Status.IMPRECISE),
        "populate_solution_limit": (128, Status.ERROR),
        "optimal_populated": (129, Status.ERROR),
        "optimal_populated_tolerance": (130, Status.ERROR),
        "MIP_dettime_limit_feasible": (131, Status.OTHER_LIMIT),
        "MIP_dettime_limit_infeasible": (132, Status.OTHER_LIMIT),
        "relaxation_unbounded": (133, Status.INFEASIBLE_OR_UNBOUNDED),
        "multiobj_optimal": (301, Status.ERROR),
        "multiobj_infeasible": (302, Status.ERROR),
        "multiobj_inforunbd": (303, Status.ERROR),
        "multiobj_unbounded": (304, Status.ERROR),
        "multiobj_non_optimal": (305, Status.ERROR),
        "multiobj_stopped": (306, Status.ERROR),
    },
    # The termination, the status of the problem, and that of the solution.
    "mosek": {
        "optimal": (("ok", "prim_and_dual_feas", "optimal"), Status.OPTIMAL),
        "integer_optimal": (("ok", "prim_feas", "integer_optimal"), Status.OPTIMAL),
        "prim_infeas_cer": (("ok", "prim_infeas", "prim_infeas_cer"), Status.INFEASIBLE),
        "dual_infeas_cer": (
            ("ok", "dual_infeas", "dual_infeas_cer"),
            Status.INFEASIBLE_OR_UNBOUNDED,
        ),
        "prim_illposed_cer": (("ok", "ill_posed", "prim_illposed_cer"), Status.IMPRECISE),
        "dual_illposed_cer": (("ok", "ill_posed", "dual_illposed_cer"), Status.IMPRECISE),
        "unknown": (("ok", "unknown", "unknown"), Status.ERROR),
        "prim_feas": (("ok", "prim_feas", "prim_feas"), Status.IMPRECISE),
        "dual_feas": (("ok", "dual_feas", "dual_feas"), Status.IMPRECISE),
        "prim_and_dual_feas": (
            ("ok", "prim_and_dual_feas", "prim_and_dual_feas"),
            Status.IMPRECISE,
        ),
        "prim_infeas": (("ok", "prim_infeas", "unknown"), Status.INFEASIBLE),
        "dual_infeas": (("ok", "dual_infeas", "unknown"), Status.INFEASIBLE_OR_UNBOUNDED),
        "prim_and_dual_infeas": (("ok", "prim_and_dual_infeas", "unknown"), Status.INFEASIBLE),
        "prim_infeas_or_unbounded": (
            ("ok", "prim_infeas_or_unbounded", "unknown"),
            Status.INFEASIBLE_OR_UNBOUNDED,
        ),
        "ill_posed": (("ok", "ill_posed", "unknown"), Status.IMPRECISE),
        **{
            name: ((name, "prim_feas", "prim_feas"), status)
            for name, status in {
                "trm_max_iterations": Status.ITERATION_LIMIT,
                "trm_max_time": Status.TIME_LIMIT,
                "trm_server_max_time": Status.TIME_LIMIT,
                "trm_server_max_memory": Status.OTHER_LIMIT,
                "trm_objective_range": Status.OTHER_LIMIT,
                "trm_mio_num_relaxs": Status.OTHER_LIMIT,
                "trm_mio_num_branches": Status.OTHER_LIMIT,
                "trm_num_max_num_int_solutions": Status.OTHER_LIMIT,
                "trm_user_callback": Status.OTHER_LIMIT,
                "trm_stall": Status.IMPRECISE,
                "trm_numerical_problem": Status.IMPRECISE,
                "trm_max_num_setbacks": Status.IMPRECISE,
                "trm_lost_race": Status.ERROR,
                "trm_internal": Status.ERROR,
                "trm_internal_stop": Status.ERROR,
            }.items()
        },
    },
}
# Of MOSEK's solutions, those that have a point.
FEASIBLE = ("optimal", "integer_optimal", "prim_feas", "prim_and_dual_feas")


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


def entries(matrix):
    """The entries of a sparse matrix in order."""
    coo = matrix.tocoo()
    return sorted(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True))


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

        def setMObjective(self, matrix, costs, offset, *columns):  # noqa: N802
            module.terms = entries(matrix)
            module.linear = costs.tolist(), offset
            assert [len(each) for each in columns] == [matrix.shape[0]] * 3

        def update(self):
            pass

        def optimize(self):
            fail("solve")

    module.Env, module.Model, module.GurobiError, module.error = Env, Model, *[GurobiError] * 2
    module.GRB = SimpleNamespace(
        Status=SimpleNamespace(**codes("gurobi")),
        Error=SimpleNamespace(SIZE_LIMIT_EXCEEDED=10010, NO_LICENSE=10009),
        Param=SimpleNamespace(MIPGap="MIPGap", BarConvTol="BarConvTol"),
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
            given = "setParam", "setObjSense", "setObjConst"
            assert name in given, name
            return lambda *_: None

        def getParamInfo(self, name):  # noqa: N802
            return name, 1e-6, 1e-6, 0.0, 1e9

        def loadMatrix(self, costs, matrix, *sides):  # noqa: N802
            self.shape = matrix.shape
            module.linear = costs.tolist(), 0.0

        def loadQ(self, matrix):  # noqa: N802
            assert sp.isspmatrix_coo(matrix)
            module.terms = entries(matrix)

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


def xpress_parts(module, code, fail):
    """xpress, whose ``code`` has three numbers."""

    class InterfaceError(Exception):
        pass

    class SolverError(Exception):
        pass

    whole = "threads", "randomseed", "baralg"

    class Problem:
        def __init__(self):
            self.controls = SimpleNamespace(miprelstop=0.0, bargapstop=0.0, baralg=-1)
            statuses = dict(zip(("solvestatus", "solstatus", "stopstatus"), code, strict=True))
            self.attributes = SimpleNamespace(**statuses, simplexiter=3, bariter=4, bestbound=-1e20)

        def __getattr__(self, name):
            given = "setControl", "chgObjSense", "chgObj"
            assert name in given, name
            return lambda *_: None

        def getControlInfo(self, name):  # noqa: N802
            return 0, SimpleNamespace(name="INT" if name in whole else "DOUBLE")

        def chgMQObj(self, rows, columns, values):  # noqa: N802
            entry = zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True)
            module.terms = sorted(entry)

        def loadLP(self, name, *, rhs, objcoef, **_):  # noqa: N802
            self.shape = len(rhs), len(objcoef)

        loadMIP = loadLP  # noqa: N815

        def optimize(self):
            fail("solve")

        def getSolution(self):  # noqa: N802
            return [1.0] * self.shape[1]

        def getDuals(self):  # noqa: N802
            return [0.5] * self.shape[0]

    def error(number, message):
        if number == 1:
            return InterfaceError(message)
        return SolverError(f"?{number} Error: {message}")

    module.InterfaceError, module.SolverError, module.error = InterfaceError, SolverError, error
    module.ModelError, module.LicenseWarning = ValueError, UserWarning
    module.problem, module.init, module.infinity = Problem, lambda: fail("start"), 1e20
    documented = codes("xpress")
    for kinds, place, names in (
        ("SolveStatus", 0, ("UNSTARTED",)),
        ("SolStatus", 1, [name for name, each in documented.items() if each[0] == 3]),
        ("StopType", 2, [name for name, each in documented.items() if each[0] == 1]),
    ):
        values = {name: documented[name][place] for name in names}
        others = {"STOPPED": 1, "FAILED": 2, "COMPLETED": 3} if place == 0 else {}
        setattr(module, kinds, IntEnum(kinds, values | others))
    module.ObjSense = SimpleNamespace(MINIMIZE=1, MAXIMIZE=-1)


def cplex_parts(module, code, fail):
    """cplex."""

    class CplexSolverError(Exception):
        """Its arguments are the message, the environment, and the number."""

    def parameter(name):
        kind = int if name in ("threads", "randomseed") else float
        return SimpleNamespace(name=name, type=lambda: kind, set=lambda value: None)

    class Parameter(SimpleNamespace):
        def __str__(self):
            return f"parameters.{self.name}"

    names = (
        *("threads", "randomseed", "mip.tolerances.mipgap", "mip.tolerances.absmipgap"),
        *("mip.tolerances.integrality", "simplex.tolerances.feasibility"),
        *("simplex.tolerances.optimality", "barrier.convergetol", "barrier.limits.objrange"),
    )

    def set_quadratic(rows):
        module.terms = [(i, *each) for i, row in enumerate(rows) for each in zip(*row, strict=True)]

    class Cplex:
        def __init__(self):
            self.shape = [0, 0]
            given = [(Parameter(**vars(parameter(name))), 0) for name in names]
            self.parameters = SimpleNamespace(get_all=lambda: given)
            self.variables = SimpleNamespace(add=self.add_columns)
            self.linear_constraints = SimpleNamespace(
                add=self.add_rows, set_coefficients=lambda entries: None
            )
            sense = SimpleNamespace(minimize=1, maximize=-1)
            self.objective = SimpleNamespace(
                sense=sense,
                set_sense=lambda sense: None,
                set_offset=lambda offset: None,
                set_quadratic=set_quadratic,
            )
            self.solution = SimpleNamespace(
                status=SimpleNamespace(**codes("cplex")),
                get_status=lambda: code,
                is_primal_feasible=lambda: True,
                get_values=lambda: [1.0] * self.shape[1],
                get_dual_values=lambda: [0.5] * self.shape[0],
                MIP=SimpleNamespace(get_best_objective=lambda: 1e20),
                progress=SimpleNamespace(
                    get_num_iterations=lambda: 3, get_num_barrier_iterations=lambda: 4
                ),
            )
            for stream in ("log", "results", "warning", "error"):
                setattr(self, f"set_{stream}_stream", lambda stream: None)
            fail("start")

        def __enter__(self):
            return self

        def __exit__(self, *what):
            pass

        def add_columns(self, obj, lb, ub, types=None):
            self.shape[1] = len(obj)

        def add_rows(self, senses, rhs, range_values):
            self.shape[0] = len(rhs)

        def solve(self):
            fail("solve")

    module.Cplex, module.infinity = Cplex, 1e20
    module.exceptions = SimpleNamespace(
        CplexSolverError=CplexSolverError, CplexError=CplexSolverError
    )
    module.error = lambda number, message: CplexSolverError(message, None, number)


def mosek_parts(module, code, fail):
    """mosek, whose ``code`` has three names."""

    class Value(str):
        """One of a kind of names."""

        def __str__(self):
            return f"kind.{super().__str__()}"

        def __int__(self):
            return 2

    class Kind:
        def __init__(self, *names):
            self.values = [Value(name) for name in names]

        def __getattr__(self, name):
            return Value(name)

    class Error(Exception):
        def __init__(self, number, message):
            super().__init__(message)
            self.errno, self.msg = Value(number), f"{message}\n"

    class Task:
        def __enter__(self):
            return self

        def __exit__(self, *what):
            pass

        def __getattr__(self, name):
            assert name in ("putparam", "putobjsense", "putvartypelist"), name
            return lambda *_: None

        def inputdata(self, rows, columns, *data):
            self.shape = rows, columns

        def optimize(self):
            fail("solve")
            return Value(code[0])

        def solutiondef(self, kind):
            return kind in ("bas", "itg")

        def getprosta(self, kind):
            return Value(code[1])

        def getsolsta(self, kind):
            return Value(code[2])

        def getxx(self, kind):
            return [1.0] * self.shape[1]

        def gety(self, kind):
            return [0.5] * self.shape[0]

        def getdouinf(self, item):
            return -1e30

        def getintinf(self, item):
            return {"intpnt_iter": 1, "sim_primal_iter": 2, "sim_dual_iter": 4}[item]

    module.Task, module.Error = Task, Error
    module.error = lambda number, message: Error(f"{number}", message)
    for kind in ("soltype", "boundkey", "objsense", "rescode", "dinfitem", "iinfitem"):
        setattr(module, kind, Kind())
    module.dparam, module.iparam = Kind("mio_tol_rel_gap"), Kind("presolve_use")
    module.sparam, module.variabletype = Kind(), Kind()


PARTS = {
    "gurobi": gurobi_parts,
    "copt": copt_parts,
    "xpress": xpress_parts,
    "cplex": cplex_parts,
    "mosek": mosek_parts,
}
