"""A page of the papers that have none of their own: what they say, and what their learners do."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from markdown_parts import head, row
from papers_in_short import IN_SHORT, OURS

from cpe_opt.learners.registry import LEARNERS, get_learner, learner_entry

OWN_PAGES = (
    "Komiyama, Honda, Nakagawa (ICML 2016)",
    "Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015)",
    "Chen, Du, Huang, Zhao (ICML 2020)",
    "Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020)",
    "Huang, Ok, Li, Chen (IJCAI 2018)",
)
_ABOUT = """\
This page is about the papers of all learners that are not from [the five](../papers/index.md): what
each says, what its learners promise here, and how the paper is read where it leaves a choice or
errs. Each complete algorithm is described at the top of its module, which is linked, and its lines
are in the code below."""


def papers_page() -> str:
    """The page, by the papers' authors; those of this package come last."""
    papers: dict[str, list[str]] = {}
    for name in LEARNERS:
        paper = learner_entry(name).declaration.paper
        if not paper.startswith(OWN_PAGES):
            papers.setdefault(short_name(paper), []).append(name)
    parts = ["# The other learners' papers", "", _ABOUT, ""]
    for paper in sorted(papers, key=lambda paper: (paper == OURS, paper)):
        title, words = IN_SHORT[paper]
        heading = "The trackers of this package" if paper == OURS else paper
        parts += [f"## {heading}", "", f"*{title}.*", "", words, ""]
        parts += [*head(("learner", "promises", "code"))]
        parts += [row(_learner(name)) for name in papers[paper]]
        parts.append("")
        parts += dict.fromkeys("\n".join(_read_as(name)) for name in papers[paper])
    return "\n".join(parts)


def short_name(paper: str) -> str:
    """The authors, place and year of a declared paper, without the number of its algorithm."""
    return OURS if paper.startswith(OURS) else paper[: paper.index(")") + 1]


def _learner(name: str) -> Iterator[str]:
    """Cells: its page, what it promises, its module and the paper's name of the algorithm."""
    folder, _, file = _module(name).__name__.rpartition(".")
    says = learner_entry(name).declaration
    yield f"[`{name}`](reference/cpe_opt.learners.{name.replace('-', '_')}.md)"
    yield f"{says.goal}: {says.guarantee}"
    algorithm = "" if says.paper.startswith(OURS) else says.paper.partition(")")[2]
    yield f"[{file}.py](reference/modules/{folder}.md#{file}){algorithm}"


def _read_as(name: str) -> list[str]:
    found = list(readings((_module(name).__doc__ or "").strip().split("\n\n")))
    return ["```{eval-rst}", *found, "```", ""] if found else []


def _module(name: str) -> object:
    module = inspect.getmodule(get_learner(name))
    assert module is not None
    return module


def readings(paragraphs: list[str]) -> Iterator[str]:
    """The paragraphs that say how a paper is read, with the lists that they announce."""
    inside = False
    for paragraph in paragraphs:
        inside = (inside and paragraph.startswith(("* ", "- "))) or bool(
            re.match(r"Read(ings)? (as|where)|Readings:|Read as", paragraph)
        )
        if inside:
            yield from [paragraph, ""]
