"""Votes at positions: what they prove is what the module says, whoever chose the pairs."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.pairs import VoteCounts
from cpe_opt.proofs.matchings import panel_evidence as panels
from cpe_opt.proofs.matchings.panel_evidence import PanelVotes, panel_statements


def counted(graph, wins):
    """The problem that a log with these wins, shape (m, m), is read as."""
    times = wins + wins.T
    comparable = graph.position[:, None] == graph.position
    array = np.where(times > 0, wins / np.maximum(times, 1), 0.5) * comparable
    return cpe.MatchingDuels(graph, array, counts=VoteCounts(wins, np.zeros_like(wins)))


def drawn(graph, truth, rng, times):
    """Duels of each pair, so many."""
    wins = np.zeros((graph.size, graph.size))
    for (e, f), often in zip(graph.pairs.tolist(), times, strict=True):
        wins[e, f] = rng.binomial(often, truth[e, f])
        wins[f, e] = often - wins[e, f]
    return counted(graph, wins)


def listed(graph):
    """All matchings, and their indicators."""
    every = list(graph.matchings())
    return every, np.array([[edge in y for edge in range(graph.size)] for y in every])


def test_the_e_values_are_the_least_of_the_mixtures():
    """By the covariances and determinants of the docstring, in place of their closed forms."""
    rng = np.random.default_rng(3)
    graph = cpe.BipartiteGraph.complete(3, 3)
    votes = PanelVotes.of(drawn(graph, np.full((9, 9), 0.6), rng, [0, 30, 9, 0, 40, 3, 7, 22, 5]))
    every, chi = listed(graph)
    pairs = [tuple(pair) for pair in graph.pairs.tolist()]
    counts = np.array([votes.times[pair] for pair in pairs])
    compared = 0

    def least(c, lead, prior):
        """The least over the half-space, of pairs that met."""
        n = np.diag(counts[counts > 0])
        c, prior = c[counts > 0], prior[np.ix_(counts > 0, counts > 0)]
        # The exponent's form N (Sigma^-1 + N/4)^-1 N / 2, also where Sigma is singular.
        form = n @ np.linalg.solve(np.eye(len(n)) + prior @ n / 4, prior) @ n / 2
        paid = np.linalg.slogdet(np.eye(len(n)) + prior @ n / 4)[1] / 2
        used = c != 0 if not prior[c == 0].any() else np.ones(len(c), bool)
        direction = np.linalg.solve(form[np.ix_(used, used)], c[used])
        return math.exp(lead**2 / (c[used] @ direction) - paid)

    for best in every:
        for y, found in zip(every, votes.log_e_values(best, chi), strict=True):
            c, lead = np.zeros(len(pairs)), 0.0
            for e, f in zip(best, y, strict=True):
                if e != f:
                    c[pairs.index((min(e, f), max(e, f)))] = 1.0 if e < f else -1.0
                    lead += votes.shares[e, f] - 0.5 if votes.times[e, f] else -0.5
            if y == best or lead <= 1e-6:
                assert found == (math.inf if y == best else -math.inf)
                continue
            compared += 1
            inside = np.diag((c != 0).astype(float))
            g = [
                least(c, lead, 4 / tau * inside + 4 / kappa * np.outer(c, c))
                for tau, kappa in itertools.product(panels._TAUS, panels._KAPPAS)
            ]
            f = [least(c, lead, 4 / tau * np.eye(len(pairs))) for tau in panels._TAUS_OF_ALL]
            expected = math.log((np.mean(g) / len(every) + np.mean(f)) / 2)
            assert found == pytest.approx(expected, abs=3e-6)
    assert compared > 5


@pytest.mark.parametrize("times", [(14, 14), (25, 5)])
def test_the_e_values_of_a_tie_have_a_mean_below_that_of_the_theorem(times):
    """Exactly, over all outcomes; two assignments, so that it is at most (1/2)(1/2 + 1)."""
    graph, share = cpe.BipartiteGraph.complete(2, 2), 0.55
    every, chi = listed(graph)
    mean = 0.0
    for won in itertools.product(*(range(often + 1) for often in times)):
        wins = np.zeros((4, 4))
        # The first candidate at either position; assignments tie where both shares are the same.
        wins[0, 1], wins[2, 3] = won
        wins[1, 0], wins[3, 2] = times[0] - won[0], times[1] - won[1]
        votes = PanelVotes.of(counted(graph, wins))
        log_e = max(votes.log_e_values(best, chi).min() for best in every)
        weight = math.prod(
            math.comb(often, each) * share**each * (1 - share) ** (often - each)
            for often, each in zip(times, won, strict=True)
        )
        mean += weight * math.exp(log_e)
    assert 0.2 < mean <= 0.75


def test_searched_standings_are_those_of_a_list(monkeypatch):
    """With one term of G alone; as it is where assignments are too many to list."""
    rng = np.random.default_rng(5)
    graph = cpe.BipartiteGraph.complete(4, 3)
    truth = cpe.planted_condorcet(4, 3, gap=0.15, seed=2)
    seen = set()
    for times in (15, 60, 2000):
        log = drawn(graph, truth.array, rng, [times] * graph.n_pairs)
        whole = panel_statements(log, 0.05)
        with monkeypatch.context() as patch:
            patch.setattr(panels, "MOST_ALTERNATIVES", 10)
            searched = panel_statements(log, 0.05)
        assert searched.best == whole.best
        for some, more in zip(searched.standing, whole.standing, strict=True):
            assert some in ("possible", more)
            seen.add(some)
        assert times < 2000 or searched.standing == whole.standing
    assert seen == {"proved", "possible", "ruled out"}


def test_an_edge_is_proved_by_the_assignments_that_are_left():
    """Those that no other one is proved to be preferred to, compared one by one."""
    rng = np.random.default_rng(7)
    graph = cpe.BipartiteGraph.complete(4, 3)
    truth = cpe.planted_condorcet(4, 3, gap=0.1, seed=4)
    log = drawn(graph, truth.array, rng, [60] * graph.n_pairs)
    found = panel_statements(log, 0.05)
    every, chi = listed(graph)
    votes, beaten = PanelVotes.of(log), set()
    for one in every:
        for other, log_e in zip(every, votes.log_e_values(one, chi), strict=True):
            if other != one and log_e >= math.log(20):
                beaten.add(other)
    left = [y for y in every if y not in beaten]
    assert 1 < len(left) < sum(votes.log_e_values(found.best, chi) < math.log(20)) + 1
    for edge, standing in enumerate(found.standing):
        inside = [edge in y for y in left]
        assert (standing == "proved") == (all(inside))
        assert (standing == "ruled out") == (not any(inside))


def test_a_cycle_of_assignments_is_proved():
    """One position, and candidates that beat each other in a circle."""
    graph = cpe.BipartiteGraph.complete(3, 1)
    wins = np.array([[0.0, 900.0, 100.0], [100.0, 0.0, 900.0], [900.0, 100.0, 0.0]])
    found = panel_statements(counted(graph, wins), 0.05)
    assert (found.none, found.proved, set(found.standing)) == (True, False, {"ruled out"})


def test_the_duels_that_remain_are_enough_and_half_of_them_are_not():
    rng = np.random.default_rng(1)
    truth = cpe.planted_condorcet(4, 3, gap=0.1, seed=2)
    log = drawn(truth.graph, truth.array, rng, [20] * truth.graph.n_pairs)
    found = panel_statements(log, 0.05)
    assert (found.proved, found.unbeaten) == (False, True)
    assert found.missing == sum(times for _, times in found.next)
    for part, proved in ((1.0, True), (0.5, False)):
        wins = log.counts.wins.copy()
        for (e, f), times in found.next:
            share = log.array[e, f]
            wins[e, f] += part * times * share
            wins[f, e] += part * times * (1 - share)
        assert panel_statements(counted(truth.graph, wins), 0.05).proved == proved
    dear = panel_statements(log, 0.05, prices=3.0)
    assert dear.missing == pytest.approx(3.0 * found.missing, rel=0.02)


def judged(clusters):
    """A panel of two, where some judges prefer a as desk and b as lead, and others the reverse."""
    rows = [
        (position, *pair[:: 1 if (position == "desk") == bool(likes) else -1], judge)
        for judge, likes in enumerate(clusters)
        for position, pair in (("desk", ("a", "b")), ("lead", ("a", "b")))
    ]
    frame = pd.DataFrame(rows, columns=["position", "winner", "loser", "judge"])
    return cpe.read_panel(frame, cluster="judge")


@pytest.mark.parametrize("judges", [2, 9, 40])
def test_the_mean_of_an_e_value_is_at_most_one_where_votes_of_a_cluster_agree(judges):
    """Exactly, by all that fair judges may say, each the same at both positions."""
    mean, largest = 0.0, 0.0
    for some in range(judges + 1):
        panel = judged([True] * some + [False] * (judges - some))
        votes = PanelVotes.of(panel)
        x, y = (panel.graph.check_matching(each) for each in ((0, 3), (1, 2)))
        log_e = votes.log_e_values(x, np.array([[edge in y for edge in range(4)]]))[0]
        mean += math.comb(judges, some) / 2.0**judges * math.exp(log_e)
        largest = max(largest, log_e)
    assert mean <= 1.0
    assert largest > 0.0 if judges > 9 else True


def test_a_cluster_divides_a_vote_among_its_pairs_in_any_order_of_lines():
    rows = [
        ("desk", "a", "b", "j"), ("desk", "a", "b", "j"), ("desk", "b", "a", "j"),
        ("lead", "b", "a", "j"), ("lead", "a", "b", "k"), ("desk", "a", "c", "k"),
        ("lead", "b", "a", "l"),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["position", "winner", "loser", "judge"])
    panel = cpe.read_panel(frame, cluster="judge")
    edge = {label: number for number, label in enumerate(panel.labels)}
    won = panel.counts.proving
    assert won[edge["desk: a"], edge["desk: b"]] == pytest.approx(2 / 3 / 2, abs=1e-8)
    assert won[edge["desk: b"], edge["desk: a"]] == pytest.approx(1 / 3 / 2, abs=1e-8)
    assert won[edge["lead: b"], edge["lead: a"]] == 0.5 + 1.0
    assert won[edge["lead: a"], edge["lead: b"]] == won[edge["desk: a"], edge["desk: c"]] == 0.5
    assert panel.array[edge["lead: b"], edge["lead: a"]] == 0.75
    assert panel.counts.wins[edge["desk: a"], edge["desk: b"]] == 2.0
    clustering = panel.vote_summary.clustering
    assert (clustering.clusters, clustering.largest, clustering.pairs_differ) == (3, 4, True)
    mixed = cpe.read_panel(frame.iloc[::-1], cluster="judge")
    assert mixed.counts.proving.sum() == won.sum()
    said = str(cpe.panel_evidence(panel))
    assert "3 clusters of votes by 'judge'" in said
    assert "counts as a part of one on each" in said
    with pytest.raises(cpe.InputError, match="a session counts each vote by itself"):
        cpe.Session.open("never.jsonl", "matching-tracking", delta=0.1, prior=panel)
