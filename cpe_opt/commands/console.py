"""What the command line shows and reads: tables, JSON, numbers and parameters."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cpe_opt.errors import InputError
from cpe_opt.files import check_output, json_default

if TYPE_CHECKING:
    from cpe_opt.reports.report import Analysis

_FILE_WIDTH = 160  # columns of a table where no terminal has a width
_LONG_NAME = 24


def parse_count(text: str, what: str) -> int:
    """A whole number, also written as 1e6."""
    number = _whole_or_none(text)
    if number is None:
        raise InputError(f"{what} is {text!r}, expected a whole number such as 1000000 or 1e6")
    return number


def parse_parameters(texts: list[str]) -> dict[str, Any]:
    """Learner parameters from texts such as ``beta=0``."""
    parameters: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"parameter {text!r}: expected name=value")
        if name in parameters:
            raise InputError(f"parameter {name!r} is given twice, expected it once")
        try:
            count = None if "." in value else _whole_or_none(value)
            parameters[name] = json.loads(value) if count is None else count
        except json.JSONDecodeError:
            parameters[name] = value
    return parameters


def _whole_or_none(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], title: str | None = None
) -> None:
    """Print rows under a head, as wide as the terminal; in files and pipes as wide as most need."""
    from rich.cells import cell_len

    texts = [[str(cell) for cell in row] for row in (head, *rows)]
    numeric = [all(isinstance(row[column], int) for row in rows) for column in range(len(head))]
    sizes = [max(map(cell_len, column)) for column in zip(*texts, strict=True)]
    in_file = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    width = _FILE_WIDTH if in_file else shutil.get_terminal_size().columns
    line = "─" * (sum(sizes) + 3 * len(sizes) - 1)
    utf = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    plain = utf and "".join([title or "", *map("".join, texts)]).isprintable()
    if plain and max(len(line) + 2, cell_len(title or "")) <= width:  # without rich, which is slow

        def padded(cell: str, size: int, right: bool) -> str:
            size += len(cell) - cell_len(cell)
            return cell.rjust(size) if right else cell.ljust(size)

        lines = [f"  {'   '.join(map(padded, row, sizes, numeric))}  " for row in texts]
        lines[:1] = [typer.style(lines[0], bold=True), f" {line} "] if any(head) else []
        titled, edge = [typer.style(title, italic=True)] * bool(title), " " * (len(line) + 2)
        typer.echo("\n".join([*titled, edge, *lines, edge]))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_header=any(head))
    for column, name in enumerate(texts[0]):
        # Names in the first column stay whole where that leaves room for the others.
        whole = column == 0 and all(len(str(row[0])) <= _LONG_NAME for row in rows)
        table.add_column(
            Text(name),
            justify="right" if numeric[column] else "left",
            overflow="fold",
            no_wrap=whole,
        )
    for row in texts[1:]:
        table.add_row(*map(Text, row))
    console = Console(width=_FILE_WIDTH if in_file else None)
    if title:  # as wide as the terminal, and not as the table
        console.print(Text(title, style="table.title"))
    console.print(table)


def print_facts(facts: Mapping[str, Any], title: str | None = None) -> None:
    """Print names and what they stand for."""
    print_table(["", ""], list(facts.items()), title)


def check_outputs(
    outputs: Mapping[Path | None, Sequence[str]], *, force: bool, sources: Iterable[Any]
) -> None:
    """Refuse paths that cannot be written to, of those that are given, by the suffixes of each."""
    for path, suffixes in outputs.items():
        if path is not None:
            check_output(path, suffixes, force=force, sources=sources)


def print_written(*paths: Path | None) -> None:
    """Say which files were written, of those that were asked for."""
    for path in paths:
        if path is not None:
            typer.echo(f"wrote {path}")


def print_report(parts: Iterable[Any]) -> None:
    """Print the lines and tables of an analysis."""
    for part in parts:
        if isinstance(part, str):
            typer.echo(part)
        else:
            print_table(part.columns, part.rows, title=part.title or None)


def print_analysis(found: Analysis, *, as_json: bool, as_markdown: bool = False) -> None:
    """Print what an analysis says, for machines, for a page of Markdown, or for a terminal."""
    if as_json:
        print_json(found.as_dict())
    elif as_markdown:
        typer.echo(found.markdown(), nl=False)
    else:
        print_report(found.report())


def print_json(value: Any) -> None:
    """Print a value as JSON, arrays and numbers of numpy included; null for inf and nan."""
    typer.echo(json.dumps(_finite(value), indent=2, default=json_default, allow_nan=False))


def _finite(value: Any) -> Any:
    """The value with None, which JSON has, for numbers that it has not."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def format_cell(value: Any) -> str:
    """A cell for people."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)
