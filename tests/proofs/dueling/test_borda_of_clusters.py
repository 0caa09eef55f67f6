"""Borda scores from votes in clusters: both e-values by their definitions, and exactly fair."""

import itertools
import math
from functools import cache

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.proofs.dueling.borda import borda_evidence, borda_order, cluster_evidence
from cpe_opt.proofs.dueling.evidence import statements
from tests.proofs.dueling.definitions import log_mean, votes_of
from tests.proofs.dueling.test_borda import KAPPA, TAU, inverse_form

RHO = [0.95 * 1.25**-k for k in range(32)]


def random_clusters(arms, number, rng):
    """Some have votes on all pairs, others on few, often several on one; the first names all."""
    pairs = list(itertools.combinations(range(arms), 2))
    clusters = []
    for cluster in range(number):
        whole = cluster == 0 or rng.random() < 0.4
        chosen = rng.integers(len(pairs), size=int(rng.integers(1, 5)))
        lines = []
        for i, j in pairs if whole else [pairs[k] for k in chosen]:
            chances = [0.5 + 0.1 * (j - i), 0.1, 0.4 - 0.1 * (j - i)]
            lines.append((i, j, float(rng.choice([1.0, 0.5, 0.0], p=chances))))
        clusters.append(lines)
    return clusters


def outcomes_of(cluster):
    """The mean of each ordered pair."""
    found = {}
    for i, j, share in cluster:
        found.setdefault((i, j), []).append(share)
        found.setdefault((j, i), []).append(1.0 - share)
    return {pair: math.fsum(shares) / len(shares) for pair, shares in found.items()}


def by_definition(clusters, arms, i, j):
    """A third of the least e-value of divided votes, by matrices, and of that of scores."""
    places = [(i, k) for k in range(arms) if k != i] + [(j, k) for k in range(arms) if k != j]
    signs = [1.0] * (arms - 1) + [-1.0] * (arms - 1)
    votes, won, differences = np.zeros(len(places)), np.zeros(len(places)), []
    for outcomes in map(outcomes_of, clusters):
        for row, (a, k) in enumerate(places):
            if (a, k) in outcomes:
                part = 0.5 / sum(1 for pair in outcomes if pair[0] == a)
                votes[row] += part
                won[row] += part * outcomes[a, k]
        if len(outcomes) == arms * (arms - 1):
            scores = [sum(outcomes[a, k] for k in range(arms) if k != a) for a in (i, j)]
            differences.append((scores[0] - scores[1]) / (arms - 1))
    met = votes > 0
    c = np.array(signs)
    mean = np.where(met, won / np.where(met, votes, 1.0), np.where(c > 0, 0.0, 1.0))
    lead = c @ mean
    divided = []
    for tau, kappa in itertools.product(TAU, KAPPA):
        prior = (4 / tau * np.eye(len(c)) + 4 / kappa * np.outer(c, c))[np.ix_(met, met)]
        inverse = inverse_form(votes[met], prior)
        _, log_det = np.linalg.slogdet(np.eye(met.sum()) + prior * votes[met] / 4)
        divided.append(lead**2 / (c[met] @ inverse @ c[met]) - log_det / 2)
    scores = [
        math.fsum(
            rho * z - (rho * z) ** 2 / 2 + (rho * z) ** 3 / 3 - psi(rho) * (rho * z) ** 4
            for z in differences
        )
        for rho in RHO
    ]
    first = log_mean(divided) if lead > 1e-6 else -math.inf
    return np.logaddexp(first, log_mean(scores)) - math.log(3)


@cache
def psi(rho):
    """The integral by the midpoint rule."""
    u = (np.arange(100_000) + 0.5) / 100_000
    return float((u**3 / (1 - rho * u)).mean())


@pytest.mark.parametrize(("arms", "seed"), [(3, 0), (3, 1), (4, 2), (5, 3)])
def test_the_evidence_is_a_third_of_both_by_their_definitions(arms, seed):
    clusters = random_clusters(arms, 60, np.random.default_rng(seed))
    found = cluster_evidence(votes_of(clusters).counts.scores)
    for i, j in itertools.permutations(range(arms), 2):
        exact = by_definition(clusters, arms, i, j)
        assert found[i, j] == pytest.approx(exact, rel=1e-4, abs=1e-4)


def test_the_series_of_a_bet_is_nowhere_above_its_line():
    counts = ClusterScores.of_counts(np.zeros((2, 2)))
    for z in np.linspace(-1, 1, 81).tolist():
        scores = counts.with_scores(np.array([[(1 + z) / 2, (1 - z) / 2]]), np.ones(1))
        line = math.log(sum(1 + rho * z for rho in RHO) / len(RHO) / 3)
        found = cluster_evidence(scores)[0, 1]
        assert found <= line + 1e-9
        assert found >= line - 0.5 * z**4 - 1e-5


@pytest.mark.parametrize("complete", [True, False])
def test_no_distribution_of_dependent_outcomes_makes_it_more_than_one_on_average(complete):
    """Rankings of three arms that are equally good, or two of their pairs; all orders are drawn."""
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (0, 2, 1), (1, 0, 2)]
    pairs = [(0, 1), (0, 2), (1, 2)] if complete else [(0, 1), (0, 2)]
    chances = [0.2, 0.2, 0.2, 2 / 15, 2 / 15, 2 / 15]
    means = np.zeros((3, 3))
    for drawn in itertools.combinations_with_replacement(range(6), 3):  # in any order
        clusters = [
            [(i, j, float(o.index(i) < o.index(j))) for i, j in pairs]
            for o in (orders[k] for k in drawn)
        ]
        chance = math.prod(chances[k] for k in drawn) * len({*itertools.permutations(drawn)})
        scores = votes_of(clusters).counts.scores
        evidence = np.exp(cluster_evidence(scores))
        means += chance * (evidence + evidence.T)  # all arms are tied: both orders are nulls
    assert (means[~np.eye(3, dtype=bool)] <= 1.0).all()
    if complete:
        assert means[0, 1] >= 0.6


def test_rankings_and_the_same_rankings_as_clusters_are_scored_alike(tmp_path):
    rng = np.random.default_rng(7)
    orders = [tuple((np.argsort(np.arange(4) + 2 * rng.random(4))).tolist()) for _ in range(50)]
    lines = ["# NUMBER ALTERNATIVES: 4", "# NUMBER VOTERS: 50"]
    lines += [f"# ALTERNATIVE NAME {k + 1}: arm {k}" for k in range(4)]
    lines += [f"1: {','.join(str(arm + 1) for arm in order)}" for order in orders]
    path = tmp_path / "lists.soc"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ranked = cpe.read_votes(path)
    pairs = list(itertools.combinations(range(4), 2))
    apart = votes_of([[(i, j, float(o.index(i) < o.index(j))) for i, j in pairs] for o in orders])
    for name in ("won", "votes", "leads"):
        one, other = (getattr(votes.counts.scores, name) for votes in (ranked, apart))
        assert one == pytest.approx(other, abs=1e-9)
    assert statements(ranked, 0.05).borda == statements(apart, 0.05).borda
    assert statements(ranked, 0.05).borda["arm 0"] == "proved"


def test_with_nothing_known_of_clusters_votes_are_divided_among_all_pairs_of_an_arm():
    wins = np.array([[0, 900, 950], [100, 0, 800], [50, 200, 0]], dtype=float)
    found = ClusterScores.of_counts(wins)
    assert (found.votes[~np.eye(3, dtype=bool)] == 500.0).all()
    assert borda_order(cluster_evidence(found), 0.05).tolist() == [
        [False, True, True],
        [False, False, True],
        [False, False, False],
    ]
    few = ClusterScores.of_counts(wins / 100)
    assert not borda_order(cluster_evidence(few), 0.05).any()
    assert borda_order(borda_evidence(wins / 100), 0.05).any()
