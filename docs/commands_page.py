"""The page of the command line, made from the commands' own words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown_parts import head, row
from typer.main import get_command

from cpe_opt.cli import app

EXAMPLES = Path(__file__).parent / "command_examples.md"


def commands_page() -> str:
    """Every command: what it does, an example, its options."""
    parts = ["# On the command line", "", _COMMANDS]
    shown = examples()
    for name, command in commands():
        parts += ["", f"## `{name}`", "", command.help or "", "", shown[name], ""]
        parts += head(("option", "what"))
        for option in command.params:
            names = ", ".join(f"`{each}`" for each in (*option.opts, *option.secondary_opts))
            words = " ".join((getattr(option, "help", "") or "").split())
            parts.append(row((names, words)))
    return "\n".join(parts) + "\n"


_COMMANDS = """\
This page lists all commands. Whatever the command line can do, Python can do as well. Every command
has `--help`; those that print a table print JSON for machines with `--json`; none overwrites a file
without `--force`. Files are UTF-8 with commas, semicolons or tabs. The examples were run
one after another in one folder; `...` stands for the rest of what they print."""


def commands() -> list[tuple[str, Any]]:
    """Every command by its name, such as ``cpe-opt session new``."""
    return list(_commands(get_command(app), "cpe-opt"))


def examples() -> dict[str, str]:
    """The files, the line and the output of each command's example, in Markdown."""
    _, *sections = EXAMPLES.read_text(encoding="utf-8").split("\n## ")
    parts = (section.partition("\n") for section in sections)
    return {name: text.strip() for name, _, text in parts}


def _commands(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    for key, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{name} {key}")
        else:
            yield f"{name} {key}", command
