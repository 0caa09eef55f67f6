"""Pages that are made from the code name everything that is there."""

import re
import sys
from pathlib import Path

import pytest

import cpe_opt as cpe
from cpe_opt.formulations.models import MODELS
from cpe_opt.learners.registry import LEARNERS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import generated_pages

    yield generated_pages
    sys.modules.pop("generated_pages")


def test_every_public_name_has_a_page(pages):
    names = {f"reference/cpe_opt.{name}.md" for name in dir(cpe) if name in cpe.__all__}
    names -= {"reference/cpe_opt.learners.md", "reference/cpe_opt.__version__.md"}
    names |= {f"reference/cpe_opt.learners.{name.replace('-', '_')}.md" for name in LEARNERS}
    found = dict(pages.public_pages())
    assert set(found) == names
    index = pages.reference_index()
    assert all(f"({Path(name).name})" in index for name in names)


def test_every_module_is_documented_once(pages):
    text = "".join(text for _, text in pages.module_pages())
    for name, _ in pages.modules():
        assert text.count(f".. automodule:: {name}\n") == 1
    assert len(list(pages.modules())) > 250


def test_every_learner_has_a_line(pages):
    table = pages.learners_page()
    for name in LEARNERS:
        (line,) = [line for line in table.splitlines() if line.startswith(f"| [`{name}`]")]
        assert f"`cpe-opt run {name} " in line


def test_every_command_has_an_example(pages):
    page = pages.commands_page()
    assert "## `cpe-opt session new`" in page
    assert "## `cpe-opt solve`" in page
    for part in page.split("\n## ")[1:]:
        name = part.split("`")[1]
        assert f"```console\n$ {name}" in part
        assert "| `--" in part


def test_multiples_are_those_of_the_league(pages, tmp_path):
    (tmp_path / "league.md").write_text(
        "| learner | gap | typical | instances | common |\n| --- | --- | --- | --- | --- |\n"
        "| ccb | 97 | 7.0 | 3 | 2.0 |\n| scb | 2 | | 0 | |\n| ccb (tied) | 9 | 8.0 | 1 | 9 |\n\n"
        "| learner | gap |\n| --- | --- |\n| ccb | 1 |\n",
        encoding="utf-8",
    )
    multiples = sys.modules["learners_page"].league_multiples
    assert multiples(tmp_path) == {"ccb": "7.0 (3), common 2.0<br>tied 8.0 (1), common 9"}
    kept = multiples(DOCS.parent / "examples" / "reproduced")
    assert kept["cw-rmed"] == "1.7 (10), common 1.7"
    each = r"\S+ \(\d+\), common \S+"
    assert re.fullmatch(f"margins {each}<br>sums {each}<br>sums √k {each}", kept["icb"])
    assert re.fullmatch(f"margins {each}", kept["eb-tc"])
    parts = f"margins {each}<br>single {each}<br>sums {each}<br>sums √k {each}"
    assert re.fullmatch(parts, kept["subset-tracking"])
    assert kept["subset-tracking"].split("<br>")[0] in pages.learners_page()


def test_every_model_has_its_instances(pages):
    for name in MODELS:
        page = pages.model_page(name)
        stored = list((DOCS.parent / "models" / name).glob("*.toml"))
        assert stored
        assert all(f"| {file.stem} |" in page for file in stored)
    assert "Minimize" in pages.model_page("copeland-bound")


def test_reproduced_pages_keep_their_links_and_pictures(pages, tmp_path):
    folder = tmp_path / "reproduced"
    pages.write_reproduced(folder)
    kept = DOCS.parent / "examples" / "reproduced"
    assert {each.stem for each in folder.glob("*.md")} == {
        "index" if each.stem == "README" else each.stem for each in kept.glob("*.md")
    }
    for page in folder.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (folder / target).is_file(), f"{page.name} names {target}"
    contents = (folder / "index.md").read_text(encoding="utf-8").partition("```{toctree}")[2]
    assert "league" in contents.split()
    assert "README" not in contents


def test_a_page_of_the_catalogue_links_to_pages_and_names_files(pages):
    page = "of [`best-matching`](../best-matching/README.md), [the list](../README.md), [it](a.csv)"
    linked = pages._LINK.sub(pages._plain_link, page)
    assert linked == "of [`best-matching`](best-matching.md), [the list](index.md), it (`a.csv`)"


def test_a_kept_picture_is_linked_to_its_file_and_says_of_what_it_is(pages):
    shown, made = [], []
    for page in (DOCS.parent / "examples" / "reproduced").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        shown += re.findall(r"^!\[.*\]\((.+)\)$", text, re.M)
        linked = sys.modules["reproduced_pages"]._link_pictures(text)
        assert "\n![" not in linked
        made += re.findall(r"```\{image\} (.+)\n:alt: '[^'\n]{12,}'\n:width: 100%\n```", linked)
    assert len(shown) >= 17
    assert made == shown


def test_thumbnails_say_what_their_scripts_are_about(monkeypatch):
    pytest.importorskip("sphinx_gallery")
    monkeypatch.syspath_prepend(str(DOCS))
    import gallery_figures
    from docutils import nodes, utils

    sys.modules.pop("gallery_figures")
    document = utils.new_document("index")
    raw = nodes.raw("", '<div tooltip="Two learners&#x27; regret.">', format="html")
    pictures = [nodes.image(uri="a.png", alt=""), nodes.image(uri="b.png", alt="a plan")]
    document += [raw, *pictures]
    gallery_figures.describe_thumbnails(document)
    assert [each["alt"] for each in pictures] == ["Two learners' regret.", "a plan"]


def test_pages_of_oracles_lead_to_the_ideas_behind_them(pages):
    made = dict(pages.public_pages())
    for noun, (page, _) in pages._IDEAS.items():
        assert (DOCS / "ideas" / f"{page}.md").exists()
        assert f"(../../ideas/{page}.md)" in made[f"reference/cpe_opt.{noun}.md"]
    assert "(../../ideas/designs.md)" in pages.model_page("g-design")


@pytest.mark.parametrize("name", MODELS)
def test_bold_words_at_the_head_of_a_paragraph_are_bold(name):
    markdown = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    page = (DOCS.parent / "models" / name / "README.md").read_text(encoding="utf-8")
    bold = [each for each in markdown.parse(page) if each.content.startswith("**")]
    assert bold
    for paragraph in bold:
        assert "strong_open" in [child.type for child in paragraph.children[:2]], paragraph.content
