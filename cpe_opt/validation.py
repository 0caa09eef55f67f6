"""What arguments may be: declared in signatures, and checked at the door of public functions.

The annotation of a parameter declares what it accepts: a kind, a range, a choice, a list of them::

    @checked_types
    def planted(size: PositiveInt, *, gap: Share = 0.1, method: Literal["a", "b"] = "a") -> ...

A call that breaks a declaration is refused by :class:`InputError`, which says which argument, what
was found and what was expected, before anything is computed. What depends on other arguments, as
shapes do, is for the function itself to check.
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
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import RawBytes, checked_array, is_whole
from cpe_opt.errors import InputError, UnknownName, shortened

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_ROUNDS = 2**53
"""Up to which rounds, samples and sums of them are counted exactly, floats included."""

LEAST_PROBABILITY = 1e-306
"""Probabilities of an error below this are refused: shares of them would lose their digits."""

MOST_THINGS = 1_000_000
"""How many arms, elements, candidates or positions a problem can have."""

_LARGEST = 2**63
_WORDS: dict[Any, str] = {
    float: "a number",
    int: "a whole number",
    bool: "True or False",
    str: "a text",
    types.NoneType: "None",
    Mapping: "a mapping",
    Callable: "a function",
    Hashable: "a name",
    os.PathLike: "a path",
}


def checked_types(function: Function) -> Function:
    """Decorate a function: :class:`InputError` if an argument is not what is declared.

    Numbers of numpy and fractions reach the function as the numbers of Python that they stand for:
    sums with a 32-bit float would keep no more digits than it has. Of a class this is the door of
    its ``__init__``.
    """
    if isinstance(function, type):
        function.__init__ = checked_types(function.__init__)  # type: ignore[misc]
        return function

    @functools.wraps(function)
    def behind_door(*arguments: Any, **named: Any) -> Any:
        door = _door(function)
        for name in named:
            if door.names is not None and name not in door.names:
                called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
                raise UnknownName(f"argument of {called}", name, door.names)
        for name, value in (*zip(door.positions, arguments, strict=False), *named.items()):
            if (constraint := door.constraints.get(name)) is not None:
                constraint.check(name, value)
        return function(
            *map(_plain, arguments), **{name: _plain(value) for name, value in named.items()}
        )

    return cast(Function, behind_door)


class _Door(NamedTuple):
    positions: list[str]  # the parameters that need no name
    names: list[str] | None  # all parameters; None where any name will do
    hints: Mapping[str, Any]
    constraints: Mapping[str, Constraint | None]


@functools.cache
def _door(function: Callable[..., Any]) -> _Door:
    parameters = inspect.signature(function).parameters.values()
    scope = getattr(inspect.unwrap(function), "__globals__", {})
    hints: dict[str, Any] = {}
    for each in parameters:
        holder = types.SimpleNamespace(__annotations__={each.name: each.annotation})
        # What cannot be read, such as what is imported for type checkers alone, declares nothing.
        with contextlib.suppress(Exception):
            if each.annotation is not each.empty:
                hints |= typing.get_type_hints(holder, scope, include_extras=True)
    positions = [p.name for p in parameters if p.kind <= p.POSITIONAL_OR_KEYWORD]
    all_names = [p.name for p in parameters if p.name != "self"]
    names: list[str] | None = all_names
    for variable in (p.name for p in parameters if p.kind is p.VAR_KEYWORD):
        hint, names = hints.pop(variable, Any), None
        if typing.get_origin(hint) is typing.Unpack:
            (options,) = typing.get_args(hint)
            hints |= typing.get_type_hints(options, include_extras=True)
            names = [each for each in dict.fromkeys((*all_names, *hints)) if each != variable]
    return _Door(positions, names, hints, {name: constraint_of(hints[name]) for name in hints})


def _plain(value: Any) -> Any:
    """A number of numpy or a fraction as the number of Python, anything else as it is."""
    if isinstance(value, (np.number, np.bool_)):
        return value.item()
    return float(value) if fractions.Fraction in type(value).__mro__ else value


@dataclass(frozen=True)
class Constraint:
    """What an argument may be."""

    words: str
    """What is expected."""
    fits: Callable[[str, Any], bool]
    """Whether the argument of this name may be this value; :class:`InputError` where more can be
    said than what is expected."""

    def check(self, name: str, value: Any) -> None:
        """Raise :class:`InputError` unless the argument of this name may be this value."""
        try:
            fits = self.fits(name, value)
        except InputError:
            raise
        except Exception:  # of a value that cannot even be looked at
            fits = False
        if not fits:
            raise InputError(f"{name} is {shown_value(value)}, expected {self.words}")

    def accepts(self, value: Any) -> bool:
        """Whether it may be this value."""
        try:
            return self.fits("", value)
        except Exception:  # as in check, but without words for what is not shown
            return False


@dataclass(frozen=True)
class Interval:
    """The numbers from ``low`` to ``high``; an infinite end is one of them where it is closed.

    ``words`` are for messages, in place of the ends.
    """

    low: float = -math.inf
    high: float = math.inf
    closed: Literal["both", "left", "right", "neither"] = "both"
    words: str = ""

    def __contains__(self, number: float) -> bool:
        from_low = self.low <= number if self.closed in ("both", "left") else self.low < number
        to_high = number <= self.high if self.closed in ("both", "right") else number < self.high
        return from_low and to_high

    def in_words(self, kind: str) -> str:
        """What is expected, such as "a whole number, at least 1"."""
        finite = self.high == math.inf not in self
        least = ", at least" if self.closed in ("both", "left") else " above"
        most = "at most" if self.closed in ("both", "right") else "below"
        low = "" if self.low == -math.inf else f"{least} {self.low:g}"
        high = "" if self.high == math.inf else f", {most} {self.high:,}"
        return self.words or kind.replace("a ", "a finite " if finite else "a ", 1) + low + high


@functools.cache
def constraint_of(hint: Any) -> Constraint | None:
    """What an annotation declares; None where anything will do."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint in (Any, object):
        return None
    if origin is Annotated:
        kind, declared = inner
        own = not isinstance(declared, Interval)
        return _approved(declared) if own else _number(kind, declared)
    if origin in (typing.Union, types.UnionType):
        kinds = tuple(map(constraint_of, inner))
        arrays = set(typing.get_args(npt.ArrayLike)) <= set(inner)  # these the function checks
        return None if arrays or None in kinds else _either(cast(tuple[Constraint, ...], kinds))
    if origin is Literal:
        return _one_of(inner)
    if hint in (float, int):
        return _number(hint, Interval())
    kind = origin or hint
    if kind is np.ndarray:
        return constraint_of(Numbers)
    if kind is tuple and Ellipsis not in inner:
        return _pair(tuple(map(constraint_of, inner)))
    try:
        isinstance(None, kind)
    except TypeError:  # a protocol, say, of which no value can be told to be
        return None
    if inner and issubclass(kind, Iterable) and not issubclass(kind, Mapping):
        return _several(inner[0], ordered=issubclass(kind, Sequence))
    name = kind.__name__
    words = _WORDS.get(kind, f"a{'n' * (name[0] in 'AEIOU')} {name}")
    accepted = bool | np.bool_ if kind is bool else kind
    return Constraint(words, lambda _, value: isinstance(value, accepted))


@functools.cache
def _number(kind: type, interval: Interval) -> Constraint:
    """A number (``float``) or a whole number (``int``) in an interval, never NaN."""
    words = interval.in_words(_WORDS[kind])

    def fits(name: str, value: Any) -> bool:
        if kind is float:
            real = isinstance(value, (float, numbers.Real)) and not isinstance(value, bool)
            return real and float(value) in interval
        if is_whole(value) and value in interval and abs(value) >= _LARGEST:
            raise InputError(f"{name} is {shown_value(value)}, expected {words}, below 2**63")
        return is_whole(value) and value in interval

    return Constraint(words, fits)


def _one_of(choices: tuple[str, ...]) -> Constraint:
    """One of some words."""

    def fits(name: str, value: Any) -> bool:
        if isinstance(value, str) and value not in choices:
            raise UnknownName(name, value, choices)
        return isinstance(value, str)

    return Constraint(" or ".join(map(repr, choices)), fits)


def _several(hint: Any, *, ordered: bool) -> Constraint:
    """Things alike: whatever can be gone through or, where ``ordered``, has a length and places.

    The entries of an iterator are not looked at, which would use it up.
    """
    each = constraint_of(hint)
    flat = hint in (float, int) or typing.get_origin(hint) is Annotated

    def fits(name: str, value: Any) -> bool:
        usual = type(value) in (list, tuple)  # isinstance of abstract classes is slow
        if not usual and isinstance(value, str | RawBytes | Mapping | io.IOBase):
            return False
        dimensions = getattr(value, "ndim", 1)
        iterable = usual or isinstance(value, Iterable)
        if not iterable or dimensions == 0 or (flat and dimensions > 1):
            return False
        if not hasattr(value, "__len__") or (ordered and not hasattr(value, "__getitem__")):
            return not ordered  # as a set is not
        if each is not None:
            for place, entry in enumerate(value):
                each.check(f"{name}[{place}]", entry)
        return True

    return Constraint(f"a list, each entry {each.words}" if each else "a list", fits)


def _pair(kinds: tuple[Constraint | None, ...]) -> Constraint:
    """Two entries, each with a constraint of its own."""
    anything = _several(Any, ordered=True)

    def fits(name: str, value: Any) -> bool:
        if not anything.fits(name, value) or len(value) != len(kinds):
            return False
        both = zip(kinds, tuple(value), strict=True)
        return all(kind is None or kind.accepts(entry) for kind, entry in both)

    return Constraint("a pair", fits)


def _approved(check: Callable[[str, Any], object]) -> Constraint:
    """What a function accepts that raises :class:`InputError` on anything else."""

    def fits(name: str, value: Any) -> bool:
        check(name, value)
        return True

    return Constraint("one that is approved", fits)


def _either(kinds: tuple[Constraint, ...]) -> Constraint:
    """What one of several constraints accepts."""

    def fits(name: str, value: Any) -> bool:
        if any(kind.accepts(value) for kind in kinds):
            return True
        return any(kind.fits(name, value) for kind in kinds)  # which may say more

    return Constraint(" or ".join(dict.fromkeys(kind.words for kind in kinds)), fits)


def checked(name: str, value: Any, hint: Any) -> Any:
    """The value, if the annotation allows it, or :class:`InputError`."""
    if (constraint := constraint_of(hint)) is not None:
        constraint.check(name, value)
    return _plain(value)


def checked_count(name: str, value: Any, *, least: int = 1, most: float = math.inf) -> int:
    """The value as an int, from ``least`` to ``most``, or :class:`InputError`."""
    _number(int, Interval(least, most)).check(name, value)
    return int(value)


def checked_delta(delta: float | None, horizon: int | None) -> float:
    """The probability of an error of a learner; by default 1/T with a horizon, else 0.05."""
    if delta is None:
        return 0.05 if horizon is None else 1.0 / horizon
    return float(checked("delta", delta, ErrorProbability))


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
    if not _several(Any, ordered=True).accepts(labels) or getattr(labels, "ndim", 1) != 1:
        raise InputError(
            f"{what} is {shown_value(labels)}, expected a list of labels in their order"
        )
    return tuple(checked_text(f"{what}[{place}]", label) for place, label in enumerate(labels))


def shown_value(value: object) -> str:
    """A value for a message, in one short line."""
    try:
        if is_whole(value):
            return shortened(f"{value:,}")
        return shortened(" ".join(repr(value).split()))
    except Exception:
        return f"a {type(value).__name__}"


def _check_array(name: str, values: Any, *, booleans: bool = False) -> None:
    """Raise :class:`InputError` unless :func:`checked_array` takes the values."""
    if not (type(values) is np.ndarray and values.dtype.kind in "fiu"):
        checked_array(name, values, booleans=booleans)


Finite: TypeAlias = Annotated[float, Interval(closed="neither")]
Positive: TypeAlias = Annotated[float, Interval(0, closed="neither")]
PositiveOrInfinite: TypeAlias = Annotated[float, Interval(0, closed="right")]
NonNegative: TypeAlias = Annotated[float, Interval(0, closed="left")]
Share: TypeAlias = Annotated[float, Interval(0, 1, "right")]
ErrorProbability: TypeAlias = Annotated[
    float, Interval(LEAST_PROBABILITY, 1, "left", "a probability from 1e-306 to below 1")
]
"""Of an error: not 0, not 1."""
ErrorBelowHalf: TypeAlias = Annotated[float, Interval(LEAST_PROBABILITY, 0.5, "left")]
AboveHalf: TypeAlias = Annotated[float, Interval(0.5, closed="neither")]
"""How much upper confidence bounds add, as UCB's alpha."""
Arms: TypeAlias = Annotated[int, Interval(2)]
"""How many arms duel, K."""
PositiveInt: TypeAlias = Annotated[int, Interval(1)]
NonNegativeInt: TypeAlias = Annotated[int, Interval(0)]
Seed: TypeAlias = NonNegativeInt
Size: TypeAlias = Annotated[int, Interval(1, MOST_THINGS)]
Rounds: TypeAlias = Annotated[int, Interval(1, MOST_ROUNDS)]
Name: TypeAlias = Annotated[str, checked_text]
Labels: TypeAlias = Annotated[Sequence[str], checked_texts]
Numbers: TypeAlias = Annotated[npt.ArrayLike, _check_array]
"""Real numbers in an array of any shape; not truth values."""
NumbersOrTruths: TypeAlias = Annotated[
    npt.ArrayLike, functools.partial(_check_array, booleans=True)
]
"""The same, where True and False count as 1 and 0."""


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
