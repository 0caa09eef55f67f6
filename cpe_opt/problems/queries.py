"""The queries of learners: duels of two arms, pulls of an arm or of sets, or several."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cpe_opt.errors import InputError

if TYPE_CHECKING:
    from cpe_opt.arrays import FloatArray, IntArray

HINT_STEP = 2.0**-20
"""To whose multiples hints are rounded, so that their sums and complements to 1 are exact."""
MOST_TIMES = 2**62
"""How many duels of two arms, or pulls, one query may ask for."""


@dataclass(frozen=True, slots=True)
class Duel:
    """``times`` duels of arm i against arm j; the observation is how many of them i won.

    Over the items of a test set (:class:`cpe_opt.ItemDuels`) they are the pair's next cells, and
    the observation is what both get in them, :class:`CellSums`.

    ``Duel(i, i, times=n)`` is an idle stretch: n rounds in which the learner plays i against itself
    because nothing it could observe would change its mind. Its observation means nothing.
    """

    i: int
    j: int
    times: int = 1

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return self.times


class CellSums(NamedTuple):
    """What the two arms of a duel over items got in its cells.

    A cell that nobody answered gives 0 to both, the worst for either: what is proved by these sums
    is true whatever it would have said.

    Attributes
    ----------
    won, lost : float
        What i got, and what j got; together as many as the cells that were answered.
    hint : float
        Of a single cell of a pair with hints, what i gets by its hint, whether it was answered or
        not; NaN otherwise.
    """

    won: float
    lost: float
    hint: float = math.nan


@dataclass(frozen=True, slots=True)
class Pull:
    """``times`` pulls of an arm; the observation is the array of its rewards.

    On a fixed test set (:class:`cpe_opt.ItemScores`) they are the arm's next items, and the
    observation is its scores on them, :class:`CellScores`.
    """

    arm: int
    times: int = 1

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return self.times


class CellScores(NamedTuple):
    """The scores of an arm on the next items of a test set, :class:`cpe_opt.ItemScores`.

    They are in [0, 1], and NaN for a cell that nobody answered, which counts as the worst for
    whoever is to be proved better: what is proved is true whatever the score would have been.
    """

    values: FloatArray  # shape (times,)
    items: IntArray  # their numbers, along one random order that is common to all arms


@dataclass(frozen=True, slots=True)
class PullSets:
    """Pulls of sets, ``times[s]`` of ``sets[s]``; the observation is the array of their sums.

    The sum over all pulls of a set of the sums of its elements' rewards; 0 for a set not pulled.
    """

    sets: tuple[tuple[int, ...], ...]
    times: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return sum(self.times)


@dataclass(frozen=True, slots=True)
class Batch:
    """Independent queries that are open at once; the observation is the list of their observations.

    No query of a batch depends on what is observed of another, so the answers may come in any
    order; the list has them in the order of ``queries``. A simulation answers one after the other,
    as if they had been asked singly: environments and recorders see the queries alone.

    Parameters
    ----------
    queries : tuple of Duel, Pull or PullSets
        Or queries of your own; one at least, and no batches.

    Raises
    ------
    InputError

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> def wins_of_zero(arms):
    ...     wins = yield cpe.Batch(tuple(cpe.Duel(0, other, 100) for other in range(1, arms)))
    ...     return sum(won > 50 for won in wins)
    >>> trace = cpe.simulate(wins_of_zero, cpe.load_instance("gap"))
    >>> trace.answer, trace.rounds, trace.queries
    (3, 400, 4)
    """

    queries: tuple[Duel | Pull | PullSets, ...]

    def __post_init__(self) -> None:
        _check_queries("batch", self.queries)

    @property
    def rounds(self) -> int:
        """How many rounds its queries take together."""
        return sum(query.rounds for query in self.queries)


@dataclass(frozen=True, slots=True)
class Window:
    """Queries that are open at once, of which the oldest is answered first.

    The observation is that of the first query alone. The others stay open: the next query is a
    window that begins with them, in their order, or the one that is left; only a learner that has
    its answer asks for none of them any more. So a learner keeps several queries open all the time,
    and is told what each of them shows in the order in which it asked, in whatever order the
    answers come. A simulation answers the first query, as if it had been asked singly.

    Parameters
    ----------
    queries : tuple of Duel, Pull or PullSets
        The oldest first; one at least, and no batches.

    Raises
    ------
    InputError

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> from cpe_opt.problems.queries import Window
    >>> def first_to_win(arms):
    ...     open_ = [cpe.Duel(0, 1), cpe.Duel(0, 2)]
    ...     wins = {1: 0, 2: 0}
    ...     while max(wins.values()) < 9:
    ...         won = yield Window(tuple(open_))
    ...         oldest = open_.pop(0)
    ...         wins[oldest.j] += won
    ...         open_.append(oldest)
    ...     return max(wins, key=wins.get)
    >>> trace = cpe.simulate(first_to_win, cpe.load_instance("gap"))
    >>> trace.answer, trace.queries == trace.rounds
    (1, True)
    """

    queries: tuple[Duel | Pull | PullSets, ...]

    def __post_init__(self) -> None:
        _check_queries("window", self.queries)

    @property
    def rounds(self) -> int:
        """How many rounds its first query takes."""
        return self.queries[0].rounds


_SEVERAL = (Batch, Window)


def single_queries(query: Any) -> tuple[Any, ...]:
    """The queries that are to be answered next: those of a batch, the first of a window."""
    if isinstance(query, Window):
        return query.queries[:1]
    return query.queries if isinstance(query, Batch) else (query,)


def samples_of(query: Any) -> int:
    """Duels of two different arms, or pulls, that a query makes; 0 for one without ``rounds``."""
    return sum(
        0 if isinstance(each, Duel) and each.i == each.j else getattr(each, "rounds", 0)
        for each in single_queries(query)
    )


def is_plain_duel(query: Any) -> bool:
    """Whether this is a :class:`Duel` itself, of plain ints, which nothing can change."""
    return type(query) is Duel and type(query.i) is type(query.j) is type(query.times) is int


def check_query(query: Any) -> None:
    """Raise :class:`InputError` unless the numbers of a query are whole and in range."""
    # The common case, and cheap to tell.
    if is_plain_duel(query):
        # An idle stretch is cut where the horizon is, however long it is.
        idle = query.i == query.j
        if query.i < 0 or query.j < 0 or query.times < 1 or (query.times > MOST_TIMES and not idle):
            raise InputError(_EXPECTED_DUEL)
    elif isinstance(query, Batch | Window):
        for each in query.queries:
            check_query(each)
    elif isinstance(query, Duel):
        if not (_is_whole(query.i) and _is_whole(query.j) and _is_whole(query.times, 1)):
            raise InputError(_EXPECTED_DUEL)
    elif isinstance(query, Pull):
        if not (_is_whole(query.arm) and _is_whole(query.times, 1)):
            raise InputError(f"expected a whole number for the arm, {_EXPECTED_TIMES}")
    elif isinstance(query, PullSets):
        _check_pulls(query.sets, query.times)
    elif isinstance(query, type) or not _is_whole(getattr(query, "rounds", 1), 1):
        raise InputError("expected a query, and its rounds as a whole number, at least 1")


def _check_queries(what: str, queries: Any) -> None:
    """Raise :class:`InputError` unless these may be the queries of a batch or window."""
    if not isinstance(queries, tuple):
        raise InputError(f"the queries of a {what} are {queries!r}, expected a tuple of queries")
    if not queries:
        raise InputError(f"a {what} has no queries, expected at least 1")
    for kind in dict.fromkeys(map(type, queries)):
        if issubclass(kind, _SEVERAL):
            place = 1 + [*map(type, queries)].index(kind)
            raise InputError(
                f"query {place} of {len(queries)} of a {what} is a {kind.__name__.lower()} itself, "
                "expected a single query"
            )


_EXPECTED_TIMES = "and for the times one from 1 to 2**62"
_EXPECTED_DUEL = f"expected whole numbers, at least 0, for two arms, {_EXPECTED_TIMES}"


def _check_pulls(sets: Any, times: Any) -> None:
    if not (isinstance(sets, Sequence) and isinstance(times, Sequence)):
        raise InputError("expected a list of sets, and one of how often each is pulled")
    if len(times) != len(sets) or not all(map(_is_whole, times)) or not any(times):
        raise InputError(
            f"expected a whole number of pulls, 0 or more, for each of the {len(sets)} sets, and "
            "at least 1 in all"
        )


def _is_whole(value: Any, least: int = 0) -> bool:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    return bool(whole and least <= value <= MOST_TIMES)
