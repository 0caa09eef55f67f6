"""The gallery's scripts run, are short, and end in a picture or a table."""

import ast
import importlib
import runpy
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).parents[2] / "examples" / "gallery").glob("plot_*.py"))


def test_every_picture_has_words_and_they_are_on_one_line(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    words = importlib.import_module("picture_words")
    drawn = {path.stem for path in SCRIPTS if "figure" in path.read_text(encoding="utf-8")}
    assert set(words.GALLERY) == drawn
    assert len(drawn) > 8
    assert all(20 <= len(text.split()) <= 60 for text in words.GALLERY.values())
    page = "Text\n![What is\n  seen.](a.png)\n\n[no\npicture](b.md)\n"
    assert (
        words.join_lines_of_words(page) == "Text\n![What is seen.](a.png)\n\n[no\npicture](b.md)\n"
    )


LONG = ("04_regret_and_its_bound", "05_duels_near_the_least_number", "09_teams_from_sums")


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(
            path, id=path.stem[5:], marks=[pytest.mark.slow] if path.stem[5:] in LONG else []
        )
        for path in SCRIPTS
    ],
)
def test_a_script_ends_in_a_picture_or_a_table(script, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = script.read_text(encoding="utf-8")
    heading = ast.get_docstring(ast.parse(text))
    title, rule, blank, *_ = heading.splitlines()
    assert len(rule) >= len(title)
    assert not blank
    lines = text.split('"""', 2)[2].strip().splitlines()
    assert 8 <= len(lines) <= 45
    names = runpy.run_path(str(script), run_name="__main__")
    figure = names.get("figure")
    if figure is None:
        assert len(capsys.readouterr().out.splitlines()) >= 4
        return
    figure.savefig("picture.png", dpi=60)
    assert Path("picture.png").stat().st_size > 4000
    assert any(axes.has_data() for axes in figure.axes)
