"""The state behind Algorithm 1, duel by duel, against the same found from scratch."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.best_winner import build_program, unit_costs
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows, ecw_rows
from cpe_opt.formulations.dueling.ecw import ecw_evidence
from cpe_opt.learners.dueling import copeland_rmed as wanted_pairs
from cpe_opt.learners.dueling.copeland_rmed import Exploration, ForcedPairs, WantedPairs
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.relaxed_optimum import EcwPlan
from cpe_opt.learners.dueling.sorted_lists import SortedLists
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.learners.dueling.winner_evidence import WinnerEvidence, evidence_of_winners
from cpe_opt.problems.dueling.scores import copeland_regret
from cpe_opt.ties import first_smallest
from tests.support import random_preferences


def duels(arms, seed, count):
    """Random duels of random pairs, with estimates that often cross one half at first."""
    rng = np.random.default_rng(seed)
    mu = random_preferences(arms, rng).array
    for _ in range(count):
        i, j = rng.permutation(arms)[:2].tolist()
        yield i, j, int(rng.random() < mu[i, j])


def played(arms, seed, count):
    """A tournament after so many duels, settled."""
    tournament = Tournament(DuelTally(arms))
    for i, j, won in duels(arms, seed, count):
        tournament.count(i, j, won)
    tournament.settle()
    return tournament


SIZES = [(2, 3), (3, 20), (5, 4), (5, 60), (8, 30), (8, 300), (12, 200), (12, 3000)]


@pytest.mark.parametrize("arms", [2, 4, 9])
def test_a_tournament_is_what_its_estimates_say(arms):
    tournament = Tournament(DuelTally(arms))
    for number, (i, j, won) in enumerate(duels(arms, arms, 600)):
        before = tournament.costs.copy() if number else None
        voided, _, change = tournament.count(i, j, won)
        if not voided:
            assert tournament.costs[i, j] - before[i, j] == change
        tournament.settle()
        tally = tournament.tally
        losses = (tally.estimate < 0.5).sum(axis=1)
        assert np.array_equal(tournament.beaten, tally.estimate < 0.5)
        assert np.array_equal(tournament.losses, losses)
        assert [tournament.first, tournament.second] == sorted(losses)[:2]
        assert tournament.winners == np.flatnonzero(losses == losses.min()).tolist()
        assert np.array_equal(
            tournament.costs, unit_costs(copeland_regret(losses), tally.divergence)
        )


def rows_evidence(tournament, winner, challengers=None):
    """From the rows as families, each winner's for itself."""
    rows = copeland_rows(tournament.tally.estimate, winner, "literal")
    x = tournament.tally.evidence
    if not rows.count:
        return math.inf
    values = rows.values(x[winner, rows.inferiors], rows.tail_sums(x))
    if challengers is not None:
        values = values[np.isin(rows.challengers[rows.block], challengers)]
    return values.min(initial=math.inf)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("arms", "count"), SIZES)
def test_evidence_of_all_winners_is_that_of_each(arms, count, seed):
    tournament = played(arms, seed, count)
    expected = [rows_evidence(tournament, winner) for winner in tournament.winners]
    assert evidence_of_winners(tournament) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    few = np.random.default_rng(seed).permutation(arms)[:3]
    expected = [rows_evidence(tournament, winner, few) for winner in tournament.winners]
    assert evidence_of_winners(tournament, few) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_evidence_reaches_a_level_when_that_of_a_winner_does(seed):
    tournament = Tournament(DuelTally(6))
    evidence, rng = WinnerEvidence(tournament), np.random.default_rng(seed)
    answers = set()
    for i, j, won in duels(6, seed, 1500):
        voided, gained, _ = tournament.count(i, j, won)
        evidence.grown(gained, voided)
        if rng.random() < 0.5:
            continue
        tournament.settle()
        found = np.array([rows_evidence(tournament, winner) for winner in tournament.winners])
        level = float(rng.choice([0.5, 1.0, 1.5])) * min(found.max(), 9.0) + 0.01
        answers.add(bool(found.max() >= level))
        assert evidence.reaches(level) == (found.max() >= level)
        if rng.random() < 0.3:
            assert evidence.most == pytest.approx(found.max(), abs=1e-12)
            assert evidence.safest == tournament.winners[first_smallest(-found)]
    assert answers == {True, False}


def test_only_the_safest_winner_is_sure():
    """Three arms in a cycle, all of them winners."""
    plans = Exploration(DuelTally(3), EcwPlan)
    for i, j, times in ((0, 1, 30), (1, 2, 40), (2, 0, 50)):
        for _ in range(times):
            plans.drawn(i, j, 1)
    log_t = 0.9 * plans.evidence
    assert [plans.is_sure(4 * arm, log_t) for arm in range(3)].count(True) == 1
    assert plans.is_sure(4 * plans.safest, log_t)
    assert not plans.is_sure(4 * plans.safest, 1.1 * plans.evidence)


@pytest.mark.parametrize("seed", range(3))
def test_wanted_pairs_are_those_short_of_their_share(seed, monkeypatch):
    """More pairs than stand in the heap, shares that change, and a time that makes pairs due."""
    monkeypatch.setattr(wanted_pairs, "_NEAREST", 32)
    arms, rng = 40, np.random.default_rng(seed)
    tally = DuelTally(arms)
    for i, j, won in duels(arms, seed, 3000):
        tally.add(i, j, won)
    upper = np.triu(np.ones((arms, arms), dtype=bool), 1)
    pairs, log_t, winner = WantedPairs(tally), 0.5, 3
    x = rng.random((arms, arms)) * (rng.random((arms, arms)) < 0.9) * upper
    x += x.T
    pairs.restart(x, winner, log_t)
    known, came = set(), 0
    for step in range(400):
        if step % 80 == 79:
            x = np.roll(x, 1, axis=(0, 1)).copy()
            pairs.restart(x, winner, log_t)
        for _ in range(int(rng.integers(4))):
            i, j = sorted(rng.permutation(arms)[:2].tolist())
            if rng.random() < 0.3:
                x[i, j] = x[j, i] = rng.choice([0.0, rng.random()])
            else:
                tally.add(i, j, int(rng.random() < 0.6))
            pairs.look_at(i * arms + j, log_t)
        log_t += float(rng.choice([1e-6, 0.02]))
        pairs.advance(log_t)
        wanted = np.flatnonzero((x * log_t > tally.evidence) & upper).tolist()
        assert pairs.codes == {winner * (arms + 1), *wanted}
        assert pairs.entered >= pairs.codes - known
        came += len(pairs.codes - known)
        known, pairs.entered = pairs.codes.copy(), set()
    assert came > 500


@pytest.mark.parametrize(("alpha", "beta"), [(3.0, 0.01), (0.7, 0.3), (1.0, 0.0)])
def test_forced_pairs_are_those_of_step_1(alpha, beta):
    arms, rng, t = 5, np.random.default_rng(1), 1
    tally = DuelTally(arms)
    forced, kinds = ForcedPairs(tally, alpha, beta), set()
    for _ in range(3000):
        log_t, expected = math.log(t), []
        for i in range(arms):
            for j in range(i + 1, arms):
                short = tally.draws[i, j] < alpha * math.sqrt(log_t)
                close = abs(tally.estimate[i, j] - 0.5)
                near = log_t > 1.0 and close <= beta / math.log(log_t)
                kinds.add((short, near))
                if short or near:
                    expected.append(i * arms + j)
        assert forced.due(t) == expected
        for code in expected if rng.random() < 0.7 else rng.permutation(expected)[:2].tolist():
            tally.add(*divmod(code, arms), int(rng.random() < 0.5))
            forced.drawn(code)
        assert forced.fewest() == tally.draws[np.triu_indices(arms, 1)].min()
        t += 1 if t < 40 else int(rng.integers(1, 1 + t // 2))
        if t > 10**15:
            break
    assert len(kinds) == 4


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("arms", "count"), SIZES)
def test_lists_give_the_relaxation_of_every_winner(arms, count, seed):
    tournament = played(arms, seed, count)
    lists, costs = SortedLists(tournament), tournament.costs
    expected, optima = [], []
    for winner in tournament.winners:
        x = ecw_evidence(ecw_rows(tournament.tally.estimate, winner, "literal"), costs)
        expected.append(float(np.triu(x * costs).sum()))
        rows = copeland_rows(tournament.tally.estimate, winner, "literal")
        optima.append(cpe.solve(build_program(rows, costs, "compact", "fresh")).objective)
    assert lists.relaxed_optima() == pytest.approx(expected, rel=1e-9, abs=1e-12)
    bounds = lists.lower_bounds()
    assert (bounds <= np.array(optima) * (1 + 1e-7) + 1e-9).all()
    assert bounds.max() > 0.0 or not tournament.first or max(optima) < 1e-9


@pytest.mark.parametrize(("arms", "count"), [(3, 300), (6, 800), (10, 1200)])
@pytest.mark.parametrize("seed", range(3))
def test_the_closed_form_is_kept_right_duel_by_duel(arms, count, seed):
    tournament = Tournament(DuelTally(arms))
    plan = EcwPlan(tournament)
    known, kept = plan.x.copy(), 0
    for i, j, won in duels(arms, seed, count):
        voided, _, change = tournament.count(i, j, won)
        if not voided:
            plan.moved(*((i, j) if tournament.tally.leads(i, j) else (j, i)), change)
        elif i % 2:
            continue
        tournament.settle()
        codes = plan.settle()
        solutions = [
            ecw_evidence(ecw_rows(tournament.tally.estimate, winner, "literal"), tournament.costs)
            for winner in tournament.winners
        ]
        best = first_smallest([float(np.vdot(x, tournament.costs)) / 2 for x in solutions])
        assert plan.winner == tournament.winners[best]
        assert np.allclose(plan.x, solutions[best], rtol=1e-12)
        if codes is not None:
            kept += 1
            moved = np.flatnonzero(np.triu(plan.x != known)).tolist()
            assert sorted(set(codes)) == moved
        known = plan.x.copy()
    assert kept > count / 10
