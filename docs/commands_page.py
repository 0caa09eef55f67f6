"""The page of the command line, made from the commands' own words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markdown_parts import head, row
from typer.main import get_command

from cpe_opt.cli import app


def commands_page() -> str:
    """Every command: what it does, an example, its options."""
    parts = ["# On the command line", "", _COMMANDS]
    for name, command in _commands(get_command(app), "cpe-opt"):
        example = (command.epilog or "").removeprefix("Example: ")
        parts += ["", f"## `{name}`", "", command.help or "", "", "```text", example, "```", ""]
        parts += head(("option", "what"))
        for option in command.params:
            names = ", ".join(f"`{each}`" for each in (*option.opts, *option.secondary_opts))
            words = " ".join((getattr(option, "help", "") or "").split())
            parts.append(row((names, words)))
    return "\n".join(parts) + "\n"


_COMMANDS = """\
What the command line can do, Python can. Every command answers `--help`, prints JSON for machines
with `--json` where it prints a table, and overwrites no file without `--force`. Files are UTF-8 or
UTF-16 with commas, semicolons (then also decimal commas) or tabs."""


def _commands(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    for key, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{name} {key}")
        else:
            yield f"{name} {key}", command
