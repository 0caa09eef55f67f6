"""Pieces of Markdown that the made pages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def toctree(names: Iterable[str], *, hidden: bool = True) -> str:
    return "\n".join(["```{toctree}", ":hidden:" if hidden else ":maxdepth: 1", *names, "```"])


def head(columns: Sequence[str]) -> list[str]:
    return [row(columns), row("---" for _ in columns)]


def row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"
