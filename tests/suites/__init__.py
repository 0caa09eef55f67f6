"""Programs with known answers, from packages, from generators and by hand, for every solver."""

import math

import cpe_opt as cpe
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.registry import get_backend

FIRST_ORDER = ("pdlp", "scs", "osqp")  # what their tolerances leave of the digits
EXACT = ("highs", "glop", "scip", "cp-sat")


def able(program):
    """The solvers that are installed here and say that they solve this kind of program."""
    backends = {name: get_backend(name) for name in cpe.SOLVERS}
    return [n for n, each in backends.items() if each.available and program.kind in each.solves]


def outcome(program, solver, value, *, room=1e-6):
    """How a solve ended, as ("right", "unsolved", "refused" or "wrong", words).

    ``value`` is the optimum, inf or -inf of a program without point or end, as in CVXPY: inf of a
    minimisation says infeasible, -inf unbounded; None means that nothing is known of it.
    """
    try:
        result = cpe.solve(program, solver, check=False, time_limit=10.0)
    except cpe.CpeOptError as error:
        return ("refused", str(error)) if str(error) else ("wrong", "refused without a reason")
    except Exception as error:  # whatever comes out is a fault
        return "wrong", f"raises {type(error).__name__}: {error}"
    words = f"{result!r} {result.message}, expected {value!r}"
    ends = {Status.INFEASIBLE: math.inf, Status.UNBOUNDED: -math.inf, Status.OPTIMAL: 0.0}
    if result.status not in ends:
        return ("unsolved", words) if result.message else ("wrong", f"no reason: {words}")
    if value is None:
        return "right", words
    sense = 1.0 if program.sense == "min" else -1.0
    if math.isinf(value) or result.status is not Status.OPTIMAL:
        return ("right" if sense * value == ends[result.status] else "wrong"), words
    room = max(room, 1e-4) if solver in FIRST_ORDER else room
    room *= 2 * max(1.0, abs(value))
    near = abs(result.objective - value) <= room
    proved = abs(result.objective - (math.nan if result.bound is None else result.bound)) <= room
    return ("right" if near and proved else "wrong"), words
