"""Objects of a JSON file of separable rewards, checked key by key: costs, distributions, labels."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.separable.costs import Cost, PiecewiseLinear, Power, Quadratic
from cpe_opt.problems.separable.distributions import Bernoulli, Beta, Distribution, Empirical

COSTS: dict[str, type[Cost]] = {
    "quadratic": Quadratic,
    "power": Power,
    "piecewise-linear": PiecewiseLinear,
}
DISTRIBUTIONS: dict[str, type[Distribution]] = {
    "bernoulli": Bernoulli,
    "beta": Beta,
    "empirical": Empirical,
}
_OPTIONAL = ("k", "step")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key that stands there twice would hide an entry."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise InputError(f"the key {key!r} stands twice in one object")
    return content


def from_json(kinds: Mapping[str, Any], what: str, entry: Mapping[str, Any], place: int) -> Any:
    """The cost or distribution of an arm: ``{name: {field: number}}``."""
    where, said = f"{where_of(place, entry)}: {what}", entry[what]
    if not isinstance(said, dict) or len(said) != 1:
        _expected_one_of(where, said, kinds)
    ((name, numbers),) = said.items()
    if name not in kinds:
        _expected_one_of(where, said, kinds)
    fields = dataclasses.fields(kinds[name])
    needed = tuple(field.name for field in fields if field.default is dataclasses.MISSING)
    if not isinstance(numbers, dict):
        raise InputError(
            f"{where}: {name} is {numbers!r}, expected an object of {_joined_names(needed)}"
        )
    check_keys(f"{where}: {name}", numbers, needed, tuple(field.name for field in fields))
    try:
        return kinds[name](**{key: _as_field(value) for key, value in numbers.items()})
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"{where}: {error}") from None


def as_json(value: Cost | Distribution, kinds: Mapping[str, type]) -> dict[str, Any]:
    """The inverse of :func:`from_json`."""
    for name, kind in kinds.items():
        if type(value) is kind:
            return {name: dataclasses.asdict(value)}  # type: ignore[call-overload]
    raise InputError(f"{value!r} cannot be written: no file format holds it")


def _as_field(value: Any) -> Any:
    """Lists as tuples of floats, the rest as it is."""
    if not isinstance(value, list):
        return value
    numbers = np.array(value, dtype=np.float64)
    if numbers.ndim != 1:
        raise InputError(f"{json.dumps(value)}: expected a list of numbers")
    return tuple(numbers.tolist())


def _expected_one_of(where: str, said: Any, kinds: Mapping[str, Any]) -> NoReturn:
    raise InputError(f"{where} is {json.dumps(said)}, expected one of {', '.join(kinds)}")


def check_keys(
    where: str, entry: Mapping[str, Any], needed: Sequence[str], optional: Sequence[str]
) -> None:
    """Raise :class:`InputError` where an object has other keys, or lacks a needed one."""
    for key in entry:
        if key not in (*needed, *optional):
            raise InputError(f"{where} has {key!r}, expected {_joined_names((*needed, *optional))}")
    for key in needed:
        if key not in entry and key not in _OPTIONAL:
            raise InputError(f"{where} has no {key!r}")


def label_of(place: int, entry: Mapping[str, Any]) -> str:
    """The label of an arm, its number by default."""
    label = entry.get("label", place)
    if isinstance(label, bool) or not isinstance(label, str | int | float) or label == "":
        raise InputError(f"arm {place}: label is {json.dumps(label)}, expected a name")
    return str(label)


def where_of(place: int, entry: Mapping[str, Any]) -> str:
    """An arm for messages."""
    return f"arm {entry.get('label', place)}"


def _joined_names(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))
