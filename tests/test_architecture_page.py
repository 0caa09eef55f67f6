"""docs/architecture.md is true; the examples of docs/extend.md work in a copy of the package."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

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


def words(text):
    return text.split()


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The package and its models in a folder of their own."""
    folder = tmp_path_factory.mktemp("house")
    for part in ("cpe_opt", "models", "tests", "examples"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.partition("\n")[0])
def test_the_worked_examples_work_to_the_letter(example, copy):
    steps = list(STEP.finditer(example))
    assert [step["run"] for step in steps][-1] == "Then:"
    for step in steps:
        if step["file"]:
            path = copy / step["file"]
            assert not path.exists()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step["text"], encoding="utf-8")
        elif step["edited"]:
            path = copy / step["edited"]
            text = path.read_text(encoding="utf-8")
            marker = f"{step['marker']}\n"
            assert text.count(marker) == 1
            path.write_text(text.replace(marker, step["text"] + marker), encoding="utf-8")
        else:
            carry_out(step["text"], copy)


def carry_out(console, copy):
    """Run the commands of a console, each after a $, and compare what they print, word by word."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{copy}",
        "PYTHONWARNINGS": "error",
        "COLUMNS": "120",
        "NO_COLOR": "1",
    }
    for block in console.split("$ ")[1:]:
        command, _, expected = block.partition("\n")
        program, *arguments = shlex.split(command)
        assert program in ("cpe-opt", "python")
        start = [sys.executable, *(["-m", "cpe_opt"] if program == "cpe-opt" else [])]
        done = subprocess.run(
            [*start, *arguments],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        if "pytest" in command:
            assert re.search(r"^\d+ passed", done.stdout, re.MULTILINE), done.stdout
        else:
            assert words(done.stdout) == words(expected), command


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
