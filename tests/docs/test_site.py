"""The site is built without a warning, links nowhere that is not there, and loads nothing."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"(?:https?:)?//[^\"]+\"")


@pytest.mark.slow
def test_the_site_is_whole_and_loads_nothing_from_elsewhere(tmp_path):
    for name in ("sphinx", "sphinx_gallery", "furo", "myst_parser", "numpydoc"):
        pytest.importorskip(name)
    kept = ("docs", "examples", "models", "cpe_opt")
    ignored = shutil.ignore_patterns("_build", "generated", "gallery", "__pycache__")
    for name in kept:
        skip = ignored if name == "docs" else shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skip)
    out = tmp_path / "html"
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-b", "html", "docs", out],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    pages = list(out.rglob("*.html"))
    assert len(pages) > 300
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page
