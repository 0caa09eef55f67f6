"""docs/architecture.md is true; the examples of docs/extend.md work in a copy of the package."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.docs.blocks import blocks_of

ROOT = Path(__file__).parents[1]
PAGE, EXTEND = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("architecture.md", "extend.md")
)
STEP = re.compile(
    r"(?:Write `(?P<file>[^`]+)`:"
    r"|In `(?P<edited>[^`]+)`, before the line (?P<tick>`` |`)(?P<marker>[^\n]+?)(?: ``|`):"
    r"|(?P<run>Then:))\s+```(?P<kind>\w+)\n(?P<text>.*?)```",
    re.DOTALL,
)
EXAMPLES = re.split(r"^## (?=Add )", EXTEND, flags=re.MULTILINE)[1:]


# The commands of the page one after another, as each would run in a process of its own.
RUN = """
import contextlib, io, json, os, runpy, sys
import pytest
from cpe_opt.cli import app

for program, *arguments in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if program == "cpe-opt":
            app(arguments, standalone_mode=False)
        elif arguments[0] == "-c":
            exec(arguments[1], {"__name__": "__main__"})
        elif arguments[0].endswith(".py"):
            sys.argv, sys.path = arguments, [os.path.dirname(arguments[0]), *sys.path]
            runpy.run_path(arguments[0], run_name="__main__")
        elif arguments[1] == "pytest":
            assert pytest.main(arguments[2:]) == 0, printed.getvalue()
        else:
            sys.argv = arguments[1:]
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    print(json.dumps(printed.getvalue()), flush=True)
"""


def test_the_worked_examples_work_to_the_letter(tmp_path):
    """All that they write, in a copy of the package; then all that they run."""
    for part in ("cpe_opt", "models", "tests", "examples"):
        shutil.copytree(ROOT / part, tmp_path / part)  # with what is compiled
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    consoles = []
    for example in EXAMPLES:
        steps = list(STEP.finditer(example))
        assert [step["run"] for step in steps][-1] == "Then:"
        for step in steps:
            if step["run"]:
                consoles += step["text"].split("$ ")[1:]
            else:
                write(step, tmp_path)
    carry_out([block.partition("\n")[::2] for block in consoles], tmp_path)


def write(step, copy):
    """A new file, or a part of one before a line that is there once."""
    path = copy / (step["file"] or step["edited"])
    if step["file"]:
        assert not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step["text"], encoding="utf-8")
    else:
        text, marker = path.read_text(encoding="utf-8"), f"{step['marker']}\n"
        assert text.count(marker) == 1
        path.write_text(text.replace(marker, step["text"] + marker), encoding="utf-8")


def carry_out(commands, copy):
    """Run commands, given with what the page says that they print, and compare word by word."""
    words = [shlex.split(command) for command, _ in commands]
    assert {program for program, *_ in words} == {"cpe-opt", "python"}
    environment = {"PYTHONPATH": f"{copy}", "PYTHONWARNINGS": "error", "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(words),
        cwd=copy,
        env={**os.environ, **environment, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for (command, expected), line in zip(commands, done.stdout.splitlines(), strict=True):
        printed = json.loads(line)
        if "pytest" in command:
            assert re.search(r"^\d+ passed", printed, re.MULTILINE), printed
        else:
            assert printed.split() == expected.split(), command


def test_every_block_is_a_step_of_an_example():
    assert len(blocks_of(PAGE)) == 1
    assert len(blocks_of(EXTEND)) == sum(len(STEP.findall(example)) for example in EXAMPLES)


def test_the_layers_stand_in_the_order_of_the_import_contract():
    layers, *_ = blocks_of(PAGE)
    lines = [re.split(r"  +", line)[0] for line in layers.body.splitlines()]
    listed = [name for line in lines for name in line.split(", ") if name]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract, others, *_ = contracts["tool"]["importlinter"]["contracts"]
    assert contract["name"].startswith("Layers")
    wanted = [layer.removeprefix("cpe_opt.") for layer in contract["layers"]][1:]  # below cli
    ground = {path.stem for path in (ROOT / "cpe_opt").glob("[a-z]*.py")} - {"cli"}
    wanted = [name for name in wanted if name not in ground]
    assert listed[: len(wanted) + 1] == [*wanted, "problems"]
    assert set(listed[len(wanted) + 1 :]) == ground
    above, here, below = (layer.removeprefix("cpe_opt.") for layer in others["layers"])
    assert listed.index(above) < listed.index(here) < listed.index(below)


def test_every_layer_and_family_is_on_the_page():
    folders = {path.parent.name for path in (ROOT / "cpe_opt").glob("*/__init__.py")}
    for folder in folders:
        assert folder in PAGE, folder
    for family in ("dueling", "matchings", "subsets", "separable"):
        assert f"| `{family}` |" in PAGE
    for path in re.findall(r"`((?:[a-z]+/)+\w+\.py)`", PAGE + EXTEND):
        worked = f"Write `{path}`" in EXTEND or path.startswith("tests/")
        assert worked or (ROOT / path).exists() or (ROOT / "cpe_opt" / path).exists(), path
