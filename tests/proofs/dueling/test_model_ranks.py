"""Strengths and ranks under a model: intervals, clusters, the fit, and the next votes."""

import json
from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import studentized_range

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.problems.clusters import ClusterVotes
from cpe_opt.proofs.dueling.model_ranks import ELO, _critical, model_ranks

SUSHI = [[0, 35, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]]
DISHES = ["salmon", "tuna", "squid", "egg"]


def board(arms, votes, *, seed=0, ties=0.5, shrink=1.0):
    """Votes by the model: as many on each pair."""
    rng = np.random.default_rng(seed)
    theta = shrink * np.linspace(1.5, -1.5, arms)
    wins, tied = np.zeros((arms, arms)), np.zeros((arms, arms))
    for i, j in combinations(range(arms), 2):
        half = np.exp((theta[i] - theta[j]) / 2)
        parts = np.array([half, ties, 1 / half])
        won, even, lost = rng.multinomial(votes, parts / parts.sum())
        wins[i, j], wins[j, i], tied[i, j] = won + even / 2, lost + even / 2, even
    return theta, wins, tied + tied.T


def clustered(cluster, first, second, share, arms):
    """Votes of clusters, one a row."""
    wins, tied = np.zeros((arms, arms)), np.zeros((arms, arms))
    np.add.at(wins, (first, second), share)
    np.add.at(wins, (second, first), 1 - share)
    np.add.at(tied, (first, second), share == 0.5)
    rows = ClusterVotes.of_rows(cluster, first, second, share, np.ones(len(share)))
    return cpe.Votes(wins, tied=tied + tied.T, by_cluster=rows)


def test_of_two_arms_the_error_is_that_of_log_odds():
    [table] = model_ranks(cpe.Votes([[0, 60], [20, 0]])).tables
    assert table.strengths.tolist() == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-6)
    assert table.errors[0, 1] == pytest.approx(np.sqrt(1 / 60 + 1 / 20), rel=1e-6)
    assert table.critical == pytest.approx(1.96, abs=0.04)
    assert table.ranks == {"0": (1, 1), "1": (2, 2)}
    low, high = table.elo["0"][1:]
    assert high - low == pytest.approx(ELO * table.critical * table.errors[0, 1], abs=0.2)
    [near] = model_ranks(cpe.Votes([[0, 12], [8, 0]])).tables
    assert set(near.ranks.values()) == {(1, 2)}


def test_critical_values_are_those_of_the_studentised_range():
    [table] = model_ranks(cpe.Votes(np.full((6, 6), 10.0) - 10.0 * np.eye(6))).tables
    largest = studentized_range.ppf(0.95, 6, np.inf) / np.sqrt(2)
    assert table.critical == pytest.approx(largest, rel=0.015)
    [wide] = model_ranks(cpe.Votes(np.full((6, 6), 10.0) - 10.0 * np.eye(6)), 0.01).tables
    assert wide.critical > table.critical + 0.4


def test_critical_values_are_those_of_all_pairs_whatever_their_variances():
    rng = np.random.default_rng(3)
    of_chain = np.tril(np.ones((40, 40))) * rng.exponential(size=40)  # alike where next to another
    for root in (of_chain, np.diag(rng.exponential(size=40)), rng.normal(size=(40, 40))):
        covariance = root @ root.T
        draws = (
            np.random.default_rng(0).standard_normal((4000, 40)) @ np.linalg.cholesky(covariance).T
        )
        spread = np.add.outer(np.diag(covariance), np.diag(covariance)) - 2.0 * covariance
        i, j = np.triu_indices(40, 1)
        largest = (np.abs(draws[:, i] - draws[:, j]) / np.sqrt(spread[i, j])).max(axis=1)
        assert _critical(covariance, 0.05) == pytest.approx(np.sort(largest)[3800], rel=1e-5)


def test_nothing_depends_on_the_order_of_arms_or_on_others_that_never_met_them():
    _, wins, tied = board(7, 30)
    labels = [f"arm {k}" for k in range(7)]
    [table] = model_ranks(cpe.Votes(wins, labels, tied=tied)).tables
    order = np.random.default_rng(1).permutation(7)
    grid = np.ix_(order, order)
    again = cpe.Votes(wins[grid], [labels[k] for k in order], tied=tied[grid])
    [permuted] = model_ranks(again).tables
    assert permuted.ranks == table.ranks
    assert permuted.elo == table.elo
    more, even = np.zeros((10, 10)), np.zeros((10, 10))
    more[:7, :7], even[:7, :7], more[7, 8] = wins, tied, 5
    first, second = (found := model_ranks(cpe.Votes(more, tied=even))).tables
    assert list(first.ranks.values()) == list(table.ranks.values())
    assert first.critical == table.critical
    assert (second.labels, second.prior, first.prior) == (("7", "8"), True, False)
    assert found.unrated == ("9",)
    assert found.table_of("8") is second
    assert found.table_of("9") is None


def test_ranks_count_who_is_above_and_below():
    _, wins, tied = board(8, 300)
    [table] = model_ranks(cpe.Votes(wins, tied=tied)).tables
    assert table.labels == tuple(map(str, range(8)))
    assert set(table.ranks.values()) == {(k, k) for k in range(1, 9)}
    assert table.tiers == tuple((str(k),) for k in range(8))
    assert set(table.top(3).values()) == {"in", "out"}
    _, wins, tied = board(8, 20, shrink=0.4)
    [table] = model_ranks(cpe.Votes(wins, tied=tied)).tables
    lead = table.strengths[:, None] - table.strengths
    above = lead > table.critical * table.errors
    assert 0 < above.sum() < 28
    for k, label in enumerate(table.labels):
        assert table.ranks[label] == (1 + above[:, k].sum(), 8 - above[k].sum())
    assert [table.top(2)[label] for label in table.labels].count("open") > 1


def test_an_anchor_has_a_thousand_points_for_sure():
    found = cpe.evidence(cpe.Votes(SUSHI, DISHES), anchor="egg")
    [table], [free] = found.model_ranks.tables, model_ranks(found.votes).tables
    assert table.elo["egg"] == (1000.0, 1000.0, 1000.0)
    tuna, egg = (free.elo[label][0] for label in ("tuna", "egg"))
    assert table.elo["tuna"][0] == pytest.approx(1000 + tuna - egg, abs=0.2)
    assert np.mean([each[0] for each in free.elo.values()]) == pytest.approx(1000, abs=0.1)
    place = table.labels.index("tuna")
    half = ELO * table.critical * table.errors[place, table.labels.index("egg")]
    assert table.elo["tuna"][2] - table.elo["tuna"][0] == pytest.approx(half, abs=0.2)
    with pytest.raises(InputError, match="anchor is 'eel', expected one of salmon"):
        cpe.evidence(cpe.Votes(SUSHI, DISHES), anchor="eel")


def test_votes_of_a_cluster_that_agree_count_once():
    rng = np.random.default_rng(3)
    pairs = np.array(list(combinations(range(4), 2)))[rng.integers(6, size=600)]
    share = (rng.random(600) < 0.6).astype(float)
    alone = clustered(np.arange(600), *pairs.T, share, 4)
    copies = clustered(np.repeat(np.arange(600), 9), *np.repeat(pairs, 9, 0).T, share.repeat(9), 4)
    [plain] = model_ranks(cpe.Votes(alone.wins)).tables
    [one], [nine] = (model_ranks(votes).tables for votes in (alone, copies))
    assert nine.strengths == pytest.approx(one.strengths, abs=1e-6)
    assert nine.errors == pytest.approx(one.errors, rel=1e-6)
    assert nine.misfit == pytest.approx(one.misfit, rel=0.1)
    off = ~np.eye(4, dtype=bool)
    assert one.errors[off] == pytest.approx(plain.errors[off], rel=0.1)
    assert (one.errors >= plain.errors - 1e-9).all()


def test_intervals_are_of_the_arms_whose_votes_have_a_largest_likelihood():
    _, wins, tied = board(6, 300)
    more = np.pad(wins, (0, 3))
    more[6, 2], more[3, 7], more[7, 8], more[8, 7] = 2, 5, 1, 1  # 7 and 8 lost all to the rest
    votes = cpe.Votes(more, tied=np.pad(tied, (0, 3)))
    [table], [plain] = (model_ranks(each).tables for each in (votes, cpe.Votes(wins, tied=tied)))
    assert (table.no_intervals, sorted(table.without_interval)) == ("", ["6", "7", "8"])
    inside = np.array([label in plain.labels for label in table.labels])
    assert (np.isfinite(table.errors) == (np.outer(inside, inside) | np.eye(9, dtype=bool))).all()
    for label, (best, worst) in plain.ranks.items():
        assert table.ranks[label] == (best, worst + 3)
        assert table.elo[label] == pytest.approx(plain.elo[label], abs=25)
    assert {(table.ranks[label], table.elo[label][2]) for label in "678"} == {((1, 9), np.inf)}
    [anchored] = model_ranks(votes, anchor="8").tables
    assert [label for label, each in anchored.elo.items() if np.isfinite(each).all()] == ["8"]


def test_without_a_largest_likelihood_there_are_ranks_and_no_intervals():
    for wins, ties in (([[0, 3], [0, 0]], 0), ([[0, 2], [1, 0]], 2)):  # 3 to 0; 1 to 0 and 2 ties
        found = cpe.evidence(cpe.Votes(wins, tied=ties * (1 - np.eye(2))))
        assert "no intervals: too few votes went both ways" in str(found)
        assert "±" not in str(found)  # neither in the table nor in a sentence
    assert "intervals of ranks and strengths are right" in str(cpe.evidence(cpe.Votes(SUSHI)))


def test_of_few_clusters_there_are_no_intervals():
    first, second = np.tile([[0, 1], [1, 2], [2, 0]], (40, 1)).T
    share = (np.arange(120) % 7 < 4).astype(float)
    for clusters, known in ((9, False), (10, True)):
        votes = clustered(np.arange(120) % clusters, first, second, share, 3)
        [table] = model_ranks(votes).tables
        assert (table.no_intervals == "") == known
        assert known or table.no_intervals.startswith("9 clusters")
        assert np.isfinite(table.critical) == known


def test_the_sandwich_is_the_sum_of_squared_scores():
    cluster = np.repeat(np.arange(40), 2)
    share = np.where(np.arange(80) < 50, 1.0, 0.0)
    zeros, ones = np.zeros(80, int), np.ones(80, int)
    [table] = model_ranks(clustered(cluster, zeros, ones, share, 2)).tables
    p = 50 / 80
    scores = 2 * (share[::2] - p)
    expected = np.sqrt(40 / 39 * (scores**2).sum()) / (80 * p * (1 - p))
    assert table.errors[0, 1] == pytest.approx(expected, rel=1e-6)


def test_rankings_have_strengths_and_no_intervals():
    found = cpe.evidence(cpe.Votes(SUSHI, DISHES, independent=False), top=2)
    [table] = found.model_ranks.tables
    assert "not independent" in table.no_intervals
    assert set(table.ranks.values()) == {(1, 4)}
    assert table.next_pairs() == []
    assert "no intervals: votes on several pairs" in str(found)
    said = json.loads(json.dumps(found.as_dict()["model_ranks"]["tables"][0]["strengths"]))
    assert list(said) == list(table.labels)
    two = cpe.Votes([[0, 60], [20, 0]], independent=False)
    assert model_ranks(two).tables[0].no_intervals == ""


def test_pairs_that_contradict_the_model_are_named_and_a_proved_cycle():
    cycle = np.zeros((6, 6))
    for i, j in combinations(range(6), 2):
        cycle[i, j], cycle[j, i] = (40, 20) if (i, j) != (0, 5) else (5, 55)
    [table] = model_ranks(cpe.Votes(cycle)).tables
    assert table.misfits[0].pair == ("0", "5") or table.misfits[0].pair == ("5", "0")
    assert {table.misfits[0].share} <= {round(5 / 60, 4), round(55 / 60, 4)}
    assert table.misfit > 3
    assert table.freedom == 15 - 5
    said = str(cpe.evidence(cpe.Votes(10 * cycle)))
    assert "proved to beat each other in a cycle" in said
    _, wins, tied = board(6, 60)
    [right] = model_ranks(cpe.Votes(wins, tied=tied)).tables
    assert 0.4 < right.misfit < 1.8
    assert right.misfits == ()
    assert "in a cycle" not in str(cpe.evidence(cpe.Votes(wins, tied=tied)))


@pytest.mark.parametrize("seed", [0, 1, 50, 70, 73, 99])
def test_the_next_votes_are_those_that_bring_open_pairs_nearest_to_a_rank(seed):
    _, wins, _ = board(5, 6, ties=0.0, seed=seed)
    wins[3, 4] = wins[4, 3] = wins[2, 4] = wins[4, 2] = wins[1, 4] = wins[4, 1] = 0
    [table] = model_ranks(cpe.Votes(wins)).tables
    lead = np.abs(table.strengths[:, None] - table.strengths)
    open_ = ~(table.above | table.above.T)

    def progress(covariance):
        own = np.diag(covariance)
        variance = own[:, None] + own - covariance - covariance.T
        errors = np.sqrt(np.where(variance > 1e-12, variance, np.inf))
        return (lead / (table.critical * errors))[open_].sum()

    best = {}
    for a, b in combinations(range(5), 2):
        along = table._covariance[:, a] - table._covariance[:, b]
        weight = table._information[a, b] / (1 + table._information[a, b] * (along[a] - along[b]))
        less = table._covariance - 1e-5 * weight * np.outer(along, along)
        best[a, b] = progress(less) - progress(table._covariance)
    order = sorted(best, key=best.get, reverse=True)
    assert table.next_pairs(1) == [(table.labels[order[0][0]], table.labels[order[0][1]])]
    assert len(table.next_pairs(3)) == 3


def test_where_every_rank_is_known_nothing_is_asked():
    _, wins, tied = board(4, 2000)
    [table] = model_ranks(cpe.Votes(wins, tied=tied)).tables
    assert table.next_pairs() == []


def test_selected_pairs_are_left_out():
    selected = np.zeros((4, 4), bool)
    selected[0, 3] = selected[3, 0] = True
    [table] = model_ranks(cpe.Votes(SUSHI, selected=selected)).tables
    without = np.where(selected, 0, SUSHI)
    [same] = model_ranks(cpe.Votes(without)).tables
    assert table.elo == same.elo


def test_clusters_are_read_from_a_log_and_kept_by_a_part_of_it(tmp_path):
    rng = np.random.default_rng(0)
    rows = ["model_a,model_b,winner,rater"]
    for k in range(400):
        a, b = rng.choice(4, 2, replace=False)
        rows.append(f"m{a},m{b},{['model_a', 'model_b', 'tie'][rng.integers(3)]},r{k % 25}")
    path = tmp_path / "log.csv"
    path.write_text("\n".join(rows) + "\n")
    votes = cpe.read_votes(path, cluster="rater")
    plain = cpe.read_votes(path)
    [table], [without] = model_ranks(votes).tables, model_ranks(plain).tables
    assert table.strengths == pytest.approx(without.strengths, abs=1e-6)
    assert (table.errors >= without.errors - 1e-12).all()
    assert table.critical == without.critical
    kept = votes.counts.by_cluster
    assert kept.number.sum() == 400
    assert kept.tied.sum() == votes.summary.tied
    part = votes.submatrix([2, 0, 1]).counts.by_cluster
    lead = np.zeros((3, 3))
    np.add.at(lead, (part.first, part.second), part.lead)
    wins = votes.submatrix([2, 0, 1]).wins
    assert lead - lead.T == pytest.approx(wins - wins.T)


def test_strengths_hold_in_their_intervals_as_often_as_promised():
    held = 0
    for seed in range(50):
        theta, wins, tied = board(6, 15, seed=seed)
        [table] = model_ranks(cpe.Votes(wins, tied=tied), 0.2).tables
        order = np.array([int(label) for label in table.labels])
        away = table.strengths - theta[order]
        held += (np.abs(away[:, None] - away) <= table.critical * table.errors + 1e-9).all()
    assert 0.7 < held / 50 < 0.9


def test_the_residuals_of_clusters_have_a_mean_square_of_one_under_the_model():
    squares, against = [], 0
    for seed in range(15):
        rng = np.random.default_rng([seed, 5])
        theta, cluster = np.linspace(0.8, -0.8, 5), rng.integers(40, size=1500)
        first = rng.integers(5, size=1500)
        second = (first + rng.integers(1, 5, size=1500)) % 5
        taste = rng.normal(size=(40, 5))
        level = np.sqrt(0.3) * (taste[cluster, first] - taste[cluster, second])
        level = ndtr(level + np.sqrt(0.4) * rng.normal(size=1500))
        share = (level > 1 / (1 + np.exp(theta[first] - theta[second]))).astype(float)
        [table] = model_ranks(clustered(cluster, first, second, share, 5)).tables
        squares.append(table.misfit)
        against += bool(table.misfits)
    assert 0.7 < np.mean(squares) < 1.1
    assert against <= 2
