"""CW-RMED: the kept program gives the optimum of a program built afresh, at every look."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
from cpe_opt.formulations.dueling.lower_bound import build_program, unit_costs
from cpe_opt.learners.dueling.cw_rmed import CwWinnerPlan, cw_rmed
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.exploration import Exploration
from cpe_opt.modelling.result import Status
from tests.support import random_preferences


def watched_run(monkeypatch, mu, seed, rounds):
    """Run the learner; compare every optimum it uses with the compact program from scratch."""
    looks = []
    inner = CwWinnerPlan.optimum

    def optimum(self):
        x = inner(self)
        if len(looks) % 7 == 0:
            fresh = build_program(self.families, self.costs, "compact", "fresh")
            expected = cpe.solve(fresh).objective
            found = float((np.triu(x) * self.costs).sum())
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-7)
            assert self.families.evidence(x) >= 1 - 1e-6
            fresh_costs = unit_costs(self.costs * self.tally.divergence, self.tally.divergence)
            assert np.allclose(fresh_costs, self.costs)
        looks.append(self)
        return x

    monkeypatch.setattr(CwWinnerPlan, "optimum", optimum)
    environment = mu.environment(np.random.default_rng(seed))
    learner = cw_rmed(mu.arms)
    played, answer = 0, None
    while played < rounds:
        query = learner.send(answer)
        played += query.times
        answer = environment.answer(query)
    return looks


@pytest.mark.parametrize("name", ["gap", "mslr5-cycle", "sushi", "arxiv", "multisol"])
def test_every_optimum_is_that_of_a_fresh_program(monkeypatch, name):
    looks = watched_run(monkeypatch, cpe.load_instance(name), 3, 700)
    assert len(looks) > 100
    candidates = set(looks)
    assert sum(c.spared for c in candidates) > 0
    assert sum(c.solves for c in candidates) > 0


def test_the_model_and_its_cuts_are_kept():
    """Between draws that flip no sign one loop serves, and most re-solves add no row."""
    mu = cpe.load_instance("sushi")
    tally = DuelTally(mu.arms)
    made = []

    def make(tally, winner, costs):
        made.append(CwWinnerPlan(tally, winner, costs))
        return made[-1]

    plans = Exploration(tally, make)
    rng = np.random.default_rng(0)
    for i in range(16):
        for j in range(i + 1, 16):
            wins = round(mu.array[i, j] * 1000)
            tally.add(i, j, wins, 1000)
    plans._pattern_changed()
    candidate = plans._target()
    made.clear()
    plans.wanted(1e6)
    loop = candidate._loop
    rows, rounds = loop.pool_size, len(loop.log)
    for _ in range(200):
        i, j = sorted(rng.permutation(16)[:2].tolist())
        plans.drawn(i, j, int(rng.random() < mu.array[i, j]))
        plans.wanted(1e6)
    assert plans._target() is candidate
    assert candidate._loop is loop
    added = sum(entry.added for entry in loop.log[rounds:])
    assert candidate.solves + candidate.spared >= 100
    assert added < 3 * rows
    assert not made


def test_regret_meets_the_lower_bound_on_gap():
    """C* is 11 and C^E* 1252: at T = 10^6 the median run is near C* ln T."""
    mu = cpe.load_instance("gap")
    limit = cpe.copeland_bound(mu).value * math.log(10**6)
    runs = [cpe.simulate("cw-rmed", mu, horizon=10**6, seed=s).regret[-1] for s in range(9)]
    assert 0.7 * limit < np.median(runs) < 1.5 * limit


def test_regret_stays_near_the_bound():
    """Theorem 3 is asymptotic; forced draws of all pairs come on top."""
    mu = cpe.load_instance("cyclic")
    horizon = 10**6
    forced = mu.regret()[np.triu_indices(mu.arms, 1)].sum() * (3 * math.sqrt(math.log(horizon)) + 1)
    limit = 3 * cpe.copeland_bound(mu).value * math.log(horizon) + forced
    regrets = [cpe.simulate("cw-rmed", mu, horizon=horizon, seed=s).regret[-1] for s in range(8)]
    assert np.mean(regrets) < limit


def test_another_solver_makes_the_same_run():
    rng = np.random.default_rng(2)
    mu = random_preferences(4, rng)
    highs = cpe.simulate("cw-rmed", mu, horizon=400, seed=1)
    glop = cpe.simulate("cw-rmed", mu, horizon=400, seed=1, solver="glop")
    assert highs.draws.sum() == glop.draws.sum() == highs.draws.trace() + 2 * highs.samples
    assert abs(highs.regret[-1] - glop.regret[-1]) < 0.5 * highs.regret[-1]


def test_a_solver_that_fails_says_so(monkeypatch):
    from cpe_opt.solvers.base import RawSolution
    from cpe_opt.solvers.cutting_planes import CuttingPlanes

    failed = RawSolution(Status.ERROR, message="out of luck")
    monkeypatch.setattr(CuttingPlanes, "solve", lambda self, limit=None: failed)
    with pytest.raises(cpe.CpeOptError, match=r"status 'solver error' .* \(out of luck\)"):
        cpe.simulate("cw-rmed", cpe.load_instance("gap"), horizon=1000)
    with pytest.raises(UnknownName, match="solver 'hihgs'"):
        cpe.simulate("cw-rmed", cpe.load_instance("gap"), horizon=1000, solver="hihgs")
