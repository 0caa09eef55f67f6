"""The league: its tables against the registry, its numbers, and its claims on both sides."""

import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.planning import LearnerSpec, plan_series
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.learners.registry import learners_of
from cpe_opt.problems.dueling.random_matrices import bradley_terry, mslr_like
from cpe_opt.reproductions import league, league_dueling as dueling
from cpe_opt.reproductions.league import (
    League,
    LeagueCell,
    LeagueInstance,
    LeagueTable,
    Target,
    short_number,
)
from cpe_opt.reproductions.league_dueling import matrix
from cpe_opt.reproductions.study import Settings, play_longest_first
from tests.reproductions.test_pages import check_page

FAST = ("ccb", "ecw-rmed", "cw-rmed", "rmed1", "d-ts", "d-ts-plus", "random-pairs")
SPREAD = (0.99, 1.0, 1.01)


QUICK = Settings("league", True, Path(), None, 0, 1, None)
REGRET = League("", [], [], regret=True)
DUELS = League("", [], [], bounded="ever")


def instance(name):
    mu = cpe.load_instance(name) if isinstance(name, str) else name
    return matrix(mu, QUICK)


def player(name):
    players = (*dueling.regret_players(), *dueling.identification_players())
    return next(each for each in players if each.name == name)


def planned(name, mu, settings, delta=0.05, **declared):
    """The cell of a learner on an instance, in a league of these two."""
    declared["regret"] = player(name).goal in (dueling.LOST, dueling.LOST_TOLD)
    small = League("", [mu], [player(name)], delta=delta, **declared)
    ((cell,), _) = small.plan(settings)
    return cell


def cells(instance="cyclic", *, goal="", winners=1, **means):
    """Cells of one instance: three runs a learner near its mean, or the values themselves."""
    return [
        LeagueCell(
            name.replace("_", "-"),
            instance,
            True,
            value if isinstance(value, tuple) else tuple(value * share for share in SPREAD),
            looks_for=goal,
            goal=Target(1.0, winners=winners),
            delta=0.05,
        )
        for name, value in means.items()
    ]


def table(*cells):
    names = dict.fromkeys(cell.learner for cell in cells)
    return LeagueTable(cells, list(names), list(dict.fromkeys(cell.instance for cell in cells)))


# The tables and the registry


def test_every_dueling_learner_plays():
    playing = {each.spec.learner for each in dueling.regret_players()}
    playing |= {each.spec.learner for each in dueling.identification_players()}
    exceptions = dueling.declared("league")["identification"]["exceptions"]
    assert playing | set(exceptions) == set(learners_of("dueling"))
    assert not playing & set(exceptions)


def test_every_table_names_learners_that_there_are():
    known = {*learners_of("dueling"), dueling.SAVAGE_CONDORCET}
    names = {each.name for each in dueling.league_problems()}
    assert {name for slow in dueling.SLOW.values() for name in slow.get("never_on", ())} <= names
    assert {*dueling.TARGETS, *dueling.SLOW} <= known
    said = dueling.declared("league")["identification"]
    claimed = {*said["near"], *said["ahead"], *said["falling"], *said["curved"]}
    assert claimed <= set(dueling.TARGETS)
    assert set(said["curved_on"]) <= names


def test_what_learners_assume_is_read_off_their_declarations():
    regret, targets = dueling.regret_players(), dueling.TARGETS
    wants = {each.name for each in regret if each.goal == dueling.LOST_TOLD}
    assert wants == {"merge-dts", "rmed1", "rmed2fh", "rucb", "versatile-db"}
    for name in set(targets) - {dueling.SAVAGE_CONDORCET}:
        condorcet = targets[name] in (dueling.CONDORCET, dueling.CONDORCET_TOLD)
        assert dueling.wants_condorcet(name) == condorcet
    untied = {each.name for each in regret if dueling.wants_no_ties(each.name)}
    assert untied == {"ccb", "d-ts", "d-ts-plus", "regret-tracking", "scb"}
    for name in ("copeland-identification", "dkwt", "pbr", "pocowista", "rankel", "savage"):
        assert dueling.wants_no_ties(name)


def test_every_dueling_instance_and_three_kinds_of_three_sizes_are_played():
    names = [each.name for each in dueling.league_problems()]
    assert {"sushi", "gap", "multisol", "arxiv", "cyclic", "cycle-500"} <= set(names)
    assert {"mslr5-condorcet", "mslr5-cycle"} <= set(names)
    for size in (16, 64, 136):
        assert {f"{kind}-{size}" for kind in ("bradley-terry", "random-cycle", "mslr-like")} <= set(
            names
        )
    nested = {f"bradley-terry-{arms}-nested" for arms in (32, 64, 136, 500)}
    assert nested <= set(names)
    assert len(names) == len(set(names)) == 21
    kinds = [each.condorcet_winner is not None for each in dueling.league_problems()]
    assert kinds == sorted(kinds, reverse=True)


def test_what_is_left_out_has_a_reason(settings):
    def reason(name, mu):
        return planned(name, mu, settings).left_out

    large = instance(bradley_terry(64))
    assert "program" in reason("cw-rmed", large)
    assert not reason("cw-rmed", instance("sushi"))
    cycles = LeagueInstance(mslr_like(136), "", {})
    assert not player("copeland-tracking").limits(cycles).too_slow
    assert not reason("copeland-tracking", large)
    assert "no Condorcet winner" in reason("dkwt", instance("gap"))
    assert "advantage" in reason("noisy-tournament", instance("arxiv"))
    tied = instance(cpe.PreferenceMatrix([[0.5, 0.5], [0.5, 0.5]], name="tied"))
    assert reason("rmed1", tied).startswith("the bound is ")
    assert "infinite" in reason("savage", tied)
    assert not player("rmed1").covers(instance("gap"))
    assert not player("ccb").covers(instance("arxiv"))
    assert player("ccb").covers(instance("gap"))


def test_runs_are_fewer_and_shorter_where_they_take_long():
    limits = [
        player(name).limits(LeagueInstance(bradley_terry(arms), "", {}))
        for name, arms in (("ccb", 16), ("ccb", 64), ("ccb", 136), ("d-ts", 136), ("pbr", 64))
    ]
    assert [each.runs for each in limits] == [20, 10, 10, 10, 10]
    assert [each.share for each in limits[:4]] == [1, 1, 1, 10]
    assert limits[0].samples > limits[4].samples


def test_answers_are_right_by_what_was_asked():
    goals = instance("cyclic").goals
    assert goals[dueling.COPELAND].right(0)
    assert not goals[dueling.CONDORCET].right(1)
    assert not goals[dueling.CONDORCET].right(None)
    assert goals[dueling.RANKING].right([0, 3, 1, 2])
    assert not goals[dueling.RANKING].right([1, 0, 2, 3])
    assert goals[dueling.BORDA].right(int(np.argmax(cpe.load_instance("cyclic").borda_scores)))
    assert instance("multisol").goals[dueling.COPELAND].right(2)
    assert instance("multisol").goals[dueling.CONDORCET].right(None)  # there is none


# Numbers


def test_multiples_of_regret_are_those_of_runs(settings):
    cell = planned("cw-rmed", instance("cyclic"), settings)
    (series,) = plan_series(
        ["ecw-rmed"], ["cyclic"], runs=2, horizon=500, seed=0, out=settings.out, regret="mean"
    )
    mu = cpe.load_instance("cyclic")
    assert cell.bound == pytest.approx(cpe.copeland_bound(mu).value * math.log(10**4))
    play_longest_first([series], settings)
    cell = replace(cell, series=series, short=True).played()
    direct = [cpe.simulate("ecw-rmed", mu, horizon=500, seed=seed) for seed in run_seeds(0, 2)]
    assert cell.values == pytest.approx([run.regret[-1] / cell.bound for run in direct])
    assert cell.text.endswith("*")


def test_learners_told_of_a_condorcet_winner_have_a_bound_of_their_own():
    """The cheapest way to show each arm beaten; no more than where nothing is told."""
    mu = cpe.load_instance("cyclic")
    d, r = mu.divergences, mu.regret()
    least = sum(min(r[k, j] / d[k, j] for k in mu.superiors(j)) for j in (1, 2, 3))
    goals = instance("cyclic").goals
    assert goals[dueling.LOST_TOLD].unit == pytest.approx(least)
    assert goals[dueling.LOST].unit == pytest.approx(cpe.copeland_bound(mu).value)
    assert goals[dueling.LOST].unit > least
    assert (player("rmed1").goal, player("ccb").goal) == (dueling.LOST_TOLD, dueling.LOST)
    goals = instance("gap").goals
    assert goals[dueling.LOST_TOLD].unit == pytest.approx(goals[dueling.LOST].unit)


def test_multiples_of_duels_are_those_of_runs(settings):
    """Cut off early nothing is done; wrong answers are those that are said to be proved."""
    mu = instance("cyclic")
    whole = planned("savage", mu, settings, delta=0.01, runs=2)
    spec = LearnerSpec("savage", {"delta": 0.01, "max_samples": 5})
    cut = replace(whole, series=replace(whole.series, spec=spec, digest="cut"))
    play_longest_first([whole.series, cut.series], settings)
    cell = whole.played()
    bound = cpe.copeland_time(mu.problem).value * math.log(100)
    runs = [whole.series.simulate(number, None) for number in range(whole.series.runs)]
    assert cell.values == pytest.approx([run.samples / bound for run in runs])
    assert (cell.unfinished, cell.wrong) == (0, 0)
    early = cut.played()
    assert (early.unfinished, early.wrong) == (len(runs), 0)
    assert early.text.startswith(">")
    mirrored = instance(cpe.PreferenceMatrix(mu.problem.array.T, name="cyclic"))
    goal = mirrored.goals[dueling.COPELAND]
    assert replace(whole, goal=goal).played().wrong == len(runs)


def test_the_exploration_of_the_bound_is_a_share_of_the_rounds():
    mu = instance("cyclic")
    q = cpe.copeland_bound(mu.problem).exploration
    expected = q.sum() / 2 * math.log(10**4) / 10**4
    assert mu.about["explored"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.534, "0.53"), (0.999, "1.0"), (1.74, "1.7"), (9.96, "10"), (24.4, "24"), (1549, "1,500"),
     (23_600, "24k")],
)  # fmt: skip
def test_numbers_have_two_digits(value, text):
    assert short_number(value) == text


def test_cells_say_what_is_to_be_known():
    values = (4.0, 4.0)
    assert LeagueCell("a", "x", True, values, 2.0).text == "2.0"
    assert LeagueCell("a", "x", True, values, 2.0, unfinished=1, wrong=2).text == ">2.0 2✗"
    assert LeagueCell("a", "x", False, left_out="no winner").text == "–"
    assert LeagueCell("a", "x", True, left_out="slow", slow=True).text == "out"
    found = table(*cells(a=2.0), *cells("gap", a=8.0), LeagueCell("a", "sushi", False, (1e6,)))
    assert league.geometric_mean(found.line("a")) == pytest.approx(4.0)
    assert league.geometric_mean([]) == math.inf


def test_intervals_of_multiples_are_positive_and_say_how_many_runs_they_are_of():
    found = LeagueCell("a", "x", True, (30.0, 62.0))
    assert found.value == pytest.approx(46.0)
    # Student's t with 1 degree of freedom, for the logarithm of the mean.
    half = 12.7062 * math.sqrt(2 * 16.0**2 / 2) / 46.0
    assert found.mean.low == pytest.approx(46.0 * math.exp(-half), rel=1e-4)
    assert found.mean.high == pytest.approx(46.0 * math.exp(half), rel=1e-4)
    assert found.mean_text == "46 (0.55 to 3,800; 2 runs)"
    assert LeagueCell("a", "x", True, (46.0,)).mean_text == "46 (1 run)"
    assert LeagueCell("a", "x", True, (0.0, 0.0)).mean.high == 0.0


def test_lines_of_a_group_are_compared_where_all_of_them_count():
    """a and b count on x and y, c on x and z; d, of another group, on z alone."""
    values = {"ax": 1, "ay": 4, "bx": 2, "by": 2, "cx": 4, "cz": 1, "dz": 9}
    runs = [
        *(LeagueCell(a, x, True, (float(value),)) for (a, x), value in values.items()),
        LeagueCell("a", "z", False, (0.1,)),
        *(LeagueCell(a, x, True, left_out="slow", slow=True) for a, x in ("bz", "cy", "dx", "dy")),
    ]
    runs = [replace(c, group="another" if c.learner == "d" else "any\nmatrix") for c in runs]
    found = LeagueTable(runs, "abcd", "xyz")
    assert [cell.instance for cell in found.common("a")] == ["x"]
    assert league.geometric_mean(found.line("a")) == pytest.approx(2.0)
    assert [league.mean_text(found.common(name)) for name in "ac"] == ["1.0", "4.0"]
    declared = League("", [], [], marked="y", regret=True)
    section = league.table_of_cells(declared, found)
    assert list(section.head) == ["learner", "x", "y†", "z", "typical", "instances", "common"]
    assert section.rows[0] == ["a", "1.0", "4.0", "(0.10)", "2.0", 2, "1.0"]


def test_a_mean_with_runs_that_were_cut_off_is_a_lower_bound():
    (cut,) = cells(a=1.0)
    assert league.mean_text([replace(cut, unfinished=1)]) == ">1.0"


# Claims


def test_less_than_the_bound_differs_only_where_the_horizon_is_long():
    low, high = table(*cells(a=0.9)), table(*cells(a=1.1))
    assert league.none_below(REGRET, low).holds is False
    assert league.none_below(REGRET, high).holds is True
    assert "a on cyclic 0.90" in league.none_below(REGRET, low).ours
    assert league.none_below(replace(REGRET, marked=["cyclic"]), low).holds is None


@pytest.mark.parametrize(("value", "holds"), [(2.0, True), (4.0, False), ((2.0, 3.9), None)])
def test_optimal_learners_are_near_the_bound(value, holds):
    declared = replace(REGRET, within=3.0)
    found = table(*cells(cw_rmed=value))
    assert league.near_the_bound(declared, found, "cw-rmed").holds is holds
    short = replace(declared, marked=["cyclic"])
    assert league.near_the_bound(short, found, "cw-rmed").holds is None


def test_one_learner_beats_another_on_every_instance():
    def beats(*runs):
        return league.share_of(REGRET, table(*runs), "d-ts", {"ccb": 1.0}).holds

    one = cells(d_ts=1.0, ccb=2.0)
    assert beats(*one) is True
    assert beats(*one, *cells("gap", d_ts=2.0, ccb=1.0)) is False
    assert beats(*cells(d_ts=(1.0, 2.0), ccb=(1.6, 1.7))) is None
    assert beats(*cells(d_ts=(1.0,), ccb=(2.0,))) is None  # single runs tell nothing
    assert beats(*(replace(cell, short=True) for cell in one)) is None


def test_a_learner_may_lose_as_much_as_chance():
    chance = {"random_pairs": 5.0}
    assert league.all_below(table(*cells(scb=2.0, **chance)), "random-pairs").holds is True
    worse = league.all_below(table(*cells(scb=6.0, a=1.0, **chance)), "random-pairs")
    assert worse.holds is False
    assert worse.ours.startswith("so in 1 of 2 cells, not so in 1; at most 1.2")
    assert worse.ours.endswith("times random-pairs: scb on cyclic")


@pytest.mark.parametrize(("wrong", "runs", "holds"), [(0, 60, True), (0, 9, None), (9, 60, False)])
def test_errors_are_those_allowed(wrong, runs, holds):
    found = table(LeagueCell("savage", "cyclic", True, (1.0,) * runs, wrong=wrong))
    assert league.errs_as_allowed(DUELS, found).holds is holds


def test_nobody_is_below_the_least_mean_of_duels():
    least = league.least_multiple
    assert least(1, 0.05) == pytest.approx(0.9 * math.log(0.95 / 0.05) / math.log(20))
    assert least(3, 0.05) < least(1, 0.05)
    assert least(30, 0.05) == 0.0
    for value, winners, holds in ((0.8, 1, False), (0.95, 1, True), (0.8, 3, True), (0.5, 0, None)):
        found = league.none_below(DUELS, table(*cells(a=value, winners=winners)))
        assert found.holds is holds
        assert bool(found.words["several"]) == (winners > 1)
    winners = {name: instance("multisol").goals[name].winners for name in dueling.GROUPS}
    several = len(cpe.load_instance("multisol").copeland_winners)
    assert {name for name, count in winners.items() if count == several > 1} == {
        dueling.COPELAND,
        dueling.RANKING,
    }
    # Nothing is said of what is told more, of Borda winners, and of regret.
    assert {name for name, count in winners.items() if count == 1} == {dueling.CONDORCET}


fewer = partial(league.fewer_than_all, DUELS)
near = partial(league.near_the_bound, DUELS)


def test_trackers_are_held_to_their_bound_and_to_others():
    assert near(table(*cells(savage=3.0)), "savage").holds is True
    assert near(table(*cells(savage=30.0)), "savage").holds is False
    others = table(*cells(savage=3.0, pocowista=4.0), *cells(goal="other", dkwt=1.0))
    assert fewer(others, "savage").holds is True
    assert fewer(others, "pocowista").holds is False
    assert fewer(others, "dkwt").holds is None


def test_runs_that_were_cut_off_show_only_that_something_is_more():
    def cut(learner, value):
        return replace(cells(**{learner: value})[0], unfinished=1)

    assert near(table(cut("savage", 3.0)), "savage").holds is None
    assert near(table(cut("savage", 30.0)), "savage").holds is False
    (done,) = cells(pocowista=4.0)
    assert fewer(table(cut("savage", 3.0), done), "savage").holds is None
    assert fewer(table(cut("savage", 5.0), done), "savage").holds is False
    assert fewer(table(cut("savage", 5.0), done), "pocowista").holds is True
    assert fewer(table(cut("savage", 3.0), done), "pocowista").holds is None
    assert league.none_below(DUELS, table(cut("savage", 0.1))).holds is True


@pytest.mark.parametrize(
    ("ends", "holds"), [((6.0, 1.5), [True, True]), ((6.0, 4.0), [False, False])]
)
def test_the_ratio_falls_towards_one(ends, holds):
    line = [cells(copeland_tracking=end)[0] for end in ends]
    found = {("copeland-tracking", "cyclic"): line}
    claims = league.curve_claims(found, "copeland-tracking")
    assert [claim.holds for claim in claims] == holds
    assert league.curve_claims(found, "pocowista") == []


# The page


def smaller(_, quick, full):
    """Two runs, 400 rounds, and probabilities of an error of 0.1 and 0.01."""
    if isinstance(quick, tuple):
        return (1, 2)
    return {3: 2, 2: 2, 10**4: 400}.get(quick, quick)


@pytest.mark.slow
def test_the_league_makes_its_page(tmp_path, monkeypatch):
    """With three small instances, few learners for regret, and few rounds."""
    monkeypatch.setattr(
        dueling,
        "league_instances",
        lambda settings: [
            matrix(cpe.load_instance(name), settings) for name in ("cyclic", "arxiv", "gap")
        ],
    )
    players = [each for each in dueling.regret_players() if each.name in FAST]
    monkeypatch.setattr(dueling, "regret_players", lambda: players)
    monkeypatch.setattr(dueling, "_MAX_DUELS", 3000)
    monkeypatch.setattr(Settings, "choose", smaller)
    page = cpe.reproduce("league", quick=True, out=tmp_path, jobs=1)
    check_page("league", page, tmp_path)
    text = page.markdown()
    assert text.index("league.png") < text.index("## Claims")
    frame = pd.read_parquet(tmp_path / "league.parquet")
    assert set(frame[frame["league"] == "regret"]["learner"]) == set(FAST)
    assert (frame[frame["league"] == "identification"]["unfinished"] > 0).any()
