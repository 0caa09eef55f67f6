"""Names of programs, columns and rows that every reader of model files takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError

Keys = int | Sequence[object] | npt.NDArray[np.generic]

_LEGAL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LOOKS_LIKE_NUMBER = re.compile(r"inf|nan", re.IGNORECASE)
_LOOKS_LIKE_EXPONENT = re.compile(r"[eE][0-9]+\Z")
LONGEST_NAME = 150  # cbc takes 159, glpsol 255
_KEYWORDS = frozenset(
    """bin binaries binary bound bounds columns end endata free gen general generals inf infinity
    int integer integers marker max maximise maximize maximum min minimise minimize minimum name
    negated_objective obj objsense ranges rhs rows sec semi semis sin sos sos1 sos2 st subject such
    that to""".split()  # noqa: SIM905
)


def check_program_name(name: str) -> None:
    """Refuse a name of a program that is no word of letters, digits and underscores.

    Raises
    ------
    InputError
    """
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


def block_names(block: str, keys: Keys) -> list[str]:
    """The names ``block_key`` for every key of a block; ``block`` alone for the key ``()``."""
    if isinstance(keys, int | np.integer):
        return [f"{block}_{key}" for key in range(keys)]
    listed: Sequence[object] = keys.tolist() if isinstance(keys, np.ndarray) else keys
    return [
        "_".join((block, *map(str, key))) if isinstance(key, list | tuple) else f"{block}_{key}"
        for key in listed
    ]


def check_names(names: Iterable[str], what: str) -> None:
    """Refuse names that some LP dialect cannot read.

    A legal name matches ``[A-Za-z_][A-Za-z0-9_]*``, has at most 150 characters, is no keyword of
    model files, begins like no number (``e12``, ``inf_0``, ``nan_1``), and is unique.

    Raises
    ------
    InputError
        Naming the first offender and the reason.
    """
    seen: set[str] = set()
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
        elif name in seen:
            reason = "it is used twice"
        else:
            seen.add(name)
            continue
        raise InputError(f"{what} {number} has the name {name[:60]!r}: {reason}")


def legend_of(what: str, names: Iterable[str], legend: Mapping[str, str]) -> dict[str, str]:
    """What the names stand for, each in one line, in their order; names of others are left out.

    Raises
    ------
    InputError
        Where the legend has none of the names of ``what``.
    """
    meanings = {name: " ".join(str(legend[name]).split()) for name in names if name in legend}
    if legend and not meanings:
        first = next(iter(legend))
        raise InputError(f"the legend has no name of {what!r}: {first!r} is no column and no row")
    return meanings
