"""CLUCB, CLUCB-Borda, CAR-Cond, CAR-Verify, CAR-Parallel: guarantees, and the same verdicts."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.matchings.car_cond import _safe_rounds
from cpe_opt.learners.matchings.car_verify import verify
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from cpe_opt.problems.queries import Duel, Pull
from tests.learners.support import run_to_the_end, singly
from tests.support import binomial_margin, random_graph

DELTA = 0.1


class MatchingOutcomes:
    """The k-th duel of a pair of edges has the same outcome in whatever order pairs are duelled."""

    def __init__(self, duels, seed):
        self._array, self._seed, self._streams = duels.array, seed, {}
        self.duels, self.won = {}, {}

    def answer(self, query):
        e, f = min(query.i, query.j), max(query.i, query.j)
        if (e, f) not in self._streams:
            self._streams[e, f] = np.random.default_rng([self._seed, e, f])
        self.duels[e, f] = self.duels.get((e, f), 0) + query.times
        won = int((self._streams[e, f].random(query.times) < self._array[e, f]).sum())
        self.won[e, f] = self.won.get((e, f), 0) + won
        return won if query.i == e else query.times - won


@pytest.mark.parametrize(("slack", "seed"), [("paper", 0), ("none", 1)])
def test_certificates_change_no_verdict(slack, seed):
    """The same duels and the same answer as solving every LP in every round."""
    duels = cpe.planted_condorcet(3, 2, gap=0.24, seed=seed)
    runs = {}
    for method in ("certificates", "program"):
        outcomes, counts = MatchingOutcomes(duels, seed), {}
        learner = cpe.learners.car_cond(
            duels.graph, delta=0.4, slack=slack, method=method, counts=counts
        )
        answer, samples = run_to_the_end(learner, outcomes)
        runs[method] = answer, samples, counts["rounds"], outcomes.duels
        assert counts["lps"] > 0
        if method == "certificates":
            few = counts["lps"]
    assert runs["certificates"] == runs["program"]
    assert counts["lps"] > 5 * few


def test_certificates_spare_all_but_one_lp_in_a_hundred():
    duels = cpe.planted_condorcet(5, 3, gap=0.05, seed=0)
    counts = {}
    trace = cpe.simulate("car-cond", duels, seed=0, counts=counts)
    assert trace.answer == cpe.condorcet_winner(duels)
    assert counts["lps"] * 100 < counts["values"] <= 4 * duels.graph.size * counts["rounds"]


@pytest.mark.parametrize("oracle", [{"solver": "glop"}, {"method": "subgradient"}])
def test_the_oracle_is_an_argument(oracle):
    """Another LP solver, and the paper's own oracle at the accuracy of each epoch."""
    duels = cpe.planted_condorcet(3, 2, gap=0.24, seed=0)
    winner = cpe.condorcet_winner(duels)
    for seed in range(3):
        assert cpe.simulate("car-cond", duels, seed=seed, **oracle).answer == winner


@pytest.mark.parametrize(
    ("learner", "parameters", "seeds"),
    [
        ("car-cond", {"delta": DELTA}, 12),
        ("car-cond", {"delta": DELTA, "slack": "none"}, 12),
        ("car-verify", {"delta": 0.009}, 6),
        ("car-parallel", {"delta": 0.009}, 4),
    ],
)
def test_condorcet_winners_are_found(learner, parameters, seeds):
    duels = cpe.planted_condorcet(3, 2, gap=0.24, seed=3)
    winner = cpe.condorcet_winner(duels)
    runs = [cpe.simulate(learner, duels, seed=s, **parameters) for s in range(seeds)]
    assert sum(t.answer != winner for t in runs) <= binomial_margin(seeds, parameters["delta"])


def test_the_paper_s_slack_costs_samples():
    duels = cpe.planted_condorcet(4, 2, gap=0.2, seed=2)
    samples = {
        slack: np.mean(
            [cpe.simulate("car-cond", duels, seed=s, slack=slack).samples for s in range(3)]
        )
        for slack in ("paper", "none")
    }
    assert samples["none"] < samples["paper"]


@pytest.mark.parametrize("sampler", ["exact", "mcmc"])
def test_borda_pac_is_within_the_margin(sampler):
    duels = cpe.load_instance("figure1")
    best = cpe.borda_winner(duels).value / 2
    seeds = 15 if sampler == "exact" else 1
    parameters = {"margin": 0.2, "delta": DELTA, "sampler": sampler}
    runs = [cpe.simulate("clucb-borda-pac", duels, seed=s, **parameters) for s in range(seeds)]
    scores = [duels.borda_score(trace.answer) for trace in runs]
    assert sum(score < best - 0.2 for score in scores) <= binomial_margin(seeds, DELTA)


def test_borda_exact_finds_the_winner():
    graph = cpe.BipartiteGraph.complete(3, 2)
    array = np.zeros((6, 6))
    array[:3, :3] = [[0.5, 1.0, 1.0], [0.0, 0.5, 0.3], [0.0, 0.7, 0.5]]
    array[3:, 3:] = [[0.5, 0.0, 0.6], [1.0, 0.5, 1.0], [0.4, 0.0, 0.5]]
    duels = cpe.MatchingDuels(graph, array)
    winner = cpe.borda_winner(duels).edges
    runs = [cpe.simulate("clucb-borda-exact", duels, seed=s, delta=DELTA) for s in range(4)]
    assert sum(trace.answer != winner for trace in runs) <= binomial_margin(4, DELTA)


def test_clucb_finds_the_best_matching_from_rewards():
    """Gaussian rewards of edges: failures at most delta over 25 seeds."""
    rng = np.random.default_rng(0)
    graph = random_graph(np.random.default_rng(5), most=4)
    means = rng.uniform(size=graph.size).round(1)
    best = cpe.best_matching(graph, means).value

    def total(seed):
        noise = np.random.default_rng(seed)
        learner = singly(cpe.learners.clucb(cpe.Matchings(graph), delta=DELTA, noise=0.2))
        query = next(learner)
        while True:
            assert isinstance(query, Pull)
            try:
                query = learner.send(noise.normal(means[query.arm], 0.2, size=query.times))
            except StopIteration as finished:
                return means[list(finished.value)].sum()

    assert sum(total(seed) < best - 1e-9 for seed in range(25)) <= binomial_margin(25, DELTA)


def test_verification_gives_up_on_a_wrong_matching():
    duels = cpe.planted_condorcet(4, 2, gap=0.2, seed=3)
    winner = cpe.condorcet_winner(duels)
    wrong = next(m for m in duels.graph.matchings() if m != winner)
    for seed in range(10):
        for matching, expected in ((winner, True), (wrong, False)):
            learner = verify(duels.graph, matching, 0.005)
            assert run_to_the_end(learner, MatchingOutcomes(duels, seed))[0] is expected


def test_parallel_copies_keep_their_pace():
    """Copy k has had about t / 2^k duels; the first answer is the answer."""
    duels = cpe.planted_condorcet(3, 2, gap=0.24, seed=3)
    alone = [cpe.simulate("car-verify", duels, seed=s, delta=0.0025).samples for s in range(3)]
    together = [cpe.simulate("car-parallel", duels, seed=s, delta=0.005).samples for s in range(3)]
    # Copies 0, 1, 2, … have t, t/2, t/4, … duels: at most twice those of the first.
    assert max(together) <= 2.5 * max(alone)
    assert np.mean(together) > np.mean(alone)


def test_bounds_move_no_further_than_assumed():
    """All duels of the safe rounds won, or all lost: no bound moves by half the margin or more."""
    graph = cpe.BipartiteGraph.complete(3, 1)
    for played in (50, 1000, 20_000):
        for allowed in (0.01, 0.05, 0.2):
            bounds = PairBounds(graph)
            for e, f in graph.pairs.tolist():
                bounds.add(e, f, played // 3, played)
            before = bounds.bounds(played, 0.05)
            rounds = _safe_rounds(bounds, allowed, played, 0.05, "none")
            for won in (0, rounds):
                moved = PairBounds(graph)
                for e, f in graph.pairs.tolist():
                    moved.add(e, f, played // 3 + won, played + rounds)
                after = moved.bounds(played + rounds, 0.05)
                for old, new in zip(before, after, strict=True):
                    assert 2 * np.abs(new - old).max() <= allowed


def test_a_missing_accuracy_and_bad_arguments_are_refused():
    duels = cpe.load_instance("figure1")
    for learner, parameters, message in (
        ("clucb-borda-pac", {}, "clucb_borda_pac needs the parameter 'margin'"),
        ("clucb-borda-pac", {"margin": 0}, "margin is 0"),
        ("car-cond", {"slack": "half"}, "unknown slack 'half'"),
        ("car-verify", {"delta": 0.05}, r"delta is 0\.05, expected less than 0\.01"),
        ("car-parallel", {"delta": 0.01}, r"delta is 0\.01, expected less than 0\.01"),
    ):
        with pytest.raises(cpe.CpeOptError, match=message):
            cpe.simulate(learner, duels, horizon=10, **parameters)


def test_edges_of_different_positions_do_not_duel():
    environment = cpe.load_instance("figure1").environment(np.random.default_rng(0))
    with pytest.raises(cpe.InputError, match="edges of different positions"):
        environment.check(Duel(0, 3))
