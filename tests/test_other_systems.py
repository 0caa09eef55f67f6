"""A Windows that is played: without the modules and functions that POSIX alone has.

The tests run on whatever system there is; what they cannot show is how Windows itself opens, locks
and renames files, and ends processes. Its byte locks are played by locks of files.
"""

import subprocess
import sys

import psutil
import pytest

from tests.support import waited_for

pytest.importorskip("fcntl", reason="nothing is played on Windows itself")

WITHOUT_POSIX = """
import asyncio, os, psutil, signal, subprocess, sys, types  # what is made for this system
import fcntl
flock, exclusive = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB
windows = types.ModuleType("msvcrt")
windows.LK_NBLCK, windows.locked = 2, []
def locking(handle, mode, count):
    assert (mode, count) == (windows.LK_NBLCK, 1)
    assert os.lseek(handle, 0, os.SEEK_CUR) == 1 << 40
    flock(handle, exclusive)
    windows.locked.append(handle)
windows.locking = locking
sys.modules["msvcrt"] = windows
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "setsid", "register_at_fork", "getuid", "geteuid"):
    delattr(os, name)
"""
SESSION = """
del signal.SIGKILL
import cpe_opt as cpe
with cpe.Session.open("log.jsonl", "rucb", labels=["tuna", "squid"]) as session:
    for _ in range(3):
        (question,) = session.ask(1)
        session.tell(question.id, 1.0)
    try:
        cpe.Session.open("log.jsonl")
    except cpe.InputError as error:
        print(error)
with cpe.Session.open("log.jsonl") as session:
    print(session.status().answers)
print(len(windows.locked))
"""
EXPERIMENT = """
for runs in (2, 3):
    made = []
    cpe.run_experiment(
        ["rucb"], ["cyclic"], runs=runs, horizon=200, jobs=1, out="out",
        progress=lambda done, of: made.append((done, of)),
    )
    print(made[0], made[-1])
"""
IMPORTS = """
import importlib, pkgutil
for module in pkgutil.walk_packages(cpe.__path__, "cpe_opt."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
JUDGE = """
from pathlib import Path
import cpe_opt as cpe
command = [sys.executable, "-c", "import os, subprocess, sys, time; "
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "
    "print(os.getpid(), child.pid, file=open('processes', 'w')); "
    "print('no JSON', flush=True); time.sleep(600)"]
with cpe.Session.open("judged.jsonl", "rucb", labels=["tuna", "squid"]) as session:
    try:
        session.run(command, retries=0)
    except cpe.CpeOptError as error:
        assert "no JSON" in str(error)
print(Path("processes").read_text())
"""


def played(script, folder):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX + script],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_session_is_written_by_one_at_a_time_an_experiment_continued_and_every_module_imported(
    tmp_path,
):
    told, answers, locked, *made = played(SESSION + EXPERIMENT + IMPORTS, tmp_path).splitlines()
    assert "is in use: another process, or this one, has the session open" in told
    assert (answers, locked) == ("3", "2")
    assert made == ["(0, 2) (2, 2)", "(2, 3) (3, 3)"]


def test_a_program_is_ended_with_all_that_it_has_started(tmp_path):
    processes = [int(word) for word in played(JUDGE, tmp_path).split()]
    assert len(processes) == 2
    waited_for(lambda: not any(map(is_running, processes)))


def is_running(process):
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
