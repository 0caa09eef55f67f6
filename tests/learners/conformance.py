"""What every learner must do, whatever it learns: subclass, name it, and run."""

import inspect

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import get_learner
from cpe_opt.learners.queries import Duel, HorizonReached
from cpe_opt.simulation.environments import DuelEnvironment
from tests.support import random_preferences


class DuelLearnerConformance:
    """Deterministic by seed, legal queries only, survives ties, replays from its answers."""

    name: str
    horizon = 2000

    def transcript(self, mu, seed, horizon, **parameters):
        """Queries and answers until the horizon."""
        environment = DuelEnvironment(mu, np.random.default_rng(seed))
        learner = get_learner(self.name)(mu.known, rng=np.random.default_rng(seed), **parameters)
        records, rounds, answer = [], 0, None
        while rounds < horizon:
            query = learner.send(answer)
            assert isinstance(query, Duel)
            assert 0 <= query.i < mu.arms
            assert 0 <= query.j < mu.arms
            assert query.times >= 1
            answer = environment.answer(query)
            records.append((query, answer))
            rounds += query.times
        learner.close()
        return records

    @pytest.fixture(params=["gap", "mslr5-condorcet", "arxiv", "random", "two", "all-tied"])
    def mu(self, request):
        rng = np.random.default_rng(4)
        made = {
            "random": lambda: random_preferences(7, rng, ties=5),
            "two": lambda: random_preferences(2, rng),
            "all-tied": lambda: cpe.PreferenceMatrix(np.full((3, 3), 0.5)),
        }
        return made[request.param]() if request.param in made else cpe.load_instance(request.param)

    def test_same_seed_same_queries(self, mu):
        first = self.transcript(mu, 7, self.horizon)
        assert first == self.transcript(mu, 7, self.horizon)

    def test_answers_alone_decide(self, mu):
        """A log of answers is the learner's state: replaying it asks the same questions."""
        records = self.transcript(mu, 9, self.horizon)
        learner = get_learner(self.name)(mu.known, rng=np.random.default_rng(9))
        answer = None
        for query, given in records:
            assert learner.send(answer) == query
            answer = given
        learner.close()

    def test_answers_at_the_horizon_or_stops_by_itself(self, mu):
        trace = cpe.simulate(self.name, mu, horizon=self.horizon, seed=1)
        assert trace.rounds <= self.horizon
        assert trace.answer is None or 0 <= trace.answer < mu.arms

    def test_survives_extreme_answers(self, mu):
        """Always the first arm, always the second, alternating: no crash, legal queries."""
        for answer_of in (lambda n: 1, lambda n: 0, lambda n: n % 2):
            learner = get_learner(self.name)(mu.known, rng=np.random.default_rng(0))
            query, rounds = next(learner), 0
            while rounds < 500:
                rounds += query.times
                won = answer_of(rounds) * query.times
                query = learner.send(won)
            learner.close()

    def test_horizon_ends_it(self):
        learner = get_learner(self.name)(3, rng=np.random.default_rng(0))
        next(learner)
        with pytest.raises((StopIteration, HorizonReached)):
            learner.throw(HorizonReached())

    def test_bad_arms_are_refused(self):
        with pytest.raises(cpe.InputError, match="arms is 1, expected a whole number, at least 2"):
            next(get_learner(self.name)(1, rng=np.random.default_rng(0)))

    def test_it_is_documented(self):
        function = get_learner(self.name)
        assert "References" in function.__doc__
        assert "rng" in inspect.signature(function).parameters
