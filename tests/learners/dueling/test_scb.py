"""SCB: its rounds and their budgets."""

import importlib
import math

import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.scb import cut_off
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from tests.learners.support import driven, halfway


def test_rounds_of_scb_have_a_confidence_of_their_own(monkeypatch):
    """T = 4, 16, 256, 65536 and δ = ln(T)/T."""
    asked = []

    def identification(arms, *, rng, delta):
        asked.append(delta)
        yield Duel(0, 1)
        return 1

    module = importlib.import_module("cpe_opt.learners.dueling.scb")
    monkeypatch.setattr(module, "copeland_identification", identification)
    trace = cpe.simulate("scb", cpe.load_instance("gap"), horizon=4 + 16 + 256 + 10)
    assert asked == [math.log(T) / T for T in (4, 16, 256, 65536)]
    assert trace.draws[1, 1] == 3 + 15 + 255 + 9


@pytest.mark.parametrize(
    ("budget", "asked", "outcome"),
    [(7, [3, 3], ("done", 6)), (6, [3, 3], ("guess 1", 6)), (5, [3, 2], ("guess 1", 5))],
)
def test_a_round_of_scb_ends_with_its_budget(budget, asked, outcome):
    """A query that uses the budget up comes too late to be answered: the answer is a guess."""

    def learner(known):
        answered = 0
        try:
            while answered < 2:
                yield Duel(0, 1, 3)
                answered += 1
        except HorizonReached:
            return f"guess {answered}"
        return "done"

    exchange = Exchange(learner, 2)
    queries, spent = driven(cut_off(exchange, budget), lambda query: query.times)
    assert ([query.times for query in queries], (exchange.answer, spent)) == (asked, outcome)


def test_scb_guesses_until_it_knows_and_then_does_not():
    """Of T = 4, 16 and 256 the last is long enough for signs: 0 against 2, 1 - 0 and 2 - 1."""
    assert halfway("scb", 3, [0] * 3) == 2
    assert halfway("scb", 3, [1] * 3) == 0
    # Then 1 is identified, and what comes next does not matter.
    assert halfway("scb", 3, [0, 0, 0, 1, 0, 0, 0]) == 1
