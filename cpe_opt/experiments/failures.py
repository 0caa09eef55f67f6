"""Runs that fail: which they are, why, and what is left of the others.

A run fails where its learner, its problem or a solver raises. The runs next to it are made all the
same; then :class:`RunsFailed` names those that are missing. Where an experiment has a folder, the
same experiment makes the missing runs alone.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cpe_opt.errors import CpeOptError
from cpe_opt.experiments.planning import Series
from cpe_opt.experiments.runs import run_seed

_LONGEST = 300  # of what an error says, in the message


@dataclass(frozen=True)
class Failure:
    """A run that has failed; texts and numbers alone, as it travels between processes.

    Attributes
    ----------
    learner, problem : str
        Their names.
    run : int
        Its number in the series, from 0.
    seed : int
        With which :func:`cpe_opt.simulate` repeats it.
    error : str
        Such as ``ZeroDivisionError: division by zero``.
    traceback : str
        Where it was raised, as Python prints it.
    """

    learner: str
    problem: str
    run: int
    seed: int
    error: str
    traceback: str

    @classmethod
    def of(cls, series: Series, run: int, error: BaseException) -> Failure:
        """The failure of a run."""
        kind, said = type(error).__name__, str(error)
        words = said if isinstance(error, CpeOptError) else f"{kind}: {said}" if said else kind
        where = "".join(traceback.format_exception(error))
        seed = run_seed(series.seed, run)
        return cls(series.spec.name, series.problem.name, run, seed, words, where)

    def __str__(self) -> str:
        error = self.error if len(self.error) <= _LONGEST else f"{self.error[:_LONGEST]}…"
        return f"{self.learner} on {self.problem}, run {self.run} (seed {self.seed}): {error}"


class RunsFailed(CpeOptError):
    """Some runs have failed, the others are finished.

    Attributes
    ----------
    failures : tuple of Failure
        By series and run.
    finished : int
        How many runs are finished.
    traces : list of lists of Trace
        Of the finished runs of each series; empty where they are in files.
    folder : Path or None
        Where the finished runs are.
    """

    def __init__(
        self,
        failures: Sequence[Failure],
        finished: int,
        traces: Sequence[Sequence[Any]] = (),
        folder: Path | None = None,
    ) -> None:
        self.failures, self.finished = tuple(failures), finished
        self.traces, self.folder = [list(each) for each in traces], folder
        count, every = len(self.failures), len(self.failures) + finished
        which = "the first of them is " if count > 1 else ""
        kept = f"{finished} runs are finished"
        if folder is not None:
            kept += f" and kept in {str(folder)!r}: the same experiment makes the missing ones"
        super().__init__(f"{count} of {every} runs failed; {which}{self.failures[0]}; {kept}")
        self.add_note(self.failures[0].traceback)

    def __reduce__(self) -> tuple[type[RunsFailed], tuple[Any, ...]]:
        """Errors travel between processes."""
        return type(self), (self.failures, self.finished, self.traces, self.folder)
