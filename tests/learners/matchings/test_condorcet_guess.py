"""What is answered of matchings where the rounds end: against an enumeration of all matchings."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings.car_cond import EdgeSets
from cpe_opt.learners.matchings.condorcet_guess import condorcet_guess
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from tests.learners.support import asking_singly
from tests.support import random_constraints, random_matchings


def chance(matrix, one, other):
    """How many positions ``one`` wins against ``other``, in the mean."""
    return sum(matrix[e, f] for e, f in zip(one, other, strict=True))


def allowed(graph, accepted, rejected):
    return [m for m in graph.matchings() if set(accepted) <= set(m) and not set(rejected) & set(m)]


def coarse(duels):
    """Its probabilities in 64ths, so that sums are exact."""
    rounded = np.round(64 * duels.array) / 64
    upper = np.triu(rounded, 1)
    comparable = duels.graph.position[:, None] == duels.graph.position[None, :]
    return np.where(comparable, upper + np.tril(1 - upper.T, -1) + 0.5 * np.eye(len(rounded)), 0.0)


@pytest.mark.parametrize("seed", range(60))
def test_the_guess_is_the_condorcet_winner_by_the_estimates(seed):
    rng = np.random.default_rng(seed)
    duels = random_matchings(rng, most=4)
    graph, matrix = duels.graph, coarse(duels)
    accepted, rejected = ((), ()) if seed % 2 else random_constraints(rng, graph)
    if not allowed(graph, accepted, rejected):
        rejected = ()
    matchings, half = allowed(graph, accepted, rejected), graph.positions / 2
    found = condorcet_guess(graph, matrix, accepted, rejected)
    assert found in matchings
    winners = [
        m for m in matchings if all(chance(matrix, m, r) > half for r in matchings if r != m)
    ]
    unbeaten = [m for m in matchings if all(chance(matrix, m, r) >= half for r in matchings)]
    weight = {e: np.mean([matrix[e, f] for f in edges if f != e] or [0.0])
              for edges in graph.edges_at for e in edges.tolist()}  # fmt: skip
    best = max(sum(weight[e] for e in m) for m in matchings)
    if winners:
        assert [found] == winners
    elif unbeaten:
        assert found in unbeaten or sum(weight[e] for e in found) == pytest.approx(best)
    else:
        assert sum(weight[e] for e in found) == pytest.approx(best)


def test_a_condorcet_winner_that_wins_narrowly_is_found_by_the_minimax_problem():
    """It beats each of three others by 0.52, of whom the first beats the rest for certain."""
    graph = cpe.BipartiteGraph.complete(4, 1)
    array = np.full((4, 4), 0.5)
    for winner, loser, p in ((3, 0, 0.52), (3, 1, 0.52), (3, 2, 0.52), (0, 1, 1), (0, 2, 1)):
        array[winner, loser], array[loser, winner] = p, 1 - p
    assert condorcet_guess(graph, array) == (3,)
    assert condorcet_guess(graph, array, rejected=[3]) == (0,)


def test_estimates_are_the_shares_of_duels_and_a_half_where_there_are_none():
    graph = cpe.BipartiteGraph.complete(3, 2)
    bounds = PairBounds(graph)
    assert bounds.estimates().sum() == 0.5 * 2 * 9
    first, second, _ = (edge for edge in range(graph.size) if graph.edges[edge][1] == 0)
    bounds.add(first, second, 3, 4)
    estimates = bounds.estimates()
    assert (estimates[first, second], estimates[second, first]) == (0.75, 0.25)
    assert estimates.sum() == 9.0
    sets = EdgeSets(graph)
    assert sets.guess() in set(graph.matchings())
    sets.rejected = [sets.guess()[0]]
    assert sets.guess()[0] not in sets.rejected


def halfway(name, duels, samples, **parameters):
    """The answer of a learner whose rounds end after about so many duels."""
    learner = cpe.learners.get_learner(name)
    environment = duels.environment(np.random.default_rng(1))
    exchange = Exchange(asking_singly(learner), duels.graph, 2, **parameters)
    asked = 0
    while asked < samples:
        asked += exchange.query.times
        exchange.tell(environment.answer(exchange.query))
    exchange.stop()
    assert not exchange.doubt.startswith("max")
    return exchange.answer


@pytest.mark.parametrize(
    ("name", "samples"),
    [("car-cond", 3000), ("car-verify", 3000), ("car-parallel", 3000), ("car-verify", 20)],
)
def test_cut_off_after_many_duels_the_winner_is_guessed(name, samples):
    duels = cpe.planted_condorcet(3, 2, gap=0.1, seed=1)
    winner = cpe.condorcet_winner(duels)
    found = halfway(name, duels, samples)
    assert found == winner if samples > 20 else found in set(duels.graph.matchings())


def test_a_matching_that_is_being_verified_is_the_guess(monkeypatch):
    """Although the duels of the first stage, of which there are none, say nothing for it."""
    import cpe_opt.learners.matchings.car_verify as module

    def first_stage(sets, **settings):
        yield from ()
        return chosen

    monkeypatch.setattr(module, "accept_and_reject", first_stage)
    duels = cpe.load_instance("figure1")
    for chosen in duels.graph.matchings():
        assert halfway("car-verify", duels, 2) == chosen


def borda_cut_off(wins, name, **parameters):
    """The answer of CLUCB-Borda when the first edge of two wins so many duels, then no more."""
    exchange = Exchange(
        cpe.learners.get_learner(name), cpe.BipartiteGraph.complete(2, 1), 0, **parameters
    )
    for won in wins:
        exchange.tell(won if exchange.query.i == 0 else 1 - won)
    exchange.stop()
    return exchange.answer


def test_the_borda_learners_answer_the_best_matching_for_the_means():
    assert borda_cut_off([1] * 6, "clucb-borda-pac", margin=0.1) == (0,)
    assert borda_cut_off([0] * 6, "clucb-borda-pac", margin=0.1) == (1,)
    assert borda_cut_off([], "clucb-borda-pac", margin=0.1) == (0,)


def test_a_new_epoch_of_clucb_borda_keeps_the_matching_of_the_last():
    """Wins and losses in turn, so that nothing is exact; edge 1 leads when an epoch ends."""
    from cpe_opt.learners.matchings import clucb_borda as module

    epochs = []
    means = module.ElementMeans

    class Counted(means):
        def __init__(self, oracle):
            super().__init__(oracle)
            epochs.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ElementMeans", Counted)
        exchange = Exchange(
            cpe.learners.clucb_borda_exact, cpe.BipartiteGraph.complete(2, 1), 0, delta=0.1
        )
        turn = itertools.cycle((0, 1, 0))
        while len(epochs) < 2:
            won = next(turn)
            exchange.tell(won if exchange.query.i == 0 else 1 - won)
        assert not epochs[1].complete
        before = epochs[0].best()
        exchange.stop()
    assert exchange.answer == before == (1,)


def test_sets_cut_off_are_the_best_for_the_means():
    exchange = Exchange(cpe.learners.clucb, cpe.TopK(3, 1), 0)
    exchange.tell([[0.0], [0.5], [1.0]])
    exchange.stop()
    assert exchange.answer == (2,)
    for name in ("clucb", "icb", "saqm", "sa-foa", "exhaustive"):
        exchange = Exchange(cpe.learners.get_learner(name), cpe.TopK(3, 1), 0)
        exchange.stop()
        assert exchange.answer in [(0,), (1,), (2,)]
