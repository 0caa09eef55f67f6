"""The page of all learners, made from the registry and from the leagues."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from markdown_parts import head, row

from cpe_opt.learners.registry import LEARNERS, learner_entry

ROOT = Path(__file__).parents[1]
FAMILIES = {
    "dueling": "duels of arms",
    "matchings": "duels of candidates for a position",
    "subsets": "rewards of elements, or sums over sets",
    "separable": "samples of single parameters",
}


def learners_page(league: Path = ROOT / "examples" / "reproduced") -> str:
    """A table of every learner for each family, described by its own declaration."""
    multiples = league_multiples(league)
    parts = ["# All learners", "", _LEARNERS]
    for family, sees in FAMILIES.items():
        names = [name for name in LEARNERS if learner_entry(name).declaration.family == family]
        parts += ["", f"## {family.capitalize()}: {sees}", "", *head(_COLUMNS)]
        parts += [row(_learner_cells(name, multiples)) for name in names]
    return "\n".join(parts) + "\n"


_COLUMNS = ("learner", "what it promises, and a command", "asks", "× the least")
_GIVEN = {"noise": "1", "margin": "0.1", "h": "0.01", "budget": "1000"}
_LEARNERS = """\
This page lists all learners, with what each declares about itself in the registry. *Asks*: which
questions it has open at once, for raters or programs that answer in parallel. *× the least*: what
it needed or lost, as a multiple of what no algorithm can avoid, typically (the geometric mean) over
the instances of [the leagues](reproduced/index.md) that its theorem covers, their number in
brackets; *common*: over those alone that count for all learners of its goal, by which these
compare, as others have the hard instances to themselves; *√k*: told that the rewards of a sum's
elements are independent. It is empty if the learner is not in the leagues. The command makes ten
runs, in seconds to minutes."""


def _learner_cells(name: str, multiples: dict[str, str]) -> Iterator[str]:
    entry = learner_entry(name)
    says = entry.declaration
    needed = " ".join(
        f"-p {each.name}={_GIVEN.get(each.name, '…')}"
        for each in entry.parameters
        if each.required or each.name == "noise"
    )
    horizon = " --horizon 1e5" if says.endless else ""
    example = {"dueling": "sushi", "matchings": "figure1", "subsets": "top-5-of-10"}
    command = f"cpe-opt run {name} {example.get(says.family, 'water')}{horizon} {needed}".strip()
    if says.shares:  # no instance has two arms
        command = "cpe-opt session new test.jsonl --arms new,old --elo0 0 --elo1 5"
    noun = name.replace("-", "_")
    yield f"[`{name}`](reference/cpe_opt.learners.{noun}.md)"
    assumed = f"; proved, if {entry.assumption}" if entry.assumption else ""
    yield f"*{says.goal}*: {says.guarantee}{assumed} ({says.paper})<br>`{command}`"
    yield says.batches or "one by one"
    yield multiples.get(name, "")


def league_multiples(folder: Path) -> dict[str, str]:
    """By learner, the columns *typical*, *instances* and *common* of the tables of the leagues.

    A learner of several lines has all of them, under what tells them apart: the page, and the words
    after its name.
    """
    found: dict[str, list[tuple[str, str, str]]] = {}
    for page in sorted(folder.glob("league*.md")):
        names: list[str] = []
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not line.startswith("|"):
                names = []
            elif "typical" in cells:
                names = cells
            elif names and cells[names.index("typical")] and not cells[0].startswith("---"):
                typical, instances, common = (
                    cells[names.index(name)] for name in ("typical", "instances", "common")
                )
                learner, _, variant = cells[0].partition(" ")
                part = page.stem.removeprefix("league").removeprefix("-")
                multiple = f"{typical} ({instances}), common {common}"
                found.setdefault(learner, []).append((part, variant.strip("()"), multiple))
    return {learner: "<br>".join(_labelled(lines)) for learner, lines in found.items()}


def _labelled(lines: list[tuple[str, str, str]]) -> Iterator[str]:
    """Multiples after what tells a learner's lines apart; of each line the page and the variant."""
    pages = {part for part, *_ in lines}
    for part, variant, multiple in lines:
        shown = part if len(pages) > 1 or part == "margins" else ""  # another question
        yield " ".join(each for each in (shown, variant, multiple) if each)
