"""Trackers guided by a model: on the cells of a test set, with a margin, and by coins."""

import copy
import itertools
import math

import numpy as np
import pytest
from cpe_opt.learners.dueling.guided_tracking import GuidedCondorcet, GuidedCopeland

import cpe_opt as cpe
from cpe_opt.learners.dueling import guided_tracking
from cpe_opt.learners.dueling.beliefs import PairBeliefs
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.tracking import ALL_ASKED
from cpe_opt.problems.generators import random_cycle
from cpe_opt.problems.queries import CellSums, Duel, Window
from cpe_opt.proofs.dueling.predictable_bets import (
    PredictableBets,
)

GOALS = {"copeland-tracking": GuidedCopeland, "condorcet-tracking": GuidedCondorcet}


def items(arms, cells, seed, spread=0.5, ties=0.3, equal=0):
    """Answers of a judge with noise; the first arms are equally strong."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, spread, arms)
    strength[:equal] = strength.max()
    outcomes = np.full((arms, arms, cells), np.nan)
    for i, j in itertools.combinations(range(arms), 2):
        latent = strength[i] - strength[j] + rng.normal(0.0, 1.0, cells)
        outcomes[i, j] = np.where(np.abs(latent) < ties, 0.5, latent > 0)
    return cpe.ItemDuels(outcomes)


def tracker(goal, problem, delta, margin=0.0, parallel=1):
    arms = len(problem.labels)
    beliefs = PairBeliefs(problem.cells.astype(float), 0.5 - margin)
    bets = PredictableBets(arms, margin)
    plain = () if goal is GuidedCopeland else (PredictableBets(arms) if margin else bets,)
    return goal(beliefs, bets, delta, np.ones((arms, arms)), parallel, *plain)


LEAVES_OUT = {
    "what it loses": lambda ahead: True,
    "what would take the lead": lambda ahead: ahead <= 1,
}


@pytest.mark.parametrize("learner", [*GOALS, "borda-tracking"])
@pytest.mark.parametrize("when", LEAVES_OUT)
def test_in_whatever_order_cells_come_leaving_them_out_proves_nothing_false(learner, when):
    """All orders of a table of 7 cells, 3 of which arm 0 wins, by a judge who is for arm 0."""
    false, orders = 0, list(itertools.combinations(range(7), 3))
    cells = 7 * (1 - np.eye(2, dtype=int))
    for wins in orders:
        exchange = Exchange(cpe.learners.LEARNERS[learner], 2, delta=0.3, cells=cells)
        place = ahead = 0
        while not exchange.finished:
            won = place in wins
            kept = won or not LEAVES_OUT[when](ahead)
            ahead += (1 if won else -1) if kept else 0
            sums = (float(won), float(not won)) if kept else (0.0, 0.0)
            exchange.tell(CellSums(*(sums if exchange.query.i == 0 else sums[::-1])))
            place += 1
        false += exchange.answer == 0 and not exchange.doubt
    assert false <= 0.3 * len(orders)
    assert not exchange.doubt or exchange.doubt == ALL_ASKED


@pytest.mark.parametrize("goal", GOALS.values())
@pytest.mark.parametrize("turned", [False, True])
def test_a_cell_that_is_left_out_counts_as_the_worst_for_both_arms(goal, turned):
    problem = items(4, 60, seed=3)
    tracked = tracker(goal, problem, 0.05, 0.02)
    environment = problem.environment(np.random.default_rng(1))
    for _ in range(40):
        assert tracked.proved() is None
        tracked.count(environment.answer(tracked.open_queries()[0]))
    [duel] = tracked.open_queries()
    tracked._open[0] = Duel(duel.j, duel.i) if turned else duel
    won, lost, missing = (copy.deepcopy(tracked) for _ in range(3))
    won.count(1.0)
    lost.count(0.0)
    missing.count(CellSums(0.0, 0.0))
    for name, bets in missing._all_bets().items():
        one, other = won._all_bets()[name].log_f, lost._all_bets()[name].log_f
        assert (bets.log_f == np.minimum(one, other)).all()
        assert (one != other).any()
    assert (missing.beliefs.total == np.minimum(won.beliefs.total, lost.beliefs.total)).all()


@pytest.mark.parametrize("goal", GOALS.values())
@pytest.mark.parametrize("margin", [0.0, 0.08])
def test_it_stops_at_the_proof_and_not_before(goal, margin):
    problem = items(5, 60, seed=3)
    tracked = tracker(goal, problem, 0.05, margin)
    environment, evidence = problem.environment(np.random.default_rng(1)), []
    while (answer := tracked.proved()) is None:
        evidence.append(tracked.evidence())
        tracked.count(environment.answer(tracked.open_queries()[0]))
    assert len(evidence) > 10
    assert max(evidence) < math.log(20) <= tracked.evidence()
    found = answer if goal is GuidedCopeland else answer.answer
    assert found in problem.copeland_winners


def full(rows):
    """A table from the outcomes of the pairs (0, 1), (0, 2), (1, 2)."""
    outcomes = np.full((3, 3, len(rows[0])), np.nan)
    for (i, j), row in zip(((0, 1), (0, 2), (1, 2)), rows, strict=True):
        outcomes[i, j] = row
    return cpe.ItemDuels(outcomes)


@pytest.mark.parametrize("delta", [1e-9])
@pytest.mark.parametrize(
    ("rows", "copeland", "condorcet"),
    [
        (([0.5, 0.5], [0.5, 0.5], [0.5, 0.5]), {0, 1, 2}, None),
        (([1, 0], [1, 0], [1, 0]), {0, 1, 2}, None),
        (([1, 0.5], [1, 1], [0, 1]), {0}, 0),
        (([1, 0.5], [0, 0], [1, 1]), {0, 1, 2}, None),
        (([0, 1], [1, 1], [1, 1]), {0, 1}, None),
        (([0, 0.5], [1, 0], [0.5, 0.5]), {1, 2}, None),
    ],
)
def test_a_table_that_is_asked_in_full_is_known(rows, copeland, condorcet, delta):
    problem = full(rows)
    assert set(problem.copeland_winners) == copeland
    for seed in range(4):
        trace = cpe.simulate("copeland-tracking", problem, delta=delta, seed=seed)
        assert trace.proved
        assert trace.answer in copeland
        assert trace.samples <= 6
        trace = cpe.simulate("condorcet-tracking", problem, delta=delta, seed=seed)
        assert trace.samples <= 6
        if condorcet is not None:
            assert (trace.answer, trace.doubt) == (condorcet, "")


@pytest.mark.parametrize("learner", GOALS)
def test_as_many_are_open_as_are_to_be_and_no_cell_twice(learner):
    problem = items(4, 15, seed=5)
    exchange = Exchange(
        cpe.learners.LEARNERS[learner], 4, delta=1e-12, parallel=7, cells=problem.cells
    )
    environment, asked = problem.environment(np.random.default_rng(2)), np.zeros((4, 4))
    while not exchange.finished:
        duels = exchange.query.queries if isinstance(exchange.query, Window) else [exchange.query]
        opened = asked.copy()
        for duel in duels:
            assert duel.times == 1
            opened[duel.i, duel.j] += 1
        assert ((opened + opened.T) <= problem.cells).all()
        assert len(duels) == min(7, (problem.cells.sum() - asked.sum() * 2) / 2)
        asked[duels[0].i, duels[0].j] += 1
        exchange.tell(environment.answer(duels[0]))
    assert exchange.answer in problem.copeland_winners or problem.condorcet_winner is None


@pytest.mark.parametrize("learner", GOALS)
def test_answers_are_used_in_the_order_of_questions_for_the_arm_to_prove_by_then(learner):
    """All that decides is what was used before; the arm to prove may have changed meanwhile."""
    problem = items(4, 40, seed=5)
    tracked = tracker(GOALS[learner], problem, 1e-9, parallel=6)
    environment, champions = problem.environment(np.random.default_rng(2)), set()
    add, used = tracked.bets.add, []

    def bet(i, j, gained):
        used.append((tracked.bets.target, {i, j}))
        add(i, j, gained)

    tracked.bets.add = bet
    for _ in range(60):
        tracked.proved()
        duels = tracked.open_queries()
        champions.add(tracked.champion)
        used.clear()
        tracked.count(environment.answer(duels[0]))
        assert all(each == (tracked.champion, {duels[0].i, duels[0].j}) for each in used)
        assert tracked.open_queries()[:5] == duels[1:]
    assert len(champions) > 1


def test_bets_of_coins_count_in_q_for_arms_that_may_be_proved_and_to_win_back_what_is_lost():
    mu = random_cycle(6, seed=2)
    cells = np.full((6, 6), np.inf)
    np.fill_diagonal(cells, 0.0)
    tracked = GuidedCopeland(PairBeliefs(cells, 0.5), PredictableBets(6), 1e-6, np.ones((6, 6)))
    environment, reasons = mu.environment(np.random.default_rng(1)), set()
    add = tracked.bets.add

    def bet(i, j, gained):
        inferiors, lost = tracked.beliefs.inferiors, tracked.bets.log_q[i, j] < 0
        contends = inferiors[i] >= inferiors[tracked.champion] - 0.5
        contends &= tracked.beliefs.asked[i, j] >= 8
        late = tracked.beliefs.duels >= 18
        reasons.add((late, i == tracked.champion, bool(contends), bool(lost)))
        before = tracked.bets.log_q[i, j]
        add(i, j, gained)
        counted = late and (i == tracked.champion or contends or lost)
        assert (tracked.bets.log_q[i, j] != before) == counted

    tracked.bets.add = bet
    for _ in range(400):
        assert tracked.proved() is None
        tracked.count(environment.answer(tracked.open_queries()[0]))
    assert {(True, False, True, False), (True, False, False, True)} <= reasons


@pytest.mark.parametrize(("null", "duels"), [(0.5, 1), (0.5, 9), (0.4, 40)])
def test_a_bet_on_several_coins_is_fair_at_the_null_and_loses_below(null, duels):
    """Its exact mean, by the distribution of the wins; it is a mixture of stakes, not one."""
    cells = np.full((3, 3), np.inf)
    beliefs = PairBeliefs(cells, null)
    beliefs.count(0, 1, 20.0, 24)
    outcomes = np.arange(duels + 1)
    ways = np.array([math.comb(duels, won) for won in outcomes])
    for pair in ((1, 0), (0, 1)):  # likely below the null, and above
        stakes = np.exp([beliefs.log_mixture(*pair, null, won, duels) for won in outcomes])
        means = [
            float(ways * chance**outcomes * (1 - chance) ** (duels - outcomes) @ stakes)
            for chance in (0.8 * null, null, 0.8)
        ]
        assert means[1] == pytest.approx(1.0)
        assert means[0] < 1.0 < means[2]
    # One by one, each bet knowing those before, it comes to the same; no constant stake does.
    if duels > 1:
        assert not np.allclose(np.diff(np.log(stakes)), np.log(stakes)[1] - np.log(stakes)[0])


@pytest.mark.parametrize("gap", [0.1, 0.01, 0.001, 0.0003])
def test_stakes_on_coins_come_near_the_best_however_close_a_pair_is(gap):
    """Which at even odds is four times the gap from them; twice as much would grow no more."""
    beliefs, duels = PairBeliefs(np.full((2, 2), np.inf), 0.5), round(10.0 / gap**2)
    beliefs.count(0, 1, round((0.5 + gap) * duels), duels)
    stake, mean = beliefs.stake(0, 1, 0.5, 0.9)
    assert mean == 0.5
    assert stake == pytest.approx(4.0 * gap, rel=0.2)
    more = round(2.0 / gap**2)
    gained = beliefs.log_mixture(0, 1, 0.5, (0.5 + gap) * more, more)
    assert gained == pytest.approx(2.0 * gap**2 * more, rel=0.1)


def late_tracker(monkeypatch, arms, prior=None, **changed):
    """A tracker that is late after a few turns."""
    for name, value in {"_MANY_ARMS": arms, "_LATE": 60, **changed}.items():
        monkeypatch.setattr(guided_tracking, name, value)
    parts = guided_tracking.beliefs_and_bets(
        arms, margin=0.0, cells=None, answered=None, prior=prior
    )
    return GuidedCopeland(*parts, 1e-3, np.ones((arms, arms)))


def test_late_turns_are_batches_which_mixtures_bet_on_before_they_are_seen(monkeypatch):
    """Against a plain record of all bets."""
    mu, arms = random_cycle(6, seed=3), 6
    tracked = late_tracker(monkeypatch, arms)
    beliefs, bets = tracked.beliefs, tracked.bets
    environment, log_f, late = mu.environment(np.random.default_rng(1)), np.zeros((arms, arms)), []
    while tracked.proved() is None:
        (duel,) = tracked.open_queries()
        if tracked.turns > 60:
            asked = beliefs.asked[duel.i, duel.j]
            assert duel.times <= max(4.0, 0.5 * asked) or duel.times <= beliefs.duels / 100
            late.append((asked, duel.times))
        won = environment.answer(duel)
        for i, j, got in ((duel.i, duel.j, won), (duel.j, duel.i, duel.times - won)):
            if beliefs.belief[i, j] >= 0.9 and beliefs.mean[i, j] > 0.5:
                mixture = beliefs.log_mixture(i, j, 0.5, got, duel.times)
                stake, _ = beliefs.stake(i, j, 0.5, 0.9)
                both = math.log1p(stake / 2), math.log1p(-stake / 2)
                constant = got * both[0] + (duel.times - got) * both[1]
                single = duel.times == 1 or tracked.turns <= 60
                log_f[i, j] += constant if single else mixture
        tracked.count(won)
    np.testing.assert_allclose(bets.log_f, log_f, atol=1e-3)
    assert sum(times > 1 + 0.03 * asked for asked, times in late) > 0.3 * len(late)


def test_a_late_tracker_goes_on_from_its_state(monkeypatch):
    mu = random_cycle(6, seed=3)
    first = late_tracker(monkeypatch, 6)
    environment = mu.environment(np.random.default_rng(1))
    while not (first._spoken_for >= 0 and first.late and first.beliefs._behind.any()):
        assert first.proved() is None
        first.count(environment.answer(first.open_queries()[0]))
    second = late_tracker(monkeypatch, 6)
    second.restore(first.state())
    for _ in range(30):
        assert first.proved() == second.proved()
        assert first.open_queries() == second.open_queries()
        shown = environment.answer(first.open_queries()[0])
        first.count(shown)
        second.count(shown)
