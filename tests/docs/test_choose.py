"""What the pages of choosing and of ideas say of the leagues is what the kept leagues say."""

import re
from pathlib import Path

import pytest

from cpe_opt.learners.registry import LEARNERS

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "examples" / "reproduced"


def words_of(page):
    return " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())


CHOOSE = (ROOT / "docs" / "choose.md").read_text(encoding="utf-8")
ONE_LINE = words_of("choose.md")


def tables(text):
    """Every table of a page as rows by the names of columns."""
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        head, _, *rows = (
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in block.splitlines()
        )
        yield [dict(zip(head, row, strict=True)) for row in rows]


def kept(name, column, key):
    """The tables of a kept page that have a column, as rows by another column."""
    page = (KEPT / f"{name}.md").read_text(encoding="utf-8")
    return [{row[key]: row for row in rows} for rows in tables(page) if column in rows[0]]


REGRET, DUELS = kept("league", "typical", "learner")
(INSTANCES,) = kept("league", "explored", "instance")
(MATCHINGS,) = kept("league-matchings", "typical", "learner")
(SINGLE,), (SUMS,) = (kept(f"league-{name}", "typical", "learner") for name in ("single", "sums"))
(SEPARABLE,) = kept("league-separable", "typical", "learner")
WITHIN, ARMS = kept("league-margins", "typical", "learner")
PLACES = {
    "Dueling: identify": DUELS,
    "Dueling: little regret": REGRET,
    "Matchings": MATCHINGS,
    "Sets": {**SINGLE, **{name.removesuffix(" √k"): row for name, row in SUMS.items()}},
}


def section(title):
    return CHOOSE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def number(text):
    return float(re.sub(r"[>*,()†‡]", "", text))


def test_what_is_recommended_needs_what_is_said():
    count = 0
    for title, league in PLACES.items():
        for row in next(tables(section(title))):
            named = re.findall(r"`([\w-]+)`", row["choose"])
            found = []
            for name in (each for each in named if each in LEARNERS):
                line = league[name]
                if name == "subset-tracking":
                    line = SUMS[f"{name} √k"] if "sums" in row["you see"] else SINGLE[name]
                found.append(line["common"])
            assert found == row["× the least"].split(", "), row["choose"]
            count += 1
    assert count == 17


@pytest.mark.parametrize(
    ("words", "row", "column"),
    [
        ("`savage`, needs {}", DUELS["savage (condorcet)"], "common"),
        ("`rucb` ({})", REGRET["rucb"], "common"),
        ("`ccb` ({})", REGRET["ccb"], "common"),
        ("`fws`, needs {}", SINGLE["fws"], "common"),
        ("`poly-alba` and `icb` ({} each)", SUMS["icb √k"], "common"),
        ("`poly-alba` and `icb` ({} each)", SUMS["poly-alba √k"], "common"),
        ("noise: {}, against", SUMS["subset-tracking"], "common"),
        ("against {} and", SUMS["poly-alba"], "common"),
        ("and {} |", SUMS["icb"], "common"),
        ("`car-parallel` ({})", MATCHINGS["car-parallel"], "common"),
        ("`coci` ({})", SEPARABLE["coci"], "common"),
        ("`coci-uniform` ({})", SEPARABLE["coci-uniform"], "common"),
        ("on `gap` it loses {} times the least", REGRET["d-ts"], "gap"),
        ("`cw-rmed` {}; on fresh cycles", REGRET["cw-rmed"], "gap"),
        ("needs {} times the least number with the margin", WITHIN["copeland-tracking"], "typical"),
        ("more than {} times it", WITHIN["copeland-tracking, no margin"], "typical"),
        ("| `subset-tracking` | {} |", ARMS["subset-tracking"], "typical"),
        ("| {}, where one arm is the best |", ARMS["subset-tracking, no margin"], "typical"),
        ("| `eb-tc` | {} |", ARMS["eb-tc"], "typical"),
        ("`-p threshold=glr` | {} |", ARMS["eb-tc, its paper's threshold"], "typical"),
        ("| `icb`, made for sums | {} |", ARMS["icb"], "typical"),
    ],
)
def test_a_number_in_the_text_is_that_of_the_league(words, row, column):
    assert words.format(row[column].lstrip(">")) in ONE_LINE


def test_the_multiples_of_the_least_number_are_those_of_the_league():
    page = (ROOT / "docs" / "ideas" / "least-number.md").read_text(encoding="utf-8")
    ours = DUELS["copeland-tracking"]
    typical = ours["typical"].replace(">", "more than ")
    said = f"typically {typical} times $T^* \\ln(1/\\delta)$, the geometric mean over the "
    assert said + f"{ours['instances']} matrices" in words_of("ideas/least-number.md")
    (table,) = (rows for rows in tables(page) if "matrices" in rows[0])
    cells = [row["times $T^* \\ln(1/\\delta)$"] for row in table]
    kinds = ("bradley-terry", "random-cycle", "mslr-like")
    built_in = [
        number(ours[name])
        for name, row in INSTANCES.items()
        if not name.startswith(kinds) and number(row["arms"]) <= 16
    ]
    assert cells[0] == f"{min(built_in)} to {max(built_in)}"
    for cell, arms in zip(cells[1:4], (16, 64, 136), strict=True):
        assert cell == ", ".join(ours[f"{kind}-{arms}"] for kind in kinds)
    assert cells[4] == ours["cycle-500"]
