"""Recordings: the programs that are solved meanwhile, as files and a table.

Inside ``with recording(folder)`` every program that :func:`cpe_opt.solve` solves is written to the
folder, and every re-solve of a cutting-plane loop that a learner keeps, with the rows that it has
at its optimum and the costs of that moment: linear and quadratic programs as ``.lp``, cone
programs as ``.cbf``. The programs by which a solver's answers are verified are not. A recording
belongs to the thread and process that opened it; inside another one the inner one records.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.files import check_folder, os_reason, write_csv
from cpe_opt.validation import PositiveInt, checked_types

if TYPE_CHECKING:
    from cpe_opt.modelling.conic import ConicProgram
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.modelling.quadratic import QuadraticProgram

    Legend: TypeAlias = Callable[[LinearProgram | QuadraticProgram], Mapping[str, str]]


@dataclass(frozen=True)
class RecordedProgram:
    """One row of the table.

    Attributes
    ----------
    number : int
        Of the solve, counted from 1, with those that ``every`` leaves out.
    run : int or None
        Of the simulations inside the recording, counted from 0; None outside of one.
    round : int or None
        Rounds that this run had played.
    name : str
        The program's.
    objective : float or None
        Its optimum; None where the solve ended without a point.
    seconds : float
        Wall-clock time of the solve.
    solver : str
    file, note : str
        In the folder; empty if no model file can hold the program, and ``note`` says why.
    """

    number: int
    run: int | None
    round: int | None
    name: str
    objective: float | None
    seconds: float
    solver: str
    file: str
    note: str = ""


_NAMES = [field.name for field in fields(RecordedProgram)]
_TABLE = "programs.csv"


class Recording(list[RecordedProgram]):
    """What has been written so far, in order; see :func:`recording`.

    ``folder`` is a path; ``solved`` counts the programs that were solved, written or not, ``runs``
    the simulations that began meanwhile, whether they solved programs or not.
    """

    def __init__(self, folder: Path, every: int, limit: int | None) -> None:
        self.folder = folder
        self.solved = self.runs = 0
        self._every, self._limit = every, limit

    def __repr__(self) -> str:
        return f"Recording({str(self.folder)!r}, {len(self)} of {self.solved} programs written)"

    def record(
        self,
        program: Callable[[], LinearProgram | QuadraticProgram | ConicProgram | None],
        objective: float | None,
        seconds: float,
        solver: str,
    ) -> None:
        """Take note of a solve; ``program`` is called if it is written."""
        self.solved += 1
        full = self._limit is not None and len(self) >= self._limit
        if full or (self.solved - 1) % self._every or (solved := program()) is None:
            return
        from cpe_opt.modelling.conic import ConicProgram
        from cpe_opt.modelling.export import write_conic, write_program

        number, rounds, legend = _RUN.get()
        suffix = ".cbf" if isinstance(solved, ConicProgram) else ".lp"
        path = self.folder / f"{self.solved:06d}-{solved.name}{suffix}"
        file, note = path.name, ""
        try:
            if isinstance(solved, ConicProgram):
                write_conic(solved, path)
            else:
                write_program(solved, path, legend(solved))
        except InputError as error:
            file, note = "", str(error)
        entry = self.solved, number, rounds(), solved.name, objective, seconds, solver, file, note
        self.append(RecordedProgram(*entry))
        path = self.folder / _TABLE
        try:
            with path.open("a", encoding="utf-8", newline="") as table:
                csv.writer(table, lineterminator="\n").writerow(entry)
        except OSError as error:
            raise WriteFailed(f"cannot write {str(path)!r}: {os_reason(error)}") from error


ACTIVE: ContextVar[Recording | None] = ContextVar("recording", default=None)
# The running simulation: its number, the rounds that it has played, and words for names.
_RUN: ContextVar[tuple[int | None, Callable[[], int | None], Legend]] = ContextVar(
    "run", default=(None, lambda: None, lambda program: {})
)


@checked_types
@contextmanager
def recording(
    folder: str | os.PathLike[str],
    *,
    every: PositiveInt = 1,
    limit: PositiveInt | None = None,
    force: bool = False,
) -> Iterator[Recording]:
    """Write every program solved inside the ``with`` to a file, and a table of them.

    Parameters
    ----------
    folder : path
        Made where it is missing. Files are named by number and program: ``000001-copeland_0.lp``.
    every : int
        Write the first program and every ``every``-th after it.
    limit : int, optional
        Write at most so many.
    force : bool
        Let the folder hold files; those of the same names are overwritten, others stay.

    Yields
    ------
    Recording
        The entries so far, a list, of which ``pandas.DataFrame`` makes the table in the file
        ``programs.csv``. After an error inside it has what was solved before.

    Raises :class:`InputError` if the folder holds files and ``force`` is not given, or if it cannot
    be written to, and :class:`WriteFailed` from inside, where the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> with tempfile.TemporaryDirectory() as folder, recording(folder) as log:
    ...     bound = cpe.copeland_bound(cpe.load_instance("cyclic"), winner=0)
    >>> [(entry.number, entry.name, entry.file) for entry in log]
    [(1, 'copeland_0', '000001-copeland_0.lp')]
    """
    path = Path(folder)
    check_folder(path)
    if not force and path.is_dir() and any(path.iterdir()):
        raise InputError(f"the folder {str(path)!r} holds files; force writes next to them")
    write_csv(path / _TABLE, _NAMES, [])
    log = Recording(path, every, limit)
    token = ACTIVE.set(log)
    try:
        yield log
    finally:
        ACTIVE.reset(token)


@contextmanager
def unrecorded() -> Iterator[None]:
    """Let the active recording, if any, take no notice of what happens inside."""
    token = ACTIVE.set(None)
    try:
        yield
    finally:
        ACTIVE.reset(token)


@contextmanager
def rounds_counted(rounds: Callable[[], int], legend: Legend) -> Iterator[None]:
    """Let recordings note a simulation, its rounds so far, and what names of programs stand for."""
    log, number = ACTIVE.get(), 0
    if log is not None:
        number, log.runs = log.runs, log.runs + 1
    token = _RUN.set((number, rounds, legend))
    try:
        yield
    finally:
        _RUN.reset(token)
