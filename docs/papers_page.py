"""A page of the papers that have none of their own, from what their learners say of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from cpe_opt.learners.registry import LEARNERS, get_learner, learner_entry

OWN_PAGES = (
    "Komiyama, Honda, Nakagawa (ICML 2016)",
    "Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015)",
    "Chen, Du, Huang, Zhao (ICML 2020)",
    "Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020)",
    "Huang, Ok, Li, Chen (IJCAI 2018)",
)
_ABOUT = """\
This page lists the learners that are not from the five papers, by the paper that they are from:
what each promises, and how its paper is read where it leaves a choice or errs. It is generated from
the code; each complete algorithm is described at the top of its module, which is linked."""


def papers_page() -> str:
    """The page."""
    papers: dict[str, list[str]] = {}
    for name in LEARNERS:
        paper = learner_entry(name).declaration.paper
        if not paper.startswith(OWN_PAGES):
            papers.setdefault(paper, []).append(name)
    parts = ["# The other learners' papers", "", _ABOUT, ""]
    for paper, names in sorted(papers.items()):
        parts += [f"## {paper[0].upper()}{paper[1:]}", ""]
        for name in names:
            parts += _learner(name)
    return "\n".join(parts)


def _learner(name: str) -> Iterator[str]:
    """What it promises, what its module is about, and how the paper is read."""
    module = inspect.getmodule(get_learner(name))
    assert module is not None
    folder, _, file = module.__name__.rpartition(".")
    paragraphs = (module.__doc__ or "").strip().split("\n\n")
    says = learner_entry(name).declaration
    noun = name.replace("-", "_")
    yield f"**[`{name}`](reference/cpe_opt.learners.{noun}.md)** ({says.goal}): {says.guarantee}."
    yield f"[Its module](reference/modules/{folder}.md#{file}):"
    yield ""
    yield from ["```{eval-rst}", paragraphs[0], "", *readings(paragraphs), "```", ""]


def readings(paragraphs: list[str]) -> Iterator[str]:
    """The paragraphs that say how a paper is read, with the lists that they announce."""
    inside = False
    for paragraph in paragraphs:
        inside = (inside and paragraph.startswith(("* ", "- "))) or bool(
            re.match(r"Read(ings)? (as|where)|Readings:|Read as", paragraph)
        )
        if inside:
            yield from [paragraph, ""]
