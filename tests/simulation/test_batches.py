"""A simulation of batches is that of their queries, one after the other."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.learners.exchange import AT_HORIZON, NO_GUARANTEE
from cpe_opt.learners.queries import HorizonReached

DUELS = cpe.load_instance("cyclic")
SUBSETS = cpe.SubsetBandit(cpe.TopK(4, 2), [0.0, 1.0, 2.0, 0.5])
ARMS = st.integers(0, DUELS.arms - 1)
DUEL = st.builds(cpe.Duel, ARMS, ARMS, st.sampled_from([1, 1, 2, 7, 70_000]))
PULL = st.builds(cpe.Pull, st.integers(0, 3), st.integers(1, 5)) | st.builds(
    cpe.PullSets,
    st.just(((0, 1), (2, 3), (0, 3))),
    st.tuples(*[st.integers(0, 4)] * 3).filter(any),
)


def groups_of(query):
    return st.lists(st.lists(query, min_size=1, max_size=5).map(tuple), min_size=1, max_size=6)


def asking(questions):
    """A learner that asks so, and the list of what it hears, batches as their queries.

    ``learner.ends`` says how much it had heard at the end of each run, below 0 where it stopped by
    itself.
    """
    heard = []

    def learner(known):
        answer = 0 if isinstance(known, int) else (0, 1)
        try:
            for question in questions:
                observed = yield question
                heard.extend(observed if isinstance(question, cpe.Batch) else [observed])
        except HorizonReached:
            learner.ends.append(len(heard))
        else:
            learner.ends.append(-len(heard))
        return answer

    learner.ends = []
    return learner, heard


def runs(problem, groups, seed, **options):
    """The trace and what was heard, of one learner that asks singly and of one in batches."""
    singly, heard_singly = asking([query for group in groups for query in group])
    at_once, heard_at_once = asking(list(map(cpe.Batch, groups)))
    one = cpe.simulate(singly, problem, seed=seed, **options)
    other = cpe.simulate(at_once, problem, seed=seed, **options)
    for learner, heard, trace in ((singly, heard_singly, one), (at_once, heard_at_once, other)):
        assert learner.ends == [-len(heard) if trace.doubt == NO_GUARANTEE else len(heard)]
    return (one, heard_singly), (other, heard_at_once)


def assert_same_play(one, other):
    for name in ("rounds", "samples", "queries", "time", "regret", "draws"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@settings(max_examples=30, deadline=None)
@given(groups=groups_of(DUEL), seed=st.integers(0, 2**32 - 1))
def test_batches_of_duels_are_observed_as_if_asked_singly(groups, seed):
    (one, singly), (other, at_once) = runs(DUELS, groups, seed)
    assert at_once == singly
    assert len(singly) == sum(map(len, groups))
    assert one.doubt == other.doubt == NO_GUARANTEE
    assert_same_play(one, other)


@settings(max_examples=20, deadline=None)
@given(groups=groups_of(PULL), seed=st.integers(0, 2**32 - 1))
def test_batches_of_pulls_are_observed_as_if_asked_singly(groups, seed):
    (one, singly), (other, at_once) = runs(SUBSETS, groups, seed)
    assert [each.tolist() for each in at_once] == [each.tolist() for each in singly]
    assert_same_play(one, other)


@settings(max_examples=30, deadline=None)
@given(groups=groups_of(DUEL), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_a_horizon_inside_a_batch_cuts_it_and_loses_what_it_observed(groups, seed, data):
    """Played to the round as singly; the learner has heard of the batches before alone."""
    rounds = [cpe.Batch(group).rounds for group in groups]
    horizon = data.draw(st.integers(1, sum(rounds)))
    (one, singly), (other, at_once) = runs(DUELS, groups, seed, horizon=horizon)
    assert_same_play(one, other)
    assert other.rounds == horizon
    complete = sum(np.cumsum(rounds) < horizon)
    assert at_once == singly[: sum(map(len, groups[:complete]))]
    assert other.doubt == AT_HORIZON


def test_a_batch_that_ends_with_the_horizon_comes_too_late():
    learner, heard = asking([cpe.Batch((cpe.Duel(0, 1, 4), cpe.Duel(1, 2, 6)))])
    assert cpe.simulate(learner, DUELS, horizon=10).rounds == 10
    assert heard == []
    cpe.simulate(learner, DUELS, horizon=11)
    assert len(heard) == 2


def test_a_batch_that_exceeds_max_samples_is_not_begun():
    learner, heard = asking([cpe.Batch((cpe.Duel(0, 1, 4), cpe.Duel(2, 2, 9), cpe.Duel(1, 2, 6)))])
    assert cpe.simulate(learner, DUELS, max_samples=9).rounds == 0
    assert heard == []
    trace = cpe.simulate(learner, DUELS, max_samples=10)
    assert (trace.rounds, trace.samples, trace.doubt) == (19, 10, NO_GUARANTEE)


@pytest.mark.parametrize("wrong", [cpe.Duel(0, 9), cpe.Duel(0, 1, 0), cpe.Pull(0), "duel", None])
def test_an_illegal_query_of_a_batch_is_refused_before_any_is_played(wrong):
    played = []

    class Watched:
        name, family, fingerprint = "watched", "dueling", DUELS.fingerprint
        known, labels = DUELS.known, DUELS.labels

        def environment(self, rng):
            real = DUELS.environment(rng)

            class Environment:
                check = staticmethod(real.check)

                def answer(self, query):
                    played.append(query)
                    return real.answer(query)

            return Environment()

        def recorder(self, **options):
            return DUELS.recorder(**options)

    with pytest.raises(cpe.InputError, match=r"learner asks|the learner asked"):
        cpe.simulate(asking([cpe.Batch((cpe.Duel(0, 1), wrong))])[0], Watched())
    assert played == []
    cpe.simulate(asking([cpe.Batch((cpe.Duel(0, 1), cpe.Duel(1, 2)))])[0], Watched())
    assert played == [cpe.Duel(0, 1), cpe.Duel(1, 2)]


def test_a_batch_that_cannot_be_is_an_error_of_the_learner():
    def empty(arms):
        yield cpe.Batch(())

    with pytest.raises(cpe.InputError, match="a batch has no queries"):
        cpe.simulate(empty, DUELS)
