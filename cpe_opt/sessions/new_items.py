"""What a session over the items of a test set proves of new items, and in words.

The mathematics is in :mod:`cpe_opt.proofs.winner_on_new_items`. Answers count in the order of
asking, up to the first that is missing, as for all that a session states.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.proofs.subsets.score_bets import bounds_of
from cpe_opt.proofs.winner_on_new_items import on_new_items
from cpe_opt.sessions.questions import AnyCells, OutputCells, RowKey, Slot

if TYPE_CHECKING:
    from cpe_opt.sessions.header import Header

_DRAWN = "if all are drawn independently from one source"


@dataclass(frozen=True, kw_only=True)
class NewItems:
    """Whether nothing is ahead of an answer on new items, by more than the session's margin.

    It is ``"proved"``, ``"not yet"``, or ``"refuted"``: then it is proved that some arm is ahead.
    """

    status: Literal["proved", "not yet", "refuted"]
    answer: str  #: the labels of it
    ahead: str  #: the label of an arm that is ahead of ``behind``, one of the answer; or empty
    behind: str
    margin: float

    def __str__(self) -> str:
        """A sentence, with the assumption."""
        by = f" by more than {self.margin:g}" if self.margin else ""
        nothing = f"nothing is ahead of {self.answer}{by}"
        if self.status == "proved":
            return f"proved of new items, too, {_DRAWN}: {nothing}"
        if self.status == "refuted":
            return f"proved of new items, {_DRAWN}: {self.ahead} is ahead of {self.behind}{by}"
        return f"of new items it is not yet proved that {nothing}"

    @property
    def clause(self) -> str:
        """Half a sentence, after "on these items"."""
        if self.status == "proved":
            return f", and on new ones {_DRAWN}"
        if self.status == "refuted":
            return f", refuted on new ones, where {self.ahead} is ahead {_DRAWN}"
        return ", not yet on new ones"


def of_answer(header: Header, told: Mapping[str, float], answer: Any) -> NewItems | None:
    """What the answers that count prove of new items; None where nothing is said of them."""
    delta, cells = header.shares.new_items, header.cells
    if not delta or cells is None or answer is None:
        return None
    labels, scored = header.question_set.labels, header.question_set.is_scores
    chosen = (answer,) if isinstance(answer, int) else tuple(answer)
    margin = float(header.parameters.get("margin", 0.0))
    found = on_new_items(
        partial(outcomes_of, told, cells),
        chosen,
        len(labels),
        delta,
        margin if scored else 2.0 * margin,
    )
    ahead, behind = ("", "") if found.ahead is None else (labels[arm] for arm in found.ahead)
    return NewItems(
        status=found.status,
        answer=header.question_set.describe(answer),
        ahead=ahead,
        behind=behind,
        margin=margin,
    )


def outcomes_of(told: Mapping[str, float], cells: AnyCells, i: int, j: int) -> FloatArray:
    """By how much arm i is ahead of arm j, at least, item by item in the order of the pair.

    Of an item with two cells by the first one that came.
    """
    if isinstance(cells, OutputCells):
        pairs = list(zip(_values(told, i), _values(told, j), strict=False))
        low, high = bounds_of(np.array(pairs).reshape(-1, 2))
        return np.asarray(low[:, 0] - high[:, 1])
    row = (min(i, j), max(i, j))
    first: dict[int, float] = {}
    for number, value in enumerate(_values(told, row), 1):
        first.setdefault(cells.cell(Slot(row, number, duel=True)).item, value)
    y = np.array([*first.values()], dtype=np.float64)
    d = 2.0 * (y if i < j else 1.0 - y) - 1.0
    return np.where(np.isnan(d), -1.0, d)


def _values(told: Mapping[str, float], row: RowKey) -> Iterator[float]:
    """The answers of a pair or an arm in its order, NaN where one was left out."""
    for number in itertools.count(1):
        value = told.get(Slot(row, number, duel=isinstance(row, tuple)).id)
        if value is None:
            return
        yield value
