"""What a learner asks and answers is checked before anybody else sees it."""

import contextlib

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import LearnerFault
from cpe_opt.learners import Exchange, HorizonReached, Unproved
from cpe_opt.learners.exchange import AT_HORIZON, NO_ANSWER, NO_GUARANTEE
from tests.support import all_of

NAN, INF = float("nan"), float("inf")
THREE = cpe.PreferenceMatrix([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]], name="three")
MATCHED = cpe.load_instance("figure1")
PAIRS = cpe.SubsetBandit(cpe.TopK(3, 2), [0.9, 0.5, 0.1])
ASKED = cpe.SeparableProblem(cpe.OpinionSampling([5, 5], 4), [cpe.Bernoulli(0.5)] * 2)
ARM = "expected an arm, 0 … 2, some arms in ascending order, or a list of all arms, each once"
MATCHING = "expected a matching of figure1, one edge for each position"
SET = "expected a set of 2 of 3, as numbers of elements"
DECISION = "expected a decision, 2 finite numbers, one an arm"


def mine(known, *, says=None, asks=None):
    if asks is not None:
        try:
            yield asks
        except HorizonReached:
            return says
    return says


WRONG = [
    *((THREE, answer, ARM) for answer in (3, -1, NAN, 1.0, True, "012", np.int64(7), object())),
    *((THREE, answer, ARM) for answer in ((0, 1, 2, 2), (1, 0), (0, 1, 3), {0, 1}, (), [0, 1.0])),
    *((MATCHED, answer, MATCHING) for answer in (3, (0,), (0, 1), "04", (0, 99), (0.0, 4.0), NAN)),
    *((PAIRS, answer, SET) for answer in (0, (0,), (0, 0), (0, 3), (-1, 0), "01", (True, False))),
    *((ASKED, answer, DECISION) for answer in (1, (1.0,), (1, NAN), (INF, 1), "12", (1 + 0j, 1))),
]


@all_of(("problem", "answer", "expected"), WRONG)
def test_answers_that_are_none_are_refused_with_the_learners_name(problem, answer, expected):
    for said in (answer, Unproved(answer, "a guess")):
        with pytest.raises(LearnerFault) as refused:
            cpe.simulate(mine, problem, says=said)
        # A parameter that is a number of numpy reaches the learner as one of Python.
        shown = said.item() if isinstance(said, np.generic) else answer
        assert str(refused.value).startswith(f"mine answers {shown!r}, {expected}")


@pytest.mark.parametrize(
    ("problem", "answer", "kept"),
    [
        (THREE, 2, 2),
        (THREE, np.int8(2), 2),
        (THREE, np.array(1), 1),
        (THREE, [2, 0, 1], (2, 0, 1)),
        (THREE, np.array([2, 0, 1]), (2, 0, 1)),
        (MATCHED, [4, 0], (0, 4)),
        (MATCHED, {0, 4}, (0, 4)),
        (PAIRS, np.array([2, 0]), (0, 2)),
        (PAIRS, frozenset((0, 2)), (0, 2)),
        (ASKED, (1, 2.5), (1, 2.5)),
    ],
)
def test_right_answers_are_kept_in_plain_numbers(problem, answer, kept):
    trace = cpe.simulate(mine, problem, says=answer)
    assert (trace.answer, trace.doubt) == (kept, NO_GUARANTEE)
    numbers = trace.answer if isinstance(trace.answer, tuple) else (trace.answer,)
    assert {type(number) for number in numbers} <= {int, float}


def test_no_answer_is_never_proved():
    trace = cpe.simulate(mine, THREE, says=None)
    assert (trace.answer, trace.proved, trace.doubt) == (None, False, NO_ANSWER)
    trace = cpe.simulate(mine, THREE, asks=cpe.Duel(0, 1), horizon=1)
    assert (trace.answer, trace.doubt) == (None, AT_HORIZON)
    trace = cpe.simulate(mine, THREE, says=Unproved(None, "nobody knows"))
    assert (trace.answer, trace.doubt) == (None, "nobody knows")


@pytest.mark.parametrize("doubt", ["", "  ", None, 3, ["why"]])
def test_an_empty_doubt_is_no_doubt(doubt):
    with pytest.raises(cpe.InputError, match="expected words"):
        Unproved(0, doubt)


def test_the_family_of_the_problem_decides_and_else_the_one_declared():
    assert Exchange(mine, 3, says="ace").answer == "ace"
    with pytest.raises(LearnerFault, match="mine answers 'ace'"):
        Exchange(mine, 3, family="dueling", says="ace")

    @cpe.learners.declare(family="dueling", goal="PAC", guarantee="none", paper="none")
    def declared(arms):
        yield from ()
        return arms

    with pytest.raises(LearnerFault, match="declared answers 3"):
        Exchange(declared, 3)
    assert Exchange(declared, "a deck", family="poker").answer == "a deck"


BAD_QUERIES = [
    *((THREE, cpe.Duel(*numbers)) for numbers in (("a", 1), (0, None), (0.0, 1), (True, 0))),
    *((THREE, cpe.Duel(0, 1, times)) for times in (None, 2.5, NAN, 0, -5, "1", True, 10**30)),
    *((THREE, query) for query in (5, (0, 1), cpe.Duel, cpe.Pull(0), cpe.Duel(0, 3))),
    (THREE, cpe.Batch((cpe.Duel(0, 1), cpe.Duel(0, 1, NAN)))),
    *((MATCHED, cpe.Duel(*numbers)) for numbers in ((0, 3), (0, 99), ("a", 1), (0, 1, 2.5))),
    *((PAIRS, cpe.Pull(arm)) for arm in ("a", 9, -1, None, 0.0, (0,))),
    *((PAIRS, cpe.Pull(0, times)) for times in (2.5, None, -1, 0, NAN, 10**400)),
    *((PAIRS, cpe.PullSets(((0, 1),), times)) for times in (1, (1.5,), (0,), (1, 1), (10**30,))),
    *((PAIRS, cpe.PullSets(sets, (1,))) for sets in (5, (5,), ((0, 5),), ((0, 0),), ((0,),), "a")),
    (PAIRS, cpe.PullSets((), ())),
    *((ASKED, cpe.Pull(*numbers)) for numbers in (("a",), (99,), (-1,), (0, 2.5), (0, 0))),
]


@pytest.mark.parametrize("limit", ["horizon", "max_samples"])
@all_of(("problem", "query"), BAD_QUERIES)
def test_queries_that_are_none_are_refused(problem, query, limit):
    with pytest.raises(cpe.InputError, match=r"the learner asked|mine asks"):
        cpe.simulate(mine, problem, says=None, asks=query, **{limit: 10**6})


def test_a_query_of_ones_own_says_how_many_rounds_it_takes():
    class Table(cpe.PreferenceMatrix):
        def environment(self, rng):
            environment = super().environment(rng)
            environment.check = lambda query: query
            return environment

    with pytest.raises(LearnerFault, match="'raise' has no rounds"):
        cpe.simulate(mine, Table(THREE.array), asks="raise")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("deaf_to", [HorizonReached, BaseException])
def test_a_learner_that_goes_on_after_the_end_is_refused_by_name(deaf_to):
    def deaf(arms):
        for _ in range(9):
            with contextlib.suppress(deaf_to):
                yield cpe.Duel(0, 1)

    for limit in ({"horizon": 3}, {"max_samples": 3}):
        with pytest.raises(LearnerFault, match="deaf asked on after the horizon"):
            cpe.simulate(deaf, THREE, **limit)


@pytest.mark.parametrize("learner", [int, dict, min, map, type, object(), 5])
def test_what_is_no_learner_is_refused(learner):
    with pytest.raises(cpe.InputError, match="expected"):
        cpe.simulate(learner, THREE, horizon=10)
    with pytest.raises(cpe.InputError, match="expected"):
        Exchange(learner, 3)
