"""The site is built without a warning, links nowhere that is not there, and loads nothing."""

import re

import pytest

LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"(?:https?:)?//[^\"]+\"")


@pytest.mark.slow
def test_the_site_is_whole_and_loads_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 300
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page
