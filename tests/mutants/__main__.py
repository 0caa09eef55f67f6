"""Run the tests of every mutant; see :mod:`tests.mutants`.

``python -m tests.mutants [parts] [--workers 2]`` runs all mutants, or those with one of the parts
in the name of their file, of their place or of one of their tests. Each worker has a copy of the
package and forks a process for each mutant, with the libraries loaded already. A process that uses
up its processor time counts as killed: a mutant may never end.
"""

import argparse
import compileall
import os
import py_compile
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from multiprocessing import connection, get_context
from pathlib import Path

# What the package and its tests import: loaded once, before processes are forked.
import cvxpy  # noqa: F401
import highspy  # noqa: F401
import hypothesis  # noqa: F401
import networkx  # noqa: F401
import pandas  # noqa: F401
import pytest
import scipy.optimize
import scipy.sparse
import scipy.stats  # noqa: F401
from ortools.linear_solver import pywraplp  # noqa: F401

from tests.mutants.every import EVERY_MUTANT
from tests.mutants.places import PACKAGE

ROOT = PACKAGE.parent
PROCESSOR_SECONDS = 60  # six times what the named tests of any file take
FORK = get_context("fork")
SURVIVED, KILLED = 0, 1  # exit codes of pytest


def copied(parent, number):
    """A copy of the package and its tests; bytecode is checked by what a file holds."""
    root = Path(parent) / str(number)
    for folder in ("cpe_opt", "tests", "examples", "models"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(root / "cpe_opt", quiet=1, invalidation_mode=mode)
    return root


def run_tests(root, tests):
    """In a process of its own: pytest's exit code is the process's."""
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    log = os.open(root / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(root)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none is needed, and finding them is slow
    for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
        del sys.modules[name]
    if "cpe_opt" in sys.modules:
        raise RuntimeError("the package was loaded before it was mutated")
    sys.path[:] = [str(root), *(place for place in sys.path if Path(place or ".") != ROOT)]
    code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *(f"tests/{t}" for t in tests)])
    loaded = Path(sys.modules["cpe_opt"].__file__)
    os._exit(int(code) if root in loaded.parents else 99)


def outcomes(jobs, roots):
    """For each job (an identity, a mutant or None, tests), its exit code and log as it ends."""
    waiting, idle, running = list(jobs), list(roots), {}
    while waiting or running:
        while waiting and idle:
            job, root = waiting.pop(0), idle.pop()
            _, mutant, tests = job
            if mutant is not None:
                module = root / "cpe_opt" / mutant.definition.file
                module.write_text(mutant.mutated(), encoding="utf-8")
            process = FORK.Process(target=run_tests, args=(root, tests))
            process.start()
            running[process.sentinel] = process, job, root
        for sentinel in connection.wait(list(running)):
            process, job, root = running.pop(sentinel)
            process.join()
            if (mutant := job[1]) is not None:
                file = mutant.definition.file
                shutil.copy(PACKAGE / file, root / "cpe_opt" / file)
            idle.append(root)
            yield job, process.exitcode, (root / "log").read_text(encoding="utf-8")


def verdict(code):
    """What a line of the report says of a mutant by the exit code of its tests."""
    if code == SURVIVED:
        return "SURVIVED"
    if code == KILLED or code < 0:
        return "killed" if code == KILLED else "killed (time)"
    return f"NO TEST RAN (pytest's exit code {code})"


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument(
        "parts", nargs="*", default=[""], help="of names of files, places and tests"
    )
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    mutants = [m for m in EVERY_MUTANT if any(m.concerns(part) for part in chosen.parts)]
    for mutant in mutants:
        assert mutant.wrong  # all of them apply
    started, counts, wrong = time.monotonic(), Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        roots = [copied(folder, number) for number in range(chosen.workers)]
        files = sorted({test.split("::")[0] for m in mutants for test in m.tests})
        by_file = {f: {t for m in mutants for t in m.tests if t.split("::")[0] == f} for f in files}
        right = [(file, None, sorted(tests)) for file, tests in by_file.items()]
        for (file, _, _), code, log in outcomes(right, roots):
            if code != SURVIVED:
                print(log[-3000:])
                raise SystemExit(f"the tests of {file} fail without a mutant ({code})")
        print(f"{len(files)} files of tests pass without a mutant", flush=True)
        jobs = [(number, mutant, mutant.tests) for number, mutant in enumerate(mutants, 1)]
        for (number, mutant, _), code, log in outcomes(jobs, roots):
            counts[what := verdict(code)] += 1
            print(f"{number:4} of {len(mutants)}  {what:8}  {mutant}", flush=True)
            if not what.startswith("killed"):
                wrong.append(f"{what}: {mutant}")
                print(log[-1500:])
    minutes = (time.monotonic() - started) / 60
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\n{len(mutants)} mutants, {minutes:.1f} minutes, ", end="")
    print(f"{used.ru_utime + used.ru_stime:.0f} processor seconds: ", end="")
    print(", ".join(f"{count} {what}" for what, count in counts.most_common()))
    if wrong:
        print("\n".join(["", *wrong]))
        raise SystemExit(1)


if __name__ == "__main__":
    main()
