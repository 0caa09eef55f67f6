"""Problems of separable rewards from files.

A JSON file names the model, its numbers, and its arms::

    {"model": "water-plan", "demand": 6, "step": 1, "arms": [
      {"label": "lake", "cap": 4, "cost": {"quadratic": {"a": 0.1, "b": 1}},
       "distribution": {"bernoulli": {"p": 0.9}}},
      {"label": "river", "cap": 4, "cost": {"power": {"a": 1, "p": 1.3}},
       "distribution": {"beta": {"a": 3, "b": 3}}}
    ]}

==================== ===================== ====================
model                its numbers           those of an arm
==================== ===================== ====================
``best-k``           ``k``
``water-plan``       ``demand``, ``step``  ``cap``, ``cost``
``opinion-sampling`` ``budget``            ``size``
==================== ===================== ====================

Costs are ``quadratic`` (a, b), ``power`` (a, p), ``piecewise-linear`` (breaks, slopes);
distributions ``bernoulli`` (p), ``beta`` (a, b), ``empirical`` (values). In place of distributions,
``"observations": "seen.csv"`` names a CSV file next to the JSON file: one column per arm, with its
label for a header. ``k`` may be left to the caller; for ``best-k`` with observations, so may the
arms.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.errors import InputError, UnknownName, errors_of, listed
from cpe_opt.formats.text import read_text, require_file
from cpe_opt.problems.json_values import unique_keys
from cpe_opt.problems.separable.distributions import Bernoulli, Beta, Distribution, Empirical
from cpe_opt.problems.separable.model import BestSet, OpinionSampling, SeparableModel
from cpe_opt.problems.separable.water_plan import Cost, PiecewiseLinear, Power, Quadratic, WaterPlan
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.problems.tables import read_table
from cpe_opt.validation import checked_number

_OF_MODEL = {"best-k": ("k",), "water-plan": ("demand", "step"), "opinion-sampling": ("budget",)}
_OF_ARM = {"best-k": (), "water-plan": ("cap", "cost"), "opinion-sampling": ("size",)}
_COSTS: dict[str, type[Cost]] = {
    "quadratic": Quadratic,
    "power": Power,
    "piecewise-linear": PiecewiseLinear,
}
_DISTRIBUTIONS: dict[str, type[Distribution]] = {
    "bernoulli": Bernoulli,
    "beta": Beta,
    "empirical": Empirical,
}
_OPTIONAL = ("k", "step")


def read_separable(
    path: str | os.PathLike[str], k: int | None = None
) -> tuple[SeparableModel, list[Distribution]]:
    """The model and the distributions of its arms, from a JSON file; ``k`` where the file has none.

    Raises :class:`InputError` with the place in the file.
    """
    path = require_file(path)
    text = read_text(path)
    try:
        content = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a readable JSON file ({error})") from None
    with errors_of(str(path)):
        return _problem(content, path, k)


def write_separable(
    path: str | os.PathLike[str], model: SeparableModel, distributions: Sequence[Distribution]
) -> None:
    """Write a problem, readable by :func:`read_separable`.

    Raises :class:`InputError` for models that a file cannot hold: an oracle given in Python, sets
    other than all k of m.
    """
    from cpe_opt.files import atomic_write

    content: dict[str, Any]
    entries: list[dict[str, Any]] = [{} for _ in distributions]
    if isinstance(model, BestSet) and model.decisions.uniform_rank is not None:
        content = {"model": "best-k", "k": model.decisions.uniform_rank}
    elif isinstance(model, WaterPlan):
        content = {"model": "water-plan", "demand": model.demand, "step": model.step}
        for arm, cap, cost in zip(entries, model.caps.tolist(), model.costs, strict=True):
            arm.update(cap=cap, cost=_as_json(cost, _COSTS))
    elif isinstance(model, OpinionSampling):
        content = {"model": "opinion-sampling", "budget": model.budget}
        for arm, size in zip(entries, model.sizes, strict=True):
            arm["size"] = size
    else:
        raise InputError(f"{model.name} cannot be written: no file format holds such a model")
    lines = [
        json.dumps({"label": label, **arm, "distribution": _as_json(distribution, _DISTRIBUTIONS)})
        for label, arm, distribution in zip(model.labels, entries, distributions, strict=True)
    ]
    head, arms = json.dumps(content).removesuffix("}"), ",\n  ".join(lines)
    with atomic_write(path) as temporary:
        temporary.write_text(f'{head}, "arms": [\n  {arms}\n]}}\n', encoding="utf-8")


def read_samples(
    path: str | os.PathLike[str], labels: Sequence[str] | None = None
) -> dict[str, Empirical]:
    """A column an arm with its label for a header; columns may differ in length.

    Empty cells are left out; ``labels`` are the columns to read, all by default.
    """
    table = read_table(path, comments=False)
    absent = [label for label in labels or () if label not in table]
    if absent:
        raise InputError(f"{table.source}: no column {absent[0]!r}; found {listed(table.columns)}")
    arms = {}
    for label in table.columns if labels is None else labels:
        if not label:
            raise InputError(f"{table.source}: the first column has no name")
        values = table.numbers(label, empty=np.nan)
        try:
            arms[label] = Empirical(tuple(values[~np.isnan(values)].tolist()))
        except InputError as error:
            raise InputError(f"{table.source}, column {label}: {error}") from None
    return arms


def _problem(content: Any, path: Path, k: int | None) -> tuple[SeparableModel, list[Distribution]]:
    if not isinstance(content, dict) or "model" not in content:
        raise InputError(f'expected {{"model": …, "arms": […]}} with one of {", ".join(_OF_MODEL)}')
    kind = content["model"]
    if not isinstance(kind, str) or kind not in _OF_MODEL:
        raise UnknownName("model", kind, _OF_MODEL)
    _check_keys("the file", content, ("model", *_OF_MODEL[kind]), ("observations", "arms"))
    observed = path.parent / str(content.get("observations", ""))
    seen = None
    if "observations" in content and kind == "best-k" and "arms" not in content:
        seen = read_samples(observed)
        content = {**content, "arms": [{"label": label} for label in seen]}
    entries = content.get("arms")
    if not isinstance(entries, list) or not entries:
        raise InputError("arms: expected a list of at least one arm")
    wanted = (*_OF_ARM[kind], *(() if "observations" in content else ("distribution",)))
    for place, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise InputError(f"arm {place} is {entry!r}, expected an object with its numbers")
        _check_keys(_where_of(place, entry), entry, wanted, ("label",))
    labels = [_label_of(place, entry) for place, entry in enumerate(entries)]
    model = _model(kind, content, entries, labels, k)
    if "observations" in content:
        seen = seen or read_samples(observed, labels)
        return model, [seen[label] for label in labels]
    return model, [
        _from_json(_DISTRIBUTIONS, "distribution", entry, i) for i, entry in enumerate(entries)
    ]


def _model(
    kind: str,
    content: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    labels: Sequence[str],
    k: int | None,
) -> SeparableModel:
    if kind == "best-k":
        if k is not None and content.get("k", k) != k:
            raise InputError(f"k is {content['k']} in the file, and {k} was given")
        k = content.get("k", k)
        if k is None:
            raise InputError("how many are to be chosen? Give k (--k on the command line)")
        return BestSet(TopK(len(labels), k, labels))
    if k is not None:
        raise InputError(f"k was given, and {kind} has none")
    if kind == "opinion-sampling":
        return OpinionSampling([entry["size"] for entry in entries], content["budget"], labels)
    caps = [
        checked_number(f"{_where_of(place, entry)}: cap", entry["cap"], above=0.0)
        for place, entry in enumerate(entries)
    ]
    costs = [_from_json(_COSTS, "cost", entry, place) for place, entry in enumerate(entries)]
    step = content.get("step", 1.0)
    return WaterPlan(costs, caps, content["demand"], step=step, labels=labels)


def _from_json(kinds: Mapping[str, Any], what: str, entry: Mapping[str, Any], place: int) -> Any:
    """The cost or distribution of an arm: ``{name: {field: number}}``."""
    where, said = f"{_where_of(place, entry)}: {what}", entry[what]
    if not isinstance(said, dict) or len(said) != 1 or not said.keys() <= kinds.keys():
        raise InputError(f"{where} is {json.dumps(said)}, expected one of {', '.join(kinds)}")
    ((name, numbers),) = said.items()
    fields = dataclasses.fields(kinds[name])
    needed = tuple(field.name for field in fields if field.default is dataclasses.MISSING)
    if not isinstance(numbers, dict):
        raise InputError(
            f"{where}: {name} is {numbers!r}, expected an object of {', '.join(needed)}"
        )
    _check_keys(f"{where}: {name}", numbers, needed, tuple(field.name for field in fields))
    try:
        return kinds[name](**{key: _as_field(value) for key, value in numbers.items()})
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"{where}: {error}") from None


def _as_json(value: Cost | Distribution, kinds: Mapping[str, type]) -> dict[str, Any]:
    """The inverse of :func:`_from_json`."""
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


def _check_keys(
    where: str, entry: Mapping[str, Any], needed: Sequence[str], optional: Sequence[str]
) -> None:
    """Raise :class:`InputError` if an object has other keys, or lacks a needed one."""
    for key in entry:
        if key not in (*needed, *optional):
            known = ", ".join(dict.fromkeys((*needed, *optional)))
            raise InputError(f"{where} has {key!r}, expected {known}")
    for key in needed:
        if key not in entry and key not in _OPTIONAL:
            raise InputError(f"{where} has no {key!r}")


def _label_of(place: int, entry: Mapping[str, Any]) -> str:
    """The label of an arm, its number by default."""
    label = entry.get("label", place)
    if isinstance(label, bool) or not isinstance(label, str | int | float) or label == "":
        raise InputError(f"arm {place}: label is {json.dumps(label)}, expected a name")
    return str(label)


def _where_of(place: int, entry: Mapping[str, Any]) -> str:
    """An arm for messages."""
    return f"arm {entry.get('label', place)}"
