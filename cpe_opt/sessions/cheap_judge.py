"""A cheap judge is asked first, about all cells of a test set or some, and what it says are hints.

It has a session of its own in a file next to that of the judge, ``<path>.cheap``, with an order of
its own: so what it said is not asked again, whatever ended the call, and the order in which the
judge will be asked is drawn when it has ended. A part of the cells are those that come first in its
own order, pair by pair or item by item: an even and random part of all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.errors import InputError
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.queries import Batch, Duel, Pull
from cpe_opt.sessions.judges import JudgeFailed
from cpe_opt.sessions.session import Session

if TYPE_CHECKING:
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.subsets.item_scores import ItemScores
    from cpe_opt.sessions.judges import JudgeEvent, JudgeFunction

    Telling = Callable[[Session], AbstractContextManager[Callable[[JudgeEvent], None]]]


def every_cell(known: Any, *, cells: Any, limit: int | None = None) -> Learner:
    """A learner that asks all cells at once, or so many, and finds nothing."""
    yield Batch(tuple(islice(_queries_of(known, cells), limit)))


def _queries_of(known: Any, cells: Any) -> Iterator[Duel | Pull]:
    """The first cell of every pair or arm, then the second of each, and so on."""
    if isinstance(known, int):
        for number in range(int(cells.max())):
            pairs = combinations(range(known), 2)
            yield from (Duel(i, j) for i, j in pairs if number < cells[i, j])
    else:
        for _ in range(cells):
            yield from (Pull(arm) for arm in range(len(known.labels)))


def ask_cheap_judge(
    path: Path,
    judge: JudgeFunction,
    *,
    about: Mapping[str, Any],
    contents: Mapping[str, object],
    limit: int | None,
    workers: int,
    telling: Telling,
    calling: Mapping[str, Any],
) -> ItemDuels | ItemScores:
    """What a cheap judge says of the cells of a session ``about`` this; ``path`` is of its own."""
    given = dict(about)
    if given.get("seed") is not None:
        digest = hashlib.blake2b(f"{given['seed']}/cheap".encode(), digest_size=6).digest()
        given["seed"] = int.from_bytes(digest)
    if limit is not None:
        given["limit"] = limit
    with Session.open(path, every_cell, **given) as session:
        session.check_unchanged(contents)
        with telling(session) as on_event:
            try:
                session.run(judge, workers=workers, on_event=on_event, **calling)
            except JudgeFailed as error:
                raise JudgeFailed(f"the cheap judge: {error}") from error
        if (said := session.cells_answered()) is None:
            raise InputError("cheap: the cheap judge answered nothing, so that there are no hints")
        return said
