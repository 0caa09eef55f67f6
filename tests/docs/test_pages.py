"""Every page of the README, the site, the catalogue and the reproduced pages, block by block.

Blocks of code are run and print what the page says; others are shown, and a test of
``tests/docs/test_shown_blocks.py`` compares them. Links, references, terms and pictures lead to
what is there.
"""

import pkgutil
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest

import cpe_opt as cpe
from tests.docs.blocks import ROOT, Reader, blocks_of, name_of, pages

SITE = ROOT / "docs"
# Pages whose blocks tests of their own run, and those with blocks of hours.
OTHERS = ("docs/architecture.md", "docs/extend.md", "docs/programs-of-a-run.md")
RUN = [
    path
    for path in [ROOT / "README.md", *pages(SITE)]
    if name_of(path) not in OTHERS and "```" in path.read_text(encoding="utf-8")
]
LONG = (
    "docs/how-it-works.md",
    *(f"docs/notebooks/{page}.md" for page in ("designs", "dueling", "panel")),
    *(f"docs/start/{page}.md" for page in ("compare", "votes")),
    *(f"docs/ideas/{page}.md" for page in ("designs", "least-number")),
    *(f"docs/ideas/{page}.md" for page in ("idle-stretches", "regret-tracking")),
    *(f"docs/howto/{page}.md" for page in ("boards", "cluster", "compare", "environment")),
    *(f"docs/howto/{page}.md" for page in ("fixed-budget", "learner", "other-tools", "prices")),
    *(f"docs/howto/{page}.md" for page in ("problem", "record-programs", "rows")),
)
DIRECTIVES = ("glossary", "toctree", "eval-rst", "include", "literalinclude", "image", "figure")
SHOWN = ("text", "json", *(f"{{{name}}}" for name in DIRECTIVES))
INSTALLS = re.compile(r"pip install .*|make \w+|apt-get install .*|cpe-opt session serve .*")
# Of command_examples.md: what takes more than a second or two, and what reads the results of that.
LASTING = re.compile(r"cpe-opt (?:calls|compare|report) .*")
EXAMPLE = re.compile(r"^\$ python (examples/[\w/]+\.py)", re.M)
TYPED = {"cpe-opt session run taste.jsonl": "1\n"}
# The votes of the script in the README, which its commands read from a file.
DUELS = """\
winner,loser,count
tuna,salmon,35
tuna,squid,30
salmon,tuna,20
salmon,squid,60
squid,tuna,28
squid,salmon,20
"""
ROLES = re.compile(r"\{py:\w+\}`(?:[^`<]*<)?~?([\w.]+)>?`")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
MOST_BYTES = 100_000


CASES = [(path, False, name_of(path) in LONG) for path in RUN]
CASES.append((SITE / "command_examples.md", True, True))


@pytest.mark.parametrize(
    ("page", "whole"),
    [
        pytest.param(path, whole, marks=[pytest.mark.slow] * slow, id=f"{name_of(path)}, {whole}")
        for path, whole, slow in CASES
    ],
)
def test_a_page_prints_what_it_says(page, whole, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for example in set(EXAMPLE.findall(text)):  # as in a checkout, where the page's reader is
        (tmp_path / example).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / example, tmp_path / example)
    skipped = {line[2:] for line in text.splitlines() if INSTALLS.fullmatch(line[2:])}
    if page.name == "README.md":
        Path("duels.csv").write_text(DUELS, encoding="utf-8")
    if page.name == "command_examples.md" and not whole:
        lasting = {line[2:] for line in text.splitlines() if LASTING.fullmatch(line[2:])}
        assert len(lasting) == 3
        skipped |= lasting
    run = Reader(tmp_path, Path(sys.executable).parent, tuple(skipped), TYPED).read(text, page.name)
    assert run >= len([each for each in blocks_of(text) if each.language in ("python", "console")])
    shown = {each.language.split()[0] for each in blocks_of(text) if not each.caption}
    assert shown <= {"python", "console", *SHOWN}
    for name in re.findall(r"^wrote ([\w./-]+\.\w+)$", text, re.M):
        assert (name == "results.html" and not whole) or (tmp_path / name).stat().st_size > 10
    for _, picture in PICTURE.findall(text):  # a notebook's own
        if picture.startswith("../generated/notebooks/"):
            assert (tmp_path / Path(picture).name).stat().st_size > 5000


@pytest.mark.parametrize("page", pages(ROOT), ids=name_of)
def test_links_and_pictures_are_there(page):
    text = re.sub(r"^(`{3,}).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"(?<!`)\]\(([^)#:\s]+)(?:#[\w-]*)?\)", text):
        made = {"generated", "gallery", "reproduced"} & set(Path(target).parts)
        assert made or target.startswith("{") or (page.parent / target).exists(), target


def test_references_are_to_what_is_there():
    named = {name for page in pages(SITE) for name in ROLES.findall(page.read_text("utf-8"))}
    assert len(named) > 40
    assert [name for name in sorted(named) if not is_there(name)] == []


def is_there(name):
    """Whether a name leads to something: a field of a class is an annotation of it or a base."""
    owner, _, attribute = name.rpartition(".")
    try:
        pkgutil.resolve_name(name)
    except AttributeError:
        classes = getattr(pkgutil.resolve_name(owner), "__mro__", ())
        return any(attribute in vars(each).get("__annotations__", {}) for each in classes)
    return True


def test_terms_are_in_the_glossary_which_is_sorted():
    (entries,) = re.findall(
        r"^```{glossary}\n(.*?)^```", (SITE / "glossary.md").read_text("utf-8"), re.M | re.S
    )
    terms = re.findall(r"^(\S.*)$", entries, re.M)
    assert sorted(terms, key=str.lower) == terms
    used = {
        (found[2] or found[1]).strip()
        for page in pages(SITE)
        for found in re.finditer(r"{term}`([^`<]+)(?:<([^>]+)>)?`", page.read_text("utf-8"))
    }
    assert len(used) >= 15
    assert used <= set(terms)


IDEAS = sorted(path for path in (SITE / "ideas").glob("*.md") if path.name != "index.md")
START = sorted((SITE / "start").glob("*.md"))


def test_pictures_have_words_and_are_made_by_scripts():
    """Each page of ideas has one."""
    for page in [*IDEAS, *START]:
        for words, target in PICTURE.findall(page.read_text(encoding="utf-8")):
            assert len(words.split()) >= 15
            assert 1_000 < (page.parent / target).stat().st_size < MOST_BYTES
    names = runpy.run_path(str(SITE / "pictures" / "make.py"))["NAMES"]
    assert [name.replace("_", "-") for name in names] == [page.stem for page in IDEAS]


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_says_what_its_script_prints():
    script, _, rest = README.partition("## In Python")[2].partition("```\n\n")
    text = rest.partition("##")[0]
    needed, taken = re.findall(r"(?:# |True )(\d{4,5})$", script, re.M)
    assert f"fewer than {int(needed):,} duels" in text
    assert f"took {int(taken):,} here" in text
    for line in (line for line in README.splitlines() if line.startswith("| ") and "`" in line):
        nouns, learners = (cell.split("`")[1::2] for cell in line.split("|")[3:5])
        assert all(hasattr(cpe, noun) and hasattr(cpe, f"{noun}_program") for noun in nouns)
        assert all(hasattr(cpe.learners, name.replace("-", "_")) for name in learners)
