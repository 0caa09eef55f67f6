"""The public suite, and what learners of this package must do beside: documentation, refusals."""

import inspect
from typing import ClassVar

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.problems.queries import Window
from cpe_opt.testing import LearnerConformance
from cpe_opt.testing.learners import observe


class OwnConformance(LearnerConformance):
    """For the learners of the registry; ``at_once``: with what parameters they ask batches."""

    at_once: ClassVar[dict] = {}

    def test_it_is_documented(self):
        function = self.function
        assert "References" in function.__doc__
        assert "rng" in inspect.signature(function).parameters

    def test_it_asks_batches_where_it_declares_so(self):
        """Where it does not, every query of the other tests is looked at."""
        if declaration_of(self.function).batches:
            assert any(map(self.asks_a_batch, self.cases()))

    def asks_a_batch(self, problem):
        """Whether it does within the horizon."""
        environment = problem.environment(np.random.default_rng(8))
        exchange, rounds = self.face(problem, 8, **self.at_once), 0
        while rounds < self.horizon and not exchange.finished:
            if isinstance(exchange.query, (cpe.Batch, Window)):
                return True
            rounds += exchange.query.rounds
            exchange.tell(observe(environment, exchange.query))
        return False

    def refused(self, known, message, **parameters):
        """Assert that these arguments are refused in these words."""
        arguments = {**self.parameters, **parameters}
        with pytest.raises(cpe.InputError, match=message):
            next(self.function(known, rng=np.random.default_rng(0), **arguments))


class DuelLearnerConformance(OwnConformance):
    """For learners whose arms are those of a preference matrix."""

    horizon = 300

    def test_horizon_ends_it(self):
        exchange = self.start(3, 0)
        exchange.stop()
        assert exchange.finished

    def test_bad_arms_are_refused(self):
        with pytest.raises(cpe.InputError, match="arms is 1, expected a whole number, at least 2"):
            self.start(1, 0)


class MatchingLearnerConformance(OwnConformance):
    """For learners whose arms are the edges of a graph."""

    horizon = 200

    def test_bad_delta_is_refused(self):
        graph = cpe.BipartiteGraph.complete(2, 1)
        self.refused(graph, r"delta is 1\.5, expected a probability", delta=1.5)


class SubsetLearnerConformance(OwnConformance):
    """For learners that pull sets of a decision class, or its elements."""

    horizon = 1000

    def test_bad_parameters_are_refused(self):
        self.refused(cpe.TopK(3, 1), r"delta is 1\.5, expected a probability", delta=1.5)
        self.refused(cpe.TopK(3, 1), r"noise is 0\.0, expected a number above 0", noise=0.0)


class SeparableLearnerConformance(OwnConformance):
    """For learners that pull arms of a separable model."""

    def test_bad_delta_is_refused(self):
        model = cpe.BestSet(cpe.TopK(3, 1))
        self.refused(model, r"delta is 1\.5, expected a probability", delta=1.5)
