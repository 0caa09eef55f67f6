"""What raters are shown of each thing that is compared: a table of labels and texts or images.

A file of content has the column ``label`` and one or several of ``text``, ``markdown`` and
``image``; a text in quotes may have several lines. ``image`` is the name of a file, and ``alt``
describes the image in words. :mod:`cpe_opt.sessions.web.content` shows them on a page.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from cpe_opt.errors import InputError
from cpe_opt.problems.tables import read_table
from cpe_opt.problems.text import read_text

KINDS = ("text", "markdown", "image")


@dataclass(frozen=True)
class Item:
    """What is shown of one thing; empty texts where there is nothing.

    ``image`` is the name of a file, as the table has it; ``alt`` describes the image in words.
    """

    text: str = ""
    markdown: str = ""
    image: str = ""
    alt: str = ""

    @property
    def words(self) -> str:
        """What there is to read."""
        return self.text or self.markdown or self.alt

    @property
    def kinds(self) -> list[str]:
        """Which of text, Markdown and image there are."""
        return [kind for kind in KINDS if getattr(self, kind).strip()]


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
    columns = (*KINDS, "alt")
    table = read_table(path, ["label"], columns, comments=False)
    if not {*KINDS} & set(table.columns):
        raise InputError(f"{table.source}: no column text, markdown or image next to label")
    names, blank = table.distinct("label"), [""] * table.rows
    cells = [table.texts(name) if name in table else blank for name in columns]
    items = {}
    for row, texts in enumerate(zip(*cells, strict=True)):
        items[names[row]] = item = Item(*texts)
        if not item.kinds:
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
