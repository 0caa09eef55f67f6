"""Secrets of the links to a session's pages, kept next to its log so that links live on.

The file has the name of the log and ``.secrets``: a JSON object of secrets by name. Whoever reads
it can answer in the name of any rater, so that nobody but its owner may (mode 600).
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from secrets import token_urlsafe
from typing import cast

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.files import atomic_write, os_reason

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def kept_secrets(log: Path, names: Iterable[str]) -> tuple[dict[str, str], str]:
    """A secret for each name, the same as before where there was one, and what is kept in words.

    Raises
    ------
    InputError
        Where the file that is there may be read by others, or holds something else.
    """
    file = log.with_name(f"{log.name}.secrets")
    known = _read(file)
    found = {name: known.get(name) or token_urlsafe(16) for name in names}
    reason = "" if found.items() <= known.items() else _write(file, {**known, **found})
    if reason:
        return found, f"these links end with this command: {str(file)!r} cannot keep them: {reason}"
    return found, f"these links live on: {file} keeps their secrets; delete it for new ones"


def _read(file: Path) -> dict[str, str]:
    """The secrets of a file; none where there is none."""
    advice = "delete it for new links"
    try:
        with file.open(encoding="utf-8") as opened:
            private = os.name == "nt" or not os.fstat(opened.fileno()).st_mode & _OTHERS
            content = json.load(opened) if private else {}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else "it holds something else"
        raise InputError(
            f"{file}: the secrets of links cannot be read: {reason}; {advice}"
        ) from None
    if not private:
        raise InputError(
            f"{file}: others can read the secrets of links; `chmod 600` it, or {advice}"
        )
    if not (isinstance(content, dict) and all(isinstance(each, str) for each in content.values())):
        raise InputError(f"{file}: expected the secrets of links by name; {advice}")
    return content


def _write(file: Path, content: dict[str, str]) -> str:
    """Write a file that only its owner can read; where that cannot be, the reason is given."""
    try:
        with atomic_write(file, private=True) as temporary:
            if os.name != "nt" and temporary.stat().st_mode & _OTHERS:
                raise OSError("in this folder others can read every file")
            temporary.write_text(json.dumps(content, indent=1), encoding="utf-8")
    except WriteFailed as error:
        return os_reason(cast("OSError", error.__cause__))
    return ""
