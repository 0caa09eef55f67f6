"""The notebooks are notebooks: their text becomes cells, and their pictures are drawn."""

import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(path for path in (DOCS / "notebooks").glob("*.md") if path.stem != "index")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_their_code_becomes_cells(page):
    jupytext = pytest.importorskip("jupytext")
    text = page.read_text(encoding="utf-8")
    cells = jupytext.reads(text, fmt="md").cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert len(code) == text.count("```python\n") >= 5
    assert text.count("**Exercise.**") >= 2


@pytest.mark.slow
def test_their_pictures_are_drawn(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    from notebook_pictures import draw_notebooks

    (tmp_path / "notebooks").mkdir()
    for page in PAGES:
        (tmp_path / "notebooks" / page.name).write_bytes(page.read_bytes())
    draw_notebooks(tmp_path)
    for page in PAGES:
        named = re.findall(r"!\[.+\]\(\.\./(.+\.png)\)", page.read_text(encoding="utf-8"))
        assert len(named) == 1
        assert (tmp_path / named[0]).stat().st_size > 5000
    sys.modules.pop("notebook_pictures")
