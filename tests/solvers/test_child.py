"""Solvers in a process of their own answer as they do here, and whatever they do stays there."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import cvxpy
import numpy as np
import psutil
import pytest

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError, SolverFailed, SolverUnable, UnknownName
from cpe_opt.modelling.program import RowBlock
from cpe_opt.modelling.result import Status
from cpe_opt.solvers import child
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.registry import require_backend
from tests.solvers.fuzz import instance
from tests.support import A_HANG, waited_for

MISBEHAVIOUR = '''
import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

import cvxpy
import numpy as np

from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.highs import Highs

HELD = []


class Own(Highs):
    """Notes its process, and that of a program that it starts, in a file; then misbehaves."""

    about = "of a test"
    name = property(lambda self: type(self).__name__)
    solves = frozenset({"LP", "MIP", "conic"})
    helped = False

    def solve(self, program, settings):
        numbers = [os.getpid()]
        if self.helped:
            numbers.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1).pid)
        place = Path(__file__).with_name("noted")
        place.with_suffix(".new").write_text(" ".join(map(str, numbers)))
        place.with_suffix(".new").replace(place)
        self.misbehave()
        return super().solve(program, settings)

    def solve_conic(self, program, settings):
        return RawSolution(Status.OPTIMAL, iterations=cvxpy.Variable().id)

    def misbehave(self):
        pass


class Crashes(Own):
    def misbehave(self):
        print("x" * 1000 + "the pivot is zero")
        ctypes.string_at(0)


class Leaves(Own):
    def misbehave(self):
        os._exit(3)


class Hangs(Own):
    helped = True

    def misbehave(self):
        time.sleep(10_000)


class Stuck(Own):
    """Does not let any other thread of its process run."""

    def misbehave(self):
        ctypes.PyDLL(None).sleep(10_000)


class Prints(Own):
    def misbehave(self):
        print("of Python " * 10_000)
        ctypes.CDLL(None).puts(b"of C")
        assert sys.stdin.read() == ""


class Leaks(Own):
    def misbehave(self):
        HELD.append(np.ones(100_000_000))
        time.sleep(10_000)


class Trips(Own):
    def misbehave(self):
        raise ZeroDivisionError("of the solver")


class DoesNotLoad(Own):
    def load(self):
        return os.abort() if os.getenv("ABORTS") else super().load()
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    yield tmp_path_factory.mktemp("solvers")
    child.end_workers()


@pytest.fixture(scope="module")
def scripted(folder):
    script = folder / "misbehaviour.py"
    script.write_text(MISBEHAVIOUR)
    return lambda name: f"{script}:{name}"


@pytest.fixture
def noted(folder):
    """The numbers of the processes of the last solve of a script, once it has begun."""
    place = folder / "noted"
    place.unlink(missing_ok=True)
    return lambda: [int(each) for each in (waited_for(place.exists) and place.read_text()).split()]


def cover():
    """min x + y, x + 2y >= 4, 3x + y >= 6: 2.8 at (1.6, 1.2)."""
    builder = cpe.ProgramBuilder("cover")
    x = builder.columns("x", 2, cost=1)
    builder.row("first", x, [1, 2], lower=4)
    builder.row("second", x, [3, 1], lower=6)
    return builder.build()


def solved(solver="highs", program=None, **given):
    """What a solver in a process says of a program, before anything is checked."""
    program = cover() if program is None else program
    backend = require_backend(solver, program.kind, process="child")
    solve = backend.solve_conic if program.kind == "conic" else backend.solve
    return solve(program, SolverSettings(**given))


def is_right(solver="highs"):
    raw = solved(solver)
    return raw.status is Status.OPTIMAL and np.allclose(raw.x, [1.6, 1.2])


def gone(pids):
    """Wait until no process of these numbers runs."""

    def runs(pid):
        try:
            return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    return waited_for(lambda: not any(map(runs, pids)))


def run_script(script, *arguments):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments],
        capture_output=True,
        text=True,
        timeout=A_HANG,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_one_process_is_kept_and_answers_as_here(scripted, noted):
    assert is_right(scripted("Own"))
    first = noted()
    assert first[0] != os.getpid()
    for seed in range(20):
        program = instance(seed).program
        if program.kind == "QP":  # which this solver does not take
            continue
        backends = [
            require_backend(scripted("Own"), program.kind, process=process)
            for process in ("here", "child")
        ]
        here, there = (str(backend.solve(program, SolverSettings())) for backend in backends)
        assert there == here
    assert is_right(scripted("Own"))
    assert noted() == first
    child.end_workers()
    assert gone(first)


def test_a_program_that_is_changed_is_solved_from_scratch():
    backend = require_backend("highs", "LP", process="child")
    kept = backend.open(cover(), SolverSettings())
    assert not backend.incremental
    kept.set_costs(np.array([0]), np.array([3.0]))
    kept.add_rows(RowBlock(cover().matrix[:1], np.array([6.0]), np.array([np.inf]), ("third",)))
    np.testing.assert_allclose(kept.optimise(None).x, [1.2, 2.4])


def test_what_cvxpy_makes_there_has_numbers_after_those_that_a_problem_brings(scripted):
    """CVXPY numbers variables and constraints anew in every process, and confuses equal ones."""
    x = [cvxpy.Variable(2) for _ in range(100)][-1]
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1])
    raw = solved(scripted("Own"), cpe.ConicProgram("numbers", problem))
    assert raw.status is Status.OPTIMAL
    assert raw.iterations > max(x.id, problem.constraints[0].dual_variables[0].id)


def test_errors_of_ours_come_as_they_are_and_others_by_their_words(scripted):
    with pytest.raises(UnknownName, match="highs option 'presolv'; did you mean 'presolve'"):
        solved(solver_options={"presolv": "off"})
    with pytest.raises(CpeOptError, match=r"^ZeroDivisionError: of the solver") as caught:
        solved(scripted("Trips"))
    assert "in misbehave" in "".join(caught.value.__notes__)
    with pytest.raises(CpeOptError, match="'cover' cannot be sent to the process of highs: "):
        solved(solver_options={"presolve": lambda: None})
    assert is_right()


def test_a_crash_is_an_error_with_the_last_words(scripted):
    raw = solved(scripted("Crashes"))
    assert raw.status is Status.ERROR
    words = "the process of Crashes ended by the signal SIGSEGV; its last words: "
    assert raw.message == words + ("x" * 1000 + "the pivot is zero")[-600:]
    raw = solved(scripted("Leaves"))
    assert (raw.status, raw.message) == (
        Status.ERROR,
        "the process of Leaves ended with code 3, without a word",
    )


def test_a_solver_that_ends_its_process_when_it_is_imported_is_said(scripted, monkeypatch):
    monkeypatch.setenv("ABORTS", "1")
    with pytest.raises(SolverFailed, match="process of DoesNotLoad ended by the signal SIGABRT"):
        solved(scripted("DoesNotLoad"))
    monkeypatch.delenv("ABORTS")
    assert is_right(scripted("DoesNotLoad"))


@pytest.mark.parametrize("solver", ["Hangs", "Stuck"])
def test_a_solver_that_does_not_return_is_ended_with_what_it_has_started(scripted, noted, solver):
    raw = solved(scripted(solver), time_limit=0.2)
    assert raw.status is Status.TIME_LIMIT
    assert "did not return within its time limit of 0.2 s, and its process was ended" in raw.message
    assert len(noted()) == (2 if solver == "Hangs" else 1)
    assert gone(noted())


def test_a_limit_on_memory(scripted, noted):
    raw = solved(scripted("Leaks"), memory_limit=700)
    assert raw.status is Status.OTHER_LIMIT
    assert "its memory limit is 700 MB, and its process was ended" in raw.message
    assert gone(noted())
    assert solved(memory_limit=2000).status is Status.OPTIMAL


def test_what_a_solver_prints_is_printed_where_a_log_is_wanted(scripted, capfd):
    assert is_right(scripted("Prints"))
    assert capfd.readouterr() == ("", "")
    for _ in range(2):
        solved(scripted("Prints"), log=True)
        printed = capfd.readouterr().out
        assert printed.count("of Python ") == 10_000
        assert printed.count("of C") == 1
        assert "HiGHS" in printed
    assert is_right(scripted("Prints"))
    assert capfd.readouterr() == ("", "")


def test_a_script_that_changes_is_run_anew(tmp_path):
    script = tmp_path / "own.py"
    text = "from cpe_opt.solvers.highs import Highs\nclass Own(Highs):\n"
    script.write_text(f"{text}    pass\n")
    os.utime(script, (1, 1))
    assert is_right(f"{script}:Own")
    script.write_text(f"{text}    def solve(self, *_):\n        raise OSError('new')\n")
    os.utime(script, (2, 2))
    with pytest.raises(CpeOptError, match="OSError: new"):
        solved(f"{script}:Own")


def test_an_interrupt_ends_the_process(scripted, noted):
    main = threading.get_ident()

    def interrupt():
        noted()
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        solved(scripted("Hangs"))
    assert gone(noted())


def test_threads_solve_at_once(scripted, noted):
    """One that hangs does not keep another waiting, though it is the same solver."""
    raws = []
    hanging = threading.Thread(target=lambda: raws.append(solved(scripted("Hangs"))))
    hanging.start()
    first = noted()
    assert solved(scripted("Hangs"), time_limit=0.1).status is Status.TIME_LIMIT
    assert not raws
    os.kill(first[0], signal.SIGTERM)
    hanging.join()
    assert "ended by the signal SIGTERM" in raws[0].message
    os.kill(first[1], signal.SIGTERM)


def test_programs_that_are_no_interpreter_cannot_be_started_again(scripted, monkeypatch):
    child.end_workers()
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(SolverUnable, match="process of its own: '', the program that runs, is no"):
        solved()


def test_a_forked_process_has_solvers_of_its_own(scripted):
    script = """
        import os, sys, warnings
        from pathlib import Path
        from tests.solvers.test_child import is_right

        warnings.filterwarnings("ignore", ".*multi-threaded", DeprecationWarning)
        noted = Path(sys.argv[1].rpartition(":")[0]).with_name("noted")
        assert is_right(sys.argv[1])
        first = noted.read_text()
        if not (forked := os.fork()):
            os._exit(0 if is_right(sys.argv[1]) and noted.read_text() != first else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 0
        assert is_right(sys.argv[1]) and noted.read_text() == first
    """
    run_script(script, scripted("Own"))


@pytest.mark.parametrize("how", ["end", "kill idle", "kill busy"])
def test_a_process_ends_with_the_one_that_started_it(scripted, noted, how):
    script = """
        import sys, time
        from tests.solvers.test_child import is_right

        is_right(sys.argv[1])
        if sys.argv[2] != "end":
            time.sleep(10_000)
    """
    solver = scripted("Hangs" if how == "kill busy" else "Own")
    asking = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script), solver, how])
    pids = noted()
    if how != "end":
        asking.kill()
    asking.wait()
    assert gone(pids[:1])
    for helper in pids[1:]:
        os.kill(helper, signal.SIGTERM)


@pytest.mark.parametrize("kills", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_kills_at_random_moments(scripted, folder, kills):
    """A solve is right or says that it was killed, every later one is right, nothing is left."""
    rng, solver, ended = np.random.default_rng(5), scripted("Own"), 0
    assert is_right(solver)
    noted, before = folder / "noted", psutil.Process().num_fds()
    for _ in range(kills):
        pid, after = int(noted.read_text()), float(rng.random() * 0.004)

        def strike(pid=pid, after=after):
            time.sleep(after)
            os.kill(pid, signal.SIGKILL)

        striker = threading.Thread(target=strike)
        striker.start()
        raw = solved(solver)
        striker.join()
        if raw.status is Status.ERROR:
            assert raw.message.startswith("the process of Own ended by the signal SIGKILL")
            ended += 1
        else:
            np.testing.assert_allclose(raw.x, [1.6, 1.2])
        assert is_right(solver)
    child.end_workers()
    assert psutil.Process().num_fds() <= before
    own = [each for each in psutil.Process().children() if "serve(" in " ".join(each.cmdline())]
    assert own == []
    print(f"{kills} kills, {ended} in a solve")
