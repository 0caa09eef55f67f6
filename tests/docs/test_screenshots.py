"""The screenshots of the first pages: each has its place, words for it, and can be taken again."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SHOTS = ("raters", "report")
MOST_BYTES = 100_000


def test_each_is_shown_once_with_words():
    shown = {
        target: words
        for page in (DOCS / "start").glob("*.md")
        for words, target in re.findall(
            r"!\[([^\]]+)\]\(([^)]+)\)", page.read_text(encoding="utf-8")
        )
    }
    assert set(shown) == {f"{name}.png" for name in SHOTS}
    for name, words in shown.items():
        assert len(words.split()) >= 15
        assert 1_000 < (DOCS / "start" / name).stat().st_size < MOST_BYTES


@pytest.mark.slow
def test_they_can_be_taken_again(tmp_path):
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed (Debian package chromium)")
    pytest.importorskip("starlette", reason="the page of raters needs starlette")
    script = str(DOCS / "screenshots.py")
    subprocess.run([sys.executable, script, str(tmp_path)], check=True)
    for name in SHOTS:
        drawn, kept = (folder / f"{name}.png" for folder in (tmp_path, DOCS / "start"))
        assert drawn.read_bytes()[16:24] == kept.read_bytes()[16:24]  # width and height
