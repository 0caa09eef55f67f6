"""Blocks of code in Markdown pages, run as a reader would run them, one page in one folder.

- ``python``: run in one namespace a page. What it prints stands in the ``text`` block below it, or
  after ``# `` on the line of each ``print``.
- ``console``: lines that begin with ``$ `` are commands, the others what they print; ``cpe-opt`` is
  run in this process, others by the shell. A ``#`` between blanks begins a comment.
- ``{code-block} … :caption: name``: a file of that name, written to the folder.
- ``text``, ``lp`` and the like below no code: shown, not run.

``...`` stands for anything, but not for all of an output, and runs of blanks for one another; the
rules of tables are left out.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from cpe_opt.cli import app

_FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<head>[^\n`]*)\n(?P<body>.*?)^(?P=fence)\s*$", re.M | re.S
)
_CAPTION = re.compile(r"^:caption:\s*(\S+)\s*$", re.M)
# What is said every ten seconds of a run, on a slow machine.
_MEANWHILE = re.compile(r"^[\d,]+ answers(, [\d,]+ failed)?\n", re.MULTILINE)
_COMMENT = re.compile(r"\s+#\s.*\Z")
_MADE = re.compile(r"/(?:\.|_build/|docs/generated/|docs/gallery/)")
ROOT = Path(__file__).parents[2]
WIDTH = 100
"""Columns of the console in which the pages' commands ran."""


@cache
def pages(folder: Path) -> list[Path]:
    """The pages of Markdown below a folder that are not built, installed or hidden."""
    found = [*folder.glob("*.md"), *folder.glob("[!.]*/**/*.md")]
    return [path for path in sorted(found) if not _MADE.search(f"/{name_of(path)}")]


def name_of(page: Path) -> str:
    """Its path in the repository."""
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and where it stands."""

    language: str
    body: str
    line: int
    after: str = ""  # the text that follows it, if that is a block of text
    caption: str = ""


def blocks_of(page: str) -> list[Block]:
    """The fenced blocks of a page, in their order."""
    found = list(_FENCE.finditer(page))
    blocks = []
    for place, each in enumerate(found):
        head, body = each["head"].strip(), each["body"]
        caption = ""
        if head.startswith("{code-block}"):
            head = head.removeprefix("{code-block}").strip()
            named = _CAPTION.search(body)
            caption = named[1] if named else ""
            body = re.sub(r"\A(?::\w+:.*\n)+\n?", "", body)
        after = ""
        if place + 1 < len(found):
            following = found[place + 1]
            between = page[each.end() : following.start()]
            if following["head"].strip() == "text" and not between.strip():
                after = following["body"]
        line = page.count("\n", 0, each.start()) + 1
        blocks.append(Block(head, body, line, after, caption))
    return blocks


@dataclass
class Reader:
    """Somebody who types what a page says, in a folder.

    ``bin`` is where ``python`` is, ``skipped`` has commands that are not run, and ``typed`` what is
    typed where a command asks.
    """

    folder: Path
    bin: Path
    skipped: tuple[str, ...] = ()
    typed: dict[str, str] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def read(self, page: str, name: str) -> int:
        """Run every block, and fail where something else is printed; the number of those run."""
        count = 0
        for block in blocks_of(page):
            where = f"{name}:{block.line}"
            if block.caption:
                target = self.folder / block.caption
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(block.body, encoding="utf-8")
            elif block.language == "python":
                self._python(block, where)
            elif block.language == "console":
                self._console(block, where)
            else:
                continue
            count += 1
        return count

    def _python(self, block: Block, where: str) -> None:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.body, where, "exec"), self.names)
        promised = block.after or "".join(f"{line}\n" for line in _promises(block.body))
        _compare(printed.getvalue(), promised, where)

    def _console(self, block: Block, where: str) -> None:
        for written, promised in _commands(block.body):
            command = _COMMENT.sub("", written)
            assert promised.strip() != "...", f"{where}: nothing of what {command} prints"
            if command not in self.skipped:
                _compare(self._run(command), promised, f"{where}: {command}")

    def _run(self, command: str) -> str:
        if command.startswith("cpe-opt ") and not set("|<>&;") & set(command):
            _, *arguments = shlex.split(command)
            typed, environment = self.typed.get(command, ""), {"COLUMNS": str(WIDTH)}
            done = CliRunner().invoke(app, arguments, input=typed, env=environment)
            if done.exception is not None and not isinstance(done.exception, SystemExit):
                raise done.exception
            return done.output
        done_by_shell = subprocess.run(
            ["bash", "-c", f'PATH="{self.bin}:$PATH"\n{command}'],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        return done_by_shell.stdout + done_by_shell.stderr


def _promises(body: str) -> Iterator[str]:
    """What stands after ``# `` where calls of ``print`` end; those that are not nested must say."""
    lines, tree = body.splitlines(), ast.parse(body)
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Expr) and _prints(each.value)]
    for each in sorted(calls, key=lambda call: call.lineno):
        line = lines[(each.end_lineno or each.lineno) - 1]
        if "  # " in line:
            yield line.split("  # ")[-1]
        else:
            assert each not in tree.body, f"what it prints is not said: {line}"


def _prints(call: ast.expr) -> bool:
    return (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
    )


def _commands(body: str) -> Iterator[tuple[str, str]]:
    """Commands, with lines that go on after a backslash or inside a here-document, and outputs."""
    lines = body.splitlines(keepends=True)
    place = 0
    while place < len(lines):
        assert lines[place].startswith("$ "), f"no command: {lines[place]}"
        command = lines[place][2:]
        place += 1
        until = re.search(r"<<'(\w+)'", command)
        while command.endswith("\\\n") or (until and not command.endswith(f"\n{until[1]}\n")):
            command += lines[place].removeprefix("> ")
            place += 1
        start = place
        while place < len(lines) and not lines[place].startswith("$ "):
            place += 1
        yield command.strip(), "".join(lines[start:place])


def _compare(printed: str, promised: str, where: str) -> None:
    """The pieces between the ``...`` follow one another, the first and last at the ends."""
    if "session run" in where:
        printed = _MEANWHILE.sub("", printed)
    pieces = (re.escape(piece.strip()) for piece in _plain(promised).split("..."))
    assert re.fullmatch(".*".join(pieces), _plain(printed)), (
        f"{where} prints\n{printed.strip()}\nand the page says\n{promised.strip()}"
    )


def _plain(text: str) -> str:
    """Its words, without the rules of tables."""
    return " ".join(text.replace("─", "").split())
