"""What is said of growing logs, looked at after every vote, does not contradict the truth.

Many logs grow side by side. A statement can only be wrong where one of the processes of the
theorems is large at the truth; there, and nowhere else, the statements are made and compared.
"""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.borda import borda_evidence
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.evidence import statements
from tests.support import binomial_margin

HALF = 0.5


def matrix(*upper):
    """Preferences from the probabilities above the diagonal, line by line."""
    arms = int((1 + (1 + 8 * len(upper)) ** 0.5) / 2)
    mu = np.full((arms, arms), 0.5)
    for (i, j), p in zip(itertools.combinations(range(arms), 2), upper, strict=True):
        mu[i, j], mu[j, i] = p, 1 - p
    return mu


TRUTHS = {
    "all tied": matrix(HALF, HALF, HALF),
    "a winner by a hair": matrix(0.51, 0.51, HALF),
    "a cycle and ties": matrix(0.53, 0.47, HALF, 0.53, HALF, 0.52),
    "a gap, and none": matrix(0.65, 0.6, 0.7, HALF, 0.49, HALF),
}


class Logs:
    """Logs that grow by a vote each, with pairs that chase what speaks against the truth."""

    def __init__(self, mu, logs, seed, *, ties, chasing):
        self.mu, self.ties, self.chasing = mu, ties, chasing
        self.rng = np.random.default_rng(seed)
        self.wins = np.zeros((logs, *mu.shape))
        self.log_e = np.zeros_like(self.wins)
        self.pairs = np.column_stack(np.triu_indices(len(mu), 1))

    def vote(self):
        i, j = self.pairs[self.choice()].T
        every, draw = np.arange(len(self.wins)), self.rng.random(len(self.wins))
        # A tie is half a win, so that what is left of a win keeps its probability.
        chance = (self.mu[i, j] - self.ties / 2) / (1 - self.ties)
        first = np.where(draw >= 1 - self.ties, 0.5, draw < (1 - self.ties) * chance)
        self.wins[every, i, j] += first
        self.wins[every, j, i] += 1 - first
        won, lost = self.wins[every, i, j], self.wins[every, j, i]
        self.log_e[every, i, j] = log_e_values(won, lost)
        self.log_e[every, j, i] = log_e_values(lost, won)

    def choice(self):
        """The pair with the most evidence against the truth, or any."""
        wrong = np.where(self.mu <= HALF, self.log_e, -np.inf)
        i, j = self.pairs.T
        against = np.maximum(wrong[:, i, j], wrong[:, j, i])
        chased = (against + 1e-9 * self.rng.random(against.shape)).argmax(axis=1)
        anywhere = self.rng.integers(len(self.pairs), size=len(self.wins))
        return np.where(self.rng.random(len(self.wins)) < self.chasing, chased, anywhere)

    def suspects(self, delta):
        """Logs in which something wrong may be said."""
        e = np.exp(self.log_e)
        i, j = self.pairs.T
        strict = np.where(self.mu[i, j] > HALF, e[:, j, i], e[:, i, j])
        stake = np.where(self.mu[i, j] == HALF, (e[:, i, j] + e[:, j, i]) / 2, strict)
        pairs = (1 + (stake - 1) / len(self.pairs)).prod(axis=1)
        scores = self.mu.sum(axis=1)
        borda = np.where(scores[:, None] <= scores + 1e-9, borda_evidence(self.wins), -np.inf)
        level = 4 * len(self.pairs) / delta
        return np.flatnonzero(
            (pairs >= 2 / delta)
            | (self.wealth(e) >= 4 / delta)
            | (np.exp(borda).sum(axis=(1, 2)) >= level)
        )

    def wealth(self, e):
        """W of the weakest truth, at the truth."""
        arms, mu = len(self.mu), self.mu
        losses = (mu < HALF).sum(axis=1)
        winner = int(losses.argmin())
        group = [k for k in range(arms) if k != winner and mu[k, winner] <= HALF]
        first = 0.2 + 0.65 * e[:, group, winner].mean(axis=1)
        first += 0.15 * (1 + (e[:, group, winner] - 1) / (arms - 1)).prod(axis=1)
        second = np.zeros(len(e))
        for i in range(arms):
            beating = [k for k in range(arms) if k not in (i, winner) and mu[k, i] > HALF]
            if i != winner:
                second += 1.0
            if i != winner and beating:
                part = e[:, i, beating]
                product = (1 + (part - 1) / len(beating)).prod(axis=1)
                second += 0.6 * part.mean(axis=1) + 0.4 * product - 1.0
        return first * (0.8 + 0.2 / (arms - 1) * second)


def contradicts(said, mu):
    """Whether anything that is said is false."""
    arms = len(mu)
    losses, scores = (mu < HALF).sum(axis=1), mu.sum(axis=1)
    off = ~np.eye(arms, dtype=bool)
    best = np.array([(np.delete(scores, arm) < scores[arm] - 1e-9).all() for arm in range(arms)])
    top = scores >= scores.max() - 1e-9
    truth = {
        "copeland": (losses == losses.min(), losses == losses.min()),
        "condorcet": ((mu > HALF).sum(axis=1) == arms - 1,) * 2,
        "borda": (best, top),
    }
    wrong = bool((said.beats & (mu <= HALF)).any())
    for ranks, better in (
        (said.ranks, scores[:, None] > scores + 1e-9),
        (said.copeland_ranks, losses[:, None] < losses),
    ):
        rank = 1 + better.sum(axis=0)
        wrong |= any(
            not first <= each <= last
            for each, (first, last) in zip(rank, ranks.values(), strict=True)
        )
    wrong |= bool((said.larger_borda & (scores[:, None] <= scores + 1e-9) & off).any())
    for name, (may_be_proved, may_not_be_out) in truth.items():
        statuses = list(getattr(said, name).values())
        wrong |= any(
            s == "proved" and not ok for s, ok in zip(statuses, may_be_proved, strict=True)
        )
        wrong |= any(
            s == "ruled out" and ok for s, ok in zip(statuses, may_not_be_out, strict=True)
        )
    return wrong


def contradictions(logs, votes, deltas):
    """How many logs contradict the truth at some time, for each delta."""
    wrong = {delta: set() for delta in deltas}
    asked = 0
    for _ in range(votes):
        logs.vote()
        for delta in deltas:
            for log in logs.suspects(delta).tolist():
                if log not in wrong[delta]:
                    asked += 1
                    said = statements(cpe.Votes(logs.wins[log]), delta)
                    if contradicts(said, logs.mu):
                        wrong[delta].add(log)
    return [len(wrong[delta]) for delta in deltas], asked


def test_no_statement_is_wrong_where_nothing_is_suspected():
    """The screen that the other tests rest on leaves out nothing."""
    logs = Logs(TRUTHS["all tied"], 400, 0, ties=0.2, chasing=0.8)
    seen = 0
    for step in range(150):
        logs.vote()
        if step == 149:
            suspects = set(logs.suspects(0.99).tolist())
            for log in range(400):
                said = statements(cpe.Votes(logs.wins[log]), 0.99)
                if contradicts(said, logs.mu):
                    assert log in suspects
                    seen += 1
            assert len(suspects) < 200
    assert seen > 0


@pytest.mark.parametrize("name", TRUTHS)
def test_few_of_some_logs_contradict_the_truth(name):
    logs = Logs(TRUTHS[name], 200, 1, ties=0.1, chasing=0.7)
    (often,), asked = contradictions(logs, 60, [0.5])
    assert often <= binomial_margin(200, 0.5)
    assert asked > 0


def test_a_test_for_one_look_contradicts_it_far_more_often():
    """The rule that chooses pairs is an adversary: a z-test of 5 % fails in most logs."""
    logs = Logs(TRUTHS["all tied"], 200, 2, ties=0.1, chasing=0.7)
    wrong = np.zeros(200, dtype=bool)
    for _ in range(200):
        logs.vote()
        votes = logs.wins + logs.wins.swapaxes(1, 2)
        wrong |= (logs.wins - votes / 2 > 1.96 * np.sqrt(votes) / 2).any(axis=(1, 2))
    assert wrong.sum() > 100


@pytest.mark.slow
@pytest.mark.parametrize(("ties", "chasing"), [(0.0, 0.8), (0.2, 0.5)])
@pytest.mark.parametrize("name", TRUTHS)
def test_of_two_thousand_logs_no_more_than_a_share_of_delta_contradicts_the_truth(
    name, ties, chasing
):
    logs = Logs(TRUTHS[name], 2000, 3, ties=ties, chasing=chasing)
    deltas = [0.2, 0.05]
    wrong, asked = contradictions(logs, 400, deltas)
    print(f"\n{name}, ties {ties}, chasing {chasing}: {wrong} of 2000 at {deltas}, {asked} asked")
    for delta, often in zip(deltas, wrong, strict=True):
        assert often <= 2000 * delta
