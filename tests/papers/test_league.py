"""Leagues: who plays on what, by which unit, and their claims on both sides of their tolerances."""

import math
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.learners.registry import get_learner, learners_of
from tests.papers.scripts import STUDIES, league, study
from tests.papers.test_pages import check_page

SPREAD = (0.99, 1.0, 1.01)
QUICK = study.Settings(name="league", jobs=1)
DUELS = SimpleNamespace(**study.declared("league-defaults"))
LOST = SimpleNamespace(**study.declared("league-defaults") | {"regret": True, "within": 3.0})
FAMILIES = {
    "dueling": ("regret", "identification"),
    "subsets": ("league-single", "league-sums"),
    "matchings": ("league-matchings",),
    "separable": ("league-separable",),
}


@cache
def leagues():
    """By their names; as in a quick run."""
    files = [name for name in STUDIES if name.startswith("league")]
    return {each.name: each for name in files for each in league.leagues_of(name, QUICK)}


def instance(name, of):
    return next(each for each in leagues()[name].instances if each.problem.name == of)


def player(name, line):
    return next(each for each in leagues()[name].players if each.line == line)


# Who plays, and on what


@pytest.mark.parametrize("family", FAMILIES)
def test_every_learner_plays_or_is_an_exception_with_a_reason(family):
    made = [leagues()[name] for name in FAMILIES[family]]
    playing = {player.learner for each in made for player in each.players}
    exceptions = {name: why for each in made for name, why in each.exceptions.items()}
    assert playing | set(exceptions) == set(learners_of(family))
    assert not playing & set(exceptions)
    assert all(len(reason) > 20 for reason in exceptions.values())


@pytest.mark.parametrize("name", ["league-single", "league-matchings", "league-separable", "arms"])
def test_tables_name_lines_and_columns_and_everybody_plays_somewhere(name):
    """A learner that refuses all that it is told would be left out everywhere, in silence."""
    made = leagues()[name]
    lines, columns = [p.line for p in made.players], {i.name for i in made.instances}
    assert len(set(lines)) == len(lines)
    shared = {line for learner, others in made.shares for line in (learner, *others)}
    assert {*made.near, *made.ahead, *made.theorems, *shared} <= set(lines)
    assert set(made.marked) <= columns
    playing = {
        line
        for line in lines
        for i in made.instances
        if not planned(name, line, i, made.delta).left_out
    }
    assert playing == set(lines)


def test_what_theorems_need_is_what_learners_declare():
    for name in FAMILIES["dueling"]:
        for each in leagues()[name].instances:
            winner = each.problem.condorcet_winner
            assert (each.kind == "one arm beats all others") == (winner is not None)
        for each in leagues()[name].players:
            says = declaration_of(get_learner(each.learner))
            condorcet = says.guarantee.startswith(("with a Condorcet winner", "the Condorcet"))
            assert ("condorcet" in each.needs) == condorcet, each.line
            needs = ("without ties", "all pairs are decided")
            untied = says.endless_if == "two arms tie" or any(n in says.guarantee for n in needs)
            assert ("untied" in each.needs) == untied, each.line


def planned(name, line, made, delta=0.05):
    return league.planned(player(name, line), made, delta, 20)


def test_answers_are_right_by_what_was_asked():
    goals = instance("identification", "cyclic").goals
    for goal, answer, right in (
        (league.COPELAND, 0, True),
        (league.CONDORCET, 1, False),
        (league.CONDORCET, None, False),
        (league.RANKING, [0, 3, 1, 2], True),
        (league.RANKING, [1, 0, 2, 3], False),
        (league.BORDA, int(np.argmax(cpe.load_instance("cyclic").borda_scores)), True),
    ):
        assert goals[goal].right(answer) == right
    some = league.is_one_of([(1, 3), (2, 4)])
    assert [some(each) for each in ([1, 3], [2, 4], [1, 2], None)] == [True, True, False, False]


# Cells


def cells(of="cyclic", *, winners=1, **means):
    """Cells of one instance: three runs a learner near its mean, or the values themselves."""
    goals = {"": league.Goal(1.0, winners=winners)}
    made = league.Instance(SimpleNamespace(name=of), "any", goals)
    return [cell(name.replace("_", "-"), value, made) for name, value in means.items()]


def cell(line, value, made, group=""):
    playing = SimpleNamespace(line=line, goal="", group=group, needs="untied", why="it is slow")
    amounts = value if isinstance(value, tuple) else tuple(value * share for share in SPREAD)
    return league.Cell(playing, made, amounts=amounts)


def test_multiples_are_those_of_runs(tmp_path):
    """Cut off early nothing is done; wrong answers are those that are said to be proved."""
    settings = replace(QUICK, out=tmp_path)
    made = instance("identification", "cyclic")
    lost = replace(planned("regret", "ecw-rmed", instance("regret", "cyclic")), horizon=500, runs=2)
    whole = replace(planned("identification", "savage", made, 0.01), runs=2)
    cut = replace(whole, spec=cpe.LearnerSpec("savage", {"max_samples": 5}, label="savage"))
    losing, done, early = (league.play(each, settings) for each in (lost, whole, cut))
    seeds = study.experiment([whole.spec], made.problem, settings, runs=2)["savage"]["seed"]
    bound = cpe.copeland_time(made.problem).value * math.log(100)
    direct = [cpe.simulate("savage", made.problem, delta=0.01, seed=seed) for seed in seeds]
    assert [n / done.bound for n in done.amounts] == [each.samples / bound for each in direct]
    assert (done.unfinished, done.wrong) == (0, 0)
    assert (early.unfinished, early.wrong) == (2, 0)
    direct = [cpe.simulate("ecw-rmed", made.problem, horizon=500, seed=seed) for seed in seeds]
    assert losing.amounts == pytest.approx([each.regret[-1] for each in direct])
    goals = {**made.goals, league.COPELAND: league.Goal(1.0, lambda answer: False)}
    assert league.play(replace(whole, instance=replace(made, goals=goals)), settings).wrong == 2


# Claims


def declaring(made=DUELS, **said):
    """A league that claims these things alone."""
    return SimpleNamespace(**vars(made) | said)


def verdict(made, cells):
    """Of the only claim, about ratios, that a league makes."""
    return league.league_claims(made, cells)[-1].holds


@pytest.mark.parametrize(
    ("value", "holds"), [(2.0, True), (4.0, False), ((2.0, 3.9), None), ((1.0,), None)]
)
def test_optimal_learners_are_near_the_bound(value, holds):
    made, found = declaring(LOST, near=["cw-rmed"]), cells(cw_rmed=value)
    assert verdict(made, found) is holds
    assert verdict(declaring(made, marked=["cyclic"]), found) is None
    cut = [replace(each, unfinished=1) for each in found]
    assert verdict(made, cut) is (False if holds is False else None)


def test_nobody_is_below_the_least_mean_of_duels():
    least = league.least_multiple
    assert least(1, 0.05) == pytest.approx(0.9 * math.log(0.95 / 0.05) / math.log(20))
    assert least(3, 0.05) < least(1, 0.05)
    assert least(30, 0.05) == 0.0
    for value, winners, holds in ((0.8, 1, False), (0.95, 1, True), (0.8, 3, True), (0.5, 0, None)):
        found = league.none_below(DUELS, cells(a=value, winners=winners))
        assert found.holds is holds
        assert bool(found.words["several"]) == (winners > 1)
    (cut,) = cells(a=0.8)
    assert league.none_below(DUELS, [replace(cut, unfinished=1)]).holds is True
    assert [league.none_below(LOST, cells(a=each)).holds for each in (0.9, 1.1)] == [False, True]


@pytest.mark.parametrize(
    ("own", "unfinished", "holds"),
    [
        ((10.0, 10.1), (0, 0), True),
        ((30.0, 30.1), (0, 0), False),
        ((10.0, 30.0), (0, 0), None),
        ((10.0, 10.1), (1, 0), None),
        ((30.0, 30.1), (0, 1), None),
        ((10.0, 10.1), (0, 1), True),
    ],
)
def test_a_share_is_held_everywhere_or_not(own, unfinished, holds):
    line = cells("x", a=own, b=(100.0, 101.0))
    line = [replace(each, unfinished=cut) for each, cut in zip(line, unfinished, strict=True)]
    easy = cells("y", a=(1.0, 1.1), b=(100.0, 101.0))
    made = declaring(shares=[["a", {"b": 0.2}]])
    assert verdict(made, [*easy, *line]) is holds
    assert league.league_claims(made, [*easy, *line])[-1].ours.endswith("a on x")
    assert verdict(declaring(made, shares_on="y"), [*easy, *line]) is True


def test_a_league_claims_what_it_declares():
    """Of the least among those that look for the same, of chance, and of errors."""
    made = declaring(ahead=["a"], chance="c")
    found = cells(a=3.0, b=4.0, c=5.0)
    other = SimpleNamespace(line="d", goal="", group="other", needs="")
    found.append(replace(found[1], player=other, amounts=(1.0, 1.0)))
    claims = {claim.name: claim.holds for claim in league.league_claims(made, found)}
    assert claims == {"errors": None, "ahead": True, "beats-all": True}
    worse = [replace(each, amounts=(9.0, 9.1)) if each.line == "a" else each for each in found]
    claims = {claim.name: claim.holds for claim in league.league_claims(made, worse)}
    assert (claims["ahead"], claims["beats-all"]) == (False, False)
    wrong = [replace(each, amounts=(1.0,) * 60, wrong=9) for each in found]
    assert league.errors(DUELS, wrong).holds is False


@pytest.mark.parametrize(("most", "holds"), [(1.0, True), (1.01, False)])
def test_no_run_needs_more_than_a_theorem_says(most, holds):
    coins = instance("league-separable", "coins")
    bound = cpe.separable_hardness(coins.problem).coci_sample_bound(delta=0.05)
    found = replace(planned("league-separable", "coci", coins), amounts=(1.0, most * bound))
    assert verdict(declaring(theorems={"coci": "coci_sample_bound"}), [found]) is holds


# Tables and pages


PLAYED = {
    "league-separable": ("coins", "opinions", "coci", "coci-uniform"),
    "league": ("cyclic", "gap", "ccb", "random-pairs", "copeland-tracking", "dkwt"),
    "league-margins": ("multisol", "even-5", "two-best", "copeland-tracking", "eb-tc", "icb"),
    "league-matchings": ("swap", "car-cond", "matching-tracking"),
    "league-sums": ("planted-8-4-1-0", "parts", "icb √k", "sa-foa √k"),
}
PARTS = {"league": FAMILIES["dueling"], "league-margins": ("duels", "arms")}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n != "league-separable")) for n in PLAYED]
)
def test_every_league_makes_its_page(name, tmp_path, monkeypatch):
    """With few players on few instances, two runs, 400 rounds and a limit of 3,000 samples."""
    chosen, small = PLAYED[name], []
    for each in PARTS.get(name, (name,)):
        made = leagues()[each]
        players = [p._replace(samples="3000") for p in made.players]
        said = {"near": (), "ahead": (), "shares": (), "chance": "", "theorems": {}}
        said["players"] = [player for player in players if player.line in chosen]
        said["instances"] = [
            replace(each, about={**each.about, "horizon": 400})
            for each in made.instances
            if each.name in chosen
        ]
        small.append(SimpleNamespace(**vars(made) | said))
    monkeypatch.setattr(study.Settings, "choose", lambda *_: 2)
    monkeypatch.setattr(league, "leagues_of", lambda *_: small)
    values = check_page(name, study.Settings(out=tmp_path, jobs=1))
    tables = [values[key].frame for key in values if key.startswith("table")]
    shown = {line for table in tables for line in table["learner"]}
    assert shown == {player.line for each in small for player in each.players}
    if name == "league-separable":  # T* of opinions is between two bounds, that of coins is known
        times = values["instances"].frame.set_index("name")
        share = times["best decision"] / times["best decision, at most"]
        assert share["coins"] == pytest.approx(1.0, abs=1e-3)
        assert share["opinions"] < 0.5
