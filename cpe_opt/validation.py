"""Arguments checked at the door of public functions: their kinds, and numbers by their range.

A function under :func:`checked_types` refuses an argument of another kind than its annotation says,
in words, before anything is computed: a text where a number is needed, a list where a problem is,
NaN anywhere a number is. Ranges and shapes are for the function itself to check.
"""

from __future__ import annotations

import fractions
import functools
import inspect
import io
import math
import numbers
import os
import re
import sys
import types
import typing
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from cpe_opt.arrays import RawBytes, checked_array
from cpe_opt.errors import InputError, UnknownName

P = ParamSpec("P")
R = TypeVar("R")

_LARGEST = 2**63
_SHOWN = 60
_ARRAY = re.compile(r"(npt\.|np\.)?(ArrayLike|FloatArray|IntArray|BoolArray|NDArray)")
_WORDS: dict[Any, tuple[str, str]] = {
    float: ("a number", "numbers"),
    int: ("a whole number", "whole numbers"),
    bool: ("True or False", "truth values"),
    str: ("a text", "texts"),
    types.NoneType: ("None", "None"),
    Mapping: ("a mapping", "mappings"),
    Callable: ("a function", "functions"),
    Hashable: ("a name", "names"),
    tuple: ("a pair", "pairs"),
    np.ndarray: ("an array", "arrays"),
    os.PathLike: ("a path", "paths"),
}


MOST_ROUNDS = 2**53
"""Up to which rounds, samples and sums of them are counted exactly, floats included."""


LEAST_PROBABILITY = 1e-306
"""Probabilities of an error below this are refused: shares of them would lose their digits."""


def checked_number(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf
) -> float:
    """The value as a float, at least ``least`` and more than ``above``, or :class:`InputError`."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not number or not (value >= least and value > above):
        expected = "a number"
        if above > -math.inf:
            expected += f" above {above:g}"
        elif least > -math.inf:
            expected += f", at least {least:g}"
        raise InputError(f"{name} is {value!r}, expected {expected}")
    try:
        return float(value)
    except OverflowError:
        raise InputError(f"{name} is beyond all floats, expected a number") from None


def checked_finite(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf
) -> float:
    """The same for a number that may not be infinite."""
    number = checked_number(name, value, least=least, above=above)
    if math.isinf(number):
        raise InputError(f"{name} is {value!r}, expected a finite number")
    return number


MOST_THINGS = 1_000_000
"""How many arms, elements, candidates or positions a problem can have."""


def checked_probability(name: str, value: Any) -> float:
    """The value as a float between :data:`LEAST_PROBABILITY` and 1, or :class:`InputError`."""
    probability = checked_number(name, value, above=0.0)
    if not probability < 1.0:
        raise InputError(f"{name} is {value!r}, expected a probability between 0 and 1")
    if probability < LEAST_PROBABILITY:
        raise InputError(
            f"{name} is {value!r}, expected a probability of at least {LEAST_PROBABILITY:g}"
        )
    return float(probability)


def checked_count(name: str, value: Any, *, least: int = 1, most: int | None = None) -> int:
    """The value as an int, from ``least`` to ``most``, or :class:`InputError`."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < least:
        shown = shown_count(int(value)) if whole else repr(value)
        raise InputError(f"{name} is {shown}, expected a whole number, at least {least}")
    if most is not None and value > most:
        raise InputError(f"{name} is {shown_count(int(value))}, expected at most {most:,}")
    return int(value)


def checked_text(what: str, text: Any) -> str:
    """A name or a label for people, or :class:`InputError`.

    It is not blank, and every file and terminal can hold it: NUL and half of a surrogate pair are
    refused.
    """
    if not isinstance(text, str):
        raise InputError(f"{what} is {shown_value(text)}, expected a text")
    if not text.strip():
        raise InputError(f"{what} is {shown_value(text)}, expected a text that is not blank")
    if wrong := re.search("[\0\ud800-\udfff]", text):
        found = "with the character NUL" if wrong[0] == "\0" else "half of a surrogate pair"
        raise InputError(
            f"{what} is {shown_value(text)}, {found}, expected a text that a file can hold"
        )
    return str(text)


def checked_texts(what: str, labels: Any) -> tuple[str, ...]:
    """Labels for people, each a :func:`checked_text`, in their order, or :class:`InputError`.

    Sets and mappings have no order.
    """
    ordered = hasattr(labels, "__len__") and hasattr(labels, "__getitem__")
    flat = getattr(labels, "ndim", 1) == 1
    if isinstance(labels, str | RawBytes | Mapping) or not (ordered and flat):
        raise InputError(
            f"{what} is {shown_value(labels)}, expected a list of labels in their order"
        )
    return tuple(checked_text(f"{what}[{place}]", label) for place, label in enumerate(labels))


def repeated(labels: Sequence[str]) -> tuple[int, int] | None:
    """The places of two labels that are the same to a person; None where all differ.

    Accents of Unicode can be written in two ways, and look alike.

    Examples
    --------
    >>> repeated(["a", "\u00e9tude", "e\u0301tude"])
    (1, 2)
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


def checked_rounds(name: str, value: Any) -> int:
    """A number of rounds, such as a horizon, or :class:`InputError`."""
    rounds = checked_count(name, value)
    if rounds > MOST_ROUNDS:
        raise InputError(
            f"{name} is {shown_count(rounds)}, expected at most {MOST_ROUNDS:,} (2^53): beyond "
            "that rounds cannot be counted exactly"
        )
    return rounds


def checked_delta(delta: float | None, horizon: int | None) -> float:
    """The probability of an error of a learner: 1/T where it has a horizon, else 0.05 by default.

    Raises
    ------
    InputError
    """
    if horizon is not None:
        checked_rounds("horizon", horizon)
    if delta is None:
        return 0.05 if horizon is None else 1.0 / horizon
    return checked_probability("delta", delta)


class _Array:
    """What the annotation of an array stands for, or an alternative to it."""

    def __init__(self, alternatives: tuple[Any, ...]) -> None:
        self.alternatives = alternatives


def checked_types(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function: :class:`InputError` where an argument is of another kind than said.

    Numbers of numpy and fractions reach the function as the numbers of Python that they stand for:
    sums with a 32-bit float would keep no more digits than it has. A class that has
    ``advice_for(other)`` says in the message how to come to one of its objects.
    """

    @functools.wraps(function)
    def checked(*arguments: P.args, **named: P.kwargs) -> R:
        positions, hints = _hints(function)
        _check_names(function, named)
        for name, value in (*zip(positions, arguments, strict=False), *named.items()):
            if name in hints:
                _check(name, value, hints[name])
        plain: Any = map(_plain, arguments)
        return function(*plain, **{name: _plain(value) for name, value in named.items()})

    return checked


def _plain(value: Any) -> Any:
    """A number of numpy or a fraction as the number of Python, anything else as it is."""
    if isinstance(value, np.number | np.bool_):
        return value.item()
    return float(value) if isinstance(value, fractions.Fraction) else value


def _check_names(function: Callable[..., Any], named: Mapping[str, Any]) -> None:
    """Raise :class:`UnknownName` where an argument is passed that no function would take."""
    known = _names(function)
    if known is not None:
        for name in named:
            if name not in known:
                called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
                raise UnknownName(f"argument of {called}", name, known)


@functools.cache
def _names(function: Callable[..., Any]) -> tuple[str, ...] | None:
    """The names of all arguments, those of ``Unpack[...]`` too; None where any name will do."""
    names: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            text = str(parameter.annotation)
            if not text.startswith("Unpack["):
                return None
            scope = _Scope(vars(sys.modules[function.__module__]))
            options = scope.value(text.removeprefix("Unpack[").removesuffix("]"))
            names += typing.get_type_hints(options, localns=scope)
        elif parameter.kind is not parameter.VAR_POSITIONAL:
            names.append(parameter.name)
    return tuple(name for name in names if name != "self")


def _check(name: str, value: Any, hint: Any) -> None:
    if isinstance(hint, _Array):
        plain = isinstance(value, np.ndarray) and value.dtype.kind in "fiub"
        if not plain and not any(_fits(value, kind) for kind in hint.alternatives):
            checked_array(name, value)
    elif not _fits_safely(value, hint):
        name, value, hint = _culprit(name, value, hint)
        large = _is(value, numbers.Integral) and abs(int(value)) >= _LARGEST
        shown = shown_count(int(value)) if large else shown_value(value)
        limit = ", below 2**63" if large else ""
        advice = getattr(hint, "advice_for", None)
        more = f": {advice(value)}" if advice else ""
        raise InputError(f"{name} is {shown}, expected {_words(hint)}{limit}{more}")


def shown_value(value: object) -> str:
    """A value for a message, in one short line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        return f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _fits_safely(value: Any, hint: Any) -> bool:
    """Whether a value is of the kind of an annotation; not where it cannot even be looked at."""
    try:
        return _fits(value, hint)
    except Exception:
        return False


def _culprit(name: str, value: Any, hint: Any) -> tuple[str, Any, Any]:
    """The first entry of a list that is of another kind than all should be, or the value itself."""
    lists = [kind for kind in _alternatives(hint) if _is_list(*_parts(kind))]
    if isinstance(value, list | tuple) and lists:
        inner = _parts(lists[0])[1]
        wrong = (place for place, entry in enumerate(value) if not _fits_safely(entry, inner[0]))
        place = next(wrong, None)
        if place is None:
            return name, value, hint
        return f"{name}[{place}]", value[place], inner[0]
    return name, value, hint


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """What an annotation allows, one kind after the other."""
    origin, inner = _parts(hint)
    return inner if origin in (typing.Union, types.UnionType) else (hint,)


@functools.cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What stands before the brackets of an annotation, and in them."""
    return typing.get_origin(hint), typing.get_args(hint)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of the kind of an annotation."""
    origin, inner = _parts(hint)
    if hint is Any:
        return True
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, kind) for kind in inner)
    if origin is typing.Literal:
        return isinstance(value, str) or not all(isinstance(word, str) for word in inner)
    if hint is None:
        return value is None
    if hint is float:
        return _is(value, numbers.Real) and not math.isnan(value)
    if hint is int:
        return _is(value, numbers.Integral) and abs(value) < _LARGEST
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if origin is tuple or (inspect.isclass(origin) and issubclass(origin, Iterable)):
        return _fits_iterable(value, origin, inner)
    if origin is Callable:
        return callable(value)
    kind = origin or hint
    return not inspect.isclass(kind) or kind is object or isinstance(value, kind)


def _fits_iterable(value: Any, origin: Any, inner: tuple[Any, ...]) -> bool:
    if issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if isinstance(value, str | RawBytes | Mapping | io.IOBase) or not isinstance(value, Iterable):
        return False
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return False
    if not hasattr(value, "__len__"):
        # An iterator must not be used up; where a length or an order is needed, it will not do.
        return not issubclass(origin, Sequence | tuple)
    if issubclass(origin, Sequence | tuple) and not hasattr(value, "__getitem__"):
        return False  # a set has no order
    if origin is tuple and Ellipsis not in inner:
        entries = tuple(value)
        return len(entries) == len(inner) and all(map(_fits, entries, inner))
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and not np.isnan(value).any():
        value = value[:1]  # the others are of the same kind
    return all(_fits(entry, inner[0]) for entry in value)


def _is_list(origin: Any, inner: tuple[Any, ...]) -> bool:
    """Whether an annotation is that of a list of things alike."""
    pairs = origin is tuple and Ellipsis not in inner
    listed = inspect.isclass(origin) and issubclass(origin, Iterable)
    return listed and not issubclass(origin, Mapping) and not pairs


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _words(hint: Any, many: int = 0) -> str:
    """An annotation in words, of one thing or of many."""
    origin, inner = _parts(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(_words(kind, many) for kind in inner))
    if origin is typing.Literal:
        words = [repr(word) for word in inner]
        return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    kind = types.NoneType if hint is None else origin or hint
    if origin is not None and inspect.isclass(origin) and issubclass(origin, Mapping):
        kind = Mapping
    elif origin is not np.ndarray and _is_list(origin, inner):
        some = "lists" if many else "a list"
        return some if inner[0] in (Any, object) else f"{some} of {_words(inner[0], 1)}"
    if kind in _WORDS:
        return _WORDS[kind][many]
    name = getattr(kind, "__name__", str(kind))
    article = "an" if name[0] in "AEIOU" else "a"
    return f"{name} objects" if many else f"{article} {name}"


@functools.cache
def _hints(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Names of the positional parameters, and the annotations of those that can be checked."""
    parameters = inspect.signature(function).parameters.values()
    scope = _Scope(vars(sys.modules[function.__module__]))
    hints: dict[str, Any] = {}
    for parameter in parameters:
        text = str(parameter.annotation)
        if parameter.annotation is parameter.empty:
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            if text.startswith("Unpack["):
                options = scope.value(text.removeprefix("Unpack[").removesuffix("]"))
                hints.update(typing.get_type_hints(options, localns=scope))
            continue
        kinds = text.split(" | ")
        arrays = [kind for kind in kinds if _ARRAY.match(kind)]
        if arrays:
            others = (scope.value(kind) for kind in kinds if kind not in arrays)
            hints[parameter.name] = _Array(tuple(others))
        else:
            hints[parameter.name] = scope.value(text)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = tuple(parameter.name for parameter in parameters if parameter.kind in positional)
    return names, {name: hint for name, hint in hints.items() if hint is not Any}


class _Scope(dict[str, Any]):
    """Names of a module, and those of the package that it imports for type checkers alone."""

    def __missing__(self, name: str) -> Any:
        package = sys.modules["cpe_opt"]
        if name not in package.__all__:
            raise KeyError(name)
        return getattr(package, name)

    def value(self, text: str) -> Any:
        """What an annotation means; Any where it has names that only type checkers know."""
        try:
            return eval(text, {}, self)
        except NameError:
            return Any
