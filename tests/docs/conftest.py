"""The site, built once for all tests that look at it."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("docs", "examples", "models", "cpe_opt")
MADE = ("_build", "generated", "gallery", "__pycache__")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of its pages; a warning is an error."""
    for name in ("sphinx", "sphinx_gallery", "furo", "myst_parser", "numpydoc"):
        pytest.importorskip(name)
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # that of all workers
    folder = folder / "site"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            build(folder)
            (folder / "done").touch()
    return folder / "html"


def build(folder):
    """What ``make docs`` makes, from a copy of what it is made of."""
    for name in SOURCES:
        made = shutil.ignore_patterns(*(MADE if name == "docs" else MADE[-1:]))
        shutil.copytree(ROOT / name, folder / name, ignore=made, dirs_exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-b", "html", "docs", "html"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
