"""Solvers in a process of their own answer as they do here, and whatever they do stays there."""

import os
import subprocess
import sys
import threading

import cvxpy
import numpy as np
import psutil
import pytest

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError, UnknownName
from cpe_opt.modelling.result import Status
from cpe_opt.solvers import child
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.registry import require_backend
from tests.solvers.fuzz import instance
from tests.support import A_HANG, some_quick, waited_for

MISBEHAVIOUR = """
import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.highs import Highs


def hangs():
    subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1)
    time.sleep(10_000)


def prints():
    print("of Python " * 10_000)
    ctypes.CDLL(None).puts(b"of C")
    assert sys.stdin.read() == ""


class Own(Highs):
    about = "of a test"
    name = property(lambda self: type(self).__name__)
    solves = frozenset({"LP", "MIP", "conic"})
    misbehave = staticmethod(lambda: None)

    def solve(self, program, settings):
        place = Path(__file__).with_name("noted")
        place.with_suffix(".new").write_text(str(os.getpid()))
        place.with_suffix(".new").replace(place)
        self.misbehave()
        return super().solve(program, settings)

    def solve_conic(self, program, settings):
        import cvxpy

        return RawSolution(Status.OPTIMAL, iterations=cvxpy.Variable().id)



for name, misbehave in {
    "Crashes": lambda: (print("x" * 1000 + "the pivot is zero"), ctypes.string_at(0)),
    "Leaves": lambda: os._exit(3),
    "Hangs": hangs,
    "Stuck": lambda: ctypes.PyDLL(None).sleep(10_000),  # no other thread runs
    "Prints": prints,
    "Leaks": lambda: (np.ones(40_000_000), time.sleep(10_000)),
    "Trips": lambda: 1 / 0,
}.items():
    globals()[name] = type(name, (Own,), {"misbehave": staticmethod(misbehave)})
"""


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
    """The process of the last solve of a script, once it has begun."""
    place = folder / "noted"
    place.unlink(missing_ok=True)
    return lambda: psutil.Process(int(waited_for(place.exists) and place.read_text()))


def solved(solver="highs", program=None, **given):
    """What a solver in a process says; of min x + y, x + 2y >= 4, 3x + y >= 6: (1.6, 1.2)."""
    if program is None:
        builder = cpe.ProgramBuilder("cover")
        x = builder.columns("x", 2, cost=1)
        builder.sums("row", 2, ([[1, 2], [3, 1]], x), lower=[4, 6])
        program = builder.build()
    backend = require_backend(solver, program.kind, process="child")
    return backend.solve(program, SolverSettings(**given))


def is_right(solver="highs"):
    raw = solved(solver)
    return raw.status is Status.OPTIMAL and np.allclose(raw.x, [1.6, 1.2])


def gone(*processes):
    """Wait until these processes have ended."""
    return not psutil.wait_procs(processes, timeout=A_HANG)[1]


def test_what_cvxpy_makes_there_has_numbers_after_those_that_a_problem_brings(scripted):
    """CVXPY numbers variables and constraints anew in every process, and confuses equal ones."""
    x = [cvxpy.Variable(2) for _ in range(100)][-1]
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1])
    raw = solved(scripted("Own"), cpe.ConicProgram("numbers", problem))
    assert raw.iterations > max(x.id, problem.constraints[0].dual_variables[0].id)


def test_one_process_is_kept_and_answers_as_here(scripted, noted):
    assert is_right(scripted("Own"))
    first = noted()
    assert first.pid != os.getpid()
    programs = [instance(seed).program for seed in range(10)]
    for program in [each for each in programs if each.kind != "QP"]:
        here = require_backend(scripted("Own"), program.kind).solve(program, SolverSettings())
        assert str(solved(scripted("Own"), program)) == str(here)
    assert noted() == first
    child.end_workers()
    assert gone(first)


def test_errors_of_ours_come_as_they_are_and_others_by_their_words(scripted):
    with pytest.raises(UnknownName, match="highs option 'presolv'; did you mean 'presolve'"):
        solved(solver_options={"presolv": "off"})
    with pytest.raises(CpeOptError, match=r"^ZeroDivisionError: "):
        solved(scripted("Trips"))
    with pytest.raises(CpeOptError, match="'cover' cannot be sent to the process of highs: "):
        solved(solver_options={"presolve": lambda: None})
    assert is_right()


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("Crashes", "by the signal SIGSEGV; its last words: " + "x" * 583 + "the pivot is zero"),
        pytest.param("Leaves", "with code 3; its last words: none", marks=pytest.mark.slow),
    ],
)
def test_a_crash_is_an_error_with_the_last_words(scripted, solver, words):
    raw = solved(scripted(solver))
    assert (raw.status, raw.message) == (Status.ERROR, f"the process of {solver} ended {words}")


@pytest.mark.parametrize(
    ("solver", "limit", "status"),
    [
        ("Hangs", {"time_limit": 0.3}, Status.TIME_LIMIT),
        pytest.param("Stuck", {"time_limit": 0.5}, Status.TIME_LIMIT, marks=pytest.mark.slow),
        ("Leaks", {"memory_limit": 300}, Status.OTHER_LIMIT),
    ],
)
def test_a_solver_beyond_a_limit_is_ended_with_what_it_has_started(
    scripted, noted, solver, limit, status
):
    raws = []
    solving = threading.Thread(target=lambda: raws.append(solved(scripted(solver), **limit)))
    solving.start()
    tree = [noted()]
    if solver == "Hangs":
        tree += waited_for(tree[0].children)
    solving.join()
    assert raws[0].status is status
    assert gone(*tree)
    assert is_right()


def test_what_a_solver_prints_is_printed_where_a_log_is_wanted(scripted, capfd):
    for _ in range(2):
        assert is_right(scripted("Prints"))
        assert capfd.readouterr() == ("", "")
        solved(scripted("Prints"), log=True)
        printed = capfd.readouterr().out
        assert printed.count("of Python ") == 10_000
        assert printed.count("of C") == 1
        assert "HiGHS" in printed


def test_a_script_that_changes_is_run_anew(tmp_path):
    script = tmp_path / "own.py"
    text = "from cpe_opt.solvers.highs import Highs\nclass Own(Highs):\n"
    for time, body in enumerate(("pass", "solve = lambda *_: 1 / 0")):
        script.write_text(f"{text}    {body}\n")
        os.utime(script, (time, time))
        if not time:
            assert is_right(f"{script}:Own")
    with pytest.raises(CpeOptError, match="ZeroDivisionError"):
        solved(f"{script}:Own")


def test_threads_solve_at_once(scripted, noted):
    """One that hangs does not keep another waiting, though it is the same solver."""
    raws = []
    hanging = threading.Thread(target=lambda: raws.append(solved(scripted("Stuck"))))
    hanging.start()
    first = noted()
    assert solved(scripted("Stuck"), time_limit=0.1).status is Status.TIME_LIMIT
    assert not raws
    first.kill()
    hanging.join()
    assert "ended by the signal SIGKILL" in raws[0].message


@pytest.mark.parametrize("how", some_quick(["kill busy"], ["end", "kill idle"]))
def test_a_process_ends_with_the_one_that_started_it(scripted, noted, how):
    script = "import sys, time, cpe_opt as cpe\nx = cpe.ProgramBuilder('x')\n"
    script += "x.columns('x', 1, cost=1)\ncpe.solve(x.build(), sys.argv[1], process='child')"
    script += "" if how == "end" else "\ntime.sleep(10_000)"
    solver = scripted("Hangs" if how == "kill busy" else "Own")
    asking = subprocess.Popen([sys.executable, "-c", script, solver])
    process = noted()
    if how != "end":
        asking.kill()
    asking.wait()
    assert gone(process)


@pytest.mark.slow
def test_kills_at_random_moments(scripted, noted):
    """A solve is right or says that it was killed, every later one is right, nothing is left."""
    rng, solver = np.random.default_rng(5), scripted("Own")
    assert is_right(solver)
    before = psutil.Process().num_fds()

    def running():
        return [each._popen.pid for kept in child._IDLE.values() for each in kept if each.runs]

    for _ in range(1000):
        process = noted()
        striker = threading.Timer(float(rng.random() * 0.004), process.kill)
        striker.start()
        raw = solved(solver)
        striker.join()
        waited_for(lambda pid=process.pid: pid not in running())
        if raw.status is Status.ERROR:
            assert raw.message.startswith("the process of Own ended by the signal SIGKILL")
        else:
            np.testing.assert_allclose(raw.x, [1.6, 1.2])
        assert is_right(solver)
    child.end_workers()
    assert psutil.Process().num_fds() <= before
    assert not [each for each in psutil.Process().children() if "serve(" in str(each.cmdline())]
