"""Linear programs next to HiGHS alone: building, solving, reading and writing."""

import tempfile
import time
from pathlib import Path

import highspy
import numpy as np

import cpe_opt as cpe
from tests.benchmarks import instances
from tests.benchmarks.measuring import Row, processor_seconds

_MOST_CHECKING = 1.1
_MOST_OVERHEAD = 2.0  # milliseconds
_MOST_WRITING = 1.3
_MOST_BUILDING = 2.0
_ATTEMPTS = 5
_PAIRS = 51


def checking(settings):
    """`cpe.solve` of transportation problems, and HiGHS with the tolerances that it is given, from
    the arrays of the program to those of its solution: how many times as much ours takes.
    """
    for sources, sinks in settings.choose(((4, 5),), ((100, 100), (200, 200), (300, 400))):
        program = _built(sources, sinks)
        cpe.solve(program)
        ours, alone = _least(settings, lambda p=program: cpe.solve(p), lambda p=program: _alone(p))
        note = f"{ours:.3g} s over {alone:.3g} s"
        task = f"a solve, {program.matrix.nnz:,} entries"
        yield Row(task, ours / alone, bar=_MOST_CHECKING, unit="times", note=note)


def writing(settings):
    """`cpe.export`, over HiGHS's own writer of the same program and names, which keeps 15 digits of
    a number where ours keeps all. The costs and coefficients are whole, or of 16 or 17 digits.
    """
    for sources, sinks, digits in _sizes(settings):
        program = _built(sources, sinks, digits)
        highs = _with_names(_passed(program), program)
        for suffix in ("lp", "mps"):
            with tempfile.TemporaryDirectory() as folder:
                seconds = _least(
                    settings,
                    lambda p=program, f=Path(folder, f"ours.{suffix}"): cpe.export(p, f),
                    lambda h=highs, f=f"{folder}/highs.{suffix}": h.writeModel(f),
                )
            task = f"{suffix.upper()} file, {sources} × {sinks}{', digits' * digits}"
            yield _against(task, *seconds, _MOST_WRITING)


def building(settings):
    """`ProgramBuilder`, over `addCols`, `addRows` and the same names given to HiGHS."""
    for sources, sinks, digits in _sizes(settings):
        task = f"{2 * sources * sinks:,} entries{', digits' * digits}"
        seconds = _least(
            settings,
            lambda n=sources, m=sinks, d=digits: _built(n, m, d),
            lambda n=sources, m=sinks, d=digits: _added(n, m, d),
        )
        yield _against(task, *seconds, _MOST_BUILDING)


def _sizes(settings):
    sizes = ((300, 300, False), (500, 1000, False), (500, 1000, True))
    return settings.choose(((4, 5, True),), sizes)


def _against(task, ours, highs, bar):
    note = f"{ours:.3g} s over {highs:.3g} s"
    return Row(task, ours / highs, bar=bar, unit="times", note=note)


def _coefficients(sources, sinks, digits):
    """Costs and coefficients of flows, shape (sources, sinks)."""
    rng = np.random.default_rng(0)
    costs = rng.integers(1, 100, (sources, sinks)) + (rng.random((sources, sinks)) if digits else 0)
    return costs.astype(float), rng.random((sources, sinks)) if digits else np.ones(costs.shape)


def _built(sources, sinks, digits=False):
    """Cheapest flows from sources to sinks."""
    costs, coefficients = _coefficients(sources, sinks, digits)
    builder = cpe.ProgramBuilder("transportation")
    source, sink = np.divmod(np.arange(sources * sinks), sinks)
    x = builder.columns("flow", np.stack([source, sink], axis=1), cost=costs.ravel())
    values = coefficients.ravel()
    builder.rows("source", sources, source, x, values, upper=1.2 * sinks / sources)
    builder.rows("sink", sinks, sink, x, values, lower=1.0)
    return builder.build()


def _added(sources, sinks, digits):
    costs, coefficients = _coefficients(sources, sinks, digits)
    count, highs = sources * sinks, _highs()
    none, infinite = np.zeros(0, dtype=np.int32), np.full(count, np.inf)
    starts = np.zeros(count, dtype=np.int32)
    highs.addCols(count, costs.ravel(), np.zeros(count), infinite, 0, starts, none, np.zeros(0))
    columns = np.arange(count, dtype=np.int32).reshape(sources, sinks)
    for index, values, lower, upper in (
        (columns, coefficients, -np.inf, 1.2 * sinks / sources),
        (columns.T, coefficients.T, 1.0, np.inf),
    ):
        rows, each = index.shape
        sides = np.full(rows, lower), np.full(rows, upper)
        starts = np.arange(0, count, each, dtype=np.int32)
        highs.addRows(rows, *sides, count, starts, index.ravel(), values.ravel())
    for i in range(sources):
        for j in range(sinks):
            highs.passColName(i * sinks + j, f"flow_{i}_{j}")
    for k in range(sources + sinks):
        highs.passRowName(k, f"source_{k}" if k < sources else f"sink_{k - sources}")
    return highs


def child(settings):
    """Milliseconds by the clock that a solve takes longer in a process of its own than here: the
    lower bound of K = 16 arms, and larger programs.
    """
    for arms in settings.choose((4,), (16,)):
        problem = instances.tournament(arms)
        program = cpe.copeland_bound_program(problem, method="compact")
        for solver in settings.choose(("highs",), ("highs", "glop", "clarabel")):
            task = f"{solver}, {arms} arms, {program.matrix.nnz:,} entries"
            yield _over(settings, task, [_solving(program, solver, p) for p in ("here", "child")])
    for sources, sinks in settings.choose((), ((100, 100), (300, 400))):
        program = _built(sources, sinks)
        task = f"highs, {program.matrix.nnz:,} entries"
        yield _over(
            settings, task, [_solving(program, "highs", p) for p in ("here", "child")], None
        )


def _solving(program, solver, process):
    return lambda: cpe.solve(program, solver, process=process)


def _over(settings, task, here_and_there, bar=_MOST_OVERHEAD):
    seconds = [[], []]
    for _ in range(settings.choose(1, _PAIRS)):
        for task_of, spent in zip(here_and_there, seconds, strict=True):
            started = time.perf_counter()
            task_of()
            spent.append(time.perf_counter() - started)
    here, there = (1000.0 * min(spent) for spent in seconds)
    note = f"{there:.3g} ms, here {here:.3g} ms"
    return Row(task, there - here, bar=bar, unit="ms", note=note)


def _least(settings, *tasks):
    """The least processor seconds of each task, all of them in turn."""
    rounds = range(settings.choose(1, _ATTEMPTS))
    return np.min([[processor_seconds(task) for task in tasks] for _ in rounds], axis=0).tolist()


def _highs():
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    return highs


def _alone(program):
    highs = _passed(program)
    for tolerance in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        highs.setOptionValue(tolerance, 1e-9)
    highs.run()
    solution = highs.getSolution()
    return np.array(solution.col_value), np.array(solution.row_dual)


def _passed(program):
    """HiGHS with a program."""
    highs, (rows, columns) = _highs(), program.shape
    matrix, minimise, by_row = program.matrix, 1, 2
    bounds = program.column_lower, program.column_upper, program.row_lower, program.row_upper
    entries = matrix.indptr, matrix.indices, matrix.data, program.integer.astype(np.int32)
    sizes = columns, rows, matrix.nnz, by_row, minimise, program.offset
    highs.passModel(*sizes, program.costs, *bounds, *entries)
    return highs


def _with_names(highs, program):
    for number, name in enumerate(program.column_names):
        highs.passColName(number, name)
    for number, name in enumerate(program.row_names):
        highs.passRowName(number, name)
    return highs
