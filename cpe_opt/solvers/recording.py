"""Recordings: the programs that are solved meanwhile, as files and a table.

Inside ``with recording(folder)`` every program that :func:`cpe_opt.solve` solves is written to the
folder, and every re-solve of a cutting-plane loop that a learner keeps, with the rows that it has
at its optimum and the costs of that moment: linear and quadratic programs as ``.lp``, cone
programs as ``.cbf``. What a learner does without a program (closed forms, certificates that an
optimum is still one) leaves no file, and so do the programs by which a solver's answers are
verified. A program of a model begins with a legend: which arms or elements its columns are about.
A recording belongs to the thread and process that opened it: what others solve is not recorded.
Inside another recording the inner one records, and the outer one goes on when it ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cpe_opt.errors import InputError
from cpe_opt.files import check_folder, write_csv
from cpe_opt.validation import PositiveInt, checked_count, checked_types

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.modelling.conic import ConicProgram
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.modelling.quadratic import QuadraticProgram

    Legend: TypeAlias = Callable[[LinearProgram | QuadraticProgram], Mapping[str, str]]

_OFTEN = 1.1  # the table is written anew when it has grown by this factor, and at the end


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


class Recording(list[RecordedProgram]):
    """What has been written so far, in order; see :func:`recording`.

    Attributes
    ----------
    folder : Path
    solved : int
        How many programs were solved, written or not.
    runs : int
        How many simulations began meanwhile, whether they solved programs or not.
    """

    def __init__(self, folder: Path, every: int, limit: int | None) -> None:
        self.folder = folder
        self.solved = self.runs = self._listed = 0
        self._every, self._limit = every, limit

    def __repr__(self) -> str:
        return f"Recording({str(self.folder)!r}, {len(self)} of {self.solved} programs written)"

    def frame(self) -> pd.DataFrame:
        """The table, one row a program written."""
        import pandas as pd

        frame = pd.DataFrame(map(astuple, self), columns=_NAMES)
        return frame.astype({"run": "Int64", "round": "Int64", "objective": "float64"})

    def in_force(
        self, rounds: int, name: str | None = None, *, run: int | None = None
    ) -> RecordedProgram:
        """The program that a recorded run had solved last after this number of rounds.

        Its ``round`` says when that was. A learner may keep several programs, such as one per
        empirical winner; then ``name`` says which. ``run`` is needed where several runs solved
        programs. Raises :class:`InputError` if none was solved by then, or if ``every`` or
        ``limit`` left out the one that is asked for.
        """
        checked_count("rounds", rounds, least=0)
        timed = [entry for entry in self if entry.run is not None]
        recorded = sorted({entry.run or 0 for entry in timed})
        if run is None:
            if len(recorded) > 1:
                raise InputError(f"{self!r} holds several runs, expected run, one of {recorded}")
            run = recorded[0] if recorded else 0
        elif run not in range(self.runs):
            raise InputError(f"run is {run}, and {self.runs:,} were recorded, counted from 0")
        past = [entry for entry in timed if (entry.run, entry.round or 0) <= (run, rounds)]
        following = past[-1].number + 1 if past else 1
        if following <= self.solved and following not in {each.number for each in self}:
            said = f"program {following:,} of {self.solved:,} was solved and not written, so that"
            hint = "record with every=1 and a larger limit"
            raise InputError(f"{said} of round {rounds:,} is not known: {hint}")
        asked = [entry for entry in past if entry.run == run and name in (None, entry.name)]
        if not asked:
            first = [e.round for e in timed if e.run == run and name in (None, e.name)][:1]
            hint = f"the first is of round {first[0]}" if first else "the recording has none"
            what = name or "program"
            raise InputError(f"no {what} was solved in the first {rounds:,} rounds: {hint}")
        return asked[-1]

    def _write_table(self) -> None:
        if self._listed < len(self) or not self:
            write_csv(self.folder / "programs.csv", _NAMES, map(astuple, self))
            self._listed = len(self)


_ACTIVE: ContextVar[Recording | None] = ContextVar("recording", default=None)
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
        The entries so far, a list; ``frame()`` is the table, ``in_force(100)`` the entry of round
        100. After an error inside it has what was solved before.

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
    log = Recording(path, every, limit)
    log._write_table()
    token = _ACTIVE.set(log)
    try:
        yield log
    finally:
        _ACTIVE.reset(token)
        log._write_table()


@contextmanager
def unrecorded() -> Iterator[None]:
    """Let the active recording, if any, take no notice of what happens inside."""
    token = _ACTIVE.set(None)
    try:
        yield
    finally:
        _ACTIVE.reset(token)


def record(
    program: Callable[[], LinearProgram | QuadraticProgram | ConicProgram | None],
    objective: float | None,
    seconds: float,
    solver: str,
) -> None:
    """Tell the active recording, if any, of a solve; ``program`` is called if it is written."""
    log = _ACTIVE.get()
    if log is None:
        return
    log.solved += 1
    full = log._limit is not None and len(log) >= log._limit
    solved = None if full or (log.solved - 1) % log._every else program()
    if solved is None:
        return
    # Every run counts its rounds for recordings; few have any, and the writers load scipy.
    from cpe_opt.modelling.cbf import write_conic
    from cpe_opt.modelling.conic import ConicProgram
    from cpe_opt.modelling.export import write_program

    number, rounds, legend = _RUN.get()
    suffix = ".cbf" if isinstance(solved, ConicProgram) else ".lp"
    path = log.folder / f"{log.solved:06d}-{solved.name}{suffix}"
    file, note = path.name, ""
    try:
        if isinstance(solved, ConicProgram):
            write_conic(solved, path)
        else:
            write_program(solved, path, legend(solved))
    except InputError as error:
        file, note = "", str(error)
    entry = log.solved, number, rounds(), solved.name, objective, seconds, solver, file, note
    log.append(RecordedProgram(*entry))
    if len(log) >= _OFTEN * log._listed:
        log._write_table()


@contextmanager
def rounds_counted(rounds: Callable[[], int], legend: Legend) -> Iterator[None]:
    """Let recordings note a simulation, its rounds so far, and what names of programs stand for."""
    log, number = _ACTIVE.get(), 0
    if log is not None:
        number, log.runs = log.runs, log.runs + 1
    token = _RUN.set((number, rounds, legend))
    try:
        yield
    finally:
        _RUN.reset(token)
