"""Names of programs, columns and rows: what may be built, and what a model file can hold.

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

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError
from cpe_opt.modelling.program import LinearProgram

BlockKeys = int | Sequence[object] | npt.NDArray[np.generic]

_LEGAL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LOOKS_LIKE_NUMBER = re.compile(r"inf|nan", re.IGNORECASE)
_LOOKS_LIKE_EXPONENT = re.compile(r"[eE][0-9]+\Z")
_PLAIN_NAMES = re.compile(
    r"(?:(?![iI][nN][fF]|[nN][aA][nN]|[eE][0-9]+\n)[A-Za-z_][A-Za-z0-9_]{0,149}\n)*"
)
_LP_NAME = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_.!#$%&@~?(){},]*[A-Za-z0-9_.!#$%&@~?(){}])?\Z")
_OWN_NAME = re.compile(r'[\\*] (column|row) (\S+) stands for ("(?:[^"\\]|\\.)*")')
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


def check_program_name(name: str) -> None:
    """Refuse a name of a program that is no word of letters, digits and underscores."""
    if not isinstance(name, str) or not _LEGAL_NAME.match(name) or len(name) > LONGEST_NAME:
        shown = name[:60] if isinstance(name, str) else name
        raise InputError(
            f"a program has the name {shown!r}: expected up to {LONGEST_NAME} letters, "
            "digits and underscores, not starting with a digit"
        )


def program_name_of(stem: str) -> str:
    """A legal name of a program from the stem of its file."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", stem)[:LONGEST_NAME] or "program"
    return name if _LEGAL_NAME.match(name) else f"_{name}"[:LONGEST_NAME]


def block_names(block: str, keys: BlockKeys) -> list[str]:
    """The names ``block_key`` for every key of a block; ``block`` alone for the key ``()``."""
    if isinstance(keys, int | np.integer):
        return [f"{block}_{key}" for key in range(keys)]
    if isinstance(keys, np.ndarray) and keys.ndim == 2 and keys.shape[1]:
        parts = [map(str, part.tolist()) for part in keys.T]
        return [f"{block}_{key}" for key in map("_".join, zip(*parts, strict=True))]
    return [
        "_".join((block, *map(str, key))) if isinstance(key, list | tuple) else f"{block}_{key}"
        for key in (keys.tolist() if isinstance(keys, np.ndarray) else keys)
    ]


def check_names(names: Sequence[str], what: str) -> None:
    """Refuse names that some LP dialect cannot read.

    A legal name matches ``[A-Za-z_][A-Za-z0-9_]*``, has at most 150 characters, is no keyword of
    model files, and begins like no number (``e12``, ``inf_0``, ``nan_1``). Raises
    :class:`InputError` naming the first offender and the reason.
    """
    if _all_plain(names):
        return
    for number, name in enumerate(names):
        if not _LEGAL_NAME.match(name):
            reason = "expected letters, digits and underscores, not starting with a digit"
        elif len(name) > LONGEST_NAME:
            reason = f"it has {len(name)} characters, at most {LONGEST_NAME} are allowed"
        elif name.lower() in _KEYWORDS:
            reason = "it is a keyword of model files"
        elif _LOOKS_LIKE_EXPONENT.match(name):
            reason = "an LP reader may take it for an exponent"
        elif _LOOKS_LIKE_NUMBER.match(name):
            reason = f"an LP reader takes its first letters, {name[:3]!r}, for a number"
        else:
            continue
        raise InputError(f"{what} {number} has the name {name[:60]!r}: {reason}")


def file_names(names: Sequence[str], what: str, suffix: str) -> tuple[str, ...]:
    """Names as a file holds them: those that its format knows as they are, others changed.

    An LP file takes letters, digits and ``_.!#$%&@~?(){},`` that begin with a letter or an
    underscore; an MPS file takes whatever has no blanks and does not begin with ``$``. Keywords are
    changed, and names of more than 150 bytes. ``what`` is "column" or "row".

    Examples
    --------
    >>> file_names(["x", "x(1)", "x[1,2]", "2"], "column", ".lp")
    ('x', 'x(1)', 'x_1_2_', 'column_2')
    """
    if _all_plain(names):
        return tuple(names)
    legal = _is_lp_name if suffix == ".lp" else _is_mps_name
    taken, changed = set(names), []
    for name in names:
        if not legal(name):
            stem = re.sub(r"[^A-Za-z0-9_]+", "_", name)[: LONGEST_NAME - 20]
            stem = stem if legal(stem) else f"{what}_{stem}"
            changed.append(unused_name(stem, "", taken))
        else:
            changed.append(name)
    return tuple(changed)


def _all_plain(names: Sequence[str]) -> bool:
    """Whether every file can hold all of these names: told of them together, for speed."""
    text = "\n".join([*names, ""])
    return (
        text.count("\n") == len(names)
        and _PLAIN_NAMES.fullmatch(text) is not None
        and _KEYWORDS.isdisjoint(map(str.lower, names))
    )


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
        and not _LOOKS_LIKE_EXPONENT.match(name)
        and not _LOOKS_LIKE_NUMBER.match(name)
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
    changed: list[tuple[str, str, str]] = []
    for line in lines:
        if line[:1] not in ("*", "\\", ""):
            break
        if match := _OWN_NAME.fullmatch(line):
            with suppress(ValueError):  # a text that JSON does not know
                changed.append((match[1], match[2], json.loads(match[3])))
    if not changed:
        return program
    names = {"column": list(program.column_names), "row": list(program.row_names)}
    places = {what: {name: k for k, name in enumerate(each)} for what, each in names.items()}
    for what, name, own in changed:
        if name in places[what] and own not in places[what]:
            place = places[what][own] = places[what].pop(name)
            names[what][place] = own
    return replace(program, column_names=tuple(names["column"]), row_names=tuple(names["row"]))


def legend_of(what: str, names: Iterable[str], legend: Mapping[str, str]) -> dict[str, str]:
    """What the names stand for, each in one line, in their order; names of others are left out.

    Raises :class:`InputError` if the legend has none of the names of ``what``.
    """
    meanings = {name: " ".join(str(legend[name]).split()) for name in names if name in legend}
    if legend and not meanings:
        first = next(iter(legend))
        raise InputError(f"the legend has no name of {what!r}: {first!r} is no column and no row")
    return meanings
