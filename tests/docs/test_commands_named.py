"""Every command that the text of a page names is one: its words, options, and the names it gives.

Commands in blocks are run by other tests; here are those in sentences, in code spans such as
```cpe-opt solvers```, and in the blocks that take hours or data of others; and those that
docstrings, help and messages of the package name.
"""

import ast
import re
import shlex
from importlib.util import find_spec

import pytest
import typer
from typer.main import get_command

from cpe_opt.cli import app
from cpe_opt.formulations.models import MODELS
from cpe_opt.learners.registry import LEARNERS
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.problems.generators import GENERATORS
from cpe_opt.solvers.registry import SOLVERS
from tests.docs.blocks import ROOT, blocks_of, name_of, pages

FENCED = re.compile(r"^(`{3,})[^`\n]*\n.*?^\1\s*$", re.M | re.S)
PLACEHOLDER = re.compile(r"[A-Z]+|…|\w+=…")
UNSAID = ("MissingParameter", "BadOptionUsage")  # a sentence need not say every argument and value
FILE = re.compile(r"[\w/.-]*\.\w+(:\w+(:.*)?)?")
(WRONG_USAGE,) = (each for each in typer.BadParameter.__mro__ if each.__name__ == "UsageError")
COMMAND = get_command(app)
KNOWN = {
    "algorithm": LEARNERS,
    "instance": INSTANCES,
    "model": MODELS,
    "solver": SOLVERS,
    ("models", "name"): MODELS,
    ("algorithms", "name"): LEARNERS,
    ("compare", "algorithms"): LEARNERS,
    ("compare", "on"): {*INSTANCES, *GENERATORS},
}


def lines():
    """Pages and the code spans in them, and lines of blocks that are not run."""
    for path in pages(ROOT):
        text = path.read_text(encoding="utf-8")
        for span in re.findall(r"`([^`]+)`", FENCED.sub("", text)):
            yield name_of(path), " ".join(span.split())
        for block in blocks_of(text):
            if not block.language:
                yield from ((name_of(path), line) for line in block.body.strip().splitlines())


LINES = sorted({(page, line) for page, line in lines() if name_of(ROOT / page) != "CHANGELOG.md"})


def commands_in_sources():
    """Modules, and the commands that texts in them name."""
    for path in sorted((ROOT / "cpe_opt").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "cpe-opt" in text else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for command in re.findall(r"`(cpe-opt [^`]*)`", node.value):
                    yield name_of(path), " ".join(command.replace(" ... ", " ").split())


def check(line):
    """Fail unless the command, its options and the names that it gives are there."""
    command, words = COMMAND, shlex.split(line)[1:]
    while words and not words[0].startswith("-") and hasattr(command, "commands"):
        assert words[0] in command.commands, f"no command {words[0]!r}"
        command = command.commands[words.pop(0)]
    if not words or words == ["--help"]:
        return
    try:
        command.make_context(command.name, list(words))
    except WRONG_USAGE as error:
        if type(error).__name__ not in UNSAID:
            raise
    given = command.make_context(command.name, list(words), resilient_parsing=True).params
    for name, value in given.items():
        names = KNOWN.get((command.name, name), KNOWN.get(name))
        values = value if isinstance(value, list | tuple) else [value]
        for each in [part for text in values if isinstance(text, str) for part in text.split(",")]:
            if names is not None and not (PLACEHOLDER.fullmatch(each) or FILE.fullmatch(each)):
                assert each.partition(":")[0] in names, f"no {name} {each!r}"


@pytest.mark.parametrize("source", ["pages", "package"])
def test_commands_that_are_named_are_there(source):
    named = [(page, line) for page, line in LINES if line.split(" ")[0] == "cpe-opt"]
    wrong = []
    for page, line in named if source == "pages" else sorted(set(commands_in_sources())):
        try:
            check(line)
        except (AssertionError, WRONG_USAGE) as error:
            wrong.append(f"{page}: {line}: {error}")
    assert len(named) > 30
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "cpe-opt analize FILE",
        "cpe-opt session begin FILE",
        "cpe-opt solve copeland-bounds gap",
        "cpe-opt solve copeland-bound gapp",
        "cpe-opt solve copeland-bound gap --solvr glop",
        "cpe-opt run ecw-rmed gap --runs many",
    ],
)
def test_one_that_is_none_is_found(line):
    with pytest.raises((AssertionError, WRONG_USAGE)):
        check(line)


def test_modules_and_scripts_that_are_run_are_there():
    commands = [shlex.split(line.partition(" >")[0]) for _, line in LINES if "python " in line]
    named = [command[1:] for command in commands if command[0] in ("python", ".venv/bin/python")]
    assert len(named) >= 3
    for first, *words in named:
        if first == "-m":
            assert find_spec(words[0]) is not None, words
        else:
            assert first == "judge.py" or (ROOT / first).exists(), first
