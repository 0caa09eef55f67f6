"""What scripts draw for the site: the gallery, the notebooks, pictures of ideas, screenshots."""

import ast
import importlib
import runpy
import subprocess
import sys

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
def test_pictures_of_ideas_can_be_drawn_again(tmp_path):
    subprocess.run([sys.executable, DOCS / "pictures" / "make.py", tmp_path], check=True)
    assert sorted(path.stem for path in tmp_path.glob("*.png")) == IDEAS
