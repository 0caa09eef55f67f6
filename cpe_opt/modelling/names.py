"""Names of files, programs, columns and rows: what may be built, and what a model file can hold.

Programs that are built here have names that every reader of model files takes. A program that was
read keeps the names of its file; where another format cannot hold one, the file says in a comment
for what its name stands, and :func:`with_own_names` gives it back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError
from cpe_opt.modelling.program import LinearProgram

BlockKeys = int | Sequence[object] | npt.NDArray[np.generic]

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,149}\Z")
# Names that begin like these are numbers to some readers of LP files.
_NUMBER = r"(?i:inf|nan|e[0-9])"
_PLAIN_NAME = re.compile(rf"(?!{_NUMBER}){_WORD.pattern}")
_LP_NAME = re.compile(
    rf"(?!{_NUMBER})[A-Za-z_](?:[A-Za-z0-9_.!#$%&@~?(){{}},]*[A-Za-z0-9_.!#$%&@~?(){{}}])?\Z"
)
_OWN_NAME = re.compile(r'[\\*] (column|row) (\S+) stands for ("(?:[^"\\]|\\.)*")')
_SUFFIXES = (".lp", ".mps", ".mps.gz")  # of linear and quadratic programs
LONGEST_NAME = 150  # cbc takes 159, glpsol 255
_KEYWORDS = frozenset(
    """bin binaries binary bound bounds columns end endata free gen general generals inf infinity
    int integer integers marker max maximise maximize maximum min minimise minimize minimum name
    negated_objective obj objsense ranges rhs rows sec semi semis sin sos sos1 sos2 st subject such
    that to""".split()  # noqa: SIM905
)
_MPS_KEYWORDS = frozenset(
    "bounds columns endata marker name negated_objective obj objsense ranges rhs rows".split()  # noqa: SIM905
)


def model_suffix(path: Path) -> str:
    """The suffix of a model file in small letters, or :class:`InputError` if it is not one."""
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if path.name.lower().endswith(suffix) and path.name.lower() != suffix:
            return suffix
    raise InputError(f"cannot tell the format of {path.name!r}: expected {', '.join(_SUFFIXES)}")


def check_program_name(name: str) -> None:
    """Refuse a name of a program that is no word of letters, digits and underscores."""
    if not isinstance(name, str) or not _WORD.match(name):
        raise InputError(
            f"a program has the name {str(name)[:60]!r}: expected up to {LONGEST_NAME} letters, "
            "digits and underscores, not starting with a digit"
        )


def block_names(block: str, keys: BlockKeys) -> list[str]:
    """The names ``block_key`` for every key of a block; ``block`` alone for the key ``()``."""
    if isinstance(keys, int | np.integer):
        return [f"{block}_{key}" for key in range(keys)]
    return [
        "_".join((block, *map(str, key))) if isinstance(key, list | tuple) else f"{block}_{key}"
        for key in (keys.tolist() if isinstance(keys, np.ndarray) else keys)
    ]


def check_names(names: Sequence[str], what: str) -> None:
    """Refuse names of columns or rows that some reader of model files cannot read."""
    if _all_plain(names):
        return
    for number, name in enumerate(names):
        if not _all_plain([name]):
            raise InputError(
                f"{what} {number} has the name {name[:60]!r}: expected letters, digits and "
                f"underscores, at most {LONGEST_NAME}, that begin like no number (2, inf, nan, "
                "e12) and are no keyword of model files"
            )


def file_names(names: tuple[str, ...], what: str, suffix: str) -> tuple[str, ...]:
    """Names as a file holds them: those that its format knows as they are, others changed.

    >>> file_names(("x", "x(1)", "x[1,2]", "2", "e1x"), "column", ".lp")
    ('x', 'x(1)', 'x_1_2_', 'column_2', 'column_e1x')
    """
    if _all_plain(names):
        return names
    legal = _is_lp_name if suffix == ".lp" else _is_mps_name
    taken, changed = set(names), list(names)
    for place, name in enumerate(names):
        if not legal(name):
            stem = re.sub(r"[^A-Za-z0-9_]+", "_", name)[: LONGEST_NAME - 20]
            stem = stem if legal(stem) else f"{what}_{stem}"
            changed[place] = unused_name(stem, "", taken)
    return tuple(changed)


def _all_plain(names: Sequence[str]) -> bool:
    """Whether every file can hold all of these names."""
    return all(map(_PLAIN_NAME.match, names)) and _KEYWORDS.isdisjoint(map(str.lower, names))


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
        and name.lower() not in _KEYWORDS
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
