import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.fingerprint import fingerprint
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.environments import DuelEnvironment, DuelRecorder
from cpe_opt.problems.problem import FAMILIES
from cpe_opt.problems.queries import Duel, Pull

OF_FAMILY = {
    "dueling": "sushi",
    "matchings": "figure1",
    "subsets": "trees-of-k5",
    "separable": "water",
}


class Tennis:
    """Dueling as a user may have it: players of known strengths, regret in matches lost."""

    family = "dueling"

    def __init__(self, strength):
        self.name, self.strength = "tennis", np.asarray(strength, dtype=float)
        self.labels = [f"player {k}" for k in range(len(self.strength))]

    @property
    def known(self):
        return len(self.strength)

    @property
    def fingerprint(self):
        return self.strength

    def environment(self, rng):
        return DuelEnvironment(
            self.strength[:, None] / (self.strength[:, None] + self.strength), rng
        )

    def recorder(self, *, horizon=None, regret=None, points=None):
        lost = self.strength.max() - self.strength
        return DuelRecorder(
            lost[:, None] + lost[None, :], horizon=horizon, points=points, units=regret or "matches"
        )


def first_against_last(arms, *, rng):
    try:
        while True:
            yield Duel(0, arms - 1)
    except HorizonReached:
        return 0


@pytest.mark.parametrize("name", cpe.INSTANCES)
def test_every_instance_is_a_problem(name):
    problem = cpe.load_instance(name)
    assert isinstance(problem, cpe.Problem)
    assert FAMILIES[problem.family] == type(problem).__name__
    assert problem.family == cpe.INSTANCES[name].family
    assert len(problem.labels) == len(set(problem.labels)) > 1


def test_a_problem_of_ones_own_is_simulated_and_keeps_its_units():
    trace = cpe.simulate(first_against_last, Tennis([3.0, 1.0, 1.0]), horizon=10)
    assert (trace.problem, trace.units, trace.answer) == ("tennis", "matches", 0)
    assert trace.regret[-1] == 20.0
    assert cpe.simulate("rucb", Tennis([30.0, 1.0, 1.0]), horizon=2000).answer == 0
    with pytest.raises(cpe.InputError, match="icb is for a SubsetBandit, and tennis is a Tennis"):
        cpe.simulate("icb", Tennis([3.0, 1.0]))


def test_names_and_labels_are_no_part_of_a_fingerprint():
    mu = cpe.load_instance("gap")
    same = cpe.PreferenceMatrix(mu.array, [f"ranker {k}" for k in range(5)], name="renamed")
    other = mu.array.copy()
    other[0, 1], other[1, 0] = 0.55, 0.45
    assert fingerprint(same) == fingerprint(mu) != fingerprint(cpe.PreferenceMatrix(other))


@pytest.mark.parametrize("family", ["matchings", "subsets", "separable"])
def test_units_of_regret_are_refused_where_there_is_no_regret(family):
    problem = cpe.load_instance(OF_FAMILY[family])
    with pytest.raises(cpe.InputError, match="regret is 'mean', and has no effect on a problem of"):
        problem.recorder(regret="mean")
    assert problem.recorder().units == ""


@pytest.mark.parametrize("horizon", [0, -3, 10**30, 2.5])
def test_a_recorder_refuses_what_is_no_number_of_rounds(horizon):
    with pytest.raises(cpe.InputError, match="horizon is "):
        cpe.load_instance("gap").recorder(horizon=horizon)


def test_each_family_refuses_the_queries_of_others():
    rng = np.random.default_rng(0)
    for family, name in OF_FAMILY.items():
        query = Pull(0) if family in ("dueling", "matchings") else Duel(0, 1)
        with pytest.raises(cpe.InputError, match="this problem answers"):
            cpe.load_instance(name).environment(rng).check(query)
