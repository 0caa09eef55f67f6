"""Trackers that choose pair by pair: coins and cells, their bets, their draws, several at once."""

import copy
import itertools
import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.learners.dueling.beliefs import PairBeliefs
from cpe_opt.learners.dueling.condorcet_tracking import CondorcetTracker
from cpe_opt.learners.dueling.copeland_tracking import CopelandTracker
from cpe_opt.learners.dueling.pair_tracking import Tuning
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.tracking import ALL_ASKED, batches_of
from cpe_opt.problems.generators import random_cycle
from cpe_opt.problems.queries import CellSums, Duel, Window
from cpe_opt.proofs.dueling.copeland import weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from tests.learners.dueling.support import CLEAR, TRACKING, tracked, winners

GOALS = {"copeland-tracking": CopelandTracker, "condorcet-tracking": CondorcetTracker}


def items(arms, cells, seed, spread=0.5, ties=0.3, equal=0, hints=None):
    """Answers of a judge with noise; the first arms are equally strong.

    Hints are what a cheap judge says, with so much noise of its own.
    """
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, spread, arms)
    strength[:equal] = strength.max()
    outcomes, guesses = np.full((2, arms, arms, cells), np.nan)
    for i, j in itertools.combinations(range(arms), 2):
        latent = strength[i] - strength[j] + rng.normal(0.0, 1.0, cells)
        outcomes[i, j] = np.where(np.abs(latent) < ties, 0.5, latent > 0)
        if hints is not None:
            noise = np.random.default_rng([seed, i, j]).normal(0.0, hints, cells)
            guesses[i, j] = 1.0 / (1.0 + np.exp(-2.0 * (latent + noise)))
    return cpe.ItemDuels(outcomes, hints=None if hints is None else guesses)


def tracker(goal, problem, delta, **given):
    arms = len(problem.labels)
    cells = getattr(problem, "cells", None)
    return goal(delta, np.ones((arms, arms)), cells=cells, **given)


LEAVES_OUT = {
    "what it loses": lambda ahead: True,
    "what would take the lead": lambda ahead: ahead <= 1,
}


@pytest.mark.parametrize("learner", [*GOALS, "borda-tracking"])
@pytest.mark.parametrize("when", LEAVES_OUT)
def test_in_whatever_order_cells_come_leaving_them_out_proves_nothing_false(learner, when):
    """All orders of a table of 5 cells, 2 of which arm 0 wins, by a judge who is for arm 0."""
    false, orders = 0, list(itertools.combinations(range(5), 2))
    cells = 5 * (1 - np.eye(2, dtype=int))
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
    tracked = tracker(goal, problem, 0.05, margin=0.02)
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
    assert len(missing.stakes) == (2 if goal is CondorcetTracker else 1)
    for stakes, one, other in zip(missing.stakes, won.stakes, lost.stakes, strict=True):
        f = stakes.bets.log_f
        assert (f == np.minimum(one.bets.log_f, other.bets.log_f)).all()
        assert (one.bets.log_f != other.bets.log_f).any()
    assert (missing.beliefs.total == np.minimum(won.beliefs.total, lost.beliefs.total)).all()


@pytest.mark.parametrize("goal", GOALS.values())
@pytest.mark.parametrize("problem", [items(5, 60, seed=3), CLEAR])
@pytest.mark.parametrize("margin", [0.0, 0.08])
def test_it_stops_at_the_proof_and_not_before(goal, problem, margin):
    tracked = tracker(goal, problem, 0.05, margin=margin)
    environment, evidence = problem.environment(np.random.default_rng(1)), []
    while (answer := tracked.proved()) is None:
        evidence.append(tracked.evidence())
        tracked.count(environment.answer(tracked.open_queries()[0]))
    assert len(evidence) > 10
    assert max(evidence) < math.log(20) <= tracked.evidence()
    found = answer if goal is CopelandTracker else answer.answer
    assert found in problem.copeland_winners


@pytest.mark.parametrize(
    ("problem", "delta"),
    [
        (items(5, 60, seed=3), 0.05),
        (CLEAR, 0.05),
        (items(3, 4, seed=1), 0.4),  # the arm to prove changes with the proof
    ],
)
def test_the_weakest_truth_is_looked_for_only_where_the_proof_may_be_there(
    problem, delta, monkeypatch
):
    tracked = tracker(CopelandTracker, problem, delta, parallel=20)
    environment, looked, answers = problem.environment(np.random.default_rng(1)), [0], 0
    proved_against = CopelandTracker._proved_against

    def counted(self):
        looked[0] += self is tracked
        return proved_against(self)

    monkeypatch.setattr(CopelandTracker, "_proved_against", counted)
    while True:
        afresh = copy.copy(tracked)
        afresh.bets, afresh._proof = copy.copy(tracked.bets), None
        answer = tracked.proved()
        assert (afresh.evidence() >= tracked.needed) == (answer is not None)
        if answer is not None:
            break
        tracked.count(environment.answer(tracked.open_queries()[0]))
        answers += 1
    assert looked[0] < answers / 2 or delta > 0.05


@pytest.mark.parametrize("learner", [*GOALS, "borda-tracking"])
def test_a_cheap_judge_saves_calls_and_one_that_knows_nothing_costs_few(learner):
    plain = items(3, 100, seed=3, spread=0.25)
    outcomes = plain.outcomes[..., 0]
    drawn = (np.random.default_rng(1).random(outcomes.shape) < 0.5).astype(float)
    drawn[np.tril_indices(3)] = np.nan
    needed = {}
    for name, problem in {
        "plain": plain,
        "cheap": items(3, 100, seed=3, spread=0.25, hints=0.5),
        "coin": cpe.ItemDuels(outcomes, hints=drawn),
        "none": cpe.ItemDuels(outcomes, hints=np.full(outcomes.shape, np.nan)),
    }.items():
        trace = cpe.simulate(learner, problem, seed=0)
        assert trace.proved
        assert trace.answer in plain.copeland_winners
        needed[name] = trace.samples
    assert needed["cheap"] < 0.85 * needed["plain"]
    assert needed["coin"] < 1.3 * needed["plain"]
    assert needed["none"] == needed["plain"]


def full(rows):
    """A table from the outcomes of the pairs (0, 1), (0, 2), (1, 2)."""
    outcomes = np.full((3, 3, len(rows[0])), np.nan)
    for (i, j), row in zip(((0, 1), (0, 2), (1, 2)), rows, strict=True):
        outcomes[i, j] = row
    return cpe.ItemDuels(outcomes)


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
def test_a_table_that_is_asked_in_full_is_known(rows, copeland, condorcet):
    problem = full(rows)
    assert set(problem.copeland_winners) == copeland
    for seed in range(4):
        trace = cpe.simulate("copeland-tracking", problem, delta=1e-9, seed=seed)
        assert trace.proved
        assert trace.answer in copeland
        assert trace.samples <= 6
        trace = cpe.simulate("condorcet-tracking", problem, delta=1e-9, seed=seed)
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

    def bet(i, j, *gained, **of_target):
        used.append((tracked.bets.target, {i, j}))
        add(i, j, *gained, **of_target)

    tracked.bets.add = bet
    for _ in range(60):
        tracked.proved()
        duels = tracked.open_queries()
        champions.add(champion := tracked.champion)
        inferiors = tracked.beliefs.inferiors.copy()
        used.clear()
        tracked.count(environment.answer(duels[0]))
        assert [pair for _, pair in used] == 2 * [{duels[0].i, duels[0].j}]
        for target, pair in used:
            contends = target in pair and inferiors[target] >= inferiors[champion] - 0.5
            assert target == champion or contends
        assert tracked.open_queries()[:5] == duels[1:]
    assert len(champions) > 1


@pytest.mark.parametrize("learner", GOALS)
def test_of_many_open_questions_a_sixteenth_is_chosen_at_once(learner):
    """By what the model has learnt when fewer are open than are to be; to the last cell."""
    problem, numbers = items(4, 30, seed=5), []
    tracked = tracker(GOALS[learner], problem, 1e-9, parallel=48)
    environment, beliefs = problem.environment(np.random.default_rng(2)), tracked.beliefs
    for turn in range(180):
        numbers.append(len(duels := tracked.open_queries()))
        rate = beliefs.rate.copy()
        tracked.count(environment.answer(duels[0]))
        assert beliefs.asked.sum() == 2 * (turn + 1)
        assert (beliefs.rate != rate).any() == (len(duels) <= 48) or turn > 132
    assert numbers == [48, *44 * [50, 49, 48], *range(47, 0, -1)]
    assert (beliefs.asked == problem.cells).all()


def test_a_stake_of_coins_is_divided_and_each_bet_is_placed_before_the_duel():
    """A plain record of F, by the posterior and the counts before each batch, and of Q."""
    mu, arms, share = random_cycle(16, seed=2), 16, Tuning().counts
    tracked = tracker(CopelandTracker, mu, 1e-250)
    beliefs, environment = tracked.beliefs, mu.environment(np.random.default_rng(1))
    model, log_q, wins = np.zeros((3, arms, arms))
    reasons, several = set(), 0
    for _ in range(250):
        assert tracked.proved() is None
        (duel,) = tracked.open_queries()
        won, times, several = environment.answer(duel), duel.times, several + (duel.times > 1)
        for i, j, got in ((duel.i, duel.j, won), (duel.j, duel.i, times - won)):
            likely = beliefs.belief[i, j] >= 0.8
            gained = beliefs.log_mixture(i, j, 0.5, got, times) if likely else 0.0
            bet_on, lost = tracked.bets.log_q[i, j] != 0, tracked.bets.log_q[i, j] < 0
            sure = beliefs.belief[i, j] >= 1 - 3 / arms
            contends = beliefs.inferiors[i] >= beliefs.inferiors[tracked.champion] - 0.5
            model[i, j] += gained
            if (bet_on or sure) and (contends or lost or i == tracked.champion):
                log_q[i, j] += gained
                if gained:
                    reasons.add((i == tracked.champion, bool(contends), bool(lost), bool(sure)))
            wins[i, j] += got
        tracked.count(won)
    of_counts = math.log(share) + log_e_values(wins, wins.T)
    log_f = np.logaddexp(of_counts, math.log(1 - share) + model)
    np.testing.assert_allclose(tracked.bets.log_f, np.where(wins + wins.T, log_f, 0), atol=1e-4)
    np.testing.assert_allclose(tracked.bets.log_q, log_q, atol=1e-4)
    assert {(False, True, False, True), (False, False, True, True)} <= reasons
    assert any(not sure for *_, sure in reasons)
    assert several > 50


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
def test_bets_on_coins_come_near_the_best_however_close_a_pair_is(gap):
    beliefs, duels = PairBeliefs(np.full((2, 2), np.inf), 0.5), round(10.0 / gap**2)
    beliefs.count(0, 1, round((0.5 + gap) * duels), duels)
    more = round(2.0 / gap**2)
    gained = beliefs.log_mixture(0, 1, 0.5, (0.5 + gap) * more, more)
    assert gained == pytest.approx(2.0 * gap**2 * more, rel=0.1)


def test_signs_are_drawn_by_their_odds_and_together_where_strengths_are_unknown():
    mu = random_cycle(5, seed=1)
    tracked = tracker(CopelandTracker, mu, 1e-3)
    environment = mu.environment(np.random.default_rng(1))
    for i, j in itertools.combinations(range(4), 2):  # arm 4 meets nobody
        tracked._put(Duel(i, j, 12))
        tracked.count(environment.answer(Duel(i, j, 12)))
    tracked.turns += 1
    wins = tracked._draw(20_000).wins
    assert (wins ^ wins.transpose(0, 2, 1))[:, ~np.eye(5, dtype=bool)].all()
    for i, j in itertools.permutations(range(5), 2):
        belief = tracked.beliefs.belief[i, j]
        z = math.log(belief / (1 - belief)) / 1.7 / Tuning().temper
        expected = 0.5 * math.erfc(-z / math.sqrt(2))
        assert wins[:, i, j].mean() == pytest.approx(expected, abs=0.015)
    assert np.corrcoef(wins[:, 4, 0], wins[:, 4, 1])[0, 1] > 0.3
    assert abs(np.corrcoef(wins[:, 0, 3], wins[:, 1, 2])[0, 1]) < 0.03
    tracked.turns += 1
    assert (tracked._draw(20_000).wins != wins).mean() > 0.1  # each turn has a stream of its own


def test_a_wrong_sign_does_not_send_all_duels_to_a_pair_that_is_nearly_tied():
    """Arm 0 is proved without its duel with arm 3, of 0.51, which takes thousands."""
    mu, seeds = cpe.load_instance("gap"), (3, 5)  # of twelve those that duel them most often
    traces = [cpe.simulate("copeland-tracking", mu, delta=0.05, seed=seed) for seed in seeds]
    assert all(trace.proved and trace.answer in mu.copeland_winners for trace in traces)
    assert np.mean([trace.samples for trace in traces]) < 420
    assert max(trace.draws[0, 3] for trace in traces) < 1500


@pytest.mark.parametrize("learner", GOALS)
@pytest.mark.parametrize("start", ["coins", "votes", "cells", "hints"])
def test_a_tracker_goes_on_from_its_state(learner, start):
    problem = items(4, 30, seed=5) if start == "cells" else cpe.load_instance("cyclic")
    if start == "hints":
        problem = items(4, 30, seed=5, hints=0.8)
    wins = np.array([[0, 9, 12, 12], [3, 0, 8, 11], [2, 6, 0, 9], [0, 1, 4, 0]])
    given = {"prior": wins} if start == "votes" else {}
    given |= {"hints": problem.told_hints} if start == "hints" else {}
    given |= {"margin": 0.05, "parallel": 3 if start == "coins" else 40, "seed": 7}
    first = tracker(GOALS[learner], problem, 1e-9, **given)
    environment = problem.environment(np.random.default_rng(4))
    for _ in range(12):
        again = tracker(GOALS[learner], problem, 1e-9, **given)
        again.restore(copy.deepcopy(first.state()))
        assert first.proved() is again.proved() is None
        assert again.evidence() == first.evidence()
        assert again.open_queries() == first.open_queries()
        shown = environment.answer(first.open_queries()[0])
        first.count(shown)
        again.count(shown)
        assert (again.bets.log_f == first.bets.log_f).all()
        assert (again.beliefs.rate == first.beliefs.rate).all()


def test_a_question_changes_nothing():
    """However often evidence, guess and doubt are asked for."""
    mu = cpe.load_instance("cyclic")
    quiet, asked = (tracker(CopelandTracker, mu, 1e-4) for _ in range(2))
    environments = [mu.environment(np.random.default_rng(3)) for _ in range(2)]
    for _ in range(40):
        asked.evidence(), asked.guess(), asked.doubt(), asked.proved(), asked.proved()
        assert quiet.proved() is None
        assert quiet.open_queries() == asked.open_queries() == asked.open_queries()
        for each, environment in zip((quiet, asked), environments, strict=True):
            each.count(environment.answer(each.open_queries()[0]))


def test_votes_that_are_there_are_used():
    mu = cpe.load_instance("cyclic")
    _, wins, exchange = tracked("copeland-tracking", mu, delta=0.05)
    again = Exchange(cpe.learners.copeland_tracking, mu.arms, delta=0.05, prior=3 * wins)
    assert (again.finished, again.answer, again.doubt) == (True, exchange.answer, "")
    by_counts = weakest_truth(log_e_values(3 * wins, 3 * wins.T), exchange.answer).evidence
    start = tracker(CopelandTracker, mu, 0.05, prior=3 * wins)
    assert by_counts - math.log(2) - 1e-5 <= start.evidence() < by_counts


def test_two_arms_are_told_apart_by_the_mixture_of_all_stakes():
    mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]])
    asked, wins, exchange = tracked("copeland-tracking", mu, delta=0.05, seed=3)
    log_e = log_e_values(wins, wins.T)[exchange.answer, 1 - exchange.answer]
    assert np.log(0.15 + 0.85 * math.exp(log_e)) >= math.log(20) - 1e-6
    last, won = asked[-1]
    wins[last.i, last.j] -= won
    wins[last.j, last.i] -= last.times - won
    log_e = log_e_values(wins, wins.T)[exchange.answer, 1 - exchange.answer]
    assert np.log(0.15 + 0.85 * math.exp(log_e)) < math.log(20)


@pytest.mark.parametrize(
    ("learner", "most"), [("condorcet-tracking", 130), ("borda-tracking", 1300)]
)
def test_winners_are_found_by_few_duels(learner, most):
    mu = cpe.load_instance("cyclic")
    traces = [cpe.simulate(learner, mu, delta=0.05, seed=seed) for seed in range(2)]
    assert all(trace.proved for trace in traces)
    assert all(trace.answer in winners(learner, mu) for trace in traces)
    assert np.mean([trace.samples for trace in traces]) <= most


@pytest.mark.parametrize("learner", TRACKING)
def test_counts_that_prove_nothing_are_refused(learner):
    function = cpe.learners.LEARNERS[learner]
    with pytest.raises(cpe.InputError, match="prior: votes on 3 arms, expected 4"):
        Exchange(function, 4, delta=0.1, prior=np.zeros((3, 3)))
    rankings = cpe.Votes(np.zeros((3, 3)), independent=False)
    with pytest.raises(cpe.InputError, match="rankings"):
        Exchange(function, 3, delta=0.1, prior=rankings)
    with pytest.raises(cpe.InputError, match=r"price|prices"):
        Exchange(function, 3, delta=0.1, prices=np.zeros((3, 3)))
    with pytest.raises(cpe.InputError, match="delta"):
        Exchange(function, 3, delta=1.5)


@pytest.mark.parametrize("learner", TRACKING)
def test_a_run_does_not_depend_on_the_currency(learner):
    common = {"delta": 0.3, "seed": 1}
    plain = cpe.simulate(learner, CLEAR, **common)
    alike = cpe.simulate(learner, CLEAR, prices=1e200, **common)
    assert (alike.samples, alike.answer, alike.doubt) == (plain.samples, plain.answer, plain.doubt)
    assert (alike.draws == plain.draws).all()


@pytest.mark.parametrize("learner", TRACKING)
def test_the_smallest_probabilities_of_an_error_are_reached_or_refused(learner):
    trace = cpe.simulate(learner, CLEAR, delta=1e-300, seed=0, horizon=10**6)
    assert trace.proved
    assert trace.answer == 0
    with pytest.raises(cpe.InputError, match="delta is 5e-324, expected a probability from"):
        cpe.simulate(learner, CLEAR, delta=5e-324)


@pytest.mark.parametrize("learner", TRACKING)
def test_an_early_end_says_what_is_proved_by_then(learner):
    mu = cpe.load_instance("cyclic")
    early = cpe.simulate(learner, mu, delta=1e-6, horizon=2)
    assert early.doubt == (
        "the horizon was reached before it stopped; nothing is proved of the answer by then"
    )
    late = cpe.simulate(learner, mu, delta=1e-200, seed=1, horizon=500)
    assert late.answer in winners(learner, mu)
    assert not late.proved
    found = re.search(r"by then it has evidence ([\d.]+), and a proof .* needs 461", late.doubt)
    assert 0.0 < float(found[1]) < 461


@given(
    times=st.lists(st.integers(1, 400), min_size=6, max_size=6),
    parallel=st.integers(2, 60),
)
@settings(max_examples=30)
def test_every_batch_of_a_block_has_its_part_of_every_pair(times, parallel):
    planned = np.zeros((4, 4), dtype=np.int64)
    planned[np.triu_indices(4, 1)] = times
    planned += planned.T
    parts = list(batches_of(planned, parallel))
    total = Counter()
    for part in parts:
        assert sum(duel.times for duel in part) >= min(parallel, sum(times))
        for duel in part:
            total[duel.i, duel.j] += duel.times
            whole = planned[duel.i, duel.j]
            assert whole / len(parts) - 1 < duel.times < whole / len(parts) + 1
    assert total == {(i, j): planned[i, j] for i in range(4) for j in range(i + 1, 4)}
    assert len(parts) <= 100
    assert len(parts) == 100 or (len(parts) + 1) * (parallel + 6) > sum(times)
