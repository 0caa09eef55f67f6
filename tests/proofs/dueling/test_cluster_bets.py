"""Bets on the means of clusters: by their definition, fair, and never below powers of them."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.e_values import log_e_of_votes, log_e_values
from cpe_opt.proofs.dueling.evidence import statements
from cpe_opt.proofs.dueling.remaining_duels import remaining_duels
from tests.proofs.dueling import definitions


def votes_of(clusters):
    """Votes of two arms from the wins and losses of the first in each cluster."""
    return definitions.votes_of(
        [[(0, 1, 1.0)] * won + [(0, 1, 0.0)] * lost for won, lost in clusters]
    )


def by_definition(shares, null):
    """The mixture of products of straight lines, stake by stake."""
    total = weights = 0.0
    for k in range(-1, 79):
        odds = 6.0 * 1.15**-k
        weight = 1.0 if k < 0 else min(1.0, odds / 0.02)
        above = math.log(null / (1 - null)) + odds
        p = 1.0 if k < 0 else 1 / (1 + math.exp(-above))
        win, loss = p / null, (1 - p) / (1 - null)
        total += weight * math.prod(y * win + (1 - y) * loss for y in shares)
        weights += weight
    return total / weights


@pytest.mark.parametrize("null", [0.5, 0.45])
def test_a_bet_on_a_cluster_is_the_line_between_its_win_and_its_loss(null):
    clusters = [(2, 1), (1, 0), (3, 1), (1, 1), (0, 2), (5, 0), (2, 1), (4, 0)]
    shares = [won / (won + lost) for won, lost in clusters]
    found = log_e_of_votes(votes_of(clusters), null)
    for i, j, got in ((0, 1, shares), (1, 0, [1 - y for y in shares])):
        exact = math.log(by_definition(got, null))
        assert exact - 1e-6 <= found[i, j] <= exact + 1e-7
        power = log_e_values(np.array(sum(got)), np.array(len(got) - sum(got)), null)
        assert found[i, j] > power


def test_single_votes_are_clusters_of_one():
    clusters = [(1, 0)] * 9 + [(0, 1)] * 4
    votes = votes_of(clusters)
    alone = cpe.Votes([[0, 9], [4, 0]])
    assert (np.abs(log_e_of_votes(votes) - log_e_of_votes(alone)) <= 2.0**-23).all()


@pytest.mark.parametrize("null", [0.5, 0.4])
def test_the_mean_over_outcomes_of_any_distribution_is_one_at_the_null(null):
    """Three clusters of the shares 0, ¼ and 1, in proportions that have the mean of the null."""
    sizes = [(0, 4), (1, 3), (4, 0)]
    quarter = 0.3
    one = null - quarter / 4
    chances = (1 - one - quarter, quarter, one)
    mean = 0.0
    for drawn in itertools.product(range(3), repeat=3):
        chance = math.prod(chances[each] for each in drawn)
        mean += chance * math.exp(log_e_of_votes(votes_of([sizes[k] for k in drawn]), null)[0, 1])
    assert 1 - 1e-5 <= mean <= 1 + 1e-6


def test_further_duels_are_those_of_clusters_like_those_that_are_there():
    clusters = [(2, 1)] * 10 + [(1, 2)] * 5 + [(3, 0)]
    votes = votes_of(clusters)
    found = remaining_duels(votes, cpe.PreferenceMatrix.from_votes(votes), 0.05)
    more = int(found.duels[0, 1])
    assert 0 < more < 20 * len(clusters)
    assert statements(votes, 0.05).copeland["arm 0"] == "possible"
    times = 1 + more / len(clusters)
    enough = votes_of(clusters * math.ceil(times + 0.5))
    assert statements(enough, 0.05).copeland["arm 0"] == "proved"
    assert not remaining_duels(enough, cpe.PreferenceMatrix.from_votes(enough), 0.05).duels.any()
