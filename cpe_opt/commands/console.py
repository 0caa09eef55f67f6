"""What the command line shows and reads: tables, JSON, progress, numbers and parameters."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from cpe_opt.files import json_default

if TYPE_CHECKING:
    from cpe_opt.reports.report import Analysis

_FILE_WIDTH = 160  # columns of a table where no terminal has a width
_LONG_NAME = 24
_SILENCE = 60.0  # seconds
_MEMORY = 1800.0  # seconds over which steps are counted for the time left: some take minutes


def parse_count(text: str, what: str) -> int:
    """A whole number, also written as 1e6."""
    from cpe_opt.errors import InputError

    number = _whole_or_none(text)
    if number is None:
        raise InputError(f"{what} is {text!r}, expected a whole number such as 1000000 or 1e6")
    return number


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


def parse_parameters(texts: list[str]) -> dict[str, Any]:
    """Learner parameters from texts such as ``beta=0``."""
    from cpe_opt.errors import InputError

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


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar with the time left; yields a function of (finished, all) steps.

    The first call says how much was finished before. Where nobody watches, as in a log file, a line
    every minute.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines_by_the_minute(what)
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        speed_estimate_period=_MEMORY,
    ) as display:
        task = display.add_task(what, total=total)
        yield lambda finished, every: display.update(task, completed=finished, total=every)


@contextmanager
def interruptible(advice: str) -> Iterator[None]:
    """Where the block is interrupted by Ctrl-C, print how to go on, and exit with status 130."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"interrupted: {advice}", err=True)
        raise typer.Exit(130) from None


def _lines_by_the_minute(what: str) -> Callable[[int, int], None]:
    started = said = time.monotonic()
    before: int | None = None

    def note(finished: int, every: int) -> None:
        nonlocal said, before
        before = finished if before is None else before
        now = time.monotonic()
        if now - said >= _SILENCE:
            said = now
            left = ""
            if before < finished < every:
                seconds = (now - started) * (every - finished) / (finished - before)
                left = f", about {_duration(seconds)} left"
            typer.echo(
                f"{what}: {finished:,} of {every:,} after {_duration(now - started)}{left}",
                err=True,
            )

    return note


def _duration(seconds: float) -> str:
    """In minutes, or in hours where that is long."""
    return f"{seconds / 60:.0f} min" if seconds < 2 * 3600 else f"{seconds / 3600:.1f} h"


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], title: str | None = None
) -> None:
    """Print rows under a head, as wide as the terminal; in files and pipes as wide as most need."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, box=SIMPLE_HEAD, title_justify="left", show_header=any(head))
    for column, name in enumerate(head):
        numeric = all(isinstance(row[column], int) for row in rows)
        # Names in the first column stay whole where that leaves room for the others.
        whole_names = column == 0 and all(len(str(row[0])) <= _LONG_NAME for row in rows)
        table.add_column(
            name, justify="right" if numeric else "left", overflow="fold", no_wrap=whole_names
        )
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console = Console(width=_FILE_WIDTH)
    console.print(table)


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
