r"""CP-SAT: integer programs with bounded columns, in whole numbers.

CP-SAT knows no fractions, so every row and the objective become whole numbers here:

- where the coefficients are multiples of :math:`1/m` for a small m, they are multiplied by m
  (exactly; a double is taken for the fraction that it is nearest to), and a row's sides are rounded
  to the whole numbers between them: an equality such as 2x + 2y = 3 is infeasible;
- else they are multiplied by a power of two, so large that the sums still fit into 63 bits, and
  rounded. The error of a row, at most half of the sum of the largest :math:`|x_j|`, widens the row
  on both sides, as does :math:`2^{-50}` of the largest sum of its terms, which is what the doubles
  of its coefficients may be off; that of the objective is added to the bound: what CP-SAT proves is
  true of the program as given, and what it returns breaks a row by no more than doubles do.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverUnable
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    Backend,
    RawSolution,
    SolverSettings,
    decided_without_columns,
    out_of_time,
)

_DENOMINATOR = 10_000
_MULTIPLE = 2**24
_BITS = 60
_LARGEST = 2**40
_SIDE = 2**62
_NEAR = 1e-9
_ROUNDING = 2.0**-50
_BETWEEN_STOPS = 0.05  # seconds


class CpSat(Backend):
    """Lazy clause generation over bounded whole numbers."""

    name = "cp-sat"
    solves = frozenset({"MIP"})
    package = "ortools"
    module = "ortools.sat.python.cp_model"
    install = "pip install ortools"
    about = "constraint solver: all columns whole and bounded"
    licence = "Apache-2.0"
    gap_options = frozenset({"relative_gap_limit", "absolute_gap_limit"})
    exact = True
    takes_threads = True
    starts = frozenset({"MIP"})

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        started = time.perf_counter()
        _check(program)
        cp_model = self.load()
        if not program.shape[1]:
            return decided_without_columns(program)
        solver = cp_model.CpSolver()
        self._set_options(solver.parameters, options)
        model, columns, (_, scale, error) = _model(cp_model, program)
        if model is None:
            return RawSolution(Status.INFEASIBLE, message="cp-sat: a row has no whole number")
        if options.start is not None:
            for place in np.flatnonzero(~np.isnan(options.start)).tolist():
                model.add_hint(columns[place], round(options.start[place]))
        left = options.time_left(started)
        if left is not None:
            if left <= 0.0:
                return out_of_time()
            solver.parameters.max_time_in_seconds = left
        found = _interruptible(solver, model)
        response = solver.response_proto
        status = {
            cp_model.OPTIMAL: Status.OPTIMAL,
            cp_model.INFEASIBLE: Status.INFEASIBLE,
            cp_model.FEASIBLE: Status.OTHER_LIMIT,
            cp_model.UNKNOWN: Status.OTHER_LIMIT,
        }.get(found, Status.ERROR)
        # It does not say which limit it met: the one it was given, unless the caller gave more.
        if status is Status.OTHER_LIMIT and left is not None:
            alone = not options.solver_options
            status = Status.TIME_LIMIT if alone or solver.wall_time >= left else status
        message = "" if status is Status.OPTIMAL else f"cp-sat: {solver.status_name(found)}"
        if found == cp_model.MODEL_INVALID:
            message += f", {model.validate()[:200]}"
        x = bound = None
        if found in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            x = np.array([solver.value(column) for column in columns], dtype=np.float64)
            bound = _bound(program, response.best_objective_bound, scale, error)
        return RawSolution(status, x, None, bound, int(response.num_branches), message)

    def _set_options(self, parameters: Any, options: SolverSettings) -> None:
        """Fill a message of parameters and hand it over; from 9.15 on, as text."""
        from google.protobuf import text_format
        from ortools.sat.sat_parameters_pb2 import SatParameters

        message = SatParameters()
        self.check_options(options.solver_options, message.DESCRIPTOR.fields_by_name)
        chosen = {
            "num_workers": options.threads,
            "random_seed": options.seed,
            "log_search_progress": options.log,
            "relative_gap_limit": 0.0,
            "absolute_gap_limit": 0.0,
            # Its own handler of Ctrl-C would stay, in place of Python's, after the solve.
            "catch_sigint_signal": False,
            **options.solver_options,
        }
        self.fill_message(message, chosen)
        if hasattr(parameters, "CopyFrom"):
            parameters.CopyFrom(message)
        elif not parameters.parse_text_format(text_format.MessageToString(message)):
            raise InputError(f"cp-sat did not accept its options {dict(options.solver_options)}")


def _interruptible(solver: Any, model: Any) -> Any:
    """What a solve ends with; Ctrl-C stops the search, and is raised when it has stopped."""
    with ThreadPoolExecutor(1) as pool:
        solving = pool.submit(solver.solve, model)
        try:
            return solving.result()
        except KeyboardInterrupt:
            while not solving.done():  # it may not have begun yet
                solver.stop_search()
                time.sleep(_BETWEEN_STOPS)
            raise


def _check(program: LinearProgram) -> None:
    """Raise :class:`SolverUnable` on a program that is not one of bounded whole numbers."""
    reach = np.fmax(np.abs(program.column_lower), np.abs(program.column_upper))
    wrong = np.flatnonzero(~program.integer | ~np.isfinite(reach))
    if wrong.size:
        name = program.column_names[int(wrong[0])]
        raise SolverUnable(
            f"cp-sat needs every column whole and bounded, column {name!r} of "
            f"{program.name!r} is not; highs and scip can solve it"
        )
    wide = np.flatnonzero(reach > _LARGEST)
    if wide.size:
        name = program.column_names[int(wide[0])]
        raise SolverUnable(
            f"cp-sat computes in whole numbers of 64 bits, and column {name!r} of "
            f"{program.name!r} reaches {reach[wide[0]]:.3g}; highs and scip can solve it"
        )


def _model(
    cp_model: Any, program: LinearProgram
) -> tuple[Any, list[Any], tuple[FloatArray, float, float]]:
    """The model (None where a row cannot hold), its columns, and the objective's whole numbers."""
    model = cp_model.CpModel()
    columns = [
        model.new_int_var(int(lower), int(upper), name)
        for lower, upper, name in zip(
            program.column_lower.tolist(),
            program.column_upper.tolist(),
            program.column_names,
            strict=True,
        )
    ]
    reach = np.fmax(np.abs(program.column_lower), np.abs(program.column_upper))
    objective = whole_numbers(program.costs, reach)
    starts = program.matrix.indptr
    for row, (lower, upper) in enumerate(
        zip(program.row_lower.tolist(), program.row_upper.tolist(), strict=True)
    ):
        places = program.matrix.indices[starts[row] : starts[row + 1]]
        values = program.matrix.data[starts[row] : starts[row + 1]]
        whole, scale, error = whole_numbers(values, reach[places])
        if error:
            error += scale * _ROUNDING * float(np.abs(values) @ reach[places])
        low, high = _sides(lower, upper, scale, error)
        if low > high:
            return None, columns, objective
        terms = [columns[place] for place in places.tolist()]
        total = cp_model.LinearExpr.weighted_sum(terms, [int(value) for value in whole.tolist()])
        model.add_linear_constraint(total, low, high)
    total = cp_model.LinearExpr.weighted_sum(columns, [int(c) for c in objective[0].tolist()])
    if objective[0].any():
        (model.minimize if program.sense == "min" else model.maximize)(total)
    return model, columns, objective


def whole_numbers(values: FloatArray, reach: FloatArray) -> tuple[FloatArray, float, float]:
    """Whole multiples of the coefficients of a sum, the multiplier, and how far the sum may be off.

    ``reach`` has the largest size of the column of each coefficient, and for every x within it
    ``|whole @ x - scale * values @ x| <= error``.
    """
    multiple = _common_multiple(values)
    if multiple is not None:
        whole = np.rint(values * multiple)
        if float(np.abs(whole) @ reach) < 2.0**_BITS:
            return whole, float(multiple), 0.0
    size = float(np.abs(values) @ np.maximum(reach, 1.0))
    scale = 2.0 ** min(1000, _BITS - 1 - math.frexp(size or 1.0)[1])
    whole = np.rint(values * scale)
    return whole, scale, 0.5 * float(reach.sum())


def _common_multiple(values: FloatArray) -> int | None:
    """The least number, not too large, that makes all values whole; None without any."""
    multiple = 1
    for value in set(values.tolist()):
        if value.is_integer():
            continue
        fraction = Fraction(value).limit_denominator(_DENOMINATOR)
        if float(fraction) != value:
            return None
        multiple = math.lcm(multiple, fraction.denominator)
        if multiple > _MULTIPLE:
            return None
    return multiple


def _sides(lower: float, upper: float, scale: float, error: float) -> tuple[int, int]:
    """The whole numbers that a row's sum may have; a side within rounding of one is that one."""
    low, high = lower * scale, upper * scale
    below, above = (error + max(_NEAR, _ROUNDING * abs(side)) for side in (low, high))
    return (
        math.ceil(low - below) if low > -_SIDE else -_SIDE,
        math.floor(high + above) if high < _SIDE else _SIDE,
    )


def _bound(program: LinearProgram, whole: float, scale: float, error: float) -> float:
    """The bound on the objective as given, from the one on the sum of whole numbers."""
    # The bound comes as a double: it may be off in its last place.
    error += 2.0**-52 * abs(whole) if abs(whole) > 2.0**52 else 0.0
    away = -error if program.sense == "min" else error
    return (whole + away) / scale + program.offset
