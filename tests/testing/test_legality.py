"""What is legal in each family."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.queries import Batch, Duel, Pull, PullSets
from cpe_opt.testing import is_legal_answer, is_legal_query

ILLEGAL = {
    "dueling": (
        cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]]),
        [Duel(1, 1, 5), Duel(0, 1)],
        [Duel(0, 2), Duel(-1, 0), Duel(0, 1, 0), Duel(0.0, 1), Duel(0, 1, 2.0), Pull(0), "duel"],
    ),
    "matchings": (
        cpe.planted_condorcet(2, 2, gap=0.1, seed=0),
        [Duel(0, 1, 7)],
        [Duel(0, 0), Duel(0, 2), Duel(0, 4), Duel(-4, 1), Duel(0, 1, 0), Pull(0), None],
    ),
    "subsets": (
        cpe.SubsetBandit(cpe.TopK(3, 2), [0.0, 1.0, 2.0]),
        [Pull(2, 3), PullSets(((0, 1), (0, 2)), (0, 4))],
        [
            Pull(3),
            Pull(0, 0),
            Duel(0, 1),
            PullSets(((0, 1),), (0,)),
            PullSets(((0, 1),), (1, 2)),
            PullSets(((0, 1), (1, 2)), (-1, 2)),
            PullSets(((0, 1, 2),), (1,)),
            PullSets(((1, 0),), (1,)),
            PullSets(((0, 0),), (1,)),
            PullSets(((0, 7),), (1,)),
            PullSets(((-1, 0),), (1,)),
        ],
    ),
    "separable": (
        cpe.load_instance("coins"),
        [Pull(0, 2)],
        [Pull(-1), Pull(99), Pull(0, 0), Pull(0, 1.0), PullSets(((0,),), (1,)), Duel(0, 1)],
    ),
}


@pytest.mark.parametrize("family", ILLEGAL)
def test_legal_queries_are_told_from_others(family):
    problem, legal, illegal = ILLEGAL[family]
    assert problem.family == family
    for query in legal:
        assert is_legal_query(query, problem), query
    for query in illegal:
        assert not is_legal_query(query, problem), query
        assert not is_legal_query(Batch((legal[0], query)), problem), query
    assert is_legal_query(Batch((*legal, *legal)), problem)


COINS = ILLEGAL["separable"][0].known.size
ANSWERS = {
    "dueling": ([0, 1, (1, 0)], [2, -1, None, 0.0, (0, 0), (0,), "0"]),
    "matchings": ([(0, 3), (1, 2)], [(0,), (0, 2), (0, 9), None, 3]),
    "subsets": ([(0, 1), (1, 2)], [(1, 0), (0,), (0, 3), None, 2]),
    "separable": (
        [(0.0,) * COINS],
        [(0.0,) * (COINS + 1), None, "x", (np.nan,) * COINS, ["x"] * COINS],
    ),
}


@pytest.mark.parametrize("family", ANSWERS)
def test_legal_answers_are_told_from_others(family):
    problem = ILLEGAL[family][0]
    legal, illegal = ANSWERS[family]
    for answer in legal:
        assert is_legal_answer(answer, problem), answer
    for answer in illegal:
        assert not is_legal_answer(answer, problem), answer


def test_elsewhere_the_environment_decides():
    class Cards:
        family, known = "poker", 52

        def environment(self, rng):
            return self

        def check(self, query):
            if query != "raise":
                raise cpe.InputError("no such query")
            return query

    assert is_legal_query("raise", Cards())
    assert not is_legal_query("fold", Cards())
    assert is_legal_answer("ace", Cards())
    assert not is_legal_answer(None, Cards())
