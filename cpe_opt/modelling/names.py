"""Names of columns and rows in files of models, and the suffixes of these files.

A program that was read keeps the names of its file; where another format cannot hold one, the file
says in a comment for what its name stands, and :func:`with_own_names` gives it back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cpe_opt.errors import InputError
from cpe_opt.modelling.builder import KEYWORDS, LONGEST_NAME, NUMBER, all_plain
from cpe_opt.modelling.program import LinearProgram

_LP_NAME = re.compile(
    rf"(?!{NUMBER})[A-Za-z_](?:[A-Za-z0-9_.!#$%&@~?(){{}},]*[A-Za-z0-9_.!#$%&@~?(){{}}])?\Z"
)
_OWN_NAME = re.compile(r'[\\*] (column|row) (\S+) stands for ("(?:[^"\\]|\\.)*")')
_SUFFIXES = (".lp", ".mps", ".mps.gz")  # of linear and quadratic programs
_MPS_KEYWORDS = frozenset(
    "bounds columns endata marker name negated_objective obj objsense ranges rhs rows".split()  # noqa: SIM905
)


def model_suffix(path: Path) -> str:
    """The suffix of a model file in small letters, or :class:`InputError` if it is not one."""
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if path.name.lower().endswith(suffix) and path.name.lower() != suffix:
            return suffix
    raise InputError(f"cannot tell the format of {path.name!r}: expected {', '.join(_SUFFIXES)}")


def file_names(names: tuple[str, ...], what: str, suffix: str) -> tuple[str, ...]:
    """Names as a file holds them: those that its format knows as they are, others changed.

    >>> file_names(("x", "x(1)", "x[1,2]", "2", "e1x"), "column", ".lp")
    ('x', 'x(1)', 'x_1_2_', 'column_2', 'column_e1x')
    """
    if all_plain(names):
        return names
    legal = _is_lp_name if suffix == ".lp" else _is_mps_name
    taken, changed = set(names), list(names)
    for place, name in enumerate(names):
        if not legal(name):
            stem = re.sub(r"[^A-Za-z0-9_]+", "_", name)[: LONGEST_NAME - 20]
            stem = stem if legal(stem) else f"{what}_{stem}"
            changed[place] = unused_name(stem, "", taken)
    return tuple(changed)


def unused_name(stem: str, end: str, taken: set[str]) -> str:
    """The stem and the end, with underscores between until it is not taken; it is taken then."""
    name = stem[: LONGEST_NAME - len(end)] + end
    while name in taken:
        end = f"_{end}"
        name = stem[: LONGEST_NAME - len(end)] + end
    taken.add(name)
    return name


def _is_lp_name(name: str) -> bool:
    return bool(
        _LP_NAME.match(name)
        and len(name) <= LONGEST_NAME
        and name.lower() not in KEYWORDS
        and all(name.count(one) == name.count(other) for one, other in ("()", "{}"))
    )


def _is_mps_name(name: str) -> bool:
    return bool(
        name.isprintable()
        and name.split() == [name]
        and name[0] != "$"
        and len(name.encode()) <= LONGEST_NAME
        and name.lower().strip("'") not in _MPS_KEYWORDS
    )


def own_name_lines(
    names: Sequence[str], written: Sequence[str], what: str, mark: str
) -> Iterator[str]:
    """Comments that say which names of a file stand for others."""
    for name, other in zip(names, written, strict=True):
        if name != other:
            yield f"{mark} {what} {other} stands for {json.dumps(name, ensure_ascii=False)}"


def with_own_names(program: LinearProgram, lines: Iterable[str]) -> LinearProgram:
    """The program with the names that the comments at the top of its file give back."""
    taken = {"column": set(program.column_names), "row": set(program.row_names)}
    own: dict[str, dict[str, str]] = {"column": {}, "row": {}}
    for line in lines:
        if line[:1] not in ("*", "\\", ""):
            break
        if match := _OWN_NAME.fullmatch(line):
            what, held, text = match.groups()
            with suppress(ValueError):  # a text that JSON does not know
                name = json.loads(text)
                if held in taken[what] and name not in taken[what]:
                    taken[what].add(name)
                    own[what][held] = name
    if not any(own.values()):
        return program
    columns = tuple(own["column"].get(name, name) for name in program.column_names)
    rows = tuple(own["row"].get(name, name) for name in program.row_names)
    return replace(program, column_names=columns, row_names=rows)


def legend_of(what: str, names: Iterable[str], legend: Mapping[str, str]) -> dict[str, str]:
    """What the names stand for, each in one line; a legend that has none of them is refused."""
    meanings = {name: " ".join(str(legend[name]).split()) for name in names if name in legend}
    if legend and not meanings:
        first = next(iter(legend))
        raise InputError(f"the legend has no name of {what!r}: {first!r} is no column and no row")
    return meanings
