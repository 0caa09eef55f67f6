"""Who answered which question rightly, a line an answer: ``question, worker, correct``.

``correct`` is 1 or 0, ``true`` or ``false``, ``yes`` or ``no``. An answer that is missing is wrong,
as in :mod:`cpe_opt.problems.subsets.crowdsourcing`.
"""

from __future__ import annotations

import os

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.crowdsourcing import Answers
from cpe_opt.problems.tables import read_table
from cpe_opt.problems.text import stem_of

COLUMNS = ("question", "worker", "correct")
_WORDS = {"1": 1.0, "true": 1.0, "yes": 1.0, "0": 0.0, "false": 0.0, "no": 0.0}


def read_long_answers(path: str | os.PathLike[str]) -> Answers:
    """Read such a table.

    Raises
    ------
    InputError
        With the line of a word that is neither right nor wrong, or of a second answer.
    """
    table = read_table(path, COLUMNS, others=True)
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
    return Answers(stem_of(path), tuple(names), right)
