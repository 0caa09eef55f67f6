"""Answers without a guarantee say so: no winner, a horizon, too few samples, a guessed ratio."""

import logging

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER
from cpe_opt.simulation import driver
from tests.learners.matchings.test_learners import MatchingOutcomes
from tests.learners.support import conversation

AT_HORIZON = "the horizon was reached before it stopped"
AT_SAMPLES = "max_samples was reached before it stopped"


def cycle(edge):
    """Three candidates for one position, each of whom beats the next."""
    half = edge - 0.5
    array = 0.5 + half * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    return cpe.MatchingDuels(cpe.BipartiteGraph.complete(3, 1), array, name="cycle")


def tie():
    """Two candidates for one position, as good as each other."""
    return cpe.MatchingDuels(cpe.BipartiteGraph.complete(2, 1), np.full((2, 2), 0.5), name="tie")


@pytest.mark.parametrize("edge", [0.7, 0.9, 1.0])
def test_car_cond_answers_nobody_where_there_is_no_condorcet_winner(edge):
    """At 1.0 every edge is rejected in the same round."""
    for seed in range(3):
        trace = cpe.simulate("car-cond", cycle(edge), seed=seed)
        assert trace.answer is None
        assert not trace.proved
        assert trace.doubt == "there is no Condorcet winner: every matching is beaten by another"


def test_car_cond_proves_a_winner_where_its_duels_show_one():
    duels = cpe.planted_condorcet(4, 2, gap=0.2, seed=3)
    trace = cpe.simulate("car-cond", duels, seed=0)
    assert trace.answer == cpe.condorcet_winner(duels)
    assert trace.proved


def test_car_cond_says_where_its_answer_rests_on_there_being_a_winner():
    duels = cpe.load_instance("figure1")
    trace = cpe.simulate("car-cond", duels, seed=0)
    assert trace.answer == cpe.condorcet_winner(duels)
    assert trace.claim == "proved, if there is a Condorcet winner"


@pytest.mark.parametrize("kind", ["proved", "open", "refuted", "all rejected"])
def test_car_cond_proves_what_its_bounds_show(kind):
    """Whether it proves or refutes its answer, against an enumeration of all matchings."""
    seed = {"proved": 1, "open": 5, "refuted": 0, "all rejected": 0}[kind]
    if kind in ("proved", "open"):
        duels = random_duels(np.random.default_rng(seed))
    else:
        duels = cycle(0.9 if kind == "refuted" else 1.0)
    counts, outcomes = {}, MatchingOutcomes(duels, seed)
    exchange = Exchange(cpe.learners.car_cond, duels.graph, counts=counts, delta=0.1)
    answer, _ = conversation(exchange, outcomes)
    assert (answer is not None) == (kind in ("proved", "open"))
    assert (not exchange.doubt) == (kind in ("proved", "open"))
    assert (exchange.assumption == HAS_CONDORCET_WINNER) == (kind == "open")
    upper, lower = bounds_after(duels.graph, outcomes, counts["rounds"], 0.1)
    chances = {
        chosen: [
            [sum(matrix[e, f] for e, f in zip(rival, chosen, strict=True)) for matrix in both]
            for both in [(upper, lower)]
            for rival in duels.graph.matchings()
            if rival != chosen
        ]
        for chosen in duels.graph.matchings()
    }
    half = duels.graph.positions / 2
    if answer is None:
        assert all(any(low > half for _, low in rivals) for rivals in chances.values())
    else:
        assert (not exchange.assumption) == all(high <= half for high, _ in chances[answer])


def test_verification_that_gives_up_says_so():
    trace = cpe.simulate("car-verify", cycle(0.9), seed=0)
    assert trace.answer is None
    assert trace.doubt.startswith("the verification gave up")
    trace = cpe.simulate("car-verify", cycle(1.0), seed=0)
    assert trace.answer is None
    assert not trace.proved


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


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        *((name, {}) for name in ("icb", "saqm", "sa-foa", "exhaustive", "clucb", "rage")),
        ("poly-alba", {}),
        ("comb-game", {}),
        ("fws", {}),
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


def test_a_limit_that_is_not_reached_changes_nothing():
    duels = cpe.planted_condorcet(4, 2, gap=0.2, seed=3)
    free = cpe.simulate("car-cond", duels, seed=1)
    for limit, proved in ((free.samples, True), (free.samples - 1, False)):
        trace = cpe.simulate("car-cond", duels, seed=1, max_samples=limit)
        assert trace.proved == proved
        assert trace.answer == free.answer


def test_a_best_guess_at_the_horizon_is_not_proved():
    mu = cpe.load_instance("gap")
    trace = cpe.simulate("ecw-rmed", mu, horizon=100)
    assert (trace.doubt, trace.proved) == (AT_HORIZON, False)
    free = cpe.simulate("savage", cpe.load_instance("cyclic"), delta=0.2)
    assert (free.doubt, free.proved) == ("", True)


def test_a_ratio_that_guarantees_nothing_proves_nothing():
    bandit = cpe.planted_subsets(4, 2, gap=1.0, seed=0)
    for name in ("saqm", "sa-foa"):
        assert cpe.simulate(name, bandit, sigma=0.5).proved
        trace = cpe.simulate(name, bandit, sigma=0.5, approximation_ratio=0.9)
        assert trace.doubt == "nothing is guaranteed with a number as approximation_ratio"


@pytest.mark.parametrize("name", ["comb-game", "fws"])
def test_a_threshold_of_evidence_without_a_proof_stops_earlier_and_proves_nothing(name):
    bandit = cpe.planted_subsets(4, 2, gap=1.0, seed=0)
    proved = cpe.simulate(name, bandit, noise=2.0, seed=0)
    early = cpe.simulate(name, bandit, noise=2.0, seed=0, threshold="heuristic")
    assert (proved.proved, early.doubt) == (True, "its threshold is not proved")
    assert early.samples < proved.samples


@pytest.mark.parametrize("name", ["clucb-borda-pac", "clucb-borda-exact"])
def test_a_sampler_whose_bias_is_not_known_proves_nothing(name):
    duels = cpe.planted_condorcet(2, 1, gap=0.4, seed=0)
    accuracy = {"margin": 0.5} if name.endswith("pac") else {}
    for sampler, doubt in (
        ("exact", ""),
        ("mcmc", "the bias of the sampler 'mcmc' is aimed at, not proved"),
    ):
        trace = cpe.simulate(name, duels, seed=0, sampler=sampler, **accuracy)
        assert (trace.answer, trace.doubt, trace.proved) == ((0,), doubt, not doubt)
        stopped = cpe.simulate(name, duels, seed=0, sampler=sampler, max_samples=1, **accuracy)
        assert stopped.doubt == "; ".join(filter(None, (AT_SAMPLES, doubt)))


def test_icb_proves_nothing_about_three_elements_by_the_radius_of_single_ones():
    """Errors of π²δ/3t² each, from t = 3 on, add up to 1.3 δ; from t = 4 on to 0.93 δ."""
    for n, radius, proved in ((3, "elements", False), (3, "sets", True), (4, "elements", True)):
        bandit = cpe.SubsetBandit(cpe.TopK(n, 1), np.arange(n), noise=0.1)
        trace = cpe.simulate("icb", bandit, noise=0.1, radius=radius, seed=0)
        assert (trace.answer, trace.proved) == ((n - 1,), proved)
        assert ("fewer than 4 elements" in trace.doubt) == (not proved)
    alone = cpe.SubsetBandit(cpe.TopK(2, 2), np.zeros(2))
    assert cpe.simulate("icb", alone).proved


def test_a_race_cut_off_by_its_most_duels_proves_nothing():
    mu = cpe.load_instance("cyclic")
    trace = cpe.simulate("pbr", mu, max_duels=10)
    assert trace.doubt == "6 pairs were undecided after 10 duels each"
    assert cpe.simulate("pbr", cpe.PreferenceMatrix([[0.5, 1], [0, 0.5]]), max_duels=1000).proved


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


def test_nothing_is_said_before_a_minute_has_passed(caplog):
    cpe.simulate("car-cond", tie(), max_samples=200)
    assert not caplog.records


def random_duels(rng):
    """A random problem of three candidates and two positions with clear preferences."""
    graph = cpe.BipartiteGraph.complete(3, 2)
    array = np.zeros((6, 6))
    for block in (slice(0, 3), slice(3, 6)):
        above = np.triu(rng.choice([0.05, 0.95], size=(3, 3)), 1)
        array[block, block] = above + np.tril(1 - above.T, -1) + 0.5 * np.eye(3)
    return cpe.MatchingDuels(graph, array)


def bounds_after(graph, outcomes, rounds, delta):
    """The paper's bounds from the outcomes that a run has used."""
    upper, lower = (np.where(np.eye(graph.size), 0.5, value) for value in (1.0, 0.0))
    for (e, f), draws in outcomes.duels.items():
        share = outcomes.won[e, f] / draws
        radius = np.sqrt(np.log(4 * graph.n_pairs * rounds**3 / delta) / (2 * draws))
        for (i, j), p in (((e, f), share), ((f, e), 1 - share)):
            upper[i, j], lower[i, j] = min(1.0, p + radius), max(0.0, p - radius)
    return upper, lower
