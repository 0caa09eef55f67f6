"""What raters are shown of each thing that is compared: a table of labels and texts or images.

A file of content has the columns ``label`` and ``text``, ``markdown`` or ``image``, or several of
these; a text in quotes may have several lines. ``image`` is the name of a file, and ``alt`` says in
words what is seen on it. :mod:`cpe_opt.sessions.web.content` shows the same files on a page.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from cpe_opt.errors import InputError
from cpe_opt.problems.tables import read_table
from cpe_opt.problems.text import read_text

_COLUMNS = ("text", "markdown", "alt", "image")


@dataclass(frozen=True)
class Item:
    """What is shown of one thing.

    Attributes
    ----------
    text : str
        Or Markdown, or what is seen on the image; empty where there is none.
    image : str
        The name of a file, as the table has it; empty where there is none.
    """

    text: str = ""
    image: str = ""


def read_content(
    path: str | os.PathLike[str], labels: Sequence[str] | None = None
) -> dict[str, Item]:
    """What is shown, by label.

    Parameters
    ----------
    path : path
    labels : sequence of str, optional
        Those that need a row each.

    Raises
    ------
    InputError
        With the line, where a label stands there twice or a row shows nothing; where one of
        ``labels`` has no row.
    """
    table = read_table(path, ["label"], _COLUMNS, comments=False)
    if not {"text", "markdown", "image"} & set(table.columns):
        raise InputError(f"{table.source}: no column text, markdown or image beside label")
    names, blank = table.distinct("label"), [""] * table.rows
    columns = [table.texts(name) if name in table else blank for name in _COLUMNS]
    items = {}
    for row, (text, markdown, alt, image) in enumerate(zip(*columns, strict=True)):
        items[names[row]] = item = Item(text or markdown or alt, image)
        if item == Item():
            raise InputError(f"{table.place(row)}: nothing to show of {names[row]!r}")
    absent = [label for label in labels or () if label not in set(names)]
    if absent:
        raise InputError(f"{table.source}: no row for {absent[0]!r}, which is asked about")
    return items


def read_labels(path: str | os.PathLike[str]) -> list[str]:
    """The labels of a file, one a line, or the column ``label`` of a ``.csv``.

    Raises
    ------
    InputError
        With the line, where a label stands there twice; where there are fewer than two.
    """
    if str(path).lower().endswith(".csv"):
        return read_table(path, ["label"], others=True, comments=False).distinct("label")
    lines: dict[str, int] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        label = line.strip()
        if label and lines.setdefault(label, number) != number:
            raise InputError(f"{path}, line {number}: {label!r} stands there twice")
    if len(lines) < 2:
        raise InputError(f"{path}: expected at least two labels, one a line")
    return list(lines)
