"""Linear programs beside HiGHS alone: what checking, a process of its own and reading cost."""

import itertools
import tempfile
import time
from pathlib import Path

import highspy
import numpy as np
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.registry import backend_in
from tests.benchmarks import instances
from tests.benchmarks.settings import processor_seconds
from tests.benchmarks.table import Row

_MOST_CHECKING = 1.1
_MOST_OVERHEAD = 2.0  # milliseconds
_ATTEMPTS = 5
_PAIRS = 51


def checking(settings):
    """`cpe.solve` of transportation problems, and HiGHS with the tolerances that it is given, from
    the arrays of the program to those of its solution: how many times as much ours takes.
    """
    for sources, sinks in settings.choose(((4, 5),), ((100, 100), (200, 200), (300, 400))):
        program = _transportation(sources, sinks)
        cpe.solve(program)
        ours, alone = _least(settings, lambda p=program: cpe.solve(p), lambda p=program: _alone(p))
        note = f"{ours:.3g} s over {alone:.3g} s"
        task = f"a solve, {program.matrix.nnz:,} entries"
        yield Row(task, ours / alone, bar=_MOST_CHECKING, unit="times", note=note)


def reading(settings):
    """`cpe.read_program` of what `cpe.export` wrote, and HiGHS's reader (*other*), which checks
    less: it guesses where ours refuses.
    """
    for sources, sinks in settings.choose(((4, 5),), ((4, 5), (30, 30), (200, 200), (500, 600))):
        program = _transportation(sources, sinks)
        for suffix in ("lp", "mps"):
            with tempfile.TemporaryDirectory() as folder:
                path = cpe.export(program, Path(folder, f"program.{suffix}"))
                cpe.read_program(path)
                ours, highs = _least(
                    settings,
                    lambda p=path: cpe.read_program(p),
                    lambda p=path: _highs().readModel(str(p)),
                )
                size = f"{path.stat().st_size / 1000:,.0f} kB"
            task = f"{suffix.upper()} file, {program.matrix.nnz:,} entries"
            yield Row(task, ours, highs, note=f"{size}, {ours / highs:.1f} times HiGHS")


def child(settings):
    """Milliseconds by the clock that a solve takes longer in a process of its own than here: the
    lower bound of K = 16 arms from scratch, and kept, with new costs; and larger programs.
    """
    for arms in settings.choose((4,), (16,)):
        problem = instances.tournament(arms)
        program = cpe.copeland_bound_program(problem, method="compact")
        for solver in settings.choose(("highs",), ("highs", "glop", "clarabel")):
            task = f"{solver}, {arms} arms, {program.matrix.nnz:,} entries"
            yield _over(settings, task, [_solving(program, solver, p) for p in ("here", "child")])
        kept = [backend_in("highs", p).open(program, SolverSettings()) for p in ("here", "child")]
        task = f"highs, {arms} arms, kept, new costs"
        yield _over(settings, task, [_resolving(each, program) for each in kept])
    for sources, sinks in settings.choose((), ((100, 100), (300, 400))):
        program = _transportation(sources, sinks)
        task = f"highs, {program.matrix.nnz:,} entries"
        yield _over(
            settings, task, [_solving(program, "highs", p) for p in ("here", "child")], None
        )


def _solving(program, solver, process):
    return lambda: cpe.solve(program, solver, process=process)


def _resolving(kept, program):
    """Solves of a kept program, with costs that change back and forth."""
    columns = np.arange(program.shape[1])
    turns = itertools.cycle([1.0, 2.0])

    def solve():
        kept.set_costs(columns, program.costs * np.linspace(1.0, next(turns), len(columns)))
        kept.optimise(None)

    return solve


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
    highs, (rows, columns) = _highs(), program.shape
    for tolerance in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        highs.setOptionValue(tolerance, 1e-9)
    matrix, minimise, by_row = program.matrix, 1, 2
    bounds = program.column_lower, program.column_upper, program.row_lower, program.row_upper
    entries = matrix.indptr, matrix.indices, matrix.data, program.integer.astype(np.int32)
    sizes = columns, rows, matrix.nnz, by_row, minimise, program.offset
    highs.passModel(*sizes, program.costs, *bounds, *entries)
    highs.run()
    solution = highs.getSolution()
    return np.array(solution.col_value), np.array(solution.row_dual)


def _transportation(sources, sinks):
    """Cheapest flows from sources to sinks, with random whole costs."""
    source, sink = np.divmod(np.arange(sources * sinks), sinks)
    columns = np.arange(sources * sinks)
    places = np.concatenate([source, sources + sink]), np.concatenate([columns, columns])
    matrix = sp.coo_array((np.ones(2 * len(columns)), places))
    rng = np.random.default_rng(0)
    return LinearProgram(
        name="transportation",
        sense="min",
        costs=rng.integers(1, 100, len(columns)).astype(float),
        column_lower=np.zeros(len(columns)),
        column_upper=np.full(len(columns), np.inf),
        integer=np.zeros(len(columns), dtype=bool),
        matrix=sp.csr_array(matrix),
        row_lower=np.repeat([-np.inf, 1.0], [sources, sinks]),
        row_upper=np.repeat([1.2 * sinks / sources, np.inf], [sources, sinks]),
        column_names=tuple(f"flow_{i}_{j}" for i, j in zip(source, sink, strict=True)),
        row_names=tuple(f"row_{k}" for k in range(sources + sinks)),
    )
