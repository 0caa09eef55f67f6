"""Answers without a guarantee say so: ties, noise, and a run without an end."""

import logging
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import declaration_of, parameters_of
from cpe_opt.learners.registry import LEARNERS, get_learner, learner_entry
from cpe_opt.simulation import driver
from tests.support import all_of

AT_SAMPLES = "max_samples was reached before it stopped"


def tie():
    """Two candidates for one position, as good as each other."""
    return cpe.MatchingDuels(cpe.BipartiteGraph.complete(2, 1), np.full((2, 2), 0.5), name="tie")


TIED = {
    "dueling": (cpe.PreferenceMatrix(np.full((2, 2), 0.5)), [0, 1, (0, 1), (1, 0)]),
    "matchings": (tie(), [(0,), (1,)]),
    "subsets": (cpe.SubsetBandit(cpe.TopK(3, 1), np.zeros(3), noise=0.5), [(0,), (1,), (2,)]),
    "separable": (
        cpe.SeparableProblem(cpe.BestSet(cpe.TopK(2, 1)), [cpe.Bernoulli(0.5)] * 2),
        [(0.0, 1.0), (1.0, 0.0)],
    ),
}
TOLD = {"noisy-tournament": {"h": 1e-9}, "clucb-borda-pac": {"margin": 0.01}}
TOLD |= {"saqm": {"growth": 1.1}, "dkwt": {"max_samples": 1000}}  # which begins with 714 duels


@all_of("name", [name for name in LEARNERS if learner_entry(name).declaration.endless_if])
def test_ties_end_with_max_samples(name):
    """What else is in doubt is said, too."""
    problem, answers = TIED[learner_entry(name).declaration.family]
    told = {"max_samples": 200, **TOLD.get(name, {})}
    trace = cpe.simulate(name, problem, **told)
    assert trace.doubt.partition("; ")[0] == AT_SAMPLES
    assert trace.samples <= told["max_samples"]
    assert trace.samples > 50 or name == "noisy-tournament"
    assert trace.answer in answers


OF_NOISE = [name for name in LEARNERS if {"noise", "sigma"} & set(parameters_of(LEARNERS[name]))]


@pytest.mark.parametrize("name", OF_NOISE)
def test_a_learner_of_rewards_names_the_noise_that_its_proof_rests_on(name):
    bandit = cpe.SubsetBandit(cpe.TopK(4, 2), [9.0, 9.0, 0.0, 0.0], noise=0.2)
    known = parameters_of(LEARNERS[name])
    given = {"delta": 0.1} | ({"approximation_ratio": "certified"} if name == "sa-foa" else {})
    usual = known["noise"].default
    cases = [
        ({}, f"an element is at most {usual:g}"),
        ({"noise": 0.3}, "an element is at most 0.3"),
    ]
    if "sigma" in known:
        cases.append(({"sigma": 0.5}, "an observation is at most 0.5"))
    if "feedback" in known:
        independent = "an element is at most 0.3 and independent of that of others"
        cases.append(({"noise": 0.3, "feedback": "sums"}, independent))
    for told, said in cases:
        trace = cpe.simulate(name, bandit, **given, **told)
        assert trace.claim == f"proved, if the noise of {said}"


@pytest.mark.parametrize("name", OF_NOISE)
def test_a_promise_that_rests_on_less_noise_than_the_problem_has_is_refused(name):
    known, given = parameters_of(LEARNERS[name]), {"delta": 0.1}
    bandit = cpe.planted_subsets(4, 2, noise=2.0, seed=0)
    usual = known["noise"].default
    refused = [({}, f"noise is {usual:g}, its default, and the noise of an element of planted")]
    refused += [({"noise": 1.99}, r"noise is 1\.99, .* is 2: .* expected noise of at least 2$")]
    enough = [{"noise": 2.0}]
    if "sigma" in known:
        least = 2.0 if "feedback" in known else 2.0 * math.sqrt(2.0)
        refused.append(({"sigma": 0.99 * least, "noise": 9.0}, rf"sigma of at least {least:.10g}$"))
        enough.append({"sigma": least, "noise": 0.1})
    if "feedback" in known:
        refused.append(({"sigma": 2.0, "feedback": "sums"}, r"expected sigma of at least 2\.828"))
    for told, message in refused:
        with pytest.raises(cpe.InputError, match=message):
            cpe.simulate(name, bandit, **given, **told)
        with pytest.raises(cpe.InputError, match=message):
            cpe.run_experiment([cpe.LearnerSpec(name, {**given, **told})], [bandit], runs=1)
    for told in enough:
        cpe.simulate(name, bandit, max_samples=10, **given, **told)


def test_a_run_without_an_end_says_so_while_it_runs(monkeypatch, caplog):
    """At once here instead of after a minute, and once more each time the wait has doubled."""
    monkeypatch.setattr(driver, "_SILENCE", 0.0)
    with caplog.at_level(logging.WARNING):
        cpe.simulate("car-cond", tie(), max_samples=200)
    first = caplog.records[0].getMessage()
    assert first.startswith("car_cond on tie has not stopped after 1 samples and 0 seconds; it doe")
    assert "does not stop if the Condorcet winner ties with another matching; a horizon" in first
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        cpe.simulate("car-cond", tie(), horizon=200)
    assert not caplog.records


def test_nobody_hears_of_ties_where_there_are_none():
    """Nor of no winner on a problem that has a winner, with a margin, on a test set."""
    tied = cpe.PreferenceMatrix([[0.5, 0.6, 0.5], [0.4, 0.5, 0.5], [0.5, 0.5, 0.5]], name="tied")
    cyclic, cycle = cpe.load_instance("cyclic"), cpe.load_instance("mslr5-cycle")
    cells = cpe.ItemDuels(np.where(np.eye(3, dtype=bool)[:, :, None], np.nan, [[[0.5] * 9]]))
    for name, problem, parameters, endless in (
        *((name, cyclic, {}, False) for name in ("pocowista", "rankel", "dkwt", "borda-tracking")),
        *((name, cycle, {}, False) for name in ("savage", "copeland-tracking")),
        *((name, tied, {}, True) for name in ("pocowista", "copeland-tracking", "savage")),
        ("copeland-tracking", tied, {"margin": 0.1}, False),
        ("copeland-tracking", cells, {}, False),
        ("copeland-identification", tied, {"margin": 0.1}, True),
        ("condorcet-tracking", cyclic, {}, False),
        ("condorcet-tracking", cycle, {}, True),
        ("borda-tracking", cpe.load_instance("multisol"), {}, True),
        ("active-ranking", cyclic, {"top": 1}, False),
        ("active-ranking", cyclic, {"top": 2}, True),  # the scores of the last three are equal
    ):
        says = declaration_of(get_learner(name))
        assert says.endless_case(problem, parameters) == (says.endless_if if endless else "")
