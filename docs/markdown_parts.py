"""Pieces of Markdown that the made pages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def toctree(names: Iterable[str], *, hidden: bool = True) -> str:
    """A table of contents; hidden, it is in the sidebar alone."""
    return "\n".join(["```{toctree}", ":hidden:" if hidden else ":maxdepth: 1", *names, "```"])


def head(columns: Sequence[str]) -> list[str]:
    """The first two lines of a table."""
    return [row(columns), row("---" for _ in columns)]


def row(cells: Iterable[object]) -> str:
    """A line of a table."""
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"
