"""What arguments may be: declared in signatures, and checked at the door of public functions.

The annotation of a parameter declares what it accepts: a kind, a range, a choice, a list of them::

    @checked_types
    def planted(size: PositiveInt, *, gap: Share = 0.1, method: Literal["a", "b"] = "a") -> ...

A call that breaks a declaration is refused by :class:`InputError`, which says which argument, what
was found and what was expected, before anything is computed. What depends on other arguments, as
shapes do, is for the function itself to check, by :func:`checked_count` and the like, which make
the same constraints. Tables of bad arguments in the tests are made from them, too.
"""

from __future__ import annotations

import contextlib
import fractions
import functools
import inspect
import io
import math
import numbers
import os
import re
import types
import typing
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import RawBytes, checked_array, is_whole
from cpe_opt.errors import InputError, UnknownName

Function = TypeVar("Function", bound=Callable[..., Any])

_LARGEST = 2**63
_SHOWN = 60
_WORDS: dict[Any, tuple[str, str]] = {
    float: ("a number", "numbers"),
    int: ("a whole number", "whole numbers"),
    bool: ("True or False", "truth values"),
    str: ("a text", "texts"),
    types.NoneType: ("None", "None"),
    Mapping: ("a mapping", "mappings"),
    Callable: ("a function", "functions"),
    Hashable: ("a name", "names"),
    os.PathLike: ("a path", "paths"),
}


MOST_ROUNDS = 2**53
"""Up to which rounds, samples and sums of them are counted exactly, floats included."""

LEAST_PROBABILITY = 1e-306
"""Probabilities of an error below this are refused: shares of them would lose their digits."""

MOST_THINGS = 1_000_000
"""How many arms, elements, candidates or positions a problem can have."""


@dataclass(frozen=True)
class Interval:
    """The numbers from ``low`` to ``high``; an infinite end is one of them where it is closed.

    ``words`` are for messages, in place of the end that a number is beyond.
    """

    low: float = -math.inf
    high: float = math.inf
    closed: Literal["both", "left", "right", "neither"] = "both"
    words: str = ""

    def __contains__(self, number: float) -> bool:
        from_low = self.low <= number if self.closed in ("both", "left") else self.low < number
        to_high = number <= self.high if self.closed in ("both", "right") else number < self.high
        return from_low and to_high

    def expected(self, kind: str, number: float | None) -> str:
        """What is expected instead of a number, or instead of what is none."""
        if self.words:
            return self.words
        if number in (math.inf, -math.inf):
            return kind.replace("a ", "a finite ", 1)
        if number is not None and number > self.low:
            return f"{'at most' if self.closed in ('both', 'right') else 'below'} {self.high:,}"
        least = ", at least" if self.closed in ("both", "left") else " above"
        return kind if self.low == -math.inf else f"{kind}{least} {self.low:g}"


class Constraint:
    """What an argument may be."""

    def accepts(self, value: Any) -> bool:
        """Whether it may be this value; it may not where the value cannot even be looked at."""
        try:
            return self._fits(value)
        except Exception:
            return False

    def check(self, name: str, value: Any) -> None:
        """Raise :class:`InputError` unless the argument of this name may be this value."""
        if not self.accepts(value):
            self._refuse(name, value)

    def _refuse(self, name: str, value: Any) -> None:
        """Say what was found, and what was expected."""
        shown = shown_count(int(value)) if _is(value, numbers.Integral) else shown_value(value)
        raise InputError(f"{name} is {shown}, expected {self._words(value)}")

    def _words(self, value: Any = None, many: int = 0) -> str:
        """What is expected instead of a value: one thing, or many."""
        raise NotImplementedError

    def _fits(self, value: Any) -> bool:
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Constraint):
    """A number (``float``) or a whole number (``int``) in all of some intervals, never NaN."""

    kind: type
    intervals: tuple[Interval, ...] = ()

    def _fits(self, value: Any) -> bool:
        if not self.recognises(value):
            return False
        number = float(value) if self.kind is float else value
        sized = not math.isnan(number) if self.kind is float else abs(number) < _LARGEST
        return sized and all(number in each for each in self.intervals)

    def recognises(self, value: Any) -> bool:
        """Whether a value is of this kind, whatever the intervals."""
        return _is(value, numbers.Real if self.kind is float else numbers.Integral)

    def _words(self, value: Any = None, many: int = 0) -> str:
        whole = isinstance(value, numbers.Integral)
        number = value if self.recognises(value) and (whole or not math.isnan(value)) else None
        kind = _WORDS[self.kind][many]
        for each in self.intervals:
            if not many and (number is None or number not in each):
                return each.expected(kind, number)
        large = self.kind is int and number is not None and abs(number) >= _LARGEST
        return f"{kind}, below 2**63" if large else kind


@dataclass(frozen=True)
class InstanceOf(Constraint):
    """An object of a class."""

    kind: Any

    def _fits(self, value: Any) -> bool:
        return isinstance(value, bool | np.bool_ if self.kind is bool else self.kind)

    def _words(self, value: Any = None, many: int = 0) -> str:
        if self.kind in _WORDS:
            return _WORDS[self.kind][many]
        name = self.kind.__name__
        return f"{name} objects" if many else f"a{'n' * (name[0] in 'AEIOU')} {name}"


@dataclass(frozen=True)
class OneOf(Constraint):
    """One of some words."""

    choices: tuple[str, ...]

    def _fits(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.choices

    def _words(self, value: Any = None, many: int = 0) -> str:
        *others, last = map(repr, self.choices)
        return f"{', '.join(others)} or {last}" if others else last

    def _refuse(self, name: str, value: Any) -> None:
        if isinstance(value, str):
            raise UnknownName(name, value, self.choices)
        super()._refuse(name, value)


@dataclass(frozen=True)
class Several(Constraint):
    """Things alike: whatever can be gone through or, where ``ordered``, has a length and places.

    The entries of an iterator are not looked at, which would use it up.
    """

    entry: Constraint | None
    ordered: bool

    def _fits(self, value: Any) -> bool:
        if isinstance(value, str | RawBytes | Mapping | io.IOBase):
            return False
        if not isinstance(value, Iterable) or getattr(value, "ndim", 1) == 0:
            return False
        if not hasattr(value, "__len__"):
            return not self.ordered
        if self.ordered and not hasattr(value, "__getitem__"):
            return False  # a set has no order
        if isinstance(self.entry, Number) and getattr(value, "ndim", 1) > 1:
            return False
        return self.entry is None or all(map(self.entry._fits, value))

    def _words(self, value: Any = None, many: int = 0) -> str:
        some = "lists" if many else "a list"
        return f"{some} of {self.entry._words(many=1)}" if self.entry else some

    def _refuse(self, name: str, value: Any) -> None:
        """Blame the first entry that is not accepted, where there is one."""
        if isinstance(value, list | tuple) and self.entry is not None:
            for place, entry in enumerate(value):
                self.entry.check(f"{name}[{place}]", entry)
        super()._refuse(name, value)


@dataclass(frozen=True)
class Pair(Constraint):
    """Two entries, each with a constraint of its own."""

    entries: tuple[Constraint | None, ...]

    def _fits(self, value: Any) -> bool:
        if not Several(None, ordered=True)._fits(value) or len(value) != len(self.entries):
            return False
        both = zip(self.entries, tuple(value), strict=True)
        return all(each is None or each._fits(entry) for each, entry in both)

    def _words(self, value: Any = None, many: int = 0) -> str:
        return "pairs" if many else "a pair"


@dataclass(frozen=True)
class Approved(Constraint):
    """What a function accepts that raises :class:`InputError` on anything else."""

    checked: Callable[[str, Any], object]
    expected: str

    def _fits(self, value: Any) -> bool:
        self.checked("", value)
        return True

    def _words(self, value: Any = None, many: int = 0) -> str:
        return self.expected

    def _refuse(self, name: str, value: Any) -> None:
        self.checked(name, value)


@dataclass(frozen=True)
class Either(Constraint):
    """What one of several constraints accepts."""

    kinds: tuple[Constraint, ...]

    def _fits(self, value: Any) -> bool:
        return any(kind.accepts(value) for kind in self.kinds)

    def _words(self, value: Any = None, many: int = 0) -> str:
        return " or ".join(dict.fromkeys(kind._words(value, many) for kind in self.kinds))

    def _refuse(self, name: str, value: Any) -> None:
        """By the constraint that has more to say of such a value than all have in words."""
        for kind in self.kinds:
            named = isinstance(kind, OneOf) and isinstance(value, str)
            listed = isinstance(kind, Several) and isinstance(value, list | tuple)
            beyond = isinstance(kind, Number) and kind.recognises(value)
            if named or listed or beyond or isinstance(kind, Approved):
                kind._refuse(name, value)
        super()._refuse(name, value)


_FINITE = Interval(closed="neither")
_PROBABILITY = (
    Interval(0, closed="neither"),
    Interval(high=1, closed="neither", words="a probability between 0 and 1"),
    Interval(LEAST_PROBABILITY, words=f"a probability of at least {LEAST_PROBABILITY:g}"),
)
_EXACT = f"at most {MOST_ROUNDS:,} (2^53): beyond that rounds cannot be counted exactly"
_ROUNDS = (Interval(1), Interval(high=MOST_ROUNDS, words=_EXACT))


def _checked_in(name: str, value: Any, kind: type, *intervals: Interval) -> Any:
    """The value as a number of Python, or :class:`InputError`."""
    Number(kind, intervals).check(name, value)
    return kind(value)


def checked_number(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf
) -> float:
    """The value as a float, at least ``least`` and more than ``above``, or :class:`InputError`."""
    interval = Interval(above, closed="right") if above > -math.inf else Interval(least)
    return float(_checked_in(name, value, float, interval))


def checked_finite(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf
) -> float:
    """The same for a number that may not be infinite."""
    number = checked_number(name, value, least=least, above=above)
    return float(_checked_in(name, number, float, _FINITE))


def checked_probability(name: str, value: Any) -> float:
    """The value as a float between :data:`LEAST_PROBABILITY` and 1, or :class:`InputError`."""
    return float(_checked_in(name, value, float, *_PROBABILITY))


def checked_count(name: str, value: Any, *, least: int = 1, most: float = math.inf) -> int:
    """The value as an int, from ``least`` to ``most``, or :class:`InputError`."""
    return int(_checked_in(name, value, int, Interval(least, most)))


def checked_rounds(name: str, value: Any) -> int:
    """A number of rounds, such as a horizon, or :class:`InputError`."""
    return int(_checked_in(name, value, int, *_ROUNDS))


def checked_delta(delta: float | None, horizon: int | None) -> float:
    """The probability of an error of a learner; by default 1/T with a horizon, else 0.05."""
    if horizon is not None:
        checked_rounds("horizon", horizon)
    if delta is None:
        return 0.05 if horizon is None else 1.0 / horizon
    return checked_probability("delta", delta)


def checked_text(what: str, text: Any) -> str:
    """A text that is not blank and that files can hold, or :class:`InputError`."""
    if not isinstance(text, str) or not text.strip():
        blank = " that is not blank" * isinstance(text, str)
        raise InputError(f"{what} is {shown_value(text)}, expected a text{blank}")
    check_characters(what, text)
    return str(text)


def check_characters(what: str, text: str) -> None:
    """Raise :class:`InputError` where a text has NUL, or half of a pair, which UTF-8 has not."""
    odd = re.search("[\0\ud800-\udfff]", text)
    if odd:
        kind = "with the character NUL" if odd[0] == "\0" else "half of a surrogate pair"
        raise InputError(
            f"{what} is {shown_value(text)}, {kind}, expected a text that a file can hold"
        )


def checked_texts(what: str, labels: Any) -> tuple[str, ...]:
    """Labels for people, each a :func:`checked_text`, in their order, or :class:`InputError`."""
    if not Several(None, ordered=True).accepts(labels) or getattr(labels, "ndim", 1) != 1:
        raise InputError(
            f"{what} is {shown_value(labels)}, expected a list of labels in their order"
        )
    return tuple(checked_text(f"{what}[{place}]", label) for place, label in enumerate(labels))


def checked_labels(
    labels: Any, count: int, noun: str = "arm", what: str = "labels", letter: str = ""
) -> tuple[str, ...]:
    """Labels of so many things, stripped, no two alike; their numbers, after a letter, for None."""
    if labels is None:
        return tuple(f"{letter}{number}" for number in range(count))
    texts = tuple(text.strip() for text in checked_texts(what, labels))
    if len(texts) != count:
        raise InputError(f"{what}: {len(texts)} given for {count} {noun}s")
    if (pair := repeated(texts)) is not None:
        one, other = pair
        raise InputError(f"{what}: {noun}s {one} and {other} are both called {texts[other]!r}")
    return texts


def checked_place(what: str, number: Any, count: int) -> int:
    """The number of one of so many things, from 0 on, or :class:`InputError`."""
    if not is_whole(number):
        raise InputError(f"{what} is {number!r}, expected a whole number")
    if not 0 <= number < count:
        raise InputError(f"{what} {number} does not exist, expected 0 … {count - 1}")
    return int(number)


def repeated(labels: Sequence[str]) -> tuple[int, int] | None:
    """The places of two labels that are the same to a person; None if all differ.

    Accents of Unicode can be written in two ways, and look alike.
    """
    first: dict[str, int] = {}
    for place, label in enumerate(labels):
        other = first.setdefault(unicodedata.normalize("NFC", label), place)
        if other != place:
            return other, place
    return None


def shown_count(count: int) -> str:
    """A whole number of any size for a message: 12,000 or about 1e30."""
    magnitude = math.log10(abs(count)) if count else 0.0
    sign = "-" if count < 0 else ""
    return f"{count:,}" if magnitude < 18 else f"about {sign}1e{magnitude:.0f}"


def _check_array(name: str, values: Any, *, booleans: bool = False) -> None:
    """Raise :class:`InputError` unless :func:`checked_array` takes the values."""
    if not (type(values) is np.ndarray and values.dtype.kind in "fiu"):
        checked_array(name, values, booleans=booleans)


Finite: TypeAlias = Annotated[float, _FINITE]
Positive: TypeAlias = Annotated[float, Interval(0, closed="neither")]
PositiveOrInfinite: TypeAlias = Annotated[float, Interval(0, closed="right")]
NonNegative: TypeAlias = Annotated[float, Interval(0, closed="left")]
Share: TypeAlias = Annotated[float, Interval(0, 1, "right", "a share above 0 and at most 1")]
ErrorProbability: TypeAlias = Annotated[float, *_PROBABILITY]
"""Of an error: not 0, not 1."""
PositiveInt: TypeAlias = Annotated[int, Interval(1)]
NonNegativeInt: TypeAlias = Annotated[int, Interval(0)]
Seed: TypeAlias = NonNegativeInt
Size: TypeAlias = Annotated[int, Interval(1, MOST_THINGS)]
Rounds: TypeAlias = Annotated[int, *_ROUNDS]
Name: TypeAlias = Annotated[str, Approved(checked_text, "a text")]
Labels: TypeAlias = Annotated[Sequence[str], Approved(checked_texts, "a list of texts")]
Numbers: TypeAlias = Annotated[npt.ArrayLike, Approved(_check_array, "an array of numbers")]
"""Real numbers in an array of any shape; not truth values."""
NumbersOrTruths: TypeAlias = Annotated[
    npt.ArrayLike, Approved(functools.partial(_check_array, booleans=True), "an array of numbers")
]
"""The same, where True and False count as 1 and 0."""


def checked_types(function: Function) -> Function:
    """Decorate a function: :class:`InputError` if an argument is not what is declared.

    Numbers of numpy and fractions reach the function as the numbers of Python that they stand for:
    sums with a 32-bit float would keep no more digits than it has.
    """

    @functools.wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        positions, constraints, known = _door(function)
        for name in named:
            if known is not None and name not in known:
                called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
                raise UnknownName(f"argument of {called}", name, known)
        for name, value in (*zip(positions, arguments, strict=False), *named.items()):
            if name in constraints:
                constraints[name].check(name, value)
        return function(
            *map(_plain, arguments), **{name: _plain(value) for name, value in named.items()}
        )

    return cast(Function, checked)


def constraints_of(function: Callable[..., Any]) -> Mapping[str, Constraint]:
    """What the arguments of a function under :func:`checked_types` may be, by their names."""
    return _door(inspect.unwrap(function))[1]


@functools.cache
def _door(
    function: Callable[..., Any],
) -> tuple[tuple[str, ...], Mapping[str, Constraint], tuple[str, ...] | None]:
    """Names of the positional parameters; constraints; all names, None if any name will do."""
    parameters = inspect.signature(function).parameters.values()
    scope = getattr(inspect.unwrap(function), "__globals__", {})
    hints: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.annotation is not parameter.empty:
            holder = types.SimpleNamespace(__annotations__={parameter.name: parameter.annotation})
            # What is imported for type checkers alone the function itself checks.
            with contextlib.suppress(NameError):
                hints |= typing.get_type_hints(holder, scope, include_extras=True)
    positions = [
        p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    named = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD and p.name != "self"]
    known: tuple[str, ...] | None = tuple(named)
    for parameter in parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            hint = hints.pop(parameter.name, Any)
            known = None
            if typing.get_origin(hint) is typing.Unpack:
                options = typing.get_type_hints(typing.get_args(hint)[0], include_extras=True)
                hints |= options
                known = (*named, *options)
    made = {name: constraint_of(hint) for name, hint in hints.items()}
    constraints = {name: each for name, each in made.items() if each is not None}
    return tuple(positions), constraints, known


@functools.cache
def constraint_of(hint: Any) -> Constraint | None:
    """What an annotation declares; None where anything will do."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint in (Any, object):
        return None
    if origin is Annotated:
        kind, *declared = inner
        own = [each for each in declared if isinstance(each, Constraint)]
        return own[0] if own else Number(kind, tuple(declared))
    if origin in (typing.Union, types.UnionType):
        kinds = tuple(map(constraint_of, inner))
        return None if None in kinds else Either(cast(tuple[Constraint, ...], kinds))
    if origin is Literal:
        return OneOf(inner)
    if hint in (float, int):
        return Number(hint)
    kind = origin or hint
    if kind is np.ndarray:
        return constraint_of(Numbers)
    if kind is tuple and Ellipsis not in inner:
        return Pair(tuple(map(constraint_of, inner)))
    if not inspect.isclass(kind):
        return None
    alike = inner and issubclass(kind, Iterable) and not issubclass(kind, Mapping)
    return (
        Several(constraint_of(inner[0]), issubclass(kind, Sequence)) if alike else InstanceOf(kind)
    )


def _plain(value: Any) -> Any:
    """A number of numpy or a fraction as the number of Python, anything else as it is."""
    if isinstance(value, np.number | np.bool_):
        return value.item()
    return float(value) if isinstance(value, fractions.Fraction) else value


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def shown_value(value: object) -> str:
    """A value for a message, in one short line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        return f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
