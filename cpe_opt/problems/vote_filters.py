r"""Which votes of a log are read: those with some values in its columns, and of some time.

A filter has to be chosen without looking at who wins with it: whoever tries twenty and reports the
one with the best proof has proved nothing, for each of twenty statements at 95 % may be wrong.
Either the filter follows from the question, "which model is best on German prompts?", or the
probability of an error is divided among all filters that are looked at, as
:func:`cpe_opt.evidence_by` does. Columns that say how a vote went are refused: a filter on them
selects by outcome, and of what it leaves nothing can be proved
(:mod:`cpe_opt.problems.dueling.votes`, "Selection").

Two cells are the same value if their texts are, or the numbers that they hold; true and false are 1
and 0.
"""

from __future__ import annotations

import csv
import datetime
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias, TypedDict, cast

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError, listed, shortened
from cpe_opt.problems.tables import Table, parse_number
from cpe_opt.problems.times import is_time_name, time_of

Wanted: TypeAlias = Mapping[str, object]
"""Values by column: one, or a sequence of several."""
_WON = (
    "winner|winners|winning|win|wins|won|loser|losers|loss|losses|lost|score|scores|rating|ratings|"
    "elo|outcome|outcomes|result|results|verdict|verdicts|preference|preferences|preferred|chosen|"
    "rejected"
)
_OUTCOME = re.compile(
    rf"(?:.*[ _-])?(?:{_WON})(?:[ _-].*)?|label|vote|votes|tie|ties|tied|is[ _-]tie|draw|draws|"
    r"is[ _-]draw|both[ _-]?bad"
)
_COUNT = ("count", "counts", "weight", "weights", "times", "number", "n")
_SHOWN = 8


class ReadOptions(TypedDict, total=False):
    """What votes of a log are read, and how; see :meth:`cpe_opt.Votes.read`."""

    cluster: str | None
    unique: str | Sequence[str]
    where: Mapping[str, object] | None
    where_not: Mapping[str, object] | None
    since: str | float | datetime.date | None
    until: str | float | datetime.date | None
    time: str | None


@dataclass(frozen=True)
class VoteFilter:
    """Which votes are read.

    Attributes
    ----------
    where, where_not : tuple of (column, values)
        Votes have one of the values in each column of ``where``, and none of those of
        ``where_not``.
    since, until : float or None
        Seconds since 1970: not before ``since``, and before ``until``.
    time : str or None
        The column of times; by default the one that is called so.
    words : tuple of str
        Each of these conditions, as it was given.
    """

    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    where_not: tuple[tuple[str, tuple[str, ...]], ...] = ()
    since: float | None = None
    until: float | None = None
    time: str | None = None
    words: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        where: Wanted | None = None,
        where_not: Wanted | None = None,
        since: object = None,
        until: object = None,
        time: str | None = None,
    ) -> Self:
        """From what a user gives.

        Examples
        --------
        >>> found = VoteFilter.of({"Language": ["en", "de"]}, {"turn": 2}, since="2026-01-01")
        >>> found.words
        ('where language is en or de', 'where turn is not 2', 'since 2026-01-01')
        """
        first, last = (
            None if value is None else time_of(name, value, end=name == "until")
            for name, value in (("since", since), ("until", until))
        )
        if first is not None and last is not None and first >= last:
            raise InputError(f"since is {since}, and until {until}, expected a later time")
        if time is not None and first is None and last is None:
            raise InputError(
                "time (--time on the command line) has no effect without since or until"
            )
        kept, left_out = _wanted("where", where), _wanted("where_not", where_not)
        words = [
            f"where {column} {verb} {' or '.join(map(_quoted, values))}"
            for conditions, verb in ((kept, "is"), (left_out, "is not"))
            for column, values in conditions
        ]
        words += [
            f"{name} {value}"
            for name, value in (("since", since), ("until", until))
            if value is not None
        ]
        name = None if time is None else time.strip().lower()
        return cls(kept, left_out, first, last, name, tuple(words))

    def __bool__(self) -> bool:
        return bool(self.words)

    @property
    def columns(self) -> tuple[str, ...]:
        """Those whose values are compared."""
        return tuple(dict.fromkeys(column for column, _ in (*self.where, *self.where_not)))

    @property
    def timed(self) -> bool:
        """Whether times are compared."""
        return self.since is not None or self.until is not None

    def time_column(self, source: str, header: Sequence[str]) -> str | None:
        """The column of times of a log; None if none is needed."""
        if not self.timed or self.time is not None:
            return self.time
        found = [name for name in header if is_time_name(name)]
        if len(found) == 1:
            return found[0]
        name = "time= (--time on the command line)"
        if found:
            columns = " and ".join(map(repr, found))
            raise InputError(f"{source}: {columns} may be times of votes; say which by {name}")
        raise InputError(
            f"{source}: no column is called as times are, such as timestamp or date; found "
            f"{listed(header)}; name it by {name}"
        )

    def rows(self, table: Table, count: FloatArray) -> tuple[IntArray, tuple[tuple[str, int], ...]]:
        """The rows that are read, and how many votes each condition leaves out of the rest.

        Parameters
        ----------
        table : Table
        count : float array
            How many votes a row stands for.

        Raises
        ------
        InputError
            Where a value never occurs, a time is none, or nothing is left.
        """
        kept = np.ones(table.rows, dtype=np.bool_)
        told: list[tuple[str, int]] = []

        def keep(condition: BoolArray, seen: str) -> None:
            left_out = int(count[kept & ~condition].sum())
            kept[:] &= condition
            told.append((self.words[len(told)], left_out))
            if not count[kept].any():
                words = " and ".join(self.words[: len(told)])
                raise InputError(f"{table.source}: no vote is left {words}; {seen}")

        for columns, wanted in ((self.where, True), (self.where_not, False)):
            for column, values in columns:
                codes, texts = table.coded[column]
                seen = _seen(column, codes[kept], texts, count[kept])
                chosen = np.isin([_same(text) for text in texts], [_same(each) for each in values])
                if wanted:
                    _require_values(table.source, column, values, texts, seen)
                keep((chosen == wanted)[codes], seen)
        if self.timed:
            times = _checked_times(table)
            seen = f"times are from {_shown_time(times.min())} to {_shown_time(times.max())}"
            if self.since is not None:
                keep(times >= self.since, seen)
            if self.until is not None:
                keep(times < self.until, seen)
        return np.flatnonzero(kept), tuple(told)


def split_conditions(
    conditions: Iterable[str],
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What a command line says: ``language=en,de`` and ``turn!=2``, as ``where`` and ``where_not``.

    A value with a comma is put in double quotes.

    Examples
    --------
    >>> split_conditions(["language=en,de", 'topic!="a, b"'])
    ({'language': ['en', 'de']}, {'topic': ['a, b']})
    """
    where: dict[str, list[str]] = {}
    where_not: dict[str, list[str]] = {}
    for text in conditions:
        column, mark, values = text.partition("=")
        chosen = where_not if column.endswith("!") else where
        column = column.removesuffix("!").strip()
        if not mark or not column:
            raise InputError(
                f"--where is {text!r}, expected such as language=en, language=en,de or language!=en"
            )
        if column in chosen and chosen is where:
            raise InputError(
                f"--where names {column!r} twice; several values are {column}={chosen[column][0]},…"
            )
        cells = next(csv.reader([values.strip()], skipinitialspace=True), [""])
        chosen.setdefault(column, []).extend(cell.strip() for cell in cells)
    return where, where_not


def refuse_outcomes(source: str, columns: Iterable[str], outcome: Sequence[str]) -> None:
    """Raise :class:`InputError` if a column says how votes went, or how many there were.

    ``outcome`` are those of the form of the log that do.
    """
    for name in columns:
        if name in outcome or name in _COUNT or _OUTCOME.fullmatch(name):
            raise InputError(
                f"{source}: {name!r} says how votes went, and votes that are chosen by that prove "
                "nothing; expected a column that was known before, such as a language"
            )


def require_columns(source: str, header: Sequence[str], columns: Iterable[str], what: str) -> None:
    """Raise :class:`InputError` if a column is not there, with those that are."""
    for name in columns:
        if name not in header:
            near = difflib.get_close_matches(name, header, n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise InputError(f"{source}: no column {name!r} {what}; found {listed(header)}{hint}")


def _wanted(name: str, given: Wanted | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Columns in lower case, and values as texts."""
    found = []
    for column, given_values in (given or {}).items():
        if not isinstance(column, str):
            raise InputError(f"{name}: {column!r} is no name of a column")
        several = isinstance(given_values, list | tuple | set | frozenset)
        values = cast("Iterable[object]", given_values) if several else [given_values]
        texts = tuple(_text(name, column, value) for value in values)
        if not texts:
            raise InputError(f"{name}: no values of {column!r}, expected at least one")
        found.append((column.strip().lower(), texts))
    return tuple(found)


def _text(name: str, column: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    if isinstance(value, str | int | float | np.number):
        return str(value).strip()
    raise InputError(
        f"{name}: {column!r} is {shortened(repr(value))}, expected a text, a number, or a list"
    )


def _same(text: str) -> str:
    """One text for all that are the same value."""
    lower = text.lower()
    if lower in ("true", "false"):
        return str(float(lower == "true"))
    try:
        return str(parse_number(text) + 0.0)
    except ValueError:
        return text


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[^\s,]+", text) else repr(text)


def _seen(column: str, codes: IntArray, texts: Sequence[str], count: FloatArray) -> str:
    """The values of a column, the most frequent first."""
    votes = np.bincount(codes, count, len(texts))
    order = np.argsort(-votes, kind="stable")
    order = order[votes[order] > 0]
    shown = [f"{shortened(texts[k], 30)!r} ({votes[k]:,.0f})" for k in order[:_SHOWN].tolist()]
    rest = f", … ({len(order):,} values)" if len(order) > _SHOWN else ""
    return f"{column} is {', '.join(shown) or 'empty'}{rest}"


def _require_values(
    source: str, column: str, values: Sequence[str], texts: Sequence[str], seen: str
) -> None:
    """Refuse values that no line has: they may be misspelt."""
    known = {_same(text) for text in texts}
    for value in values:
        if _same(value) not in known:
            near = difflib.get_close_matches(value, texts[:1000], n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise InputError(f"{source}: {column} is never {value!r}{hint}; {seen}")


def _checked_times(table: Table) -> FloatArray:
    """Those of all rows, or :class:`InputError` at the first that is none."""
    times = table.times
    assert times is not None
    if np.isnan(times).any():
        row = int(np.argmax(np.isnan(times)))
        raise InputError(
            f"{table.place(row)}: the time is none; expected such as 2026-01-31, "
            "2026-01-31T12:00:00Z, or seconds or milliseconds since 1970"
        )
    return times


def _shown_time(seconds: float) -> str:
    return str(np.datetime64(int(seconds), "s")).replace("T", " ")
