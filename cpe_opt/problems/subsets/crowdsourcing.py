"""Workers who answered multiple-choice questions: from two CSV files, or from a table.

``answer.csv`` has the column ``question_id``, one column per worker, and one row per question, with
answers as text; ``truth.csv`` the columns ``question_id`` and ``truth``. The reward of a worker for
a question is 1 where the answer is the truth, else 0; a missing answer is wrong. A pull of a team
draws a question uniformly and shows how many of the team answered it correctly.

A table with the columns ``question, worker, correct`` has one row per answer, and ``correct`` is
1 or 0, ``true`` or ``false``, ``yes`` or ``no``.

The two files come with Li, Baba, Kashima, "Hyper Questions: Unsupervised Targeting of a Few Experts
in Crowdsourcing", CIKM 2017.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, listed
from cpe_opt.formats.text import is_folder, stem_of
from cpe_opt.problems.formats import ANSWERS_FILE, COLUMNS, TRUTH_FILE, Format
from cpe_opt.problems.tables import Table, read_table

_QUESTION = "question_id"


@dataclass(frozen=True, eq=False)
class WorkerAnswers:
    """Who answered which question correctly.

    ``right``, shape (questions, workers), is 1 where the answer is the truth, else 0.
    """

    name: str
    workers: tuple[str, ...]
    right: FloatArray


def read_crowdsourcing(folder: str | os.PathLike[str]) -> WorkerAnswers:
    """Read ``answer.csv`` and ``truth.csv`` of a folder.

    Raises :class:`InputError` with the file and the question or column concerned.
    """
    if not is_folder(folder):
        raise InputError(
            f"{str(folder)!r} is no folder, expected one of {ANSWERS_FILE} and {TRUTH_FILE}"
        )
    folder = Path(folder)
    answers = read_table(folder / ANSWERS_FILE, comments=False)
    truth = read_table(folder / TRUTH_FILE, comments=False)
    asked, known = _questions(answers), _questions(truth)
    if "truth" not in truth:
        raise InputError(f"{truth.source}: no column 'truth'; found {listed(truth.columns)}")
    workers = [column for column in answers.columns if column != _QUESTION]
    if len(workers) < 2:
        raise InputError(f"{answers.source}: {len(workers)} workers, expected at least 2")
    rows = {question: row for row, question in enumerate(known)}
    for place, question in enumerate(asked):
        if question not in rows:
            raise InputError(
                f"{truth.source}: no truth for question {question!r} of {answers.place(place)}"
            )
    said = truth.texts("truth")
    right = [said[rows[question]] for question in asked]
    for question, answer in zip(asked, right, strict=True):
        if not answer:
            raise InputError(f"{truth.place(rows[question])}: the truth of {question!r} is empty")
    outcomes = [
        [answer == correct for answer, correct in zip(answers.texts(worker), right, strict=True)]
        for worker in workers
    ]
    right_by_question = np.array(outcomes, dtype=np.float64).T
    return WorkerAnswers(folder.resolve().name, tuple(workers), right_by_question)


def _questions(table: Table) -> list[str]:
    """The questions of a file, each of them once."""
    if _QUESTION not in table:
        raise InputError(f"{table.source}: no column {_QUESTION!r}; found {listed(table.columns)}")
    return table.distinct(_QUESTION)


_WORDS = {"1": 1.0, "true": 1.0, "yes": 1.0, "0": 0.0, "false": 0.0, "no": 0.0}


def read_long_answers(path: str | os.PathLike[str]) -> WorkerAnswers:
    """Read a table with the columns ``question, worker, correct``, one row per answer.

    Raises :class:`InputError` with the line of a word that is neither right nor wrong, or of a
    second answer.
    """
    table = read_table(path, COLUMNS[Format.ANSWERS], others=True)
    (questions, asked), (workers, names) = table.labels("question"), table.labels("worker")
    if len(names) < 2:
        raise InputError(f"{table.source}: {len(names)} worker, expected at least 2")
    right, first = np.zeros((len(asked), len(names))), np.full((len(asked), len(names)), -1)
    for row, word in enumerate(table.texts("correct")):
        place = questions[row], workers[row]
        if word.lower() not in _WORDS:
            raise InputError(f"{table.place(row)}: correct is {word!r}, expected 1 or 0")
        if first[place] >= 0:
            raise InputError(
                f"{table.place(row)}: {names[place[1]]!r} has answered {asked[place[0]]!r} before, "
                f"in {table.place(int(first[place])).rpartition(', ')[2]}"
            )
        first[place] = row
        right[place] = _WORDS[word.lower()]
    return WorkerAnswers(stem_of(path), tuple(names), right)
