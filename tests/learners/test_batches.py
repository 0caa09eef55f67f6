"""Which queries learners ask at once: as many as no answer can change."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings.car_parallel import _Copy
from cpe_opt.learners.queries import ask_all
from cpe_opt.problems.queries import Batch, single_queries
from cpe_opt.testing.learners import observe
from tests.learners.support import asking_singly

SUSHI = cpe.load_instance("sushi")
MATCHINGS = cpe.planted_condorcet(4, 2, gap=0.2, seed=3)
COINS = cpe.SeparableProblem(
    cpe.BestSet(cpe.TopK(4, 2)), [cpe.Bernoulli(chance) for chance in (0.9, 0.6, 0.4, 0.2)]
)
SETS = cpe.planted_subsets(6, 3, gap=0.5, noise=0.1, seed=1)
RUNS = [
    ("savage", SUSHI, {"delta": 0.1}),
    ("savage", SUSHI, {"delta": 0.1, "target": "condorcet"}),
    ("pbr", SUSHI, {"delta": 0.1, "max_duels": 200}),
    ("rankel", cpe.load_instance("cyclic"), {"delta": 0.1, "rho": 1.0}),
    ("ecw-rmed", SUSHI, {}),
    ("cw-rmed", cpe.load_instance("gap"), {}),
    ("rmed1", SUSHI, {}),
    ("car-cond", MATCHINGS, {"delta": 0.1}),
    ("car-verify", MATCHINGS, {}),
    ("car-parallel", MATCHINGS, {}),
    ("clucb", SETS, {"noise": 0.1}),
    ("coci", COINS, {"delta": 0.1}),
    ("coci-uniform", COINS, {"delta": 0.1}),
]


def queries_of(name, problem, rounds, seed=3, **parameters):
    """What a learner asks in so many rounds."""
    environment = problem.environment(np.random.default_rng(seed))
    exchange = Exchange(cpe.learners.get_learner(name), problem.known, seed, **parameters)
    asked = []
    while rounds > 0 and not exchange.finished:
        asked.append(exchange.query)
        rounds -= exchange.query.rounds
        exchange.tell(observe(environment, exchange.query))
    return asked


@pytest.mark.parametrize(("name", "problem", "parameters"), RUNS)
def test_the_order_of_answers_is_that_of_single_queries(name, problem, parameters):
    """The simulator's numbers fall on the same duels, asked at once or singly."""
    horizon = 3000
    learner = cpe.learners.get_learner(name)
    at_once, singly = (
        cpe.simulate(each, problem, horizon=horizon, seed=4, **parameters)
        for each in (learner, asking_singly(learner))
    )
    assert (at_once.answer, at_once.doubt) == (singly.answer, singly.doubt)
    for each in ("rounds", "queries", "time", "regret", "draws"):
        np.testing.assert_array_equal(getattr(at_once, each), getattr(singly, each))


def test_nothing_one_or_all_are_asked():
    def learner(known, heard):
        for count in (0, 1, 3):
            duels = [cpe.Duel(0, 1, number + 1) for number in range(count)]
            heard.append((yield from ask_all(duels)))

    heard = []
    exchange = Exchange(learner, 2, heard=heard)
    assert heard == [[]]
    assert exchange.query == cpe.Duel(0, 1, 1)
    exchange.tell(1)
    assert exchange.query == Batch((cpe.Duel(0, 1), cpe.Duel(0, 1, 2), cpe.Duel(0, 1, 3)))
    exchange.tell([0, 2, 3])
    assert heard == [[], [1], [0, 2, 3]]


def test_before_the_first_look_all_pairs_are_asked_at_once():
    pairs = {(i, j) for i in range(SUSHI.arms) for j in range(i + 1, SUSHI.arms)}
    for name in ("savage", "pbr", "rankel", "ecw-rmed", "rmed1"):
        parameters = {"max_duels": 9} if name == "pbr" else {}
        first = queries_of(name, SUSHI, 1, **parameters)[0]
        assert {(duel.i, duel.j) for duel in first.queries} == pairs, name


def test_a_round_of_car_cond_is_one_batch_of_the_pairs_of_undecided_edges():
    pairs = sorted(map(tuple, MATCHINGS.graph.pairs.tolist()))
    asked = queries_of("car-cond", MATCHINGS, 5000, delta=0.1)
    assert sorted((duel.i, duel.j) for duel in asked[0].queries) == pairs
    for query in asked:
        duels = single_queries(query)
        assert len({(duel.i, duel.j) for duel in duels}) == len(duels)
        assert len({duel.times for duel in duels}) == 1
    assert len(asked) < 400


def test_savage_asks_no_pair_at_once_with_one_that_may_be_decided_before():
    """Only the last pair of a batch may be decided, so that nothing has left before its duel."""
    from cpe_opt.learners.dueling.elimination import at_any_time

    arms = SUSHI.arms
    needed = at_any_time(0.1 / (arms * (arms - 1) / 2))
    leads, draws = np.zeros((arms, arms)), np.zeros((arms, arms), dtype=object)
    environment = SUSHI.environment(np.random.default_rng(0))
    exchange, ends = Exchange(cpe.learners.savage, arms, 0, delta=0.1), 0
    while not exchange.finished:
        duels = single_queries(exchange.query)
        may = [
            abs(leads[duel.i, duel.j]) + duel.times
            > needed(draws.item(duel.i, duel.j) + duel.times)
            for duel in duels
        ]
        assert not any(may[:-1])
        ends += may[-1] and len(duels) > 1
        won = observe(environment, exchange.query)
        for duel, wins in zip(duels, won if len(duels) > 1 else [won], strict=True):
            leads[duel.i, duel.j] += 2 * wins - duel.times
            draws[duel.i, duel.j] += duel.times
        exchange.tell(won)
    assert ends > 20


def test_car_parallel_asks_until_a_copy_has_its_answers():
    """Its batches hold duels of several copies; the first copies ask as CAR-Verify does."""
    asked = queries_of("car-parallel", MATCHINGS, 4000)
    assert max(len(single_queries(query)) for query in asked) > 30
    assert asked[0].rounds >= queries_of("car-verify", MATCHINGS, 1)[0].rounds


def test_a_copy_hands_each_query_of_a_batch_its_own_duels():
    heard = []

    def asks(known):
        heard.append((yield Batch((cpe.Duel(0, 1, 3), cpe.Duel(1, 2, 2)))))
        heard.append((yield cpe.Duel(0, 2)))

    copy = _Copy(Exchange(asks, 3), 4)
    assert (copy.duels_missing, copy.finishes_after(9)) == (3, 20)
    assert [copy.next_duels(1), copy.next_duels(2)] == [cpe.Duel(0, 1), cpe.Duel(0, 1, 2)]
    assert copy.duels_missing == 2
    assert copy.next_duels(2) == cpe.Duel(1, 2, 2)
    assert copy.duels_missing == 0
    for won in (1, 0, 2):
        copy.receive(won)
    copy.go_on()
    assert (heard, copy.duels_missing) == ([[1, 2]], 1)
    assert copy.next_duels(1) == cpe.Duel(0, 2)
    copy.receive(1)
    copy.go_on()
    assert (heard, copy.duels_missing) == ([[1, 2], 1], 0)
