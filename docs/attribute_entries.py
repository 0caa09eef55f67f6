"""Attributes of classes as entries of the reference, each with an anchor that texts link to.

Classes list their attributes in a section of their docstring, in the manner of numpydoc, which
makes a list of them without anchors. Here that list becomes entries of their own, such as
``cpe_opt.formulations.answer.Answer.value``; what autodoc documents by itself, such as properties
with a docstring, keeps its one entry. A link to an attribute that no class has fails the build.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections import namedtuple
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

_HEAD = re.compile(r"^Attributes\n-{3,}\n", re.M)
_SECTION = re.compile(r"^\w.*\n-{3,}$", re.M)
_NAMED = re.compile(r"(?P<names>\w+(?:, \w+)*)(?: : (?P<type>.+))?")
_MARKUP = re.compile(r"[*`|]")
_FIELD = type(namedtuple("_Field", "x").x)  # of named tuples
_BEFORE, _AFTER = 400, 600  # numpydoc's turn is 500


def setup(app: Any) -> dict[str, bool]:
    """Sphinx's entry: take the lists out before numpydoc reads docstrings, add entries after."""
    taken: dict[str, list[Entry]] = {}

    def take(_app: Any, what: str, name: str, cls: Any, _options: Any, lines: list[str]) -> None:
        if what in ("class", "exception"):
            text = "\n".join(lines)
            taken[name] = entries_of(text)
            lines[:] = attribute_section(text)[0].splitlines()

    def add(_app: Any, _what: str, name: str, cls: Any, _options: Any, lines: list[str]) -> None:
        for entry in taken.pop(name, []):
            lines += directive(entry, documented(cls))

    def skip(_app: Any, _what: str, _name: str, each: Any, skipped: bool, _options: Any) -> bool:
        """Fields of named tuples, of which autodoc says their number alone."""
        return skipped or isinstance(each, _FIELD)

    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-docstring", take, priority=_BEFORE)
    app.connect("autodoc-process-docstring", add, priority=_AFTER)
    return {"parallel_read_safe": True}


@dataclasses.dataclass(frozen=True)
class Entry:
    """Attributes that share a description: their names, of what type, and what they are."""

    names: tuple[str, ...]
    type: str
    text: tuple[str, ...]


def attribute_section(docstring: str) -> tuple[str, str]:
    """A docstring without its section of attributes, and that section's body; empty without one."""
    found = _HEAD.search(docstring)
    if found is None:
        return docstring, ""
    following = _SECTION.search(docstring, found.end())
    end = following.start() if following else len(docstring)
    return docstring[: found.start()] + docstring[end:], docstring[found.end() : end]


def entries_of(docstring: str) -> list[Entry]:
    """The attributes that a docstring lists."""
    entries: list[Entry] = []
    for line in attribute_section(docstring)[1].splitlines():
        named = _NAMED.fullmatch(line.rstrip())
        if named:
            entries.append(Entry(tuple(named["names"].split(", ")), named["type"] or "", ()))
        elif entries:
            last = entries[-1]
            entries[-1] = dataclasses.replace(last, text=(*last.text, line[4:]))
    return entries


def listed(cls: type) -> list[str]:
    """The names of the attributes that the class's own docstring lists."""
    text = inspect.cleandoc(vars(cls).get("__doc__") or "")
    return [name for entry in entries_of(text) for name in entry.names]


def classes(modules: Iterable[str]) -> Iterator[type]:
    """The classes of these modules, each once."""
    for name in modules:
        for each in vars(importlib.import_module(name)).values():
            if isinstance(each, type) and each.__module__ == name:
                yield each


def public_attributes(cls: type) -> list[str]:
    """What has an entry at the class itself: what it lists, and its properties."""
    if cls.__name__.startswith("_") or not cls.__module__.startswith("cpe_opt"):
        return []
    properties = [
        name
        for name, each in vars(cls).items()
        if _is_documented_property(each) and not name.startswith("_")
    ]
    return list(dict.fromkeys([*listed(cls), *properties]))


def public_methods(cls: type) -> list[str]:
    """Those that the class itself documents, and that its bases do not have."""
    return [
        name
        for name, each in vars(cls).items()
        if inspect.isfunction(each)
        and each.__doc__
        and not name.startswith("_")
        and not any(hasattr(base, name) for base in cls.__bases__)
    ]


def _is_documented_property(each: object) -> bool:
    return isinstance(each, property | cached_property) and bool(each.__doc__)


def documented(cls: type) -> set[str]:
    """The attributes that autodoc documents by itself: those with a docstring of their own."""
    from sphinx.pycode import ModuleAnalyzer

    members = inspect.getmembers_static(cls)
    with_text = {name for name, each in members if _is_documented_property(each)}
    commented = ModuleAnalyzer.for_module(cls.__module__).find_attr_docs()
    return with_text | {name for owner, name in commented if owner == cls.__qualname__}


def directive(entry: Entry, left_out: set[str]) -> list[str]:
    """The entry in reStructuredText, without the names that have entries already."""
    names = [name for name in entry.names if name not in left_out]
    if not names:
        return []
    kind = entry.type if not entry.type or _MARKUP.search(entry.type) else f"*{entry.type}*"
    first, *others = names
    return [
        "",
        f".. py:attribute:: {first}",
        *(f"                  {name}" for name in others),
        "",
        *([f"   {kind}", ""] if kind else []),
        *(f"   {line}" for line in entry.text),
        "",
    ]
