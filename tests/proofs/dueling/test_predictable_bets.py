"""Bets placed in advance: brute force over truths, and exact optima over all policies."""

import copy
import itertools
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from cpe_opt.learners.dueling.condorcet_tracking import CondorcetTracker
from cpe_opt.learners.dueling.copeland_tracking import CopelandTracker
from cpe_opt.learners.dueling.pair_tracking import Tuning
from cpe_opt.proofs.dueling.condorcet import condorcet_product
from cpe_opt.proofs.dueling.copeland import WeakestTruth, weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.predictable_bets import (
    _FLOOR,
    PredictableBets,
    floored,
    mean_of_proofs,
    missing_wins,
    null_mean,
)
from tests.proofs.dueling.definitions import sign_matrices


def relations(mean, margin):
    """Of each ordered pair: is its null true, and is the row's arm beaten beyond the margin."""
    null, beaten = mean <= 0.5 - margin + 1e-12, mean < 0.5 - margin - 1e-12
    np.fill_diagonal(null, False)
    np.fill_diagonal(beaten, False)
    return null, beaten


def wrong_answers(null, beaten):
    """The arms that another one is ahead of by more than the margin."""
    arms = len(null)
    unbeaten, beating = null.sum(axis=0), beaten.sum(axis=1)
    return {
        i
        for i in range(arms)
        if any(unbeaten[j] + beating[i] >= arms for j in range(arms) if j != i)
    }


def log_w(f, q, null, held):
    """ln W of a truth; None where what is held says that it is not the truth."""
    arms = len(f)
    beaten_both = null & null.T
    if (null & ~beaten_both & held).any():
        return None
    j = int(np.argmax(null.sum(axis=0)))
    total = sum(f[k, j] for k in range(arms) if null[k, j])
    for a, b in itertools.combinations(range(arms), 2):
        if j in (a, b):
            continue
        if null[a, b] and null[b, a]:
            total += np.logaddexp(q[a, b], q[b, a]) - math.log(2.0)
        elif null[a, b]:
            total += q[a, b]
        elif null[b, a]:
            total += q[b, a]
    return total


@pytest.mark.parametrize("margin", [0.0, 0.05])
@pytest.mark.parametrize("arms", [2, 3, 4])
def test_the_least_w_is_that_of_the_weakest_truth(arms, margin):
    rng = np.random.default_rng(arms)
    step = 2 * margin or 0.2
    all_truths = [relations(0.5 + step * truth, margin) for truth in sign_matrices(arms)]
    attained = 0
    for trial in range(60 if arms < 4 else 8):
        bets = PredictableBets(arms, margin)
        # Of every second one truths with several superiors of the answer are the weakest.
        mean, spread, share = ((0.5, 2.0, 0.2), (3.0, 3.0, 0.0))[trial % 2]
        bets.log_f = np.round(rng.normal(mean, spread, (arms, arms)) * 16) / 16
        bets.log_q = np.round(rng.normal(0.0, 1.5, (arms, arms)) * 16) / 16
        bets.held = rng.random((arms, arms)) < share
        f, q = floored(bets.log_f), floored(bets.log_q)
        least = dict.fromkeys(range(arms), math.inf)
        for null, beaten in all_truths:
            value = log_w(f, q, null, bets.held)
            if value is not None:
                for i in wrong_answers(null, beaten):
                    least[i] = min(least[i], value)
        for i, value in least.items():
            found = bets.weakest_truth(i).evidence
            assert found <= value + 1e-9
            attained += abs(found - value) < 1e-9
    assert attained > 5


@pytest.mark.parametrize("seed", range(6))
def test_its_pairs_are_those_of_the_least_w(seed):
    rng = np.random.default_rng(seed)
    for arms in (2, 3, 5, 6, 7, 9):
        bets = PredictableBets(arms)
        bets.log_f = np.round(rng.normal(1.0, 2.0, (arms, arms)) * 16) / 16
        bets.log_q = np.round(rng.normal(0.0, 1.5, (arms, arms)) * 16) / 16
        weakest = bets.weakest_truth(1)
        f, q = floored(bets.log_f), floored(bets.log_q)
        j = weakest.challenger
        others = [pair for pair in itertools.combinations(range(arms), 2) if j not in pair]
        total = sum(min(q[a, b], q[b, a]) for a, b in others)
        total += sum(q[1, k] - min(q[1, k], q[k, 1]) for k in weakest.beating)
        total += sum(f[k, j] for k in weakest.unbeaten)
        assert total == pytest.approx(weakest.evidence, abs=1e-9)
        beats = 1 not in weakest.unbeaten
        assert len(weakest.unbeaten) + len(weakest.beating) >= arms - (not beats)


def of_one(function, *numbers, null=0.5):
    """Of a function of arrays, at single numbers."""
    return function(*(np.array([float(x)]) for x in numbers), null)[0]


class Policies:
    """The largest probability of a wrong stop over all policies, by dynamic programming.

    A policy chooses the pair, which of its arms is bet on, what share of the largest stake, and
    whether that arm is the target, by all answers before. Cells come in a random order.
    """

    def __init__(self, table, arms, margin, delta, shares, targets=(False, True), goal="copeland"):
        self.pairs = list(itertools.combinations(range(arms), 2))
        self.arms, self.margin, self.needed = arms, margin, math.log(1 / delta)
        self.cells = [len(cells) for cells in table]
        self.shares, self.targets, self.goal = shares, targets, goal
        mean = np.full((arms, arms), 0.5)
        for (a, b), cells in zip(self.pairs, table, strict=True):
            mean[a, b] = sum(cells) / len(cells)
            mean[b, a] = 1 - mean[a, b]
        null, beaten = relations(mean, margin)
        if goal == "copeland":
            self.wrong = wrong_answers(null, beaten)
        else:
            best = [i for i in range(arms) if (np.delete(mean[i], i) > 0.5).all()]
            self.wrong = set(range(arms)) - set(best) if best else set()
        self.table = tuple(tuple(sorted(cells)) for cells in table)
        self.value = cache(self.value)

    def value(self, left, logs):
        """``left``: the outcomes that are left of each pair; ``logs``: ln F and ln Q of each."""
        if not self.wrong:
            return 0.0
        bets = self.bets(left, logs)
        if self.goal == "copeland":
            stopped = any(bets.weakest_truth(i).evidence >= self.needed for i in self.wrong)
        else:
            against = condorcet_product(bets.log_f)
            stopped = any(np.delete(against, i).min() >= self.needed for i in self.wrong)
        if stopped:
            return 1.0
        best = 0.0
        for place, cells in enumerate(left):
            if not cells:
                continue
            for side, share, target in itertools.product((0, 1), self.shares, self.targets):
                mean = 0.0
                for outcome in set(cells):
                    rest = list(cells)
                    rest.remove(outcome)
                    after = (*left[:place], tuple(rest), *left[place + 1 :])
                    moved = self.moved(left, logs, place, side, share, target, outcome)
                    mean += cells.count(outcome) / len(cells) * self.value(after, moved)
                best = max(best, mean)
        return best

    def total(self, left, place, side):
        got = sum(self.table[place]) - sum(left[place])
        asked = self.cells[place] - len(left[place])
        return (got if side == 0 else asked - got), asked

    def moved(self, left, logs, place, side, share, target, outcome):
        total, asked = self.total(left, place, side)
        m = of_one(null_mean, self.cells[place], asked, total, null=0.5 - self.margin)
        if not 0 < m < 1:
            return logs
        y = outcome if side == 0 else 1 - outcome
        gained = math.log1p(share / m * (y - m))
        key = 2 * place + side
        f, q = logs[key]
        changed = round(f + gained, 9), round(q + gained * target, 9)
        return (*logs[:key], changed, *logs[key + 1 :])

    def bets(self, left, logs):
        bets = PredictableBets(self.arms, self.margin)
        for place, (a, b) in enumerate(self.pairs):
            for side, (i, j) in enumerate(((a, b), (b, a))):
                bets.log_f[i, j], bets.log_q[i, j] = logs[2 * place + side]
                total, _ = self.total(left, place, side)
                null = 0.5 - self.margin
                missing = of_one(missing_wins, self.cells[place], total, null=null)
                bets.held[i, j] = missing <= 0
                if missing < 0:
                    bets.certain(i, j, refuted=True)
        return bets

    def largest(self):
        return self.value(self.table, ((0.0, 0.0),) * (2 * len(self.pairs)))


@pytest.mark.parametrize(
    ("cells", "margin"),
    [
        (3, 0.1),
        (4, 0.0),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in [(3, 0.0), (4, 0.1)]),
        *(pytest.param(k, m, marks=pytest.mark.slow) for k in (5, 6) for m in (0.0, 0.1)),
    ],
)
def test_no_policy_errs_more_often_than_delta_on_one_pair(cells, margin):
    largest = 0.0
    for table in itertools.combinations_with_replacement((0.0, 0.5, 1.0), cells):
        if 2 * sum(table) > cells:
            continue  # the same as one with less, but for the names of the arms
        for delta in (0.2, 0.45):
            found = Policies([table], 2, margin, delta, (0.999,), (True,)).largest()
            assert found <= delta
            largest = max(largest, found / delta)
    if cells >= 4 and margin == 0:
        assert largest > 0.15  # a factor of 5 in the bets would not hold


TABLES = [
    ((0.5,), (0.0, 1.0), (1.0,)),
    ((0.0, 0.0), (0.0, 1.0), (0.0, 1.0)),
    ((0.0, 1.0), (0.0, 0.5), (0.5, 1.0)),
    ((0.0, 0.5), (0.0, 0.5), (0.0, 0.5)),
    ((1.0, 0.5), (0.0, 0.5), (1.0, 0.5)),
]


def all_tables(cells):
    """Those of three pairs with so many cells in all, one of each kind up to names of arms."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    kinds = set()
    for sizes in itertools.product(range(1, cells - 1), repeat=3):
        if sum(sizes) != cells:
            continue
        choices = [itertools.combinations_with_replacement((0.0, 0.5, 1.0), k) for k in sizes]
        for table in itertools.product(*choices):
            renamed = []
            for arms in itertools.permutations(range(3)):
                new = {}
                for (a, b), outcomes in zip(pairs, table, strict=True):
                    i, j = arms[a], arms[b]
                    seen = outcomes if i < j else tuple(1 - y for y in outcomes)
                    new[min(i, j), max(i, j)] = tuple(sorted(seen))
                renamed.append(tuple(new[pair] for pair in pairs))
            kinds.add(min(renamed))
    return sorted(kinds)


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize(
    ("cells", "kinds"),
    [
        (3, 7),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in [(4, 30), (5, 105), (6, 296)]),
    ],
)
def test_no_policy_errs_more_often_than_delta_on_three_pairs(cells, kinds, margin):
    tables = all_tables(cells)
    assert len(tables) == kinds
    targets = (False, True) if cells < 5 else (True,)
    for table, delta in itertools.product(tables, (0.2, 0.6)):
        found = Policies(table, 3, margin, delta, (0.999,), targets).largest()
        assert found <= delta, (table, delta)


@pytest.mark.parametrize("table", TABLES)
def test_no_policy_names_a_wrong_condorcet_winner_more_often_than_delta(table):
    for delta in (0.2, 0.6):
        found = Policies(table, 3, 0.0, delta, (0.999,), (True,), "condorcet").largest()
        assert found <= delta


def with_votes(arms, votes, duels, delta):
    """The largest probability of a wrong stop, over all policies, after votes on fair coins.

    They are the limit of truths in which the last arm beats all: any other answer is wrong.
    """
    pairs, needed = list(itertools.combinations(range(arms), 2)), math.log(1 / delta)

    def stopped(wins, logs):
        log_e = log_e_values(np.array(wins), np.array(wins).T)
        bets = PredictableBets(arms)
        bets.log_f, bets.log_q = np.array(logs[0]), np.array(logs[1])
        return any(
            mean_of_proofs(bets.weakest_truth(i), weakest_truth(log_e, i)).evidence >= needed
            for i in range(arms - 1)
        )

    def added(matrix, i, j, number):
        changed = np.array(matrix)
        changed[i, j] = round(changed[i, j] + number, 9)
        return tuple(map(tuple, changed.tolist()))

    @cache
    def value(wins, logs, left):
        if stopped(wins, logs):
            return 1.0
        best = 0.0
        for (a, b), side, target in itertools.product(pairs if left else (), (0, 1), (0, 1)):
            i, j = (a, b) if side == 0 else (b, a)
            mean = 0.0
            for winner, loser, gained in ((i, j, math.log(1.9)), (j, i, math.log(0.1))):
                f, q = (
                    added(each, i, j, gained * part)
                    for each, part in zip(logs, (1, target), strict=True)
                )
                mean += 0.5 * value(added(wins, winner, loser, 1.0), (f, q), left - 1)
            best = max(best, mean)
        return best

    nothing = tuple(map(tuple, np.zeros((arms, arms)).tolist()))
    total = 0.0
    for won in itertools.product(range(votes + 1), repeat=len(pairs)):
        wins = np.zeros((arms, arms))
        for (a, b), number in zip(pairs, won, strict=True):
            wins[a, b], wins[b, a] = number, votes - number
        chance = math.prod(math.comb(votes, number) for number in won) / 2 ** (votes * len(pairs))
        before = np.round(log_e_values(wins, wins.T), 9)
        np.fill_diagonal(before, 0.0)
        state = [tuple(map(tuple, each.tolist())) for each in (wins, before)]
        total += chance * value(state[0], (state[1], nothing), duels)
    return total


@pytest.mark.parametrize(
    ("arms", "votes", "duels", "delta", "least"),
    [
        (2, 3, 2, 0.6, 0.2),
        pytest.param(3, 2, 1, 0.6, 0.03, marks=pytest.mark.slow),
        pytest.param(2, 6, 6, 0.3, 0.1, marks=pytest.mark.slow),
        pytest.param(3, 2, 2, 0.6, 0.03, marks=pytest.mark.slow),
    ],
)
def test_no_policy_errs_more_often_than_delta_after_votes(arms, votes, duels, delta, least):
    assert least < with_votes(arms, votes, duels, delta) <= delta


def test_the_mean_of_two_proofs_is_that_of_their_stakes():
    truths = [WeakestTruth(evidence, 1, [0], []) for evidence in (3.0, 5.0)]
    found = mean_of_proofs(*truths)
    assert found.evidence == pytest.approx(math.log((math.exp(3.0) + math.exp(5.0)) / 2), abs=1e-5)
    assert mean_of_proofs(*truths[::-1]).evidence == found.evidence


def test_a_bet_is_fair_at_the_null_and_loses_below():
    for cells, wins in ((6, 3), (6, 2), (5, 1)):
        mean = 0.0
        orders = set(itertools.permutations([1.0] * wins + [0.0] * (cells - wins)))
        for order in orders:
            stake, total = 1.0, 0.0
            for asked, y in enumerate(order):
                m = of_one(null_mean, cells, asked, total)
                if 0 < m < 1:
                    stake *= 1 + 0.7 / m * (y - m)
                total += y
            mean += stake / len(orders)
        assert mean == pytest.approx(1.0) if 2 * wins == cells else mean < 1.0


def test_cells_decide_for_certain():
    cells = np.array([10.0, 10.0, 10.0, np.inf])
    total = np.array([5.5, 5.0, 4.0 + 1.0 + 1e-12, 99.0])
    assert np.sign(missing_wins(cells, total, 0.5)).tolist() == [-1.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_evidence_grows_by_no_more_than_is_noted(margin):
    rng, shares = np.random.default_rng(3), []
    for _ in range(200):
        bets = PredictableBets(4, margin)
        bets.log_f = np.round(rng.normal(1.0, 2.0, (4, 4)) * 16) / 16
        bets.log_q = np.round(rng.normal(0.0, 1.5, (4, 4)) * 16) / 16
        before = np.array([bets.weakest_truth(i).evidence for i in range(4)])
        for bet in rng.normal(0.0, 3.0, (3, 2)).tolist():
            i, j = rng.choice(4, 2, replace=False).tolist()
            bets.target = i
            bets.add(i, j, bet[0], of_target=bet[1])
            if rng.random() < 0.05:
                bets.certain(i, j, refuted=False)
        grown = np.array([bets.weakest_truth(i).evidence for i in range(4)]) - before
        assert (grown <= bets.grown).all()
        shares.append(grown.max() / bets.grown)
    assert max(shares) > 0.8


def test_what_is_floored_is_a_mixture_with_one():
    logs = np.array([-50.0, 0.0, 3.0])
    expected = np.log(_FLOOR + (1.0 - _FLOOR) * np.exp(logs))
    assert floored(logs) == pytest.approx(expected, abs=1e-6)


def test_only_the_bets_of_the_target_count_in_q():
    bets = PredictableBets(3)
    bets.add(0, 1, 2.0)
    bets.target = 1
    bets.add(0, 1, 2.0)
    bets.add(1, 0, 1.0)
    assert bets.log_f[0, 1] == pytest.approx(4.0, abs=1e-6)
    assert bets.log_q[0, 1] == 0.0
    assert bets.log_q[1, 0] == bets.log_f[1, 0] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_a_condorcet_winner_is_ruled_out_by_the_product(seed):
    """The least W over the arms that the winner beats by more than the margin, by brute force."""
    rng = np.random.default_rng(seed)
    log_f, log_m = rng.normal(0.5, 2.0, (2, 4, 4))
    plain, wide = floored(log_f), floored(log_m)
    found = condorcet_product(log_f)
    for j in range(4):
        assert found[j] == pytest.approx(sum(plain[k, j] for k in range(4) if k != j))
    for answer, j in itertools.product((2, None), range(4)):
        others = [k for k in range(4) if k != j]
        values = [
            sum(wide[k, j] if bad else plain[k, j] for k, bad in zip(others, chosen, strict=True))
            for chosen in itertools.product((False, True), repeat=3)
            if answer is None or (j != answer and chosen[others.index(answer)])
        ]
        if values:
            found = condorcet_product(log_f, log_m, answer)[j]
            assert found == pytest.approx(min(values))


class Tree:
    """All outcomes of the questions that a tracker of a learner asks, and W of the truth.

    At every node W is at least its mean after the next answer, and at least what the tracker has
    for a false statement. ``means`` are E[W] after each number of answers, where runs that ended
    keep their W; ``wrong`` is the probability of an end with a false statement.
    """

    def __init__(self, learner, truth, margin, depth, delta, parallel, votes, drifts):
        self.condorcet, self.depth, self.drifts = learner == "condorcet", depth, drifts
        pairs, arms = list(truth), 1 + max(j for _, j in truth)
        self.truth, self.cells = truth, None
        self.mean = np.full((arms, arms), 0.5)
        if isinstance(truth[0, 1], tuple):
            self.cells = np.zeros((arms, arms))
        for (i, j), of_pair in truth.items():
            self.mean[i, j] = np.mean(of_pair)
            self.mean[j, i] = 1 - self.mean[i, j]
            if self.cells is not None:
                self.cells[i, j] = self.cells[j, i] = len(of_pair)
        self.null, beaten = relations(self.mean.copy(), margin)
        self.false = wrong_answers(self.null, beaten)
        if self.condorcet:
            (self.winner,) = (j for j in range(arms) if (np.delete(self.mean[j], j) > 0.5).all())
            self.false = set(np.flatnonzero(beaten[:, self.winner]).tolist())
        self.means, self.wrong, self.largest = np.zeros(depth + 1), 0.0, 0.0
        for won in itertools.product(range(votes + 1), repeat=len(pairs)):
            chance, prior = 1.0, np.zeros((arms, arms))
            for (i, j), number in zip(pairs, won, strict=True):
                prior[i, j], prior[j, i] = number, votes - number
                p = self.mean[i, j]
                chance *= math.comb(votes, number) * p**number * (1 - p) ** (votes - number)
            start = {"cells": self.cells, "answered": None, "prior": prior if votes else None}
            goal = CondorcetTracker if self.condorcet else CopelandTracker
            start |= {"margin": margin, "tuning": SINGLY}
            start |= parallel if isinstance(parallel, dict) else {"parallel": parallel}
            tracker = goal(delta, np.ones((arms, arms)), **start)
            self.walk(tracker, chance, 0, dict.fromkeys(pairs, ()))

    def log_w(self, tracker):
        """By its definition."""
        f = floored(tracker.bets.log_f)
        if not self.condorcet:
            return log_w(f, floored(tracker.bets.log_q), self.null, tracker.bets.held)
        plain, j = floored(tracker._plain.log_f), self.winner
        return sum((f if k in self.false else plain)[k, j] for k in range(len(f)) if k != j)

    def outcomes(self, pair, seen):
        """What the first arm may get next, with the probabilities."""
        of_pair = self.truth[pair]
        if self.cells is None:
            away = 0.1 * np.sign(of_pair - 0.5) if self.drifts and sum(seen) % 2 else 0.0
            return [(1.0, of_pair + away), (0.0, 1.0 - of_pair - away)]
        left = list(of_pair)
        for outcome in seen:
            left.remove(outcome)
        return [(y, left.count(y) / len(left)) for y in sorted(set(left))]

    def walk(self, tracker, chance, depth, seen):
        """The W of a node, after all nodes below it."""
        log = self.log_w(tracker)
        w = math.exp(log)
        self.largest = max(self.largest, w)
        for i in self.false:
            if self.condorcet:
                assert tracker._against(i)[self.winner] <= log + 1e-9
            else:
                assert tracker.bets.weakest_truth(i).evidence <= log + 1e-9
        if self.condorcet:
            assert tracker._against()[self.winner] <= log + 1e-9
        answer = tracker.proved()
        if answer is not None:
            doubt = getattr(answer, "doubt", "")
            answer = getattr(answer, "answer", answer)
            self.wrong += chance * ((not doubt and answer in self.false) or "ruled out" in doubt)
        if answer is not None or depth == self.depth:
            self.means[depth:] += chance * w
            return w
        self.means[depth] += chance * w
        asked = tracker.open_queries()[0]
        assert asked.times == 1
        pair = min(asked.i, asked.j), max(asked.i, asked.j)
        after = 0.0
        outcomes = self.outcomes(pair, seen[pair])
        for place, (y, p) in enumerate(outcomes, start=1):
            child = tracker if place == len(outcomes) else copy.deepcopy(tracker)
            child.count(y if asked.i < asked.j else 1.0 - y)
            below = {**seen, pair: (*seen[pair], y)}
            after += p * self.walk(child, chance * p, depth + 1, below)
        assert after <= w * (1.0 + 1e-6)  # W is rounded down
        return w


EDGE = 0.5 + 1e-9  # ahead, by as little as can be
HALF = (1, 1, 1, 0, 0, 0)
SINGLY = Tuning(confident=0.6, share=0.0, expected=0.0)
TOGETHER = {"parallel": 2, "tuning": replace(SINGLY, together=1.0)}
TREES = [  # learner, margin, parallel or rounds, votes; the truth, means of coins or cells
    ("copeland", 0.0, {"rounds": 3}, 0, {(0, 1): (*HALF, 1, 0.5, 0)}),
    ("copeland", 0.0, {"rounds": 4}, 0, {(0, 1): HALF, (0, 2): (*HALF, 0), (1, 2): HALF}),
    ("condorcet", 0.0, {"rounds": 5}, 0, {(0, 1): EDGE, (0, 2): EDGE, (1, 2): 0.8}),
    ("copeland", 0.0, 1, 6, {(0, 1): EDGE}),
    ("copeland", 0.1, 1, 0, {(0, 1): 0.1 + EDGE}),
    ("copeland", 0.0, 2, 0, {(0, 1): (*HALF, 1, 0.5, 0)}),
    ("copeland", 0.0, TOGETHER, 0, {(0, 1): (*HALF, 1, 0.5, 0)}),
    ("copeland", 0.0, 1, 0, {(0, 1): HALF, (0, 2): (*HALF, 0), (1, 2): HALF}),
    ("copeland", 0.1, 1, 0, {(0, 1): 0.4, (0, 2): 0.5, (1, 2): 0.4}),
    ("condorcet", 0.0, 2, 0, {(0, 1): EDGE, (0, 2): EDGE, (1, 2): 0.8}),
    ("condorcet", 0.1, 1, 0, {(0, 1): 0.1 + EDGE}),
    ("condorcet", 0.1, 1, 0, {(0, 1): EDGE, (0, 2): 0.1 + EDGE, (1, 2): 0.2}),
    ("condorcet", 0.1, TOGETHER, 0, {(0, 1): (*HALF, 1), (0, 2): (1, 1, 1, 0, 0), (1, 2): HALF}),
]
MORE_TREES = [
    ("copeland", 0.0, 3, 0, {(0, 1): EDGE}),
    ("copeland", 0.1, 1, 0, {(0, 1): (*HALF, 1, 0.5, 1, 1)}),
    ("copeland", 0.0, 2, 0, {(0, 1): 1 - EDGE, (0, 2): EDGE, (1, 2): EDGE}),
    ("condorcet", 0.1, 1, 2, {(0, 1): EDGE, (0, 2): 0.1 + EDGE, (1, 2): 0.5}),
    ("condorcet", 0.0, 1, 0, {(0, 1): (*HALF, 1), (0, 2): (*HALF, 0.5, 1), (1, 2): HALF}),
]


@pytest.mark.parametrize(
    ("learner", "margin", "parallel", "votes", "truth", "depth"),
    [
        *((*each, 5) for each in TREES),
        *(pytest.param(*each, 6, marks=pytest.mark.slow) for each in [*TREES, *MORE_TREES]),
    ],
)
def test_w_of_the_truth_does_not_grow_on_average_over_all_outcomes_of_a_tracker(
    learner, margin, parallel, votes, truth, depth
):
    depth, largest = depth - 2 - len(truth) // 2 if votes else depth, 0.0
    for delta, drifts in ((0.4, False), (0.1, True)):
        if drifts and isinstance(truth[0, 1], tuple):
            continue
        tree = Tree(learner, truth, margin, depth, delta, parallel, votes, drifts)
        assert (tree.means <= 1.0 + 1e-9).all()
        assert tree.wrong <= delta
        largest = max(largest, tree.largest)
    assert largest > 1.3
