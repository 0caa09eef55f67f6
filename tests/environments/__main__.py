"""Build environments from nothing, install the wheel there, and run the tests of solvers in each.

    make environments
    make environments ARGS="newest --keep /tmp/environments"

The tests are copied to a folder without the package's source: what they import is what pip has
installed. Each environment also makes the demo and solves every noun of ``cpe-opt models`` from the
command line. In ``user`` the newest CVXPY was there before, and no version may change.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = ("pytest", "pytest-xdist", "hypothesis")
COPIED = ("tests", "models", "examples", "docs", "pyproject.toml", "README.md", "constraints.txt")
NEWEST = ("cvxpy", "highspy", "ortools")
EXTRAS = ("gurobipy", "coptpy", "xpress", "cplex")


@dataclass(frozen=True)
class Environment:
    """What is installed before the wheel, with it and as its extras, and taken away after it."""

    about: str
    before: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    extras: tuple[str, ...] = ("exact",)


ENVIRONMENTS = {
    "pins": Environment("the versions of development", requirements=("-c", "constraints.txt")),
    "newest": Environment("the newest of all three", requirements=("--upgrade", *NEWEST)),
    "without-ortools": Environment(
        "the newest without OR-Tools", requirements=("--upgrade", *NEWEST), removed=("ortools",)
    ),
    "licensed": Environment(
        "the versions of development, and solvers that ask for a licence",
        requirements=("-c", "constraints.txt"),
        extras=("exact", "gurobi", "copt", "xpress", "cplex"),
    ),
    "user": Environment("a user's, with the newest CVXPY", before=("cvxpy",)),
}
NOUNS = """
import json, subprocess, sys
from cpe_opt.formulations.models import MODELS
examples = json.loads(sys.argv[1])
assert set(examples) == set(MODELS), set(examples) ^ set(MODELS)
for name, instance in examples.items():
    command = [sys.executable, "-m", "cpe_opt", "solve", name, instance, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (name, done.stderr)
    json.loads(done.stdout)
print(len(examples), "nouns solve")
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ENVIRONMENTS)}; all by default")
    parser.add_argument("--keep", type=Path, help="a folder to build in, which is not deleted")
    parser.add_argument("--workers", default="2")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(ENVIRONMENTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(ENVIRONMENTS)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        wheel = build(folder / "wheel")
        failed = [
            name
            for name in arguments.names or ENVIRONMENTS
            if not passes(name, folder / name, wheel, arguments.workers)
        ]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


def build(folder):
    """The wheel of this checkout."""
    shutil.rmtree(folder, ignore_errors=True)
    pip(sys.executable, "wheel", "--no-deps", "-w", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def passes(name, folder, wheel, workers):
    """Whether everything works in an environment that is built here."""
    environment = ENVIRONMENTS[name]
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if environment.before:
        pip(python, "install", *environment.before)
    earlier = versions(python)
    extras = f"[{','.join(environment.extras)}]" if environment.extras else ""
    pip(python, "install", f"{wheel}{extras}", *environment.requirements)
    changed = {each for each in earlier.items() if each not in versions(python).items()}
    pip(python, "install", *TOOLS)
    if environment.removed:
        pip(python, "uninstall", "-y", *environment.removed)
    there = versions(python)
    trio = ", ".join(f"{each} {there.get(each, 'not installed')}" for each in NEWEST)
    print(f"{name}: {environment.about}: {trio}", flush=True)
    if environment.extras:
        listed = ", ".join(f"{each} {there[each]}" for each in EXTRAS if each in there)
        print(f"  {listed}", flush=True)
    if environment.before and changed:
        print(f"{name}: pip changed {changed}")
        return False
    work = folder / "work"
    work.mkdir()
    for each in COPIED:
        copy = shutil.copytree if (ROOT / each).is_dir() else shutil.copy
        copy(ROOT / each, work / each)
    tests = ("-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider")
    return all(
        [
            run(python, work, *tests, "tests/solvers", "tests/modelling"),
            run(python, work, "-c", NOUNS, json.dumps(examples())),
            run(python, work, "examples/copeland_on_sushi.py", "--out", "demo"),
        ]
    )


def examples():
    """An instance of each noun, as in ``models``."""
    entries = [tomllib.loads(path.read_text()) for path in sorted(ROOT.glob("models/*/*.toml"))]
    return {entry["model"]: entry["instance"] for entry in reversed(entries)}


def versions(python):
    command = [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {each["name"]: each["version"] for each in json.loads(done.stdout)}


def pip(python, command, *arguments):
    subprocess.run(
        [python, "-m", "pip", "--disable-pip-version-check", "-q", command, *arguments],
        check=True,
        cwd=ROOT,
    )


def run(python, folder, *arguments):
    """Whether a program ends well, and what it says last."""
    variables = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    variables.pop("PYTHONPATH", None)
    done = subprocess.run(
        [python, *arguments],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    print("  " + "\n  ".join(lines[-1:] if done.returncode == 0 else lines[-60:]), flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    main()
