"""The glossary has the words that the pages refer to, in the order of the alphabet."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "glossary.md").read_text(encoding="utf-8")
(ENTRIES,) = re.findall(r"^```{glossary}\n(.*?)^```", PAGE, re.M | re.S)
TERMS = re.findall(r"^(\S.*)$", ENTRIES, re.M)


def test_terms_are_sorted_and_explained_in_short():
    assert sorted(TERMS, key=str.lower) == TERMS
    assert len(TERMS) > 25
    for text in re.split(r"^\S.*$", ENTRIES, flags=re.M)[1:]:
        assert 5 <= len(text.split()) <= 70


def test_pages_refer_to_terms_that_are_there():
    pages = [path for path in DOCS.rglob("*.md") if not {"_build", "generated"} & set(path.parts)]
    used = {
        (found[2] or found[1]).strip()
        for page in pages
        for found in re.finditer(
            r"{term}`([^`<]+)(?:<([^>]+)>)?`", page.read_text(encoding="utf-8")
        )
    }
    assert len(used) >= 15
    assert used <= set(TERMS)
