"""Workers who answered multiple-choice questions, from two CSV files.

``answer.csv`` has the columns ``question_id`` and one a worker, a row a question, with answers as
text; ``truth.csv`` the columns ``question_id`` and ``truth``. The reward of a worker for a question
is 1 where the answer is the truth, else 0; a missing answer is wrong. A pull of a team draws a
question uniformly and shows how many of the team answered it rightly.

Such files come with Li, Baba, Kashima, "Hyper Questions: Unsupervised Targeting of a Few Experts in
Crowdsourcing", CIKM 2017.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cpe_opt.errors import InputError
from cpe_opt.problems.subsets import SubsetBandit
from cpe_opt.problems.tables import existing

if TYPE_CHECKING:
    import pandas as pd

ANSWERS, TRUTH = "answer.csv", "truth.csv"
_QUESTION = "question_id"


def read_crowdsourcing(
    folder: str | os.PathLike[str], k: int, *, name: str | None = None
) -> SubsetBandit:
    """The best team of k workers.

    Parameters
    ----------
    folder : path
        Holds ``answer.csv`` and ``truth.csv``.
    k : int
        Workers in a team.
    name : str, optional
        The folder's by default.

    Raises
    ------
    InputError
        With the file and the question or column concerned.
    """
    folder = Path(folder)
    answers = _table(folder / ANSWERS)
    truth = _table(folder / TRUTH)
    if "truth" not in truth:
        raise InputError(f"{folder / TRUTH}: no column 'truth' beside {_QUESTION!r}")
    if answers.shape[1] < 2:
        raise InputError(f"{folder / ANSWERS}: {answers.shape[1]} workers, expected at least 2")
    unknown = answers.index.difference(truth.index)
    if len(unknown):
        raise InputError(f"{folder / TRUTH}: no truth for question {unknown[0]!r}")
    right = answers.eq(truth.loc[answers.index, "truth"], axis=0)
    return SubsetBandit.from_outcomes(
        right.to_numpy(dtype=float),
        k,
        labels=[str(worker) for worker in answers.columns],
        name=name or folder.resolve().name,
    )


def is_crowdsourcing(path: str | os.PathLike[str]) -> bool:
    """Whether a folder holds the two files."""
    return (Path(path) / ANSWERS).is_file() and (Path(path) / TRUTH).is_file()


def _table(path: Path) -> pd.DataFrame:
    """Text by question, or :class:`InputError`."""
    import pandas as pd

    try:
        frame = pd.read_csv(existing(path), dtype=str)
    except (ValueError, pd.errors.ParserError) as error:
        raise InputError(f"{path}: not a CSV file ({error})") from None
    if _QUESTION not in frame:
        raise InputError(f"{path}: no column {_QUESTION!r}")
    twice = frame[_QUESTION][frame[_QUESTION].duplicated()]
    if len(twice):
        raise InputError(f"{path}: question {twice.iloc[0]!r} stands there twice")
    if not len(frame):
        raise InputError(f"{path}: no questions")
    answers: pd.DataFrame = frame.set_index(_QUESTION)
    stripped: pd.DataFrame = answers.apply(lambda column: column.str.strip())
    return stripped
