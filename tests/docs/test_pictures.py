"""The pictures of the pages on ideas: each has a script, a place on its page, and words for it."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(path for path in (DOCS / "ideas").glob("*.md") if path.name != "index.md")
SCRIPTS = DOCS / "pictures"
MOST_BYTES = 100_000


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_each_page_shows_its_picture_and_says_what_is_on_it(page):
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert [target for _, target in shown] == [f"{page.stem}.png"]
    assert len(shown[0][0].split()) >= 15
    assert 1_000 < page.with_suffix(".png").stat().st_size < MOST_BYTES


def test_each_picture_has_a_script_and_each_page_is_in_the_list():
    names = runpy.run_path(str(SCRIPTS / "make.py"))["NAMES"]
    assert [name.replace("_", "-") for name in names] == [page.stem for page in PAGES]
    index = (DOCS / "ideas" / "index.md").read_text(encoding="utf-8")
    listed = re.search(r"```{toctree}.*?```", index, re.S)[0].splitlines()[3:-1]
    assert sorted(listed) == [page.stem for page in PAGES]


QUICK = [page.stem for page in PAGES if page.stem != "least-number"]


@pytest.mark.slow
@pytest.mark.parametrize("names", [QUICK, ["least-number"]])
def test_the_pictures_can_be_drawn_again(names, tmp_path):
    command = [sys.executable, str(SCRIPTS / "make.py"), str(tmp_path)]
    subprocess.run([*command, *(name.replace("-", "_") for name in names)], check=True)
    for name in names:
        committed = (DOCS / "ideas" / f"{name}.png").read_bytes()
        drawn = (tmp_path / f"{name}.png").read_bytes()
        assert drawn[16:24] == committed[16:24]  # width and height
