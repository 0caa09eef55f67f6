"""Every block of code of the README and of the site is run, and prints what the page says."""

import pkgutil
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Reader, blocks_of

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs"
# Pages whose blocks tests of their own compare with what is made, and those made from them.
OTHERS = ("architecture.md", "extend.md", "command_examples.md", "programs-of-a-run.md")
PAGES = sorted(
    path
    for path in SITE.rglob("*.md")
    if not {"_build", "generated", "gallery"} & set(path.relative_to(SITE).parts)
    and path.relative_to(SITE).as_posix() not in OTHERS
)
DIRECTIVES = ("glossary", "toctree", "eval-rst", "include", "literalinclude", "image", "figure")
SHOWN = ("text", "json", *(f"{{{name}}}" for name in DIRECTIVES))
ROLES = re.compile(r"\{py:\w+\}`(?:[^`<]*<)?~?([\w.]+)>?`")
PICTURE = re.compile(r"!\[.+\]\(\.\./generated/notebooks/(.+\.png)\)")
EXAMPLE = re.compile(r"^\$ python (examples/[\w/]+\.py)", re.M)
INSTALLS = re.compile(r"pip install .*|make \w+|apt-get install .*")
LONG = (
    "notebooks/dueling.md",
    "howto/cluster.md",
    "howto/record-programs.md",
    "ideas/designs.md",
    "ideas/idle-stretches.md",
    "start/compare.md",
    "howto/compare.md",
    "howto/learner.md",
    "howto/prices.md",
)


def name_of(page):
    return page.relative_to(SITE).as_posix()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(path, marks=[pytest.mark.slow] * (name_of(path) in LONG), id=name_of(path))
        for path in PAGES
        if "```" in path.read_text(encoding="utf-8")
    ],
)
def test_a_page_prints_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for example in set(EXAMPLE.findall(text)):  # as in a checkout, where the page's reader is
        (tmp_path / example).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / example, tmp_path / example)
    installs = {line[2:] for line in text.splitlines() if INSTALLS.fullmatch(line[2:])}
    run = Reader(tmp_path, Path(sys.executable).parent, tuple(installs)).read(text, page.name)
    wanted = [each for each in blocks_of(text) if each.language in ("python", "console")]
    assert run >= len(wanted)
    shown = {each.language.split()[0] for each in blocks_of(text) if not each.caption}
    assert shown <= {"python", "console", *SHOWN}
    for picture in PICTURE.findall(text):  # a notebook's own
        assert (tmp_path / picture).stat().st_size > 5000


def test_references_are_to_what_is_there():
    named = {name for page in PAGES for name in ROLES.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 40
    assert [name for name in sorted(named) if not is_there(name)] == []


def is_there(name):
    """Whether a name leads to something: a field of a class is one of its annotations."""
    owner, _, attribute = name.rpartition(".")
    try:
        pkgutil.resolve_name(name)
    except AttributeError:
        return attribute in getattr(pkgutil.resolve_name(owner), "__annotations__", {})
    return True


def test_a_reference_to_nothing_is_found():
    answer = "cpe_opt.formulations.answer.Answer"
    assert is_there(f"{answer}.value")
    assert not is_there(f"{answer}.values")
    (name,) = ROLES.findall("as {py:func}`the bound <cpe_opt.copeland_bund>` says")
    assert not is_there(name)
