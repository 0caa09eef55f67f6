"""The cells of a table of scores between a learner and the world: each once, along one order.

What a learner is told of them before its first question, what it may ask, and what it may be told:
the scores along an order of the items that is the same for all arms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_shape
from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import is_told, name_of
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.queries import Batch, CellScores, Pull, Window


def told_of_scores(
    learner: Callable[..., Learner],
    known: Any,
    cells: int,
    hints: npt.ArrayLike | None,
    answered: npt.ArrayLike | None,
) -> dict[str, Any]:
    """What a learner is told of a table of scores, or :class:`InputError` if it is not for one."""
    size = getattr(known, "size", None)
    if size is None or cells < 1:
        raise InputError(
            f"cells is {cells!r}, expected how many items a table of scores has, at least 1, and "
            "as what the learner knows how many of its arms are wanted, such as TopK(8, 1)"
        )
    told: dict[str, Any] = {"cells": int(cells)}
    if hints is not None and is_told(learner, "hints"):
        cheap = checked_shape("hints", hints, (size, cells), ", arms × items", finite=True)
        if not ((cheap >= 0.0) & (cheap <= 1.0)).all():
            raise InputError("hints: expected numbers in [0, 1]")
        told["hints"] = cheap
    if answered is not None:
        if not is_told(learner, "answered"):
            raise InputError(
                f"{name_of(learner)} has no parameter 'answered': it cannot count cells that were "
                "answered before"
            )
        told["answered"] = np.asarray(answered, dtype=np.float64)
    return told


class ScoreCells:
    """How many cells of each arm are left, and the order of the items as far as it is known."""

    def __init__(self, arms: int, cells: int, hinted: bool, asked: Mapping[Any, int]) -> None:
        self._cells, self._hinted = cells, hinted
        self._told = [0] * arms
        for arm, times in asked.items():
            self._told[arm] = times
        self._asked = list(self._told)
        self._items: dict[int, int] = {}  # by position
        self._positions: dict[int, int] = {}  # by item

    def take(self, queries: Sequence[Any]) -> None:
        """Count down the cells that queries ask, or :class:`InputError` if there are none."""
        for each in queries:
            if not isinstance(each, Pull) or each.arm >= len(self._asked):
                raise InputError(f"expected pulls of the arms 0 … {len(self._asked) - 1}")
            left = self._cells - self._asked[each.arm]
            if each.times > left:
                raise InputError(
                    f"{each.times} of the cells of arm {each.arm}, of which {left} are left"
                )
            self._asked[each.arm] += each.times

    def checked(self, query: Any, observation: Any) -> Any:
        """The scores as the learner gets them, or :class:`InputError`; then it still waits."""
        if not isinstance(query, Batch):
            return self._scores(
                query.queries[0] if isinstance(query, Window) else query, observation
            )
        count = len(query.queries)
        if not isinstance(observation, list | tuple) or len(observation) != count:
            raise InputError(f"the observation of a batch is no list of {count}, one a query")
        kept = list(self._told), dict(self._items), dict(self._positions)
        try:
            return [*map(self._scores, query.queries, observation)]
        except InputError:
            self._told, self._items, self._positions = kept
            raise

    def _scores(self, query: Any, observation: Any) -> CellScores:
        """Scores of the arm on its next items, which are noted."""
        start, times = self._told[query.arm], query.times

        def fault() -> InputError:
            return InputError(
                f"the observation of {query!r} is {observation!r}, expected CellScores of {times} "
                f"score{'s' * (times > 1)} and of what items"
            )

        if not isinstance(observation, CellScores):
            if self._hinted:
                raise fault()
            observation = CellScores(observation, np.arange(start, start + times))
        try:
            values, items = map(np.asarray, observation)
        except (TypeError, ValueError):
            raise fault() from None
        shapes = values.shape == items.shape == (times,)
        if not shapes or values.dtype.kind not in "fiub" or items.dtype.kind not in "iu":
            raise fault()
        scores: FloatArray = values.astype(np.float64)
        wrong = ~np.isnan(scores) & ~((scores >= 0.0) & (scores <= 1.0))
        if wrong.any():
            raise InputError(
                f"a score of {query!r} is {scores[wrong][0]}, expected numbers in [0, 1], or NaN "
                "for one that is left out"
            )
        order = dict(enumerate(items.tolist(), start))
        for position, item in order.items():
            same = self._items.get(position, item), self._positions.get(item, position)
            if not 0 <= item < self._cells or same != (item, position):
                raise InputError(
                    f"the observation of {query!r} says that item {item} is the {position + 1}. of "
                    f"the order, expected items 0 … {self._cells - 1}, each once, in an order that "
                    "is the same for all arms"
                )
        self._items |= order
        self._positions |= {item: position for position, item in order.items()}
        self._told[query.arm] += times
        return CellScores(scores, items.astype(np.int64))
