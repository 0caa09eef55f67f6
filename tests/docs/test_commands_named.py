"""Every command that the text of a page names is one: its words, options, and the names it gives.

Commands in blocks are run by other tests; here are those in sentences, in code spans such as
```cpe-opt solvers```, and in the blocks that take hours or data of others; and those that
docstrings, help and messages of the package name.
"""

import ast
import re
import shlex
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from cpe_opt.cli import app
from cpe_opt.formulations.models import MODELS
from cpe_opt.learners.registry import LEARNERS, learner_entry
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.problems.generators import GENERATORS
from cpe_opt.solvers.registry import SOLVERS
from tests.docs.blocks import blocks_of
from tests.mutants.every import EVERY_MUTANT

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^(`{3,})[^`\n]*\n.*?^\1\s*$", re.M | re.S)
SPAN = re.compile(r"`([^`]+)`")
PLACEHOLDER = re.compile(r"[A-Z]+|…|\w+=…")
UNSAID = ("MissingParameter", "BadOptionUsage")  # a sentence need not say every argument and value
FILE = re.compile(r"[\w/.-]*\.\w+(:\w+(:.*)?)?")
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "models").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
    ROOT / "tests" / "benchmarks" / "README.md",
    *sorted(
        path
        for path in (ROOT / "docs").rglob("*.md")
        if not {"_build", "generated", "gallery"} & set(path.relative_to(ROOT / "docs").parts)
    ),
]
(WRONG_USAGE,) = (each for each in typer.BadParameter.__mro__ if each.__name__ == "UsageError")
ALL = get_command(app)
TARGETS = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)


def commands_named(page):
    """Commands in code spans, and in blocks that are not run."""
    for span in SPAN.findall(FENCED.sub("", page)):
        yield " ".join(span.split())
    for block in blocks_of(page):
        if not block.language:
            yield from block.body.strip().splitlines()


def every_command(begin):
    """Pages and the commands on them that begin so."""
    return sorted(
        {
            (path.relative_to(ROOT).as_posix(), command)
            for path in PAGES
            for command in commands_named(path.read_text(encoding="utf-8"))
            if command.split(" ")[0] == begin
        }
    )


def commands_in_sources():
    """Modules, and the commands that texts in them name."""
    for path in sorted((ROOT / "cpe_opt").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for command in re.findall(r"`(cpe-opt [^`]*)`", node.value):
                    line = " ".join(command.replace(" ... ", " ").split())
                    yield path.relative_to(ROOT).as_posix(), line


def test_commands_that_are_named_are_there():
    wrong, ours = [], [*every_command("cpe-opt"), *sorted(set(commands_in_sources()))]
    assert len(ours) > 60
    for page, line in ours:
        try:
            check(line)
        except (AssertionError, WRONG_USAGE) as error:
            wrong.append(f"{page}: {line}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "cpe-opt analize FILE",
        "cpe-opt session begin FILE",
        "cpe-opt solve copeland-bounds gap",
        "cpe-opt solve copeland-bound gapp",
        "cpe-opt solve copeland-bound gap --solvr glop",
        "cpe-opt solve copeland-bound gap --solver glob",
        "cpe-opt run ecw-rmet gap",
        "cpe-opt run ecw-rmed gap -p gamma=1",
        "cpe-opt run ecw-rmed gap --runs many",
        "cpe-opt compare ecw-rmed rmed --on sushi",
        "cpe-opt report results more",
    ],
)
def test_one_that_is_none_is_found(line):
    with pytest.raises((AssertionError, WRONG_USAGE)):
        check(line)


def check(line):
    """Fail unless the command, its options and the names that it gives are there."""
    command, words = ALL, shlex.split(line)[1:]
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
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, str) and not PLACEHOLDER.fullmatch(each):
                for part in each.split(",") if name == "on" else [each]:
                    check_name(command.name, name, part, line)


def check_name(command, parameter, value, line):
    """A name of the catalogue, where one is expected and no file is given."""
    known = {
        "algorithm": LEARNERS,
        "instance": INSTANCES,
        "model": MODELS,
        "solver": SOLVERS,
        ("models", "name"): MODELS,
        ("algorithms", "name"): LEARNERS,
        ("compare", "algorithms"): LEARNERS,
        ("compare", "on"): {*INSTANCES, *GENERATORS},
    }
    names = known.get((command, parameter), known.get(parameter))
    if names is not None and not FILE.fullmatch(value):
        assert value.partition(":")[0] in names, f"{line}: no {parameter} {value!r}"
    if parameter == "parameter":
        learner = next((word for word in line.split() if word in LEARNERS), None)
        key = value.partition("=")[0]
        if learner is not None:
            assert key in [each.name for each in learner_entry(learner).parameters], line


def test_targets_of_make_that_are_named_are_there():
    named = every_command("make")
    assert len(named) >= 8
    for page, line in named:
        words = [
            word
            for word in shlex.split(line.partition(" >")[0])[1:]
            if word != "-s" and "=" not in word
        ]
        assert words, f"{page}: {line}"
        for word in words:
            assert word in TARGETS, f"{page}: {line}"


def test_modules_that_are_run_are_there():
    mutated = {test for mutant in EVERY_MUTANT for test in mutant.tests}
    named = every_command("python") + every_command(".venv/bin/python")
    assert len(named) >= 3
    for page, line in named:
        words = shlex.split(line)
        if words[1] == "-m":
            assert find_spec(words[2]) is not None, f"{page}: {line}"
            if words[2] == "tests.mutants":
                assert any(words[3] in test for test in mutated), f"{page}: {line}"
        else:
            assert words[1] == "judge.py" or (ROOT / words[1]).exists(), f"{page}: {line}"


def test_installations_name_extras_that_are_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = every_command("pip")
    assert len(named) >= 3
    for page, line in named:
        verb, *options, what = shlex.split(line)[1:]
        if options[:2] == ["--no-deps", "--target"]:  # another version, into a folder
            assert all(each.startswith("highspy") for each in [*options[3:], what])
            continue
        extra = re.fullmatch(r"(?:\.|cpe-opt)(?:\[(\w+)\])?", what)
        assert verb == "install"
        assert options in ([], ["-e"])
        assert extra, f"{page}: {line}"
        assert extra[1] is None or extra[1] in project["optional-dependencies"], f"{page}: {line}"
