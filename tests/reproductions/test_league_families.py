"""The leagues of sets, matchings and separable rewards: who plays, on what, by which unit."""

import math
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.learners.registry import learners_of
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.reproductions import league_families as families
from cpe_opt.reproductions.league import (
    League,
    LeagueCell,
    LeagueInstance,
    LeagueTable,
    Limits,
    Played,
    Player,
    Target,
    answer_is,
    curve_table,
    league_claims,
    league_study,
    share_of,
)
from cpe_opt.reproductions.registry import REPRODUCTIONS
from cpe_opt.reproductions.study import Settings, play_longest_first
from tests.reproductions.test_pages import check_page, tables_of

single = cache(partial(families.sets_league, "single"))
sums = cache(partial(families.sets_league, "sums"))
matched, decided = cache(families.matching_league), cache(families.separable_league)
LEAGUES = {
    "league-single": (single, "subsets"),
    "league-sums": (sums, "subsets"),
    "league-matchings": (matched, "matchings"),
    "league-separable": (decided, "separable"),
}
FAMILIES = {"subsets": (single, sums), "matchings": (matched,), "separable": (decided,)}


def learner_names(league):
    return {player.spec.learner for player in league.players}


def instance(league, name):
    return next(each for each in league.instances if each.name == name)


# Who plays, and on what


@pytest.mark.parametrize("family", FAMILIES)
def test_every_learner_plays_or_is_an_exception_with_a_reason(family):
    leagues = [make() for make in FAMILIES[family]]
    exceptions = {name: reason for each in leagues for name, reason in each.exceptions.items()}
    playing = set().union(*map(learner_names, leagues))
    assert playing | set(exceptions) == set(learners_of(family))
    assert not playing & set(exceptions)
    assert all(len(reason) > 20 for reason in exceptions.values())


@pytest.mark.parametrize("name", LEAGUES)
def test_every_player_takes_up_some_instance(name):
    """A learner that refuses all that it is told would be left out everywhere, in silence."""
    league = LEAGUES[name][0]()
    for player in league.players:
        reasons = {each.name: player.refusal(each, league.delta) for each in league.instances}
        assert "" in reasons.values(), (player.name, reasons)


@pytest.mark.parametrize("name", LEAGUES)
def test_every_table_names_lines_and_columns_that_there_are(name):
    league, family = LEAGUES[name][0](), LEAGUES[name][1]
    lines = [player.name for player in league.players]
    columns = [each.name for each in league.instances]
    assert len(set(lines)) == len(lines)
    assert len(set(columns)) == len(columns)
    shared = {name for learner, others in league.shares for name in (learner, *others)}
    claimed = {*league.near, *league.ahead, *league.falling, *league.curved, *shared}
    assert claimed <= set(lines)
    assert {*league.curved_on, *league.marked} <= set(columns)
    built_in = {each.load().name for each in INSTANCES.values() if each.family == family}
    assert built_in <= set(columns)
    kinds = [each.kind for each in league.instances]
    assert sum(a != b for a, b in pairwise(kinds)) == len(set(kinds)) - 1  # side by side


def test_what_learners_see_is_read_off_their_parameters():
    assert families.feedback_of("clucb") == families.feedback_of("fws") == ("single",)
    assert families.feedback_of("icb") == families.feedback_of("rage") == ("sums",)
    assert families.feedback_of("subset-tracking") == ("single", "sums")
    assert {"clucb", "fws", "subset-tracking"} <= learner_names(single())
    assert not learner_names(single()) & {"icb", "saqm", "rage"}
    assert {"icb", "saqm", "sa-foa", "exhaustive", "rage"} <= learner_names(sums())


def test_learners_of_sums_play_with_either_sigma():
    bandit = cpe.planted_subsets(8, 4, gap=0.5, noise=0.3)
    told = {player.name: player.parameters(bandit, 0.1) for player in sums().players}
    assert told["icb"] == {"sigma": pytest.approx(1.2), "delta": 0.1}
    assert told["icb √k"] == {"sigma": pytest.approx(0.6), "delta": 0.1}
    assert told["subset-tracking √k"]["feedback"] == "sums"
    assert len(told) == 2 * len(learner_names(sums()))
    (clucb,) = [each for each in single().players if each.name == "clucb"]
    assert clucb.parameters(bandit, 0.1) == {"noise": 0.3, "delta": 0.1}


def test_who_cannot_face_an_instance_says_so():
    (sa_foa,) = [each for each in sums().players if each.name == "sa-foa"]
    assert "k of n" in sa_foa.refusal(instance(sums(), "trees-of-k4"), 0.05)
    assert not sa_foa.refusal(instance(sums(), "near-ties"), 0.05)


def test_nobody_plays_for_what_costs_nothing_or_for_ever(settings):
    (problem,) = [each.problem for each in single().instances if each.name == "near-ties"]
    for unit in (0.0, math.inf):
        odd = LeagueInstance(problem, "odd", {"best set": Target(unit, answer_is(()))})
        cells, _ = replace(single(), instances=[odd]).plan(settings)
        assert {each.left_out for each in cells} == {f"the bound is {unit:g}"}


# Units and right answers


@pytest.mark.parametrize("feedback", ["single", "sums"])
def test_the_unit_of_sets_is_their_characteristic_time(feedback):
    league = single() if feedback == "single" else sums()
    bandit = cpe.load_instance("trees-of-k4")
    goal = instance(league, "trees-of-k4").goals["best set"]
    assert goal.unit == pytest.approx(cpe.subset_time(bandit, feedback).value, rel=1e-3)
    assert goal.unit <= goal.upper
    assert goal.right(max(bandit.decisions.sets(), key=bandit.value))
    assert all(each.goals["best set"].winners == 1 for each in league.instances)


def test_nobody_is_bound_where_sums_have_less_noise_than_is_told():
    short = cpe.Paths([("s", "t"), ("s", "a"), ("a", "t")], "s", "t")
    bandit = cpe.SubsetBandit(short, [0.9, 0.1, 0.2], name="uneven")
    (short,), (whole,) = (families.set_instances(seen, [bandit]) for seen in ("sums", "single"))
    assert (short.goals["best set"].winners, whole.goals["best set"].winners) == (0, 1)


def test_the_units_of_matchings_are_those_of_what_is_looked_for():
    figure = instance(matched(), "figure1")
    duels = cpe.load_instance("figure1")
    condorcet, borda = figure.goals[families.CONDORCET], figure.goals[families.BORDA]
    winner, favourite = cpe.condorcet_winner(duels), cpe.borda_winner(duels).edges
    assert condorcet.right(winner)
    assert borda.right(favourite)
    assert winner != favourite
    assert condorcet.unit == pytest.approx(cpe.matching_time(duels).value, rel=1e-3)
    arms = cpe.SubsetBandit(cpe.Matchings(duels.graph), duels.borda_weights, noise=0.5)
    assert borda.unit == pytest.approx(cpe.subset_time(arms).value, rel=1e-3)
    looking = {player.name: player.goal for player in matched().players}
    assert looking["clucb-borda-exact"] == families.BORDA
    assert looking["car-parallel"] == families.CONDORCET
    assert not any(goal.winners for each in matched().instances for goal in each.goals.values())


def test_the_unit_of_separable_rewards_is_known_for_sets_and_bounded_for_others():
    for each in decided().instances:
        goal = each.goals["best decision"]
        low, high = cpe.separable_hardness(each.problem).time_bounds
        assert low * (1 - 1e-6) <= goal.unit <= goal.upper <= high * (1 + 1e-6)
        known = goal.upper <= goal.unit * (1 + 1e-3)
        assert known == (each.kind == "the best k of n")
    coins = cpe.load_instance("coins")
    best = np.isin(range(len(coins.theta)), np.argsort(-coins.theta)[:2]).astype(int)
    assert instance(decided(), "coins").goals["best decision"].right(best.tolist())
    assert set(decided().marked) >= {"opinions", "opinions-79"}


def test_answers_are_right_as_they_are_read():
    right = answer_is((1, 3))
    assert right([1, 3])
    assert not right([1, 2])
    assert not right(None)


def test_a_winner_if_there_is_one_counts_as_found(settings):
    """CAR-Cond does not show that there is a winner, but there is."""
    league = matched()
    swap, players = instance(league, "swap"), [p for p in league.players if p.name == "car-cond"]
    ((run,), _) = replace(league, instances=[swap], players=players, runs=1).plan(settings)
    play_longest_first([run.series], settings)
    assert run.played().unfinished == 0
    never = Target(1.0, lambda answer: False)
    assert replace(run, goal=never).played().wrong == run.series.runs


# Claims


def cell(learner, *amounts, instance="x", **known):
    return LeagueCell(learner, instance, True, amounts, **known)


@pytest.mark.parametrize(
    ("amounts", "unfinished", "holds"),
    [
        (((10.0, 10.1), (100.0, 101.0)), (0, 0), True),
        (((30.0, 30.1), (100.0, 101.0)), (0, 0), False),
        (((10.0, 30.0), (100.0, 101.0)), (0, 0), None),
        (((10.0, 10.1), (100.0, 101.0)), (1, 0), None),
        (((30.0, 30.1), (100.0, 101.0)), (0, 1), None),
        (((10.0, 10.1), (100.0, 101.0)), (0, 1), True),
    ],
)
def test_a_share_is_held_everywhere_or_not(amounts, unfinished, holds):
    line = [
        cell(name, *some, unfinished=cut)
        for name, some, cut in zip("ab", amounts, unfinished, strict=True)
    ]
    pulls = League("", [], [], samples="pulls")
    claim = share_of(pulls, LeagueTable(line, ["a", "b"], ["x"]), "a", {"b": 0.2})
    assert claim.holds is holds
    easy = [cell("a", 1.0, 1.1, instance="y"), cell("b", 100.0, 101.0, instance="y")]
    table = LeagueTable([*easy, *line], ["a", "b"], ["y", "x"])
    both = share_of(pulls, table, "a", {"b": 0.2})
    assert both.holds is holds
    assert both.ours.endswith("a on x")
    some = share_of(replace(pulls, shares_on="y"), table, "a", {"b": 0.2})
    assert some.holds is True
    assert some.words["instances"] == "instance y-…"


def test_trackers_of_sums_are_compared_at_their_own_sigma_and_at_the_same():
    values = {"subset-tracking": 4.0, "icb": 20.0, "saqm": 90.0}
    values |= {"subset-tracking √k": 2.0, "icb √k": 5.0, "saqm √k": 30.0}
    cells = [cell(n, v, v * 1.001, group=str("√k" in n)) for n, v in values.items()]
    played = Played(sums(), LeagueTable(cells, list(values), ["x"]), {})
    _, _, *claims = league_claims(played)  # errors, and the least mean
    assert [claim.holds for claim in claims] == [True, True, True, False, True]
    assert "so in 1 of 2 cells, not so in 1" in claims[3].ours  # of ICB's 0.1 with its own σ
    assert "0.022 (" in claims[3].ours  # of SAQM's: more than a fiftieth


def test_curves_stand_under_their_probabilities():
    """CAR-Parallel refuses 0.1: its first cell is not in the first column."""
    curves = {
        ("car-parallel", "x"): [cell("car-parallel", 12.0, 12.0, delta=1e-5)],
        ("car-cond", "x"): [cell("car-cond", 6.0, delta=0.1), cell("car-cond", 2.0, delta=1e-5)],
    }
    section = curve_table(curves)
    assert section.head == ["instance", "learner", "1e-01", "1e-05"]
    assert section.rows == [["x", "car-cond", "6.0", "2.0"], ["x", "car-parallel", "–", "12"]]


# Pages


def smaller(_, quick, full):
    """Two runs, and probabilities of an error of 0.1 and 0.01."""
    return (1, 2) if isinstance(quick, tuple) else 2


BOTH = ("icb", "saqm", "subset-tracking")
PLAYED = {
    "league-single": (("planted-8-4-1-0", "parts"), ("clucb", "subset-tracking")),
    "league-sums": (
        ("planted-8-4-1-0", "parts"),
        (*BOTH, *(f"{name} √k" for name in BOTH), "sa-foa √k"),
    ),
    "league-matchings": (
        ("swap", "sparse"),
        ("car-cond", "matching-tracking", "clucb-borda-exact"),
    ),
    "league-separable": (("coins", "opinions"), ("coci", "coci-uniform")),
}
QUICK = ("league-separable",)
_OUT = "league; learner; left_out; instance"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in PLAYED],
)
def test_every_league_makes_its_page(name, tmp_path, monkeypatch):
    columns, lines = PLAYED[name]
    whole = LEAGUES[name][0]()
    players = [
        replace(each, limits=lambda _: Limits(5000)) if "borda" in each.name else each
        for each in whole.players
        if each.name in lines
    ]
    small = replace(
        whole,
        players=players,
        instances=[each for each in whole.instances if each.name in columns],
        curved_on=columns[:1],
        marked=[each for each in whole.marked if each in columns],
    )
    study = league_study(name, lambda settings: [small])
    monkeypatch.setitem(REPRODUCTIONS, name, study)
    monkeypatch.setattr(Settings, "choose", smaller)
    page = cpe.reproduce(name, quick=True, out=tmp_path, jobs=1)
    check_page(name, page, tmp_path)
    assert page.values["picture"] == tmp_path / f"{name}.png"
    needed, curves = page.values["table"], page.values["curves"]
    out = page.values["left_out"]
    left_out = {tuple(row[1:3]) for row in tables_of(f"{out:{_OUT}}\n")[0][2:]} if out else set()
    assert left_out >= {(f" {name} ", f" {why} ") for name, why in whole.exceptions.items()}
    frame = pd.read_parquet(tmp_path / f"{name}.parquet")
    told = set(product(lines, columns))
    assert set(zip(frame["learner"], frame["instance"], strict=True)) == {
        pair for pair in told if pair != ("sa-foa √k", "parts")
    }
    assert (frame["unfinished"] > 0).any() == ("clucb-borda-exact" in lines)
    assert {row[0] for row in needed.rows} == set(lines)
    assert {tuple(row[:2]) for row in curves.rows} == {
        (columns[0], learner) for learner in set(lines) & set(whole.curved)
    }
    for instance, time in tables_of(f"{page.values['goals']:instance; time}\n")[0][2:]:
        assert (" to " in time) == (instance.strip() == "opinions")  # between two bounds, or known


def test_a_refusal_of_what_a_player_is_told_is_no_silence():
    league = sums()
    wrong = Player(LearnerSpec("icb", {"growth": 0.5}, label="icb"), "best set", "any")
    assert "growth" in wrong.refusal(instance(league, "parts"), 0.05)
