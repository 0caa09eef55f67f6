"""What a value shows of itself in a notebook: a small table of what is there already.

Nothing is computed for it, and everything is escaped: labels come from files of others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

MOST_ROWS = 25
_LONGEST = 120  # characters of a cell
_LISTED = 12  # entries of an array
_LEFT = ' style="text-align: left"'


def html_facts(title: str, facts: Iterable[tuple[str, object]]) -> str:
    """A title, and a row per fact: its name and its value; empty values are left out."""
    rows = [(name, value) for name, value in facts if value is not None and value != ""]
    return html_table((), rows, title)


def html_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> str:
    """A table of cells, the first rows of many.

    Examples
    --------
    >>> html_table([], [["<b>"]]).replace(' style="text-align: left"', "")
    '<table><tr><td>&lt;b&gt;</td></tr></table>'
    """
    head = [_row("th", columns)] if columns else []
    body = [_row("td", row) for row in rows[:MOST_ROWS]]
    left = len(rows) - MOST_ROWS
    more = f"<p>… and {left:,} more rows</p>" if left > 0 else ""
    caption = html_line(title) if title else ""
    return f"{caption}<table>{''.join([*head, *body])}</table>{more}"


def html_line(text: str) -> str:
    """A line of text."""
    return f"<p>{escape(text)}</p>"


def short_value(value: object) -> str:
    """A value in a few words: numbers rounded, large arrays by their shape."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        entries = math.prod(shape)
        if shape and entries > _LISTED:
            return f"array, {' × '.join(map(str, shape))}"
        value = getattr(value, "tolist", lambda: value)()
        return short_value(value) if not shape else _shortened(repr(value))
    return _shortened(value if isinstance(value, str) else repr(value))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _row(kind: str, cells: Iterable[Any]) -> str:
    shown = (f"<{kind}{_LEFT}>{escape(short_value(cell))}</{kind}>" for cell in cells)
    return f"<tr>{''.join(shown)}</tr>"
