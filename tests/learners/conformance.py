"""What every learner must do, whatever it learns: subclass, name it, and run."""

import inspect
from typing import ClassVar

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.queries import Duel, Pull, PullSets
from tests.support import random_matchings, random_preferences


class LearnerConformance:
    """Deterministic by seed, legal queries only, survives ties, replays from its answers.

    A family says what is legal: ``legal(answer, mu)`` and ``legal_query(query, mu)``.
    """

    name: str
    horizon = 1000
    parameters: ClassVar[dict] = {}

    def start(self, known, seed):
        """A fresh exchange with the learner."""
        learner = get_learner(self.name)
        return Exchange(learner, known, seed, horizon=self.horizon, **self.parameters)

    def transcript(self, mu, seed, horizon):
        """Queries and answers until the horizon, or until the learner stops."""
        environment = mu.environment(np.random.default_rng(seed))
        exchange = self.start(mu.known, seed)
        records, rounds = [], 0
        while rounds < horizon and not exchange.finished:
            query = exchange.query
            assert self.legal_query(query, mu), query
            answer = environment.answer(environment.check(query))
            records.append((query, np.asarray(answer).tolist()))
            rounds += query.rounds
            exchange.tell(answer)
        if exchange.finished:
            records.append(("answer", exchange.answer))
        return records

    def test_same_seed_same_queries_and_answers_alone_decide(self, mu):
        """The same twice; and replaying a log of answers, a learner's state, asks the same again.

        Answers come as numbers of numpy in the replay, and wrong ones in between count for nothing.
        """
        first = self.transcript(mu, 7, self.horizon)
        assert first == self.transcript(mu, 7, self.horizon)
        records = [record for record in first if record[0] != "answer"]
        exchange = self.start(mu.known, 7)
        for number, (query, given) in enumerate(records):
            assert exchange.query == query
            for wrong in wrong_observations(query) if number < 20 else ():
                with pytest.raises(cpe.InputError, match=r"observation of|pull it"):
                    exchange.tell(wrong)
                assert exchange.query == query
            exchange.tell(np.int64(given) if isinstance(given, int) else given)

    def test_answers_at_the_horizon_or_stops_by_itself(self, mu):
        trace = cpe.simulate(self.name, mu, horizon=self.horizon, seed=1, **self.parameters)
        assert trace.rounds <= self.horizon
        assert trace.answer is None or self.legal(trace.answer, mu)

    def test_survives_extreme_answers(self, mu):
        """Always the first arm, always the second, alternating: no crash, legal queries."""
        for answer_of in (lambda n: 1, lambda n: 0, lambda n: n % 2):
            exchange, rounds = self.start(mu.known, 0), 0
            while rounds < 200 and not exchange.finished:
                query = exchange.query
                assert self.legal_query(query, mu), query
                rounds += query.rounds
                exchange.tell(self.scaled(answer_of(rounds), query))

    def scaled(self, share, query):
        """The observation where every duel, or every element pulled, gives ``share``."""
        return share * query.times

    def test_it_is_documented(self):
        function = get_learner(self.name)
        assert "References" in function.__doc__
        assert "rng" in inspect.signature(function).parameters


def wrong_observations(query):
    """What no learner may take for an observation of the query."""
    if isinstance(query, Duel):
        yield from (query.times + 1, -1, 0.5, np.nan, "1", [0])
        if query.times > 1:
            yield True
        return
    count = query.times if isinstance(query, Pull) else len(query.sets)
    yield from (0.5, None, np.zeros(count + 1), np.zeros((count, 1)), np.full(count, np.nan))
    if isinstance(query, PullSets) and 0 in query.times:
        yield np.ones(count)


def whole(number, least, most):
    """Whether this is an int in this range."""
    return type(number) is int and least <= number <= most


def is_count(times):
    """Whether this is a number of duels or pulls."""
    return whole(times, 1, 2**62)


class DuelLearnerConformance(LearnerConformance):
    """For learners whose arms are those of a preference matrix."""

    @pytest.fixture(params=["gap", "mslr5-condorcet", "arxiv", "random", "two", "all-tied"])
    def mu(self, request):
        rng = np.random.default_rng(4)
        made = {
            "random": lambda: random_preferences(7, rng, ties=5),
            "two": lambda: random_preferences(2, rng),
            "all-tied": lambda: cpe.PreferenceMatrix(np.full((3, 3), 0.5)),
        }
        return made[request.param]() if request.param in made else cpe.load_instance(request.param)

    def legal(self, answer, mu):
        """Whether this may be what the learner returns."""
        return 0 <= answer < mu.arms

    def legal_query(self, query, mu):
        """A duel of two arms, or an idle stretch."""
        arms = isinstance(query, Duel) and (query.i, query.j)
        return bool(arms) and all(whole(a, 0, mu.arms - 1) for a in arms) and is_count(query.times)

    def test_horizon_ends_it(self):
        exchange = self.start(3, 0)
        exchange.stop()
        assert exchange.finished

    def test_bad_arms_are_refused(self):
        with pytest.raises(cpe.InputError, match="arms is 1, expected a whole number, at least 2"):
            self.start(1, 0)


class MatchingLearnerConformance(LearnerConformance):
    """For learners whose arms are the edges of a graph."""

    @pytest.fixture(params=["figure1", "planted", "random", "one-position", "single", "tied"])
    def mu(self, request):
        graphs = {"one-position": (4, 1), "single": (1, 1), "tied": (3, 2)}
        if request.param == "figure1":
            return cpe.load_instance("figure1")
        if request.param == "planted":
            return cpe.planted_condorcet(4, 2, gap=0.05, seed=1)
        if request.param == "random":
            return random_matchings(np.random.default_rng(8), most=4)
        graph = cpe.BipartiteGraph.complete(*graphs[request.param])
        comparable = graph.position[:, None] == graph.position[None, :]
        return cpe.MatchingDuels(graph, 0.5 * comparable)

    def legal(self, answer, mu):
        """Whether this may be what the learner returns."""
        return mu.graph.check_matching(answer) == answer

    def legal_query(self, query, mu):
        """A duel of two edges of the same position."""
        edges = isinstance(query, Duel) and (query.i, query.j)
        if not edges or not all(whole(edge, 0, mu.graph.size - 1) for edge in edges):
            return False
        first, second = (mu.graph.edges[edge] for edge in edges)
        return first != second and first[1] == second[1] and is_count(query.times)

    def test_bad_delta_is_refused(self):
        learner = get_learner(self.name)
        with pytest.raises(cpe.InputError, match=r"delta is 1\.5, expected a probability"):
            next(
                learner(
                    cpe.BipartiteGraph.complete(2, 1),
                    **{**self.parameters, "delta": 1.5},
                    rng=np.random.default_rng(0),
                )
            )


class SubsetLearnerConformance(LearnerConformance):
    """For learners that pull sets of a decision class, or its elements."""

    horizon = 5000

    @pytest.fixture(params=["planted", "table", "tied", "single", "two"])
    def mu(self, request):
        made = {
            "planted": lambda: cpe.planted_subsets(6, 3, gap=0.5, seed=1),
            "table": lambda: cpe.SubsetBandit.from_outcomes(np.eye(4)[[0, 1, 1, 2]], 2),
            "tied": lambda: cpe.SubsetBandit(cpe.TopK(4, 2), np.zeros(4)),
            "single": lambda: cpe.SubsetBandit(cpe.TopK(3, 3), np.zeros(3)),
            "two": lambda: cpe.SubsetBandit(cpe.TopK(2, 1), [0.0, 1.0]),
        }
        return made[request.param]()

    def legal(self, answer, mu):
        """Whether this may be what the learner returns."""
        return mu.decisions.check(answer) == answer

    def legal_query(self, query, mu):
        """Pulls of an element, or of sets of the class."""
        if isinstance(query, Pull):
            return whole(query.arm, 0, mu.decisions.size - 1) and is_count(query.times)
        return (
            isinstance(query, PullSets)
            and len(query.sets) == len(query.times)
            and all(whole(times, 0, 2**62) for times in query.times)
            and is_count(sum(query.times))
            and all(self.is_set(members, mu) for members in query.sets)
        )

    def is_set(self, members, mu):
        """Whether these are the elements of a set of the class, in ascending order."""
        inside = all(whole(element, 0, mu.decisions.size - 1) for element in members)
        return inside and list(members) == sorted(set(members)) and mu.decisions.contains(members)

    def scaled(self, share, query):
        if isinstance(query, cpe.Pull):
            return np.full(query.times, float(share))
        return share * np.array(query.times) * np.array([len(members) for members in query.sets])

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"delta": 1.5}, r"delta is 1\.5, expected a probability"),
            ({"noise": 0.0}, r"noise is 0\.0, expected a number above 0"),
        ],
    )
    def test_bad_parameters_are_refused(self, parameters, message):
        learner = get_learner(self.name)
        arguments = {**self.parameters, **parameters}
        with pytest.raises(cpe.InputError, match=message):
            next(learner(cpe.TopK(3, 1), rng=np.random.default_rng(0), **arguments))


class SeparableLearnerConformance(LearnerConformance):
    """For learners that pull arms of a separable model."""

    @pytest.fixture(params=["top", "water", "opinions", "tied", "single"])
    def mu(self, request):
        coins = [cpe.Bernoulli(p) for p in (0.8, 0.2, 0.5)]
        models = {
            "top": cpe.BestSet(cpe.TopK(3, 1)),
            "water": cpe.WaterPlan([cpe.Quadratic(0.5, 1.0)] * 3, [2, 2, 2], 3),
            "opinions": cpe.OpinionSampling([1, 2, 3], 7),
            "tied": cpe.BestSet(cpe.TopK(3, 2)),
            "single": cpe.BestSet(cpe.TopK(3, 3)),
        }
        arms = [cpe.Bernoulli(0.5)] * 3 if request.param == "tied" else coins
        return cpe.SeparableProblem(models[request.param], arms)

    def legal(self, answer, mu):
        """Whether this may be what the learner returns."""
        return len(answer) == mu.model.size

    def legal_query(self, query, mu):
        """Pulls of an arm."""
        one = isinstance(query, Pull) and whole(query.arm, 0, mu.model.size - 1)
        return one and is_count(query.times)

    def scaled(self, share, query):
        return np.full(query.times, float(share))

    def test_bad_delta_is_refused(self):
        learner = get_learner(self.name)
        model = cpe.BestSet(cpe.TopK(3, 1))
        with pytest.raises(cpe.InputError, match=r"delta is 1\.5, expected a probability"):
            next(learner(model, delta=1.5, rng=np.random.default_rng(0)))
