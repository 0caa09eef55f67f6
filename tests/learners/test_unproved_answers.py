"""Answers without a guarantee say so: no winner, a horizon, too few samples, a guessed ratio."""

import logging

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.learners.registry import get_learner
from cpe_opt.simulation import driver

AT_HORIZON = "the horizon was reached before it stopped"
AT_SAMPLES = "max_samples was reached before it stopped"


def tie():
    """Two candidates for one position, as good as each other."""
    return cpe.MatchingDuels(cpe.BipartiteGraph.complete(2, 1), np.full((2, 2), 0.5), name="tie")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("car-cond", {}),
        ("car-verify", {}),
        ("car-parallel", {}),
        ("clucb-borda-exact", {}),
        ("clucb-borda-pac", {"margin": 0.01}),
    ],
)
def test_ties_end_with_max_samples(name, parameters):
    trace = cpe.simulate(name, tie(), max_samples=3000, **parameters)
    assert trace.answer in [(0,), (1,)]
    assert trace.doubt == AT_SAMPLES
    assert 1500 < trace.samples <= 3000


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("savage", {}), ("rankel", {}), ("copeland-identification", {"delta": 0.1})],
)
def test_ties_of_arms_end_with_max_samples(name, parameters):
    mu = cpe.PreferenceMatrix(np.full((2, 2), 0.5))
    trace = cpe.simulate(name, mu, max_samples=2000, **parameters)
    assert trace.doubt == AT_SAMPLES
    assert trace.samples <= 2000
    assert trace.answer in ([(0, 1), (1, 0)] if name == "rankel" else [0, 1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        *((name, {}) for name in ("icb", "saqm", "sa-foa", "exhaustive", "clucb", "rage")),
        ("poly-alba", {}),
        ("comb-game", {}),
        ("eb-tc", {"delta": 0.05}),
        ("fws", {}),
        ("p-fws", {}),
        ("subset-tracking", {"delta": 0.05, "feedback": "single"}),
        ("subset-tracking", {"delta": 0.05, "feedback": "sums"}),
    ],
)
def test_ties_of_sets_end_with_max_samples(name, parameters):
    bandit = cpe.SubsetBandit(cpe.TopK(3, 1), np.zeros(3))
    trace = cpe.simulate(name, bandit, max_samples=2000, **parameters)
    # What else is in doubt is said, too.
    assert trace.doubt.partition("; ")[0] == AT_SAMPLES
    assert trace.samples <= 2000
    assert len(trace.answer) == 1


@pytest.mark.parametrize("name", ["coci", "coci-uniform"])
def test_ties_of_decisions_end_with_max_samples(name):
    problem = cpe.SeparableProblem(cpe.BestSet(cpe.TopK(2, 1)), [cpe.Bernoulli(0.5)] * 2)
    trace = cpe.simulate(name, problem, max_samples=500)
    assert trace.doubt == AT_SAMPLES
    assert 500 * 15 / 16 <= trace.samples <= 500
    assert sorted(trace.answer) == [0.0, 1.0]


def test_a_best_guess_at_the_horizon_is_not_proved():
    mu = cpe.load_instance("gap")
    trace = cpe.simulate("ecw-rmed", mu, horizon=100)
    assert (trace.doubt, trace.proved) == (AT_HORIZON, False)
    free = cpe.simulate("savage", cpe.load_instance("cyclic"), delta=0.2)
    assert (free.doubt, free.proved) == ("", True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["comb-game", "fws"])
def test_a_threshold_of_evidence_without_a_proof_stops_earlier_and_proves_nothing(name):
    bandit = cpe.planted_subsets(4, 2, gap=1.0, seed=0)
    proved = cpe.simulate(name, bandit, noise=2.0, seed=0)
    early = cpe.simulate(name, bandit, noise=2.0, seed=0, threshold="heuristic")
    assert (proved.proved, early.doubt) == (True, "its threshold is not proved")
    assert early.samples < proved.samples


def test_a_run_without_an_end_says_so_while_it_runs(monkeypatch, caplog):
    """At once here instead of after a minute, and once more each time the wait has doubled."""
    monkeypatch.setattr(driver, "_SILENCE", 0.0)
    with caplog.at_level(logging.WARNING):
        cpe.simulate("car-cond", tie(), max_samples=200)
    first = caplog.records[0].getMessage()
    assert first.startswith("car_cond on tie has not stopped after 1 samples and 0 seconds; it doe")
    assert "does not stop if the Condorcet winner ties with another matching; a horizon" in first
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        cpe.simulate("car-cond", tie(), horizon=200)
    assert not caplog.records


def test_nobody_hears_of_ties_where_there_are_none(monkeypatch, caplog):
    """Nor of them or of no winner on a problem that has a winner, with a margin, on a test set."""
    tied = cpe.PreferenceMatrix([[0.5, 0.6, 0.5], [0.4, 0.5, 0.5], [0.5, 0.5, 0.5]], name="tied")
    cyclic, cycle = cpe.load_instance("cyclic"), cpe.load_instance("mslr5-cycle")
    cells = cpe.ItemDuels(np.where(np.eye(3, dtype=bool)[:, :, None], np.nan, [[[0.5] * 9]]))
    ends = [
        *((name, cyclic, {}) for name in ("pocowista", "rankel", "dkwt", "noisy-tournament")),
        *((name, cycle, {}) for name in ("savage", "copeland-tracking", "copeland-identification")),
        ("copeland-tracking", tied, {"margin": 0.1}),
        ("copeland-tracking", cells, {}),
        ("condorcet-tracking", cyclic, {}),
        ("borda-tracking", cyclic, {}),
        ("active-ranking", cyclic, {"top": 1}),
    ]
    for name, problem, parameters in ends:
        says = declaration_of(get_learner(name))
        assert says.endless_case(problem, parameters) == "", name
    for name, problem, parameters in (
        *((name, tied, {}) for name in ("pocowista", "copeland-tracking", "savage")),
        ("copeland-identification", tied, {"margin": 0.1}),
        ("condorcet-tracking", cycle, {}),
        ("borda-tracking", cpe.load_instance("multisol"), {}),
        ("active-ranking", cyclic, {"top": 2}),  # the scores of the last three are equal
    ):
        says = declaration_of(get_learner(name))
        assert says.endless_case(problem, parameters) == says.endless_if != "", name
    monkeypatch.setattr(driver, "_SILENCE", 0.0)
    with caplog.at_level(logging.WARNING):
        cpe.simulate("pocowista", cyclic, max_samples=60)
    assert "0 seconds; a horizon or the parameter max_samples" in caplog.records[0].getMessage()


def test_nothing_is_said_before_a_minute_has_passed(caplog):
    cpe.simulate("car-cond", tie(), max_samples=200)
    assert not caplog.records
