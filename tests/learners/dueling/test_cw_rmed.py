"""CW-RMED: the kept program gives the optimum of a program built afresh, at every look."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.best_winner import winner_program
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.learners.dueling import cw_rmed as cw_module
from cpe_opt.learners.dueling.cw_rmed import ExactOptimum, KeptProgram, cw_rmed
from tests.learners.support import singly
from tests.support import random_preferences


def watched_run(monkeypatch, mu, seed, rounds):
    """Run the learner; compare the optimum of a look with every winner's compact program."""
    looks, chosen = [], set()
    inner = ExactOptimum.solution

    def watched_solution(self):
        solution = inner(self)
        chosen.add(self._chosen)
        sizes = [program.entries for program in self._programs.values()]
        assert len(sizes) == 1 or sum(sizes) <= cw_module._KEPT_ENTRIES
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
    learner = singly(cw_rmed(mu.arms))
    played, answer = 0, None
    while played < rounds:
        query = learner.send(answer)
        played += query.times
        answer = environment.answer(query)
    return looks, chosen


def optimum(estimates, winner):
    rows = copeland_rows(estimates.tally.estimate, winner, "literal")
    return cpe.solve(winner_program(rows, estimates.costs, "compact", "fresh").program).objective


@pytest.mark.parametrize("name", ["gap", "multisol"])
def test_every_optimum_is_that_of_a_fresh_program(monkeypatch, name):
    spared, inner = [], KeptProgram.follow

    def follow(self, moved):
        spared.append(inner(self, moved))
        return spared[-1]

    monkeypatch.setattr(KeptProgram, "follow", follow)
    looks, _ = watched_run(monkeypatch, cpe.load_instance(name), 3, 120)
    assert len(looks) > 40
    assert any(spared)


def test_optima_are_right_where_hardly_any_program_is_kept(monkeypatch):
    mu = random_preferences(8, np.random.default_rng(4))
    monkeypatch.setattr(cw_module, "_KEPT_ENTRIES", 500)
    _, chosen = watched_run(monkeypatch, mu, 3, 250)
    assert len(chosen) > 10
