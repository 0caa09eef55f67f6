"""CW-RMED: the kept program gives the optimum of a program built afresh, at every look."""

import importlib
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
from cpe_opt.formulations.dueling.best_winner import winner_program
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.learners.dueling.cw_rmed import cw_rmed
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.exact_optimum import ExactOptimum, KeptProgram
from cpe_opt.learners.dueling.tournament import Estimates
from cpe_opt.modelling.result import Status
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.support import singly
from tests.support import random_preferences


class TestCwRmed(DuelLearnerConformance):
    learner = "cw-rmed"
    horizon = 100


def watched_run(monkeypatch, mu, seed, rounds, **parameters):
    """Run the learner; compare the optimum of a look with every winner's compact program."""
    looks, chosen = [], set()
    inner = ExactOptimum.solution

    def watched_solution(self):
        solution = inner(self)
        chosen.add(self._chosen)
        if len(looks) % 20 == 0:
            estimates = self.estimates
            least = min(optimum(estimates, winner) for winner in estimates.tournament.winners)
            rows = copeland_rows(estimates.tally.estimate, solution.winner, "literal")
            found = float((np.triu(solution.x) * estimates.costs).sum())
            assert found == pytest.approx(least, rel=1e-6, abs=1e-7)
            assert self._chosen.value == pytest.approx(least, rel=1e-6, abs=1e-7)
            assert rows.evidence(solution.x) >= 1 - 1e-6
        looks.append(solution)
        return solution

    monkeypatch.setattr(ExactOptimum, "solution", watched_solution)
    environment = mu.environment(np.random.default_rng(seed))
    learner = singly(cw_rmed(mu.arms, **parameters))
    played, answer = 0, None
    while played < rounds:
        query = learner.send(answer)
        played += query.times
        answer = environment.answer(query)
    return looks, chosen


def optimum(estimates, winner):
    rows = copeland_rows(estimates.tally.estimate, winner, "literal")
    return cpe.solve(winner_program(rows, estimates.costs, "compact", "fresh").program).objective


@pytest.mark.parametrize("name", ["gap", "sushi", "multisol"])
def test_every_optimum_is_that_of_a_fresh_program(monkeypatch, name):
    looks, chosen = watched_run(monkeypatch, cpe.load_instance(name), 3, 700)
    assert len(looks) > 100
    assert sum(program.spared for program in chosen) > 0
    assert sum(program.solves for program in chosen) > 0


def test_optima_are_right_where_hardly_any_program_is_kept(monkeypatch):
    mu = random_preferences(8, np.random.default_rng(4))
    _, chosen = watched_run(monkeypatch, mu, 3, 400, memory=0.05)
    assert len(chosen) > 15


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0, 2])
def test_one_program_lasts_while_other_arms_change_places(lost):
    """Arm 0 loses to this many and is a winner often; the others' estimates cross one half."""
    rng = np.random.default_rng(lost)
    estimates = Estimates(DuelTally(8))
    for i in range(8):
        for j in range(i + 1, 8):
            for _ in range(rng.integers(5, 9)):
                estimates.count(i, j, int(j > lost if i == 0 else rng.random() < 0.5))
    while 0 not in estimates.tournament.winners:
        i, j = sorted((1 + rng.permutation(7)[:2]).tolist())
        estimates.count(i, j, int(rng.random() < 0.5))
    program, levels = KeptProgram(estimates, 0, "highs"), set()
    followed = bounds = 0
    for _ in range(120):
        i, j = sorted((1 + rng.permutation(7)[:2]).tolist())
        _, change = estimates.count(i, j, int(rng.random() < 0.5))
        tournament = estimates.tournament
        if 0 not in tournament.winners:
            continue
        levels.add((tournament.first, tournament.second))
        least = optimum(estimates, 0)
        worse = j if estimates.tally.leads(i, j) else i
        if change is None:
            bound = program.bound()
            assert bound <= least * (1 + 1e-7) + 1e-9
            bounds += bound > 0.5 * least > 0.0
            program.solve()
        elif program.follow((), (worse,)):
            followed += 1
        else:
            program.solve()
        x, rows = program.solution.x, copeland_rows(estimates.tally.estimate, 0, "literal")
        assert program.value == pytest.approx(least, rel=1e-7, abs=1e-8)
        assert (np.triu(x) * estimates.costs).sum() == pytest.approx(least, rel=1e-7, abs=1e-8)
        assert rows.evidence(x) >= 1 - 1e-7
    assert followed > 12
    assert bounds > (8 if lost else 0)
    assert len(levels) > 1


def test_programs_least_recently_used_are_given_up():
    """Whatever the memory, the run is the same where optima are unique."""
    mu = random_preferences(6, np.random.default_rng(1))
    sizes = []
    inner = ExactOptimum._solved

    def solved(self, place):
        program = inner(self, place)
        sizes.append((len(self._programs), sum(p.size for p in self._programs.values())))
        assert program in self._programs.values()
        return program

    for memory in (0.02, 100.0):
        estimates = Estimates(DuelTally(6))
        kept = ExactOptimum(estimates, solver="highs", memory=memory * 2**20)
        draws = np.random.default_rng(0)
        sizes.clear()
        for _ in range(300):
            i, j = sorted(draws.permutation(6)[:2].tolist())
            estimates.count(i, j, int(draws.random() < mu.array[i, j]))
            solved(kept, 0)
        numbers, bytes_ = zip(*sizes, strict=True)
        assert all(number == 1 or size <= memory * 2**20 for number, size in sizes)
        assert max(numbers) == 1 if memory == 0.02 else max(numbers) > 1
        assert max(bytes_) > 0


def test_memory_is_in_megabytes_and_for_kept_programs_alone(monkeypatch):
    given = []

    def optimum(estimates, *, solver, memory):
        given.append(memory)
        return ExactOptimum(estimates, solver=solver, memory=memory)

    monkeypatch.setattr(importlib.import_module(cw_rmed.__module__), "ExactOptimum", optimum)
    next(cw_rmed(3, memory=2))
    next(cw_rmed(3))
    assert given == [2 * 2**20, 64 * 2**20]
    with pytest.raises(cpe.InputError, match="memory is 5, and has no effect with method 'cuts'"):
        next(cw_rmed(3, method="cuts", memory=5))
    with pytest.raises(cpe.InputError, match="memory"):
        next(cw_rmed(3, memory=0))


@pytest.mark.slow
def test_regret_meets_the_lower_bound_on_gap():
    """C* is 11 and C^E* 1252: at T = 10^5 the median of three runs is near C* ln T."""
    mu = cpe.load_instance("gap")
    limit = cpe.copeland_bound(mu).value * math.log(10**5)
    runs = [cpe.simulate("cw-rmed", mu, horizon=10**5, seed=s).regret[-1] for s in range(3)]
    assert 0.7 * limit < np.median(runs) < 1.5 * limit


def test_regret_stays_near_the_bound():
    """Theorem 3 is asymptotic; forced draws of all pairs come on top."""
    mu = cpe.load_instance("cyclic")
    horizon = 10**6
    forced = mu.regret()[np.triu_indices(mu.arms, 1)].sum() * (3 * math.sqrt(math.log(horizon)) + 1)
    limit = 3 * cpe.copeland_bound(mu).value * math.log(horizon) + forced
    regrets = [cpe.simulate("cw-rmed", mu, horizon=horizon, seed=s).regret[-1] for s in range(3)]
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
