"""What scripts draw for the site: the gallery, the notebooks, pictures of ideas, screenshots."""

import ast
import importlib
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

DOCS = ROOT / "docs"
SCRIPTS = sorted((ROOT / "examples" / "gallery").glob("plot_*.py"))
LONG = ("04_regret_and_its_bound", "05_duels_near_the_least_number", "09_teams_from_sums")
NOTEBOOKS = sorted(path for path in (DOCS / "notebooks").glob("*.md") if path.stem != "index")
IDEAS = sorted(path.stem for path in (DOCS / "ideas").glob("*.md") if path.stem != "index")


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(path, id=path.stem[5:], marks=[pytest.mark.slow] * (path.stem[5:] in LONG))
        for path in SCRIPTS
    ],
)
def test_a_script_of_the_gallery_ends_in_a_picture_or_a_table(
    script, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(DOCS))
    words = importlib.import_module("picture_words").GALLERY
    title, rule, blank, *_ = ast.get_docstring(ast.parse(script.read_text("utf-8"))).splitlines()
    assert (len(rule) >= len(title), blank) == (True, "")
    figure = runpy.run_path(str(script), run_name="__main__").get("figure")
    assert (script.stem in words) == (figure is not None)
    if figure is None:
        assert len(capsys.readouterr().out.splitlines()) >= 4
    else:
        assert any(axes.has_data() for axes in figure.axes)
        assert 20 <= len(words[script.stem].split()) <= 60


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_code_of_a_notebook_becomes_cells(page):
    jupytext = pytest.importorskip("jupytext")
    text = page.read_text(encoding="utf-8")
    cells = jupytext.reads(text, fmt="md").cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert len(code) == text.count("```python\n") >= 5


@pytest.mark.slow
def test_pictures_of_notebooks_are_drawn(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    shutil.copytree(DOCS / "notebooks", tmp_path / "notebooks")
    importlib.import_module("notebook_pictures").draw_notebooks(tmp_path)
    for page in NOTEBOOKS:
        (named,) = re.findall(r"!\[.+\]\(\.\./(.+\.png)\)", page.read_text(encoding="utf-8"))
        assert (tmp_path / named).stat().st_size > 5000


def alike(folder, kept, names):
    """Whether the pictures in two folders have the same width and height."""
    for name in names:
        drawn, before = ((each / f"{name}.png").read_bytes() for each in (folder, kept))
        assert drawn[16:24] == before[16:24], name


@pytest.mark.slow
def test_pictures_of_ideas_can_be_drawn_again(tmp_path):
    subprocess.run([sys.executable, DOCS / "pictures" / "make.py", tmp_path], check=True)
    alike(tmp_path, DOCS / "ideas", IDEAS)


@pytest.mark.slow
def test_screenshots_can_be_taken_again(tmp_path):
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed (Debian package chromium)")
    pytest.importorskip("starlette", reason="the page of raters needs starlette")
    subprocess.run([sys.executable, DOCS / "screenshots.py", tmp_path], check=True)
    alike(tmp_path, DOCS / "start", [path.stem for path in Path(DOCS / "start").glob("*.png")])
