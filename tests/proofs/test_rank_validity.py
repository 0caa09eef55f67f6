"""Rank intervals of twelve kinds of boards: how often one is wrong, and how wide they are.

Next to them the intervals that Bonferroni's correction and Hoeffding's inequality give for every
two arms, at one look, with all of delta for Borda scores and again for Copeland scores; and those
of a bootstrap of votes, arm by arm, which promise nothing of all arms at once.
"""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.clusters import ClusterScores, outcomes_of
from cpe_opt.proofs.dueling.borda import borda_evidence, cluster_evidence
from cpe_opt.proofs.dueling.e_values import log_e_of_votes
from cpe_opt.proofs.dueling.pairs import pair_proof
from cpe_opt.proofs.dueling.ranks import borda_ranks, copeland_ranks
from cpe_opt.proofs.dueling.winners import BORDA_SHARE, PAIRS_SHARE

DELTA = 0.05
HALF, ROUNDING = 0.5, 1e-9


def of_strengths(strengths):
    """Bradley and Terry's probabilities."""
    return 1.0 / (1.0 + np.exp(np.subtract.outer(strengths, strengths).T))


def cycle(arms, gap, reach):
    """Each arm beats the next ones on a circle; arms that are further apart tie."""
    ahead = (np.arange(arms) - np.arange(arms)[:, None]) % arms
    sign = (ahead <= reach).astype(float) - (ahead >= arms - reach)
    return HALF + gap * np.where(ahead == 0, 0.0, sign)


def board(mu, duels):
    """Independent votes: as many on each pair as the array, or the draw, says."""

    def votes(rng):
        counts = np.triu(np.broadcast_to(duels(rng) if callable(duels) else duels, mu.shape), 1)
        won = np.triu(rng.binomial(counts.astype(int), np.clip(mu, 0.0, 1.0)), 1)
        return cpe.Votes((won + (counts - won).T * (counts.T > 0)).astype(float))

    return mu, votes


def uneven(rng):
    """From no votes to some hundreds."""
    return rng.poisson(np.exp(rng.uniform(-1.0, 6.5, (8, 8))))


def prompts(number, answered):
    """A deterministic judge: the same arm always wins on a prompt, by noise around the strengths.

    Each prompt is judged on some of the pairs, several times.
    """
    quality = np.array([0.4, 0.4, 0.0, 0.0, 0.0, -0.3])
    first, second = np.triu_indices(6, 1)
    mu = np.full((6, 6), HALF)
    for i, j in zip(first, second, strict=True):
        mu[i, j] = HALF + HALF * math.erf((quality[i] - quality[j]) / 2)  # two normal values
        mu[j, i] = 1.0 - mu[i, j]

    def votes(rng):
        values = quality + rng.normal(size=(number, 6))
        asked = rng.random((number, len(first))) < answered
        prompt, pair = np.nonzero(asked)
        i, j = first[pair], second[pair]
        share = (values[prompt, i] > values[prompt, j]).astype(float)
        times = rng.integers(1, 5, len(prompt)).astype(float)
        outcomes, scores = outcomes_of(prompt, i, j, share, times, 6)
        return cpe.Votes(outcomes.wins(6), independent=False, outcomes=outcomes, scores=scores)

    return mu, votes


LEVEL = np.array([0.9, 0.6, 0.6, 0.3, 0.0, 0.0, -0.4, -0.8])
BOARDS = {
    "all arms tied": board(np.full((8, 8), HALF), 100),
    "strengths with ties": board(of_strengths(LEVEL), 100),
    "near ties": board(of_strengths(0.02 * np.arange(8)), 300),
    "a cycle": board(cycle(9, 0.15, 4), 100),
    "a cycle with ties": board(cycle(8, 0.2, 2), 100),
    "two levels": board(of_strengths(np.repeat([0.4, -0.4], 4)), 200),
    "few votes": board(of_strengths(LEVEL), 6),
    "an unbalanced log": board(of_strengths(LEVEL), uneven),
    "nearly certain wins": board(of_strengths(4.0 * LEVEL), 30),
    "many arms": board(of_strengths(np.linspace(-1.5, 1.5, 40)), 60),
    "prompts in part": prompts(300, 0.4),
    "prompts on all pairs": prompts(300, 1.0),
}


def proved(votes):
    """The intervals of :func:`cpe_opt.evidence`, Borda and Copeland, from the pairs alone."""
    wins = votes.proving_wins
    if votes.independent:
        evidence = borda_evidence(wins)
    else:
        evidence = cluster_evidence(votes.counts.scores or ClusterScores.of_counts(wins))
    log_e = log_e_of_votes(votes)
    pairs = pair_proof(votes.fractions, log_e, PAIRS_SHARE * DELTA, independent=votes.independent)
    return borda_ranks(evidence, BORDA_SHARE * DELTA), copeland_ranks(pairs)


def by_bonferroni(votes):
    """By Hoeffding's inequality for every two arms; at one look."""
    arms, duels = votes.arms, votes.duels
    met = duels > 0
    level = math.log(arms * (arms - 1) / DELTA)
    inverse = np.divide(1.0, duels, out=np.zeros_like(duels), where=met)
    off = ~np.eye(arms, dtype=bool)
    low = np.where(met, votes.fractions, 0.0).sum(axis=1)
    high = np.where(met | ~off, np.where(off, votes.fractions, 0.0), 1.0).sum(axis=1)
    rows = inverse.sum(axis=1)
    radius = np.sqrt((rows[:, None] + rows + 2.0 * inverse) * level / 2.0)
    larger = (low[:, None] - high > radius) & off
    borda = np.column_stack([1 + larger.sum(axis=0), arms - larger.sum(axis=1)])
    sure = met & (votes.fractions - np.sqrt(level * inverse / 2.0) > HALF)
    least, most = sure.sum(axis=0), arms - 1 - sure.sum(axis=1)
    better = most[:, None] < least
    not_better = (least[:, None] >= most) & off
    copeland = np.column_stack([1 + better.sum(axis=0), arms - not_better.sum(axis=0)])
    return borda, copeland


def ranks_of(mu):
    """The true ranks, Borda and Copeland."""
    scores, losses = mu.sum(axis=1), (mu < HALF - ROUNDING).sum(axis=1)
    borda = 1 + (scores[:, None] > scores + ROUNDING).sum(axis=0)
    return borda, 1 + (losses[:, None] < losses).sum(axis=0)


def by_bootstrap(logs):
    """The middle 95 % of the ranks of new logs drawn like the first."""
    drawn = [ranks_of(each.fractions) for each in logs]
    return [
        np.quantile([ranks[kind] for ranks in drawn], [0.025, 0.975], axis=0).T for kind in (0, 1)
    ]


def measure(name, number, resampled):
    """The share of logs with a wrong interval, and mean widths, kind by kind."""
    mu, draw = BOARDS[name]
    rng = np.random.default_rng(sorted(BOARDS).index(name))
    truth = ranks_of(mu)
    methods = {"proved": proved, "Bonferroni": by_bonferroni}
    wrong = {(method, kind): 0 for method in (*methods, "bootstrap") for kind in (0, 1)}
    widths = {key: [] for key in wrong}
    for log in range(number):
        votes = draw(rng)
        found = {method: intervals(votes) for method, intervals in methods.items()}
        if log < resampled and votes.independent:
            again = board(votes.fractions, votes.duels)[1]
            found["bootstrap"] = by_bootstrap([again(rng) for _ in range(100)])
        for method, both in found.items():
            for kind, intervals in enumerate(both):
                fits = (intervals[:, 0] <= truth[kind]) & (truth[kind] <= intervals[:, 1])
                wrong[method, kind] += not fits.all()
                widths[method, kind].append((intervals[:, 1] - intervals[:, 0] + 1).mean())
    return {
        key: (wrong[key] / len(each), float(np.mean(each))) for key, each in widths.items() if each
    }


@pytest.mark.parametrize("name", BOARDS)
def test_intervals_of_ten_logs_are_right(name):
    found = measure(name, 3 if name == "many arms" else 10, 0)
    assert found["proved", 0][0] == found["proved", 1][0] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_of_a_thousand_logs_at_most_five_in_a_hundred_have_a_wrong_interval(name):
    found = measure(name, 1000, 30)
    for kind, score in enumerate(("Borda", "Copeland")):
        columns = ", ".join(
            f"{method} {100 * found[method, kind][0]:.1f} % {found[method, kind][1]:.2f}"
            for method in ("proved", "Bonferroni", "bootstrap")
            if (method, kind) in found
        )
        print(f"\n{name}, {score}: wrong logs and mean width: {columns}", end="")
        assert found["proved", kind][0] <= DELTA
