"""The league of margins: who is told of them, and what nobody can avoid."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar

import cpe_opt as cpe
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.learners.registry import LEARNERS, get_learner
from cpe_opt.reproductions import league_margins as margins
from cpe_opt.reproductions.league import league_study
from cpe_opt.reproductions.league_dueling import CONDORCET, COPELAND
from cpe_opt.reproductions.registry import REPRODUCTIONS
from cpe_opt.reproductions.study import Settings
from tests.reproductions.test_pages import check_page


@cache
def both():
    """Duels, and arms; without the large matrices."""
    return margins.leagues(Settings("league-margins", True, None, None, 0, 1, None))


def lines(league):
    return {player.name: player for player in league.players}


def instance(league, name):
    return next(each for each in league.instances if each.name == name)


def test_every_learner_that_takes_a_margin_plays_or_is_an_exception():
    taking = {name for name in LEARNERS if "margin" in parameters_of(get_learner(name))}
    playing = {player.spec.learner for league in both() for player in league.players}
    exceptions = {name for league in both() for name in league.exceptions}
    assert taking <= playing | exceptions
    assert not playing & exceptions
    assert playing - taking == {"pocowista"}


def test_learners_are_told_of_each_instance_s_margin_unless_they_are_to_know_none():
    duels, arms = both()
    sushi, two = instance(duels, "sushi"), instance(arms, "two-best")
    told = {name: line.parameters(sushi.problem, 0.1) for name, line in lines(duels).items()}
    assert told["copeland-tracking"] == told["active-ranking"] == {"margin": 0.03, "delta": 0.1}
    assert told["copeland-tracking, no margin"] == told["pocowista"] == {"delta": 0.1}
    told = {name: line.parameters(two.problem, 0.1) for name, line in lines(arms).items()}
    assert told["eb-tc"] == {"margin": 0.2, "noise": 1.0, "delta": 0.1}
    assert told["subset-tracking, no margin"] == {"noise": 1.0, "delta": 0.1}
    assert told["eb-tc, its paper's threshold"]["threshold"] == "glr"


def test_where_arms_tie_only_a_margin_ends_it():
    duels, arms = both()
    for league, even in ((duels, "even-5"), (duels, "arxiv"), (arms, "two-best")):
        for name, line in lines(league).items():
            bare = name == "pocowista" or name.endswith(margins.WITHOUT)
            assert line.covers(instance(league, even)) != bare
    assert all(line.covers(instance(duels, "sushi")) for line in duels.players)


def test_right_answers_are_those_that_the_formulations_accept():
    duels, _ = both()
    for name in ("sushi", "bradley-terry-16", "mslr5-condorcet"):
        made = instance(duels, name)
        mu, margin, goal = made.problem, made.about["margin"], made.goals[CONDORCET]
        times = {}
        for arm in range(mu.arms):
            try:
                times[arm] = cpe.condorcet_time(mu, arm, margin=margin).value
            except cpe.InputError:
                assert not goal.right(arm)
        assert all(map(goal.right, times))
        assert goal.winners == len(times)
        assert goal.unit == pytest.approx(min(times.values()), rel=1e-6)
    close = instance(duels, "bradley-terry-16")
    assert close.goals[COPELAND].winners == 2
    assert close.about["exact"] > 1000 * close.goals[COPELAND].unit


def test_the_unit_of_arms_is_that_of_a_program_of_its_own():
    """With n pulls each, the answer i is told from j once 1/n_i + 1/n_j is small enough.

    So 1/n_i decides the least of all others, and the sum is convex in it.
    """
    _, arms = both()
    for made in arms.instances:
        means, margin, costs = np.array(made.problem.theta), made.about["margin"], {}
        for i in np.flatnonzero(means >= means.max() - margin - 1e-9).tolist():
            others = np.delete(np.arange(len(means)), i)
            told = (means[i] - means[others] + margin) ** 2 / 2.0
            costs[i] = math.inf  # at the margin there are two right answers, and no end
            if told.min() > 1e-12:
                costs[i] = minimize_scalar(
                    lambda s, told=told: 1.0 / s + (1.0 / (told - s)).sum(),
                    bounds=(1e-9, told.min() - 1e-9),
                    method="bounded",
                    options={"xatol": 1e-12},
                ).fun
        goal = made.goals[margins.ARM]
        assert goal.upper == pytest.approx(min(costs.values()), rel=2e-3)
        assert goal.unit <= goal.upper
        assert [goal.right((arm,)) for arm in costs] == [True] * goal.winners
        assert not goal.right((len(means),))
    assert instance(arms, "two-best").about["exact"] == math.inf


def test_the_league_makes_its_page(tmp_path, monkeypatch):
    duels, arms = both()
    few = {"duels": ("multisol", "cyclic", "even-5"), "arms": ("two-best",)}
    playing = {
        "duels": ("copeland-tracking", "copeland-tracking, no margin", "condorcet-tracking"),
        "arms": ("subset-tracking", "eb-tc", "icb"),
    }
    limits = margins.Limits(500)
    small = [
        replace(
            league,
            instances=[each for each in league.instances if each.name in few[league.name]],
            players=[
                replace(each, limits=limits)
                for each in league.players
                if each.name in playing[league.name]
            ],
            curved_on=few[league.name][:1],
            near=(),
            shares=(),
        )
        for league in (duels, arms)
    ]
    monkeypatch.setitem(
        REPRODUCTIONS, "league-margins", league_study("league-margins", lambda settings: small)
    )
    monkeypatch.setattr(
        Settings, "choose", lambda _, quick, full: (1, 2) if isinstance(quick, tuple) else 2
    )
    page = cpe.reproduce("league-margins", quick=True, out=tmp_path, jobs=1)
    check_page("league-margins", page, tmp_path)
    frame = pd.read_parquet(tmp_path / "league-margins.parquet")
    told = frame.set_index(["learner", "instance"])
    assert (frame["wrong"] == 0).all()
    assert told["unfinished"]["copeland-tracking", "multisol"] == 0
    assert told["unfinished"]["copeland-tracking, no margin", "even-5"] == 2
    assert ("condorcet-tracking", "multisol") not in told.index
    shown = [name.strip() for (name,) in page_rows(page.values["instances-arms"])]
    assert shown == ["two-best"]


def page_rows(table):
    """The names of a table of instances."""
    lines = f"{table:name}".splitlines()[2:]
    return [line.strip("| ").split("|") for line in lines]
