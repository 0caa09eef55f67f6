"""What commercial solvers have in common: licences, rows by their sides, values of options.

Each is installed from its package index with a licence that limits the size of a program, and lifts
the limit where it finds a licence file. The modules :mod:`cpe_opt.solvers.gurobi`, ``copt``,
``xpress``, ``cplex`` and ``mosek`` hand programs over in arrays, and translate statuses, points,
duals and bounds back.
"""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import SolverUnable
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.solvers.base import Translated


class Commercial(Translated):
    """A solver that asks for a licence.

    Attributes
    ----------
    size_limit : str
        What it solves without a licence file, in words; empty if it solves nothing.
    """

    solves = frozenset({"LP", "MIP"})
    takes_threads = True
    size_limit: ClassVar[str]

    def too_large(self, program: LinearProgram) -> SolverUnable:
        """What to raise where the licence here does not allow for a program of this size."""
        rows, columns = program.shape
        return SolverUnable(
            f"solver {self.name!r} has a size-limited licence here ({self.size_limit}), and "
            f"{program.name!r} has {_counted(columns, 'column')} and {_counted(rows, 'row')}; a "
            "full licence lifts the limit"
        )

    def unlicensed(self, reason: object) -> SolverUnable:
        """What to raise where there is no licence, or one that has expired."""
        return SolverUnable(f"solver {self.name!r} found no valid licence here: {reason}")


class Environments(threading.local):
    """An environment for each thread of each process: starting one checks the licence.

    It holds the licence for as long as it is there. One that a forked process inherits is not its
    own: it is kept, unused, lest its end be told to where the licence is from.
    """

    def __init__(self) -> None:
        self._of_process: dict[int, Any] = {}

    def of_this_thread(self, start: Callable[[], Any]) -> Any:
        """The environment of this thread; ``start`` makes the first one."""
        process = os.getpid()
        if process not in self._of_process:
            self._of_process[process] = start()
        return self._of_process[process]


class CtrlC:
    """What handles Ctrl-C, kept over solves: some solvers handle it themselves while they solve.

    A solver puts back what it met; of two solves at once, in threads, the second meets the handler
    of the first. So the last one to end puts back what the first one met. (``signal.signal`` of
    Python would serve the main thread alone.)
    """

    def __init__(self) -> None:
        self._lock, self._solves, self._before = threading.Lock(), 0, None
        api = ctypes.pythonapi
        self._get, self._set = api.PyOS_getsig, api.PyOS_setsig
        self._get.restype = self._set.restype = ctypes.c_void_p
        self._get.argtypes = [ctypes.c_int]
        self._set.argtypes = [ctypes.c_int, ctypes.c_void_p]

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Have the same handler after a solve as before."""
        with self._lock:
            if not self._solves:
                self._before = self._get(signal.SIGINT)
            self._solves += 1
        try:
            yield
        finally:
            with self._lock:
                self._solves -= 1
                if not self._solves:
                    self._set(signal.SIGINT, self._before)

    def forget(self) -> None:
        """Forget the solves of other threads: a forked process does not have them."""
        self._lock, self._solves = threading.Lock(), 0


CTRL_C = CtrlC()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=CTRL_C.forget)


def side_kinds(lower: FloatArray, upper: FloatArray) -> npt.NDArray[np.str_]:
    """The sides of each row (or column) as a letter; all of shape (rows,).

    ``E`` for an equality, ``R`` for two sides (a range), ``L`` for an upper side alone, ``G`` for a
    lower one alone, and ``N`` for none.
    """
    below, above = np.isfinite(lower), np.isfinite(upper)
    return np.select(
        [lower == upper, below & above, above, below],
        ["E", "R", "L", "G"],
        "N",
    )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
