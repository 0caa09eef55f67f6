"""Recordings: the programs that are solved meanwhile, as files and a table.

Inside ``with recording(folder)`` every program that :func:`cpe_opt.solve` solves is written to the
folder, and every re-solve of a cutting-plane loop that a learner keeps, with the rows that it has
at its optimum and the costs of that moment: linear and quadratic programs as ``.lp``, cone
programs as ``.cbf``.
The table ``programs.csv`` says in which run, and after how many of its rounds, each was solved, by
whom, and what its optimum is. What a learner does without a program (closed forms, certificates
that an optimum is still one) leaves no file, and so do the programs by which a solver's answers are
verified. A program of a model begins with a legend: which arms or elements its columns are about.

A recording belongs to the thread that opened it, and to this process: what other threads or worker
processes solve is not recorded. Inside another recording the inner one records, and the outer one
goes on when it ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, overload

from cpe_opt.errors import InputError
from cpe_opt.files import check_folder, write_csv
from cpe_opt.validation import PositiveInt, checked_count, checked_types

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.modelling.conic import ConicProgram
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.modelling.quadratic import QuadraticProgram

    Named: TypeAlias = LinearProgram | QuadraticProgram

TABLE = "programs.csv"
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
    file : str
        In the folder; empty if no model file can hold the program.
    note : str
        Why there is no file.
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


class Recording(Sequence[RecordedProgram]):
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
        self.solved = 0
        self.runs = 0
        self._every, self._limit = every, limit
        self._entries: list[RecordedProgram] = []
        self._listed = 0

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, place: int) -> RecordedProgram: ...

    @overload
    def __getitem__(self, place: slice) -> list[RecordedProgram]: ...

    def __getitem__(self, place: int | slice) -> RecordedProgram | list[RecordedProgram]:
        return self._entries[place]

    def __repr__(self) -> str:
        return f"Recording({str(self.folder)!r}, {len(self)} of {self.solved} programs written)"

    def frame(self) -> pd.DataFrame:
        """The table, one row a program written."""
        import pandas as pd

        rows = [astuple(entry) for entry in self._entries]
        frame = pd.DataFrame(rows, columns=[field.name for field in fields(RecordedProgram)])
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
        timed = [entry for entry in self._entries if entry.run is not None]
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
            raise InputError(
                f"program {following:,} of {self.solved:,} was solved and not written, so that of "
                f"round {rounds:,} is not known: record with every=1 and a larger limit"
            )
        asked = [entry for entry in past if entry.run == run and name in (None, entry.name)]
        if not asked:
            first = [e.round for e in timed if e.run == run and name in (None, e.name)][:1]
            hint = f"the first is of round {first[0]}" if first else "the recording has none"
            if not recorded:
                hint += "; another method of the learner may solve some, such as method='cuts'"
            what = name or "program"
            raise InputError(f"no {what} was solved in the first {rounds:,} rounds: {hint}")
        return asked[-1]

    def _takes_next(self) -> bool:
        """Count a solve; whether its program is to be written."""
        self.solved += 1
        full = self._limit is not None and len(self) >= self._limit
        return not full and (self.solved - 1) % self._every == 0

    def _add(
        self,
        program: LinearProgram | QuadraticProgram | ConicProgram,
        objective: float | None,
        seconds: float,
        solver: str,
    ) -> None:
        """Write the program of the solve that was counted last."""
        # Every run counts its rounds for recordings; few have any, and the writers load scipy.
        from cpe_opt.modelling.cbf import write_conic
        from cpe_opt.modelling.conic import ConicProgram
        from cpe_opt.modelling.export import write_program

        suffix = ".cbf" if isinstance(program, ConicProgram) else ".lp"
        path = self.folder / f"{self.solved:06d}-{program.name}{suffix}"
        note = ""
        try:
            if isinstance(program, ConicProgram):
                write_conic(program, path)
            else:
                write_program(program, path, _LEGEND.get()(program))
        except InputError as error:
            note = str(error)
        running = _RUN.get()
        self._entries.append(
            RecordedProgram(
                number=self.solved,
                run=None if running is None else running[0],
                round=None if running is None else running[1](),
                name=program.name,
                objective=objective,
                seconds=seconds,
                solver=solver,
                file="" if note else path.name,
                note=note,
            )
        )
        if len(self) >= _OFTEN * self._listed:
            self.write_table()

    def write_table(self) -> None:
        """Bring the table up to date; done by itself now and then, and when the recording ends."""
        if self._listed == len(self) and self._listed:
            return
        names = [field.name for field in fields(RecordedProgram)]
        write_csv(self.folder / TABLE, names, map(astuple, self._entries))
        self._listed = len(self)


_ACTIVE: ContextVar[Recording | None] = ContextVar("recording", default=None)
# The running simulation: its number in the recording, and the rounds that it has played.
_RUN: ContextVar[tuple[int, Callable[[], int]] | None] = ContextVar("run", default=None)
_LEGEND: ContextVar[Callable[[Named], Mapping[str, str]]] = ContextVar(
    "legend", default=lambda program: {}
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
        The entries so far, a sequence; ``frame()`` is the table, and ``in_force(100)`` the entry of
        round 100. After an error inside, the files and the table have what was solved before it.

    Raises
    ------
    InputError
        Where the folder holds files and ``force`` is not given, or cannot be written to.
    WriteFailed
        From inside, where the disk is full.

    Notes
    -----
    Only this thread of this process is recorded: no worker processes of experiments.

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
    log.write_table()
    token = _ACTIVE.set(log)
    try:
        yield log
    finally:
        _ACTIVE.reset(token)
        log.write_table()


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
    """Tell the active recording, if any, that a program was solved.

    ``program`` gives the program; it is called only where that is written.
    """
    log = _ACTIVE.get()
    if log is not None and log._takes_next():
        solved = program()
        if solved is not None:
            log._add(solved, objective, seconds, solver)


@contextmanager
def rounds_counted(
    rounds: Callable[[], int], legend: Callable[[Named], Mapping[str, str]]
) -> Iterator[None]:
    """Let recordings note a simulation, the rounds that it has played, and what names stand for.

    ``rounds`` gives the number so far, ``legend`` a word for people for names of columns and rows;
    both are asked only where a program is written.
    """
    log, number = _ACTIVE.get(), 0
    if log is not None:
        number = log.runs
        log.runs += 1
    counted, worded = _RUN.set((number, rounds)), _LEGEND.set(legend)
    try:
        yield
    finally:
        _RUN.reset(counted)
        _LEGEND.reset(worded)
