"""Solvers in a process of their own answer as they do here, and whatever they do stays there."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace

import cvxpy
import numpy as np
import psutil
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import RowBlock
from cpe_opt.modelling.result import NotOptimal, Status
from cpe_opt.solvers import child
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from cpe_opt.solvers.registry import SOLVERS, backend_in, get_backend, solver_table
from tests.solvers.fuzz import instance, run
from tests.support import A_HANG, waited_for

MISBEHAVIOUR = '''
import ctypes
import os
import sys
import time

import numpy as np

from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import Backend, RawSolution
from cpe_opt.solvers.highs import Highs


class _Own(Highs):
    about = "of a test"


class Crashes(_Own):
    name = "crashes"

    def solve(self, program, options):
        print("the pivot is zero", file=sys.stderr, flush=True)
        os.abort()


class Leaves(_Own):
    name = "leaves"

    def solve(self, program, options):
        os._exit(3)


class Hangs(_Own):
    name = "hangs"

    def solve(self, program, options):
        if "HANGS" in os.environ:
            open(os.environ["HANGS"], "w").close()
        time.sleep(10_000)


class Stuck(_Own):
    """Does not let any other thread of its process run."""

    name = "stuck"

    def solve(self, program, options):
        ctypes.PyDLL(None).sleep(10_000)


class Prints(_Own):
    name = "prints"

    def solve(self, program, options):
        print("x" * 100_000)
        os.write(1, b"written past Python" * 10_000)
        return super().solve(program, options)


class Leaks(_Own):
    name = "leaks"

    def solve(self, program, options):
        held = np.ones(100_000_000)
        time.sleep(10_000)


class Trips(_Own):
    name = "trips"

    def solve(self, program, options):
        raise ZeroDivisionError("of the solver")


class WrongStatus(_Own):
    name = "wrong-status"

    def solve(self, program, options):
        return RawSolution(Status.INFEASIBLE)


class WrongPoint(_Own):
    name = "wrong-point"

    def solve(self, program, options):
        raw = super().solve(program, options)
        return RawSolution(raw.status, raw.x + 1.0, raw.row_duals)


class WrongDuals(_Own):
    name = "wrong-duals"

    def solve(self, program, options):
        raw = super().solve(program, options)
        return RawSolution(raw.status, np.zeros_like(raw.x), -10.0 * raw.row_duals)


class WrongShape(_Own):
    name = "wrong-shape"

    def solve(self, program, options):
        return "optimal"
'''


@pytest.fixture(scope="module")
def scripted(tmp_path_factory):
    script = tmp_path_factory.mktemp("solvers") / "misbehaviour.py"
    script.write_text(MISBEHAVIOUR)
    yield lambda name: f"{script}:{name}"
    child.end_workers()


def knapsack(integer=True):
    builder = cpe.ProgramBuilder("knapsack", sense="max")
    take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=integer)
    builder.row("weight", take, [10, 20, 30], upper=50)
    return builder.build()


def cover():
    """min x + y, x + 2y >= 4, 3x + y >= 6: 2.8 at (1.6, 1.2)."""
    builder = cpe.ProgramBuilder("cover")
    x = builder.columns("x", 2, cost=1)
    builder.row("first", x, [1, 2], lower=4)
    builder.row("second", x, [3, 1], lower=6)
    return builder.build()


def pid_of(solver="highs"):
    return backend_in(solver, "child").worker.pid


def gone(pid):
    """Wait until no process of this number is left, not even a dead one that nobody waited for."""
    return waited_for(lambda: not psutil.pid_exists(pid))


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_answers_as_here(solver):
    backend = get_backend(solver)
    if not backend.available:
        pytest.skip(f"{solver} is not installed")
    program = cover() if "LP" in backend.solves else knapsack()
    here, there = (cpe.solve(program, solver, process=where) for where in ("here", "child"))
    assert pid_of(solver) not in (None, os.getpid())
    assert there.is_optimal
    np.testing.assert_array_equal(there.x, here.x)
    assert there.bound == here.bound
    assert there.options == {**here.options, "process": "child"}
    assert (there.solver, there.solver_version) == (here.solver, here.solver_version)
    if here.row_duals is not None:
        np.testing.assert_array_equal(there.row_duals, here.row_duals)


def test_one_process_is_kept():
    cpe.solve(cover(), process="child")
    first = pid_of()
    cpe.solve(knapsack(), process="child")
    assert pid_of() == first


def test_cone_programs_get_their_values_and_duals_here():
    def fresh():
        x = cvxpy.Variable(2, name="x")
        constraints = [cvxpy.norm(x - np.array([3.0, 4.0])) <= 1.0, x >= 0]
        return cpe.ConicProgram("near", cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(x)), constraints))

    # Variables of the other process must not take the numbers of those that come along.
    for _ in range(3):
        here, there = fresh(), fresh()
        first = cpe.solve(here, "clarabel", process="here")
        second = cpe.solve(there, "clarabel", process="child")
        assert second.is_optimal
        assert second.objective == pytest.approx(7.0 - np.sqrt(2.0))
        np.testing.assert_allclose(second.x, first.x, atol=1e-6)
        np.testing.assert_allclose(there.problem.variables()[0].value, first.x, atol=1e-6)
        for mine, other in zip(here.problem.constraints, there.problem.constraints, strict=True):
            np.testing.assert_allclose(other.dual_value, mine.dual_value, atol=1e-5)
    bounded = cpe.solve(fresh(), "scs", process="child")
    assert bounded.bound == pytest.approx(7.0 - np.sqrt(2.0), abs=1e-5)


def test_the_numbers_of_cvxpy_in_the_process_start_after_those_of_a_problem():
    from cvxpy.lin_ops import lin_utils

    before = lin_utils.ID_COUNTER.count
    try:
        child._leave_ids(before + 1000)
        assert cvxpy.Variable().id >= before + 1000
        after = lin_utils.ID_COUNTER.count
        child._leave_ids(5)
        assert lin_utils.ID_COUNTER.count == after
    finally:
        lin_utils.ID_COUNTER.count = max(before, lin_utils.ID_COUNTER.count)


def test_errors_come_back_as_they_are():
    with pytest.raises(UnknownName, match="highs option 'presolv'; did you mean 'presolve'"):
        cpe.solve(cover(), process="child", solver_options={"presolv": "off"})
    with pytest.raises(InputError, match="does not accept the value"):
        cpe.solve(cover(), process="child", solver_options={"presolve": 7.5})
    assert cpe.solve(cover(), process="child").is_optimal


def test_an_error_of_the_solver_comes_with_the_place_it_was_raised_at(scripted):
    with pytest.raises(ZeroDivisionError, match="of the solver") as caught:
        cpe.solve(cover(), scripted("Trips"), process="child")
    assert "in solve" in "".join(caught.value.__notes__)


def test_a_crash_is_an_error_with_the_last_words(scripted):
    result = cpe.solve(cover(), scripted("Crashes"), process="child", check=False)
    assert result.status is Status.ERROR
    assert result.objective is result.bound is None
    assert "ended by the signal SIGABRT; its last words: the pivot is zero" in result.message
    with pytest.raises(NotOptimal, match=r"solver error.*ended with code 3, without a word"):
        cpe.solve(cover(), scripted("Leaves"), process="child")


@pytest.mark.parametrize("name", ["Hangs", "Stuck"])
def test_a_solver_that_does_not_return_is_ended(scripted, name):
    if name == "Stuck" and os.name == "nt":
        pytest.skip("the C library of Windows has no sleep")
    result = cpe.solve(cover(), scripted(name), process="child", time_limit=0.2, check=False)
    assert result.status is Status.TIME_LIMIT
    assert "did not return within its time limit of 0.2 s, and its process was ended" in (
        result.message
    )
    assert pid_of(scripted(name)) is None


def test_what_a_solver_prints_is_no_answer_and_is_not_printed(scripted, capfd):
    result = cpe.solve(cover(), scripted("Prints"), process="child")
    assert result.objective == pytest.approx(2.8)
    assert capfd.readouterr() == ("", "")


def test_a_log_is_printed_where_it_is_wanted(capsys):
    for _ in range(2):
        cpe.solve(cover(), process="child", log=True)
        assert "HiGHS run time" in capsys.readouterr().out
        cpe.solve(cover(), process="child")
        assert capsys.readouterr().out == ""


def test_a_limit_on_memory(scripted):
    result = cpe.solve(cover(), scripted("Leaks"), process="child", memory_limit=700, check=False)
    assert result.status is Status.OTHER_LIMIT
    assert "its memory limit is 700 MB, and its process was ended" in result.message
    with pytest.raises(InputError, match='pass process="child"'):
        cpe.solve(cover(), memory_limit=700)
    with pytest.raises(InputError, match="process"):
        cpe.solve(cover(), process="elsewhere")


@pytest.mark.parametrize("name", ["WrongStatus", "WrongPoint", "WrongDuals"])
def test_lies_are_found_like_those_of_any_solver(scripted, name):
    result = cpe.solve(cover(), scripted(name), process="child", check=False)
    assert result.status is Status.IMPRECISE
    assert result.message


def test_an_answer_of_another_kind_is_refused(scripted):
    result = cpe.solve(cover(), scripted("WrongShape"), process="child", check=False)
    assert result.status is Status.ERROR
    assert "returned a str, expected a RawSolution" in result.message


def test_an_interrupt_ends_the_process_and_the_next_solve_has_another(
    scripted, tmp_path, monkeypatch
):
    monkeypatch.setenv("HANGS", str(tmp_path / "hangs"))
    solver = scripted("Hangs")
    backend_in(solver, "child").start()
    pid = pid_of(solver)
    main = threading.get_ident()

    def interrupt():
        waited_for((tmp_path / "hangs").exists)
        signal.pthread_kill(main, signal.SIGINT)

    def solve():
        threading.Thread(target=interrupt).start()
        cpe.solve(cover(), solver, process="child")

    with pytest.raises(KeyboardInterrupt):
        solve()
    assert gone(pid)


def test_a_killed_process_is_replaced():
    cpe.solve(cover(), process="child")
    before = pid_of()
    os.kill(before, getattr(signal, "SIGKILL", signal.SIGTERM))
    waited_for(lambda: pid_of() is None)
    assert cpe.solve(cover(), process="child").objective == pytest.approx(2.8)
    assert pid_of() not in (None, before)


def test_a_script_that_changes_has_a_process_of_its_own(tmp_path):
    script = tmp_path / "own.py"
    text = "from cpe_opt.solvers.highs import Highs\nclass Own(Highs):\n    name = {!r}\n"
    seen = []
    for number, name in enumerate(("first", "second")):
        script.write_text(text.format(name))
        os.utime(script, (number + 1, number + 1))
        seen.append(cpe.solve(cover(), f"{script}:Own", process="child").solver)
        pid = pid_of(f"{script}:Own")
    assert seen == ["first", "second"]
    child.end_workers()
    assert gone(pid)


class TestKeptPrograms:
    """Kept programs are changed and solved like those that are kept here."""

    def changes(self, kept, rng, program):
        """Random changes; the same ones for the same generator."""
        for _ in range(int(rng.integers(1, 4))):
            columns = np.flatnonzero(rng.random(program.shape[1]) < 0.6)
            kind = int(rng.integers(3))
            if kind == 0:
                kept.set_costs(columns, rng.integers(1, 9, len(columns)).astype(float))
            elif kind == 1:
                kept.set_upper(columns, rng.integers(3, 20, len(columns)).astype(float))
            else:
                matrix = cpe_matrix(rng.integers(0, 3, (1, program.shape[1])))
                kept.add_rows(RowBlock(matrix, np.array([1.0]), np.array([np.inf]), ("new",)))

    def test_they_agree_with_those_kept_here_also_after_kills(self):
        program = wide_cover()
        options = SolverSettings()
        kept = [get_backend("highs").open(program, options)]
        kept.append(backend_in("highs", "child").open(program, options))
        rngs = [np.random.default_rng(7) for _ in kept]
        for turn in range(60):
            for each, rng in zip(kept, rngs, strict=True):
                self.changes(each, rng, program)
            if turn % 20 == 10:
                os.kill(pid_of(), getattr(signal, "SIGKILL", signal.SIGTERM))
            here, there = (each.optimise(None) for each in kept)
            if there.status is Status.ERROR:  # killed before it was known to be
                there = kept[1].optimise(None)
            assert there.status is here.status is Status.OPTIMAL
            np.testing.assert_allclose(there.x, here.x, atol=1e-9)

    def test_changes_are_folded_and_a_new_process_is_told_all(self, monkeypatch):
        monkeypatch.setattr(child, "_FOLDED", 3)
        program = wide_cover()
        kept = backend_in("highs", "child").open(program, SolverSettings())
        for cost in range(1, 12):
            kept.set_costs(np.array([0]), np.array([float(cost)]))
            kept.optimise(None)
        assert len(kept._changes) <= 4
        child.end_workers()
        fresh = get_backend("highs").solve(
            program.with_costs(np.array([0]), np.array([11.0])), SolverSettings()
        )
        np.testing.assert_allclose(kept.optimise(None).x, fresh.x)

    def test_a_re_solve_starts_from_the_last_basis(self):
        program = wide_cover()
        kept = backend_in("highs", "child").open(program, SolverSettings())
        assert kept.optimise(None).iterations > 0
        assert kept.optimise(None).iterations == 0

    def test_what_nobody_needs_is_let_go(self):
        backend = backend_in("highs", "child")
        kept = backend.open(cover(), SolverSettings())
        kept.optimise(None)
        number = kept._number
        assert backend.worker.closed == []
        del kept
        assert backend.worker.closed == [number]
        assert cpe.solve(cover(), process="child").is_optimal
        assert backend.worker.closed == []

    def test_rows_on_demand(self):
        def separate(x, tolerance):
            broken = 2.0 - x.sum()
            if broken <= tolerance:
                return RowBlock(cpe_matrix(np.zeros((0, 2))), np.zeros(0), np.zeros(0))
            return RowBlock(
                cpe_matrix(np.ones((1, 2))), np.array([2.0]), np.array([np.inf]), ("sum",)
            )

        builder = cpe.ProgramBuilder("some")
        builder.columns("x", 2, cost=[1, 2], upper=1.5)
        lazy = LazyProgram(builder.build(), separate)
        here, there = (cpe.solve(lazy, process=where) for where in ("here", "child"))
        assert there.objective == here.objective == pytest.approx(2.5)
        loop = CuttingPlanes.open(lazy, process="child")
        assert loop.run().status is Status.OPTIMAL


def cpe_matrix(dense):
    import scipy.sparse as sp

    return sp.csr_array(np.asarray(dense, dtype=float))


def wide_cover():
    """A covering program of twelve columns and eight rows."""
    rng = np.random.default_rng(3)
    builder = cpe.ProgramBuilder("wide")
    x = builder.columns("x", 12, cost=rng.integers(1, 9, 12), upper=30)
    for row in range(8):
        builder.row(f"r{row}", x, rng.integers(0, 4, 12), lower=float(rng.integers(3, 9)))
    return builder.build()


def test_threads_take_turns():
    programs = [replace(cover(), row_lower=np.array([4.0, 6.0]) * scale) for scale in range(1, 9)]
    found = [None] * len(programs)

    def work(place):
        for _ in range(5):
            found[place] = cpe.solve(programs[place], process="child").objective

    threads = [threading.Thread(target=work, args=(place,)) for place in range(len(programs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == pytest.approx([2.8 * scale for scale in range(1, 9)])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_process_has_a_solver_of_its_own():
    script = """
        import os
        import cpe_opt as cpe
        from cpe_opt.solvers.registry import backend_in

        builder = cpe.ProgramBuilder("one")
        x = builder.columns("x", 1, cost=1)
        builder.row("r", x, [1], lower=4)
        program = builder.build()
        cpe.solve(program, process="child")
        first = backend_in("highs", "child").worker.pid
        forked = os.fork()
        assert cpe.solve(program, process="child").objective == 4.0
        second = backend_in("highs", "child").worker.pid
        if not forked:
            os._exit(0 if second != first else 1)
        assert second == first
        assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 0
    """
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:none", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=A_HANG,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("how", ["end", "kill"])
def test_the_process_ends_with_the_one_that_asked(how):
    script = """
        import os, sys, time
        import cpe_opt as cpe
        from cpe_opt.solvers.registry import backend_in

        backend = backend_in("highs", "child")
        backend.start()
        print(backend.worker.pid, flush=True)
        if sys.argv[1] == "kill":
            time.sleep(10_000)
    """
    asking = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), how], stdout=subprocess.PIPE, text=True
    )
    pid = int(asking.stdout.readline())
    if how == "kill":
        asking.kill()
    assert asking.wait() == (0 if how == "end" else asking.returncode)
    asking.stdout.close()

    def is_there():
        with contextlib.suppress(psutil.NoSuchProcess):
            return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        return False

    waited_for(lambda: not is_there())


def test_where_libraries_clash_a_solver_runs_in_its_own_process(monkeypatch):
    from packaging.version import Version

    from cpe_opt.solvers import compatibility

    if not compatibility.importable("ortools"):
        pytest.skip("OR-Tools cannot be imported here")
    versions = {"highspy": "1.15.1", "cvxpy": "1.9.3", "ortools": "9.15.6755"}
    monkeypatch.setattr(
        compatibility, "installed", {k: Version(v) for k, v in versions.items()}.get
    )
    runs = {row.name: row.runs for row in solver_table()}
    clashing = {"glop", "pdlp", "scip", "cp-sat"}
    ending_their_process = {"cupdlpx"}
    children = {name for name, where in runs.items() if where == "child"}
    assert children == clashing | ending_their_process
    before = pid_of("glop")
    assert cpe.solve(cover(), "glop").objective == pytest.approx(2.8)
    assert pid_of("glop") is not None
    assert before is None or pid_of("glop") == before


def test_random_programs_have_the_same_outcome():
    for seed in range(60):
        program = instance(seed).program
        here, there = (
            cpe.solve(program, process=where, check=False) for where in ("here", "child")
        )
        assert there.status is here.status
        assert there.objective == here.objective
        assert there.bound == here.bound


def test_no_false_claims():
    assert run(90_000, 20, process="child")[0] == []


@pytest.mark.slow
def test_a_thousand_kills():
    """Killed at a random moment of each solve: the next is right; no zombie, no leaked memory."""
    rng = np.random.default_rng(5)
    program = wide_cover()
    expected = cpe.solve(program).objective
    cpe.solve(program, process="child")
    own = psutil.Process()
    held, killed, ended = [], 0, 0
    for turn in range(1000):
        pid = pid_of()
        after = float(rng.random() * 0.004)

        def strike(pid=pid, after=after):
            time.sleep(after)
            os.kill(pid, signal.SIGKILL)

        striker = threading.Thread(target=strike)
        striker.start()
        result = cpe.solve(program, process="child", check=False)
        striker.join()
        if result.is_optimal:
            assert result.objective == pytest.approx(expected)
        else:
            assert result.status is Status.ERROR
            assert "ended by the signal SIGKILL" in result.message
            ended += 1
        killed += 1
        assert cpe.solve(program, process="child").objective == pytest.approx(expected)
        if turn % 100 == 99:
            held.append((own.memory_info().rss, own.num_fds(), threading.active_count()))
    assert ended > 0  # how many, is up to the machine
    children = own.children(recursive=True)
    assert len([each for each in children if each.status() == psutil.STATUS_ZOMBIE]) == 0
    assert held[-1][0] < held[0][0] + 20e6
    assert held[-1][1:] == held[0][1:]
    print(f"{killed} kills, {ended} in a solve; memory, files and threads every 100: {held}")
