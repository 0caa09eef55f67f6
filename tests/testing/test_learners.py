"""The public suite finds faults: learners that each break one rule, and one that breaks none."""

import subprocess
import sys
from contextlib import suppress

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import HorizonReached, Unproved, declare
from cpe_opt.learners.exchange import checked_observation
from cpe_opt.testing import LearnerConformance, check_learner, standard_problems
from cpe_opt.testing.learners import share_of_all, wrong_observations

GAP = cpe.load_instance("gap")


@declare(family="dueling", goal="PAC", guarantee="none", paper="none")
def wanderer(arms, *, rng, length=20):
    """Plays random duels, and names the winner of the last."""
    best = 0
    try:
        for _ in range(length):
            i, j = rng.permutation(arms)[:2].tolist()
            best = i if (yield cpe.Duel(i, j)) else j
    except HorizonReached:
        pass
    return best


@declare(family="dueling", goal="PAC", guarantee="none", paper="none", batches="every pair")
def crowd(arms, *, duels=3):
    """Plays every pair at once, and names an arm with the most wins."""
    pairs = [(i, j) for i in range(arms) for j in range(i)]
    wins = [0] * arms
    try:
        for _ in range(5):
            observed = yield cpe.Batch(tuple(cpe.Duel(i, j, duels) for i, j in pairs))
            for (i, j), won in zip(pairs, observed, strict=True):
                wins[i] += won
                wins[j] += duels - won
    except HorizonReached:
        pass
    return wins.index(max(wins))


def moody(arms):
    """Depends on something else than its seed."""
    with suppress(HorizonReached):
        yield cpe.Duel(0, arms - 1, int(np.random.default_rng().integers(1, 10**9)))
    return 0


def counting(arms):
    """Counts its calls, and asks accordingly."""
    calls.append(1)
    with suppress(HorizonReached):
        yield cpe.Duel(0, len(calls) % (arms - 1) + 1)
    return 0


calls = []


def fickle(arms):
    """Answers another arm each time."""
    calls.append(arms)
    number = len(calls)
    yield cpe.Duel(0, 1)
    return number % 2


def beyond(arms):
    yield cpe.Duel(0, arms)


def loser(arms):
    """Asks for an arm that there is not once everything is lost."""
    lost = 0
    try:
        while lost < 60:
            lost += 1 - (yield cpe.Duel(0, 1))
        yield cpe.Duel(0, arms)
    except HorizonReached:
        pass
    return 0


def wrong(arms):
    yield from ()
    return arms


def silent(arms):
    yield from ()


def deaf(arms):
    for _ in range(40):
        yield cpe.Duel(0, 1)
    return 0


def test_a_learner_of_ones_own_passes():
    check_learner(wanderer)
    check_learner(wanderer, [GAP], {"length": 3}, horizon=50)
    check_learner(crowd)
    check_learner(crowd, [GAP], {"duels": 1}, horizon=7)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (moody, "moody on gap: with the same seed record 0 is"),
        (counting, "counting on gap: with the same seed record 0 is"),
        (fickle, "fickle on gap: with the same seed record 1 is"),
        (beyond, r"beyond on gap asks Duel\(i=0, j=5, times=1\), which is not legal there"),
        (wrong, "on gap wrong answers 5, expected an arm, 0 … 4, some arms in ascending order"),
        (silent, "silent on gap answers None, which is not legal"),
        (deaf, "deaf on gap has no answer where its rounds end, .*catch HorizonReached"),
    ],
)
def test_faults_are_found_and_named(learner, message):
    with pytest.raises(AssertionError, match=message):
        check_learner(learner, [GAP])


def test_a_fault_that_only_extreme_answers_show():
    sure = cpe.PreferenceMatrix([[0.5, 1.0], [0.0, 0.5]], name="sure")
    suite = type("Suite", (LearnerConformance,), {"learner": staticmethod(loser)})()
    suite.check_replay(sure)
    suite.check_simulation(sure)
    with pytest.raises(AssertionError, match=r"loser on sure asks Duel\(i=0, j=2, times=1\)"):
        suite.check_extremes(sure)


def test_a_suite_is_subclassed():
    class Suite(LearnerConformance):
        learner = staticmethod(silent)
        problems = (GAP,)
        may_abstain = True

    with pytest.raises(AssertionError, match="silent on gap has no answer, and does not say why"):
        Suite().test_it_asks_what_is_legal_and_answers_so()

    def honest(arms):
        yield from ()
        return Unproved(None, "nobody knows")

    Suite.learner = staticmethod(honest)
    Suite().test_it_asks_what_is_legal_and_answers_so()
    Suite.may_abstain = False
    with pytest.raises(AssertionError, match="honest on gap answers None, which is not legal"):
        Suite().test_it_asks_what_is_legal_and_answers_so()


@declare(family="dueling", goal="PAC", guarantee="none", paper="none")
def sly(arms):
    """Declares that it asks one query at a time."""
    with suppress(HorizonReached):
        yield cpe.Batch((cpe.Duel(0, 1),))
        yield cpe.Batch((cpe.Duel(0, 1), cpe.Duel(0, 1)))
    return 0


def beyond_at_once(arms):
    yield cpe.Batch((cpe.Duel(0, 1), cpe.Duel(0, arms)))


def moody_at_once(arms):
    with suppress(HorizonReached):
        yield cpe.Batch(
            (cpe.Duel(0, 1), cpe.Duel(0, 1, int(np.random.default_rng().integers(1e9))))
        )
    return 0


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (beyond_at_once, r"beyond_at_once on gap asks Batch\(.*j=5.*, which is not legal there"),
        (moody_at_once, r"moody_at_once on gap: with the same seed record 0 is"),
        (sly, "sly on gap asks 2 queries at once, and declares no batches"),
    ],
)
def test_faults_inside_a_batch_are_found(learner, message):
    with pytest.raises(AssertionError, match=message):
        check_learner(learner, [GAP])


def test_wrong_lists_are_tried_where_a_batch_waits(monkeypatch):
    """Every one of them is refused; one that were taken would be told."""
    batch = cpe.Batch((cpe.Duel(0, 1, 4), cpe.Pull(0, 2), cpe.PullSets(((0,), (1,)), (1, 0))))
    tried = wrong_observations(batch)
    for wrong in tried:
        with pytest.raises(cpe.InputError):
            checked_observation(batch, wrong)
    checked_observation(batch, share_of_all(batch, 1))
    assert len(tried) > 10
    monkeypatch.setattr(
        "cpe_opt.testing.learners.wrong_observations", lambda query, items: [[0] * 10]
    )
    with pytest.raises(
        AssertionError, match=r"crowd on gap takes \[0, .* for an observation of Ba"
    ):
        check_learner(crowd, [GAP])


def test_the_problems_must_be_known():
    with pytest.raises(AssertionError, match="deaf declares no family: name the problems"):
        check_learner(deaf)
    with pytest.raises(AssertionError, match="LearnerConformance names no learner"):
        LearnerConformance().test_where_its_rounds_end_it_answers()
    with pytest.raises(cpe.InputError, match="no problems are known of the family 'poker'"):
        standard_problems("poker")


def test_checks_hold_without_assertions_and_pytest():
    script = (
        "import sys\n"
        "from cpe_opt.testing import check_problem\n"
        "try:\n    check_problem('chess', [])\nexcept AssertionError as error:\n    print(error)\n"
        "print('pytest' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("'chess' is no problem: it lacks name, family")
    assert done.stdout.endswith("\nFalse\n")
