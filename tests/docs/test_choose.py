"""What the pages of choosing and of ideas say of the leagues is what the kept leagues say."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.planning import run_seeds
from cpe_opt.learners.registry import LEARNERS, learner_entry
from cpe_opt.problems.generators import mslr_like
from tests.papers import scripts

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "examples" / "reproduced"
CHOOSE = (ROOT / "docs" / "choose.md").read_text(encoding="utf-8")
ONE_LINE = " ".join(CHOOSE.split())
BEST = 4  # of a group: who is recommended is among them, by the common mean


def tables(page):
    """Every table of a page as rows by the names of columns, with its header."""
    text = page.read_text(encoding="utf-8") if isinstance(page, Path) else page
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        head, _, *rows = (
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in block.splitlines()
        )
        yield [dict(zip(head, row, strict=True)) for row in rows]


def league(name, column="typical"):
    """The first table of a kept league with such a column, or the one after; rows by learner."""
    found = [rows for rows in tables(KEPT / f"{name}.md") if column in rows[0]]
    return [{row["learner"]: row for row in rows} for rows in found]


REGRET, DUELS = league("league")
(MATCHINGS,) = league("league-matchings")
(SINGLE,), (SUMS,) = league("league-single"), league("league-sums")
(SEPARABLE,) = league("league-separable")
WITHIN, ARMS = league("league-margins")
INSTANCES = {row["instance"]: row for row in next(
    rows for rows in tables(KEPT / "league.md") if "explored" in rows[0]
)}  # fmt: skip
PLACES = {
    "Dueling: identify": DUELS,
    "Dueling: little regret": REGRET,
    "Matchings": MATCHINGS,
    "Sets": {**SINGLE, **{name.removesuffix(" √k"): row for name, row in SUMS.items()}},
}


def runs_of(name):
    """The rows of the kept league's table of runs."""
    (found,) = (rows for rows in tables(KEPT / "league.md") if "seconds a run" in rows[0])
    return [row for row in found if row["league"] == name]


def section(title):
    return CHOOSE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def choices():
    """Row by row: the section, the learners that are chosen, what is said they need, the row."""
    for title in PLACES:
        for row in next(tables(section(title))):
            learners = [
                each for each in re.findall(r"`([\w-]+)`", row["choose"]) if each in LEARNERS
            ]
            yield title, learners, row["× the least"].split(", "), row


def number(text):
    return float(re.sub(r"[>*,()†‡]", "", text))


def league_of(learner, title, row):
    """The row of the league: of single rewards where these are seen, else by the section."""
    if learner == "subset-tracking":
        sums = "sums" in row["you see"]
        return SUMS["subset-tracking √k"] if sums else SINGLE[learner]
    return PLACES[title][learner]


def test_what_is_recommended_needs_what_is_said():
    said = list(choices())
    assert len(said) == 17
    for title, learners, multiples, row in said:
        found = [league_of(each, title, row)["common"] for each in learners]
        assert found == multiples, row["choose"]


def test_who_is_recommended_is_ahead_of_those_that_assume_as_much():
    """Regret: of those for any matrix, or for a Condorcet winner; duels: of the same goal."""
    regret = [name for name in REGRET if not wants_condorcet(name)]
    told = [name for name in REGRET if wants_condorcet(name)]
    copeland = ["copeland-tracking", "pocowista", "pbr", "savage", "copeland-identification"]
    condorcet = ["condorcet-tracking", "savage (condorcet)", "noisy-tournament", "dkwt"]
    sums = [name for name in SUMS if name.endswith("√k")]
    for table, group, best in (
        (REGRET, regret, "d-ts"),
        (REGRET, regret, "cw-rmed"),
        (REGRET, told, "rmed1"),
        (DUELS, copeland, "copeland-tracking"),
        (DUELS, copeland, "pocowista"),
        (DUELS, condorcet, "condorcet-tracking"),
        (MATCHINGS, [name for name in MATCHINGS if "borda" not in name], "matching-tracking"),
        (SINGLE, list(SINGLE), "subset-tracking"),
        (SUMS, sums, "subset-tracking √k"),
        (SUMS, sums, "icb √k"),
    ):
        order = sorted(group, key=lambda name: number(table[name]["common"]))
        assert best in order[:BEST], best
    without_ties = {each: learner_entry(each).declaration.guarantee for each in ("d-ts", "ccb")}
    assert all("without ties" in says for says in without_ties.values())
    assert "ties" not in learner_entry("ecw-rmed").declaration.guarantee


def wants_condorcet(name):
    return learner_entry(name).declaration.guarantee.startswith("with a Condorcet winner")


def test_numbers_in_the_text_are_those_of_the_league():
    ours = ("d-ts", "regret-tracking")
    others = [name for name in REGRET if not wants_condorcet(name) and name not in ours]
    ahead, tied, columns = 0, 0, list(REGRET["d-ts"])[1:-3]
    for column in columns:
        counted = [REGRET[n][column] for n in others if REGRET[n][column][0].isdigit()]
        least, ours = min(map(number, counted)), REGRET["d-ts"][column]
        ahead += ours[0].isdigit() and number(ours) < least
        tied += ours[0].isdigit() and number(ours) == least
    assert ahead <= 7 <= ahead + tied  # in two digits
    assert f"on 7 of {len(columns)} instances" in CHOOSE
    tracked = {c: REGRET["regret-tracking"][c] for c in columns}
    played = [c for c, text in tracked.items() if text[0].isdigit()]
    lost = {
        c: [REGRET[n][c] for n in (*others, "d-ts") if REGRET[n][c][0].isdigit()] for c in played
    }
    first = sum(number(tracked[c]) < min(map(number, lost[c])) for c in played)
    assert f"on {first} of the {len(played)} instances" in CHOOSE
    assert (REGRET["d-ts"]["gap"], REGRET["cw-rmed"]["gap"]) == ("22", "1.0")
    assert "on `gap` it loses 22 times the least, `cw-rmed` 1.0" in CHOOSE
    many = [name for name in REGRET["ecw-rmed"] if re.search(r"-(32|64|136)", name)]
    texts = [REGRET["ecw-rmed"][name] for name in many]
    ends = [f(number(text) for text in texts if text[0].isdigit()) for f in (min, max)]
    assert f"from 32 arms on it loses {ends[0]:g} to {ends[1]:g} times the least" in CHOOSE
    ours, other = DUELS["copeland-tracking"], DUELS["pocowista"]
    few = [number(ours[name]) for name, row in INSTANCES.items() if number(row["arms"]) <= 16]
    assert f"of up to 16 arms it needs {min(few)} to {max(few)} times the least" in ONE_LINE
    times = round(number(other["gap"]) / number(ours["gap"]))
    assert f"on the instance `gap` it needs {times} times as many duels" in CHOOSE.lower()
    (row,) = (row for row in runs_of("identification") if row["learner"] == "pocowista")
    assert row["seconds a run"].endswith(" to 0.69")
    assert "at most 0.7 seconds a run" in CHOOSE
    for words, row in (
        ("`savage`, needs {}", DUELS["savage (condorcet)"]),
        ("`rucb` ({})", REGRET["rucb"]),
        ("`ccb` ({})", REGRET["ccb"]),
        ("`fws`, needs {}", SINGLE["fws"]),
        ("`poly-alba` and `icb` ({} each)", SUMS["icb √k"]),
        ("`poly-alba` and `icb` ({} each)", SUMS["poly-alba √k"]),
        ("noise: {}, against", SUMS["subset-tracking"]),
        ("against {} and", SUMS["poly-alba"]),
        ("and {} |", SUMS["icb"]),
        ("`car-parallel` ({})", MATCHINGS["car-parallel"]),
        ("`coci` ({})", SEPARABLE["coci"]),
        ("`coci-uniform` ({})", SEPARABLE["coci-uniform"]),
    ):
        assert words.format(row["common"]) in CHOOSE
    for words, row in (
        ("needs {}\n  times the least number with the margin", WITHIN["copeland-tracking"]),
        ("more than {} times it", WITHIN["copeland-tracking, no margin"]),
        ("| `subset-tracking` | {} |", ARMS["subset-tracking"]),
        ("| {}, where one arm is the best |", ARMS["subset-tracking, no margin"]),
        ("| `eb-tc` | {} |", ARMS["eb-tc"]),
        ("`-p threshold=glr` | {} |", ARMS["eb-tc, its paper's threshold"]),
        ("| `icb`, made for sums | {} |", ARMS["icb"]),
    ):
        assert words.format(row["typical"].lstrip(">")) in CHOOSE
    share = number(MATCHINGS["car-cond"]["common"]) / number(
        MATCHINGS["matching-tracking"]["common"]
    )
    assert round(share) == 6
    assert "a sixth of the duels of `car-cond`" in CHOOSE


def test_the_instances_that_are_common_are_as_many_as_is_said():
    """Those that count in every line of a group, that is, on which each was run and is covered."""
    regret = [name for name in REGRET if not wants_condorcet(name)]
    copeland = ["copeland-tracking", "pocowista", "pbr", "savage", "copeland-identification"]
    condorcet = ["condorcet-tracking", "savage (condorcet)", "noisy-tournament", "dkwt"]
    for table, group, said in (
        (REGRET, regret, "for regret nine of 4 to 16 arms"),
        (DUELS, copeland, "for a Copeland winner 14 of 4 to 64 arms"),
        (DUELS, condorcet, "for the Condorcet winner ten of 4 to 136 arms"),
    ):
        lines = [table[name] for name in group]
        columns = [name for name in table[group[0]] if name.strip("†") in INSTANCES]
        counted = [c for c in columns if all(re.match(r"[>\d]", line[c]) for line in lines)]
        arms = [int(INSTANCES[name.strip("†")]["arms"]) for name in counted]
        how_many = {9: "nine", 10: "ten"}.get(len(counted), len(counted))
        assert f"{how_many} of {min(arms)} to {max(arms)} arms" in said
        assert said in ONE_LINE


def test_what_is_said_of_fresh_instances_is_in_their_table():
    (fresh,) = (rows for rows in tables(section("On fresh instances")))
    script = runpy.run_path(str(ROOT / "examples" / "fresh_league.py"))
    by_learner = {row["learner"].strip("`"): row for row in fresh}
    assert tuple(by_learner) == (*script["PROVING"], *script["LOSING"])
    kinds = [column.partition(",")[0] for column in list(fresh[0])[1:]]
    assert kinds == [*script["FAMILIES"], *script["FAMILIES"]]
    typical = {name: [cell.partition(" ")[0] for cell in list(row.values())[1:]]
               for name, row in by_learner.items()}  # fmt: skip
    slower, faster = typical["pocowista"], typical["copeland-tracking"]
    times = [number(slower[i]) / number(faster[i]) for i in (0, 3)]
    assert f"but {times[0]:.0f} and {round(times[1], -1):.0f} times on [fresh ones]" in CHOOSE
    assert "{} and {} times it |".format(*typical["regret-tracking"]) in CHOOSE
    assert f"on fresh cycles of 16 arms {typical['d-ts'][1]}." in CHOOSE
    terry = "fresh matrices of Bradley and Terry with 16 arms"
    assert f"{terry} {typical['cw-rmed'][0]} times it" in CHOOSE
    assert f"{terry} {typical['ecw-rmed'][0]} |" in CHOOSE
    ranges = [[number(end) for end in re.findall(r"[\d.]+", cell)[1:3]]
              for cell in list(by_learner["copeland-tracking"].values())[1:]]  # fmt: skip
    few, many = ranges[:3], ranges[3:]
    page = (ROOT / "docs" / "ideas" / "least-number.md").read_text(encoding="utf-8")
    ends = [f"{min(low for low, _ in part):g} to {max(high for _, high in part):.3g}"
            for part in (few, many)]  # fmt: skip
    assert f"give {ends[0].replace(' 4', ' 4.0')} with 16 arms and {ends[1]} with 64" in " ".join(
        page.split()
    )


def test_the_table_of_cw_rmed_is_that_of_the_league():
    """RUCB's multiples, of the bound of those told of a Condorcet winner, by the bound of all."""
    page = (ROOT / "docs" / "ideas" / "idle-stretches.md").read_text(encoding="utf-8")
    (table,) = (rows for rows in tables(page) if "`rucb`" in rows[0])
    ours = {row["instance"].strip("†"): row for row in table}
    small = scripts.league.dueling(scripts.study.Settings())[0].instances
    assert list(ours) == [each.problem.name for each in small]
    runs = {row["learner"]: row for row in runs_of("regret")}
    assert [runs[name]["runs"] for name in ("cw-rmed", "rucb")] == ["20", "10 to 20"]
    assert "took at most 4.7 seconds up to 16 arms" in page
    assert runs["cw-rmed"]["seconds a run"].endswith(" to 4.63")
    for each in small:
        row, mu = ours[each.problem.name], each.problem
        assert row["arms"] == str(mu.arms)
        ratio = cpe.ecw_bound(mu).value / cpe.copeland_bound(mu).value
        assert row["$C^{E*} / C^*$"] == f"{ratio:.2f}"
        lost = {name: REGRET[name][row["instance"]] for name in REGRET}
        for name in ("cw-rmed", "ecw-rmed", "d-ts"):
            assert row[f"`{name}`"] == lost[name]
        told = INSTANCES[mu.name]["C*, Condorcet"]
        share = (
            number(told) / number(INSTANCES[mu.name]["C*"])
            if mu.condorcet_winner is not None
            else 1.0
        )
        assert number(row["`rucb`"]) == pytest.approx(number(lost["rucb"]) * share, rel=0.03)
        assert row["`rucb`"].startswith("(") == lost["rucb"].startswith("(")


def test_the_multiples_of_the_least_number_are_those_of_the_league():
    page = (ROOT / "docs" / "ideas" / "least-number.md").read_text(encoding="utf-8")
    page = page.replace("times\n$T^*", "times $T^*")
    ours = DUELS["copeland-tracking"]
    typical = ours["typical"].replace(">", "more than ")
    said = f"typically {typical} times $T^* \\ln(1/\\delta)$, the geometric mean over the "
    assert said + f"{ours['instances']} matrices" in page
    (table,) = (rows for rows in tables(page) if "matrices" in rows[0])
    cells = [row["times $T^* \\ln(1/\\delta)$"] for row in table]
    kinds = ("bradley-terry", "random-cycle", "mslr-like")
    built_in = [
        number(ours[name]) for name, row in INSTANCES.items()
        if not name.startswith(kinds) and number(row["arms"]) <= 16
    ]  # fmt: skip
    assert len(built_in) == 7
    assert cells[0] == f"{min(built_in)} to {max(built_in)}"
    for cell, arms in zip(cells[1:3], (16, 64), strict=True):
        assert cell == ", ".join(ours[f"{kind}-{arms}"] for kind in kinds)
    assert cells[3] == ", ".join(ours[f"{kind}-136"] for kind in kinds)
    assert cells[4] == ours["cycle-500"]
    (runs,) = (
        row["runs"] for row in runs_of("identification") if row["learner"] == ours["learner"]
    )
    assert runs == "10 to 20"
    assert [row["runs of each"] for row in table] == ["20", "20", "10", "10", "10"]


@pytest.mark.slow
def test_pairs_near_a_half_mislead_the_tracker():
    mu = mslr_like(16, seed=1)
    pairs = np.triu_indices(16, 1)
    near = mu.gaps[pairs] <= 0.01 + 1e-9
    assert near.sum() == 11
    least = cpe.copeland_time(mu).value * np.log(20)
    multiples, shares = [], []
    for seed in run_seeds(0, 40):
        run = cpe.simulate("copeland-tracking", mu, delta=0.05, seed=seed, method="kept")
        multiples.append(run.samples / least)
        shares.append(run.draws[pairs][near].sum() / run.samples)
    slow = np.array(multiples) > 10
    assert 0.2 < slow.mean() < 0.5
    assert np.median(np.array(shares)[slow]) > 3 * np.median(np.array(shares)[~slow])


def test_double_thompson_sampling_loses_less_than_rmed1_up_to_16_arms_without_ties():
    for name in ("cyclic", "mslr5-condorcet", "sushi†", "bradley-terry-16†", "mslr-like-16†"):
        row = INSTANCES[name.strip("†")]
        lost = number(REGRET["d-ts"][name]) * number(row["C*"])
        assert lost < number(REGRET["rmed1"][name]) * number(row["C*, Condorcet"])


def test_nearly_the_best_does_not_end_a_tie_of_the_best():
    """Arms 0 and 1 are alike: nobody proves one, but both losers are ruled out."""
    alike = [[0.5, 0.5, 0.9, 0.9], [0.5, 0.5, 0.9, 0.9], [0.1, 0.1, 0.5, 0.9], [0.1, 0.1, 0.1, 0.5]]
    twins = cpe.PreferenceMatrix(alike, name="twins")
    assert cpe.copeland_time(twins).value == float("inf")
    for name, parameters in (
        ("copeland-tracking", {}),
        ("copeland-identification", {"margin": 0.5}),
    ):
        run = cpe.simulate(name, twins, delta=0.05, seed=0, max_samples=3000, **parameters)
        assert not run.proved
        assert run.doubt.startswith("max_samples was reached before it stopped")
    wins = np.round(twins.array * 200.0) * (1.0 - np.eye(4))
    found = cpe.evidence(cpe.Votes(wins, twins.labels), delta=0.05)
    assert [found.copeland[each] for each in twins.labels] == [
        "possible", "possible", "ruled out", "ruled out",
    ]  # fmt: skip
    losers = [
        [0.5, 0.8, 0.8, 0.8],
        [0.2, 0.5, 0.5, 0.5],
        [0.2, 0.5, 0.5, 0.5],
        [0.2, 0.5, 0.5, 0.5],
    ]
    run = cpe.simulate("copeland-tracking", cpe.PreferenceMatrix(losers), delta=0.05, seed=0)
    assert (run.answer, run.proved) == (0, True)


def test_the_first_page_has_the_shares_of_the_leaderboard():
    (table,) = tables(ROOT / "docs" / "howto" / "leaderboard.md")
    shares = {row["further votes"]: list(row.values())[1:] for row in table}
    random, _, orders, tracking = (each.removesuffix(" %") for each in shares["1,000"])
    assert random == "0"
    index = " ".join((ROOT / "docs" / "index.md").read_text(encoding="utf-8").split())
    assert f"a thousand, chosen well, prove a winner in {orders} to {tracking} of 100 runs" in index
    assert f"128,000 on random pairs in {shares['128,000'][0].removesuffix(' %')} (" in index
