from functools import partial

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.engine import run_many
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.environments import time_grid
from cpe_opt.problems.queries import Duel


def scripted(*queries, answer=4, catches=True):
    """A learner that asks a list of queries and keeps what it hears."""
    heard = []

    def learner(arms, *, rng, power=1):
        try:
            for query in queries:
                observation = yield query
                heard.append(observation)
        except HorizonReached:
            if not catches:
                raise
            return 3
        return answer

    return learner, heard


@pytest.fixture
def mu():
    return cpe.load_instance("gap")


def test_a_learner_that_stops_by_itself(mu):
    learner, heard = scripted(Duel(0, 1), Duel(1, 2, 50), Duel(0, 0, 10))
    trace = cpe.simulate(learner, mu, seed=3)
    assert trace.answer == 4
    assert (trace.rounds, trace.samples, trace.queries) == (61, 51, 3)
    assert heard[0] in (0, 1)
    assert 0 <= heard[1] <= 50
    assert heard[2] == 0
    regret = mu.regret()
    assert trace.regret[-1] == pytest.approx(regret[0, 1] + 50 * regret[1, 2])
    assert trace.time[-1] == 61
    assert trace.draws[1, 2] == trace.draws[2, 1] == 50
    assert trace.draws[0, 0] == 10


def test_the_last_query_is_cut_at_the_horizon(mu):
    learner, heard = scripted(Duel(0, 1), Duel(1, 2, 50), Duel(3, 4))
    trace = cpe.simulate(learner, mu, horizon=20, seed=3)
    assert trace.answer == 3
    assert trace.rounds == 20
    assert len(heard) == 1
    assert trace.draws[1, 2] == 19
    assert trace.regret[-1] == pytest.approx(mu.regret()[0, 1] + 19 * mu.regret()[1, 2])


def test_a_learner_without_an_answer_at_the_horizon_gives_none(mu):
    learner, _ = scripted(Duel(0, 1, 50), catches=False)
    assert cpe.simulate(learner, mu, horizon=50).answer is None


def test_the_trace_is_exact_inside_a_long_query(mu):
    """Cumulative regret at every round noted, against a round-by-round sum."""
    learner, _ = scripted(Duel(0, 1, 7), Duel(0, 0, 30), Duel(1, 2, 400), Duel(3, 4, 1000))
    trace = cpe.simulate(learner, mu, horizon=1000, regret="sum")
    rates = np.repeat(
        [mu.regret("sum")[pair] for pair in ((0, 1), (0, 0), (1, 2), (3, 4))], [7, 30, 400, 1000]
    )
    total = np.cumsum(rates)
    assert np.allclose(trace.regret, total[trace.time - 1])
    assert trace.units == "sum"
    assert trace.time[0] == 1
    assert trace.time[-1] == 1000
    assert (np.diff(trace.time) > 0).all()


def test_same_seed_same_run_and_other_seed_another(mu):
    first, again, other = (cpe.simulate("ecw-rmed", mu, horizon=3000, seed=s) for s in (1, 1, 2))
    assert (first.draws == again.draws).all()
    assert (first.draws != other.draws).any()
    assert first.learner == "ecw_rmed"
    assert (first.problem, first.seed) == ("gap", 1)


def test_huge_horizons_are_cheap(mu):
    """The longest is played to the round."""
    trace = cpe.simulate("ecw-rmed", mu, horizon=2**53, seed=0)
    assert trace.rounds == trace.time[-1] == trace.draws[np.triu_indices(5)].sum() == 2**53
    assert trace.queries < 10_000
    assert np.isfinite(trace.regret).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"horizon": 10**30},
            "at least 1, at most 9,007,199,254,740,992",
        ),
        ({"horizon": 2**53 + 1}, "horizon is 9,007,199,254,740,993, expected a whole"),
        ({"regret": "borda"}, "unknown regret unit 'borda'"),
        ({"points": 1}, "points is 1"),
        ({"alfa": 2}, "unknown parameter of ecw_rmed 'alfa'; did you mean 'alpha'"),
    ],
)
def test_bad_arguments_are_refused(mu, arguments, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("ecw-rmed", mu, **{"horizon": 10, **arguments})


@pytest.mark.parametrize("name", ["rmed2fh", "savage"])
def test_learners_refuse_horizons_too_long_to_count(name):
    with pytest.raises(cpe.InputError, match="at most 9,007,199,254,740,992"):
        next(cpe.learners.get_learner(name)(3, horizon=10**30))


@pytest.mark.parametrize("name", ["cw-rmed", "random-pairs", "rmed2fh"])
def test_learners_of_regret_are_refused_without_a_horizon(mu, name):
    words = f"{name.replace('-', '_')} needs a horizon, such as 100000: it does not stop by itself"
    with pytest.raises(cpe.InputError, match=words):
        cpe.simulate(name, mu)
    with pytest.raises(cpe.InputError, match=words):
        run_many(name, mu, horizon=None, runs=1, jobs=1)
    with pytest.raises(cpe.InputError, match=words):
        cpe.run_experiment([name], [mu], horizon=None, runs=1, jobs=1)


def test_a_missing_parameter_is_named(mu):
    with pytest.raises(cpe.InputError, match="noisy_tournament needs the parameter 'h'"):
        cpe.simulate("noisy-tournament", mu, horizon=10)


def test_asking_on_after_the_horizon_is_refused(mu):
    def stubborn(arms, *, rng):
        while True:
            try:
                yield Duel(0, 1)
            except HorizonReached:
                continue

    with pytest.raises(cpe.InputError, match="asked on after the horizon"):
        cpe.simulate(stubborn, mu, horizon=5)


def test_duels_follow_the_matrix(mu):
    """Means of single and of repeated duels, within five standard errors."""
    environment = mu.environment(np.random.default_rng(0))
    single = np.mean([environment.answer(Duel(0, 3)) for _ in range(40_000)])
    many = environment.answer(Duel(0, 3, 40_000)) / 40_000
    for share in (single, many):
        assert abs(share - 0.51) < 5 * 0.5 / 200


def test_the_grid_ends_at_the_horizon():
    for horizon in (1, 2, 10, 10**6, 2**62):
        grid = time_grid(horizon, 50)
        assert grid[0] == 1
        assert grid[-1] == horizon
        assert (np.diff(grid) > 0).all()


def test_a_partial_function_is_its_learner_with_these_parameters():
    mu = cpe.load_instance("cyclic")
    named = cpe.simulate("copeland-tracking", mu, delta=0.4, margin=0.1, seed=6)
    inner = partial(cpe.learners.copeland_tracking, delta=0.1, margin=0.1)
    told = cpe.simulate(partial(inner, delta=0.4), mu, seed=6)
    assert (told.learner, told.parameters) == ("copeland_tracking", named.parameters)
    assert (told.samples, told.claim) == (named.samples, named.claim)
    assert told.proved
    assert cpe.simulate(inner, mu, delta=0.4, seed=6).samples == named.samples
    spec = cpe.LearnerSpec(inner, {"delta": 0.2})
    assert spec == cpe.LearnerSpec(cpe.learners.copeland_tracking, {"delta": 0.2, "margin": 0.1})
