"""What logs with planted dependence prove of the mean over clusters is seldom false.

Each world draws a log whose votes depend on each other in one of the ways in which real ones do,
and knows the mean over clusters. Most of its pairs are even, where a false proof is the likeliest.
"""

import itertools
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.evidence import statements
from tests.support import binomial_margin

DELTA, MARGIN = 0.05, 0.05
WORLDS: dict[str, tuple[str, Callable]] = {}


def world(column):
    """Note a function that gives the true means and the lines: arms, share, and other columns."""

    def note(function):
        WORLDS[function.__name__.replace("_", " ")] = (column, function)
        return function

    return note


def even(arms):
    return np.full((arms, arms), 0.5)


def pairs_of(arms):
    return list(itertools.combinations(range(arms), 2))


def with_winner():
    """Arm 0 beats the others by little, these are even."""
    mu = even(4)
    mu[0, 1:], mu[1:, 0] = 0.53, 0.47
    return mu


@world("prompt")
def repeated_prompts(rng):
    """What a judge says of a pair and a prompt is fixed, and asked eight times."""
    mu = with_winner()
    for prompt in range(60):
        for i, j in pairs_of(4):
            share = float(rng.random() < mu[i, j])
            for _ in range(8):
                yield i, j, share, {"prompt": prompt}
    yield mu


@world("rater")
def repeated_raters(rng):
    """Raters have an order of the arms, and vote by it thirty times on pairs at random."""
    for rater in range(50):
        order = rng.permutation(4)
        for _ in range(30):
            i, j = rng.choice(4, 2, replace=False)
            yield i, j, float(order[i] < order[j]), {"rater": rater}
    yield even(4)


@world("prompt")
def prompts_and_raters_with_ties(rng):
    """Prompts of several raters each, who mostly agree, and often tie."""
    mu = with_winner()
    for prompt in range(80):
        taste = {pair: rng.random() < mu[pair] for pair in pairs_of(4)}
        for rater in range(rng.integers(1, 5)):
            for pair in pairs_of(4):
                share = 0.5 if rng.random() < 0.4 else float(taste[pair])
                columns = {"prompt": prompt, "rater": f"{prompt}-{rater}"}
                if rng.random() < 0.8:
                    yield *pair, share, columns
    mu = 0.5 + 0.6 * (mu - 0.5)
    yield mu


@world("opening")
def pairs_of_games(rng):
    """Each opening twice with sides changed; some of them favour an arm, most favour white."""
    for opening in range(150):
        i, j = pairs_of(3)[rng.integers(3)]
        style = rng.choice([-0.4, 0.0, 0.4])
        for white in (i, j):
            other = j if white == i else i
            likely = 0.5 + 0.1 + (style if white == i else -style)
            share = 0.5 if rng.random() < 0.3 else float(rng.random() < np.clip(likely, 0, 1))
            yield white, other, share, {"opening": opening}
    yield even(3)


@world("user")
def one_giant_cluster(rng):
    """One user has most of the votes, and an opinion; thirty others have one vote a pair."""
    for user in range(31):
        order = rng.permutation(3)
        for i, j in pairs_of(3):
            for _ in range(2000 // 3 if user == 0 else 1):
                yield i, j, float(order[i] < order[j]), {"user": user}
    yield even(3)


@world("prompt")
def sizes_that_go_with_the_outcome(rng):
    """Prompts with many votes favour the first arm, those with few the second."""
    for prompt in range(120):
        large = rng.random() < 0.5
        for _ in range(25 if large else 2):
            yield 0, 1, float(rng.random() < (0.9 if large else 0.1)), {"prompt": prompt}
    yield even(2)


@world("rater")
def raters_and_the_bias_of_a_side(rng):
    """Raters vote for the left one, most of the time; who is left is a matter of the rater."""
    for rater in range(60):
        for i, j in pairs_of(4):
            left, right = (i, j) if rng.random() < 0.5 else (j, i)
            for _ in range(rng.integers(1, 6)):
                yield left, right, float(rng.random() < 0.85), {"rater": rater}
    yield even(4)


@world("rater")
def raters_of_fixed_opinion(rng):
    """Half of them for either of two arms, thirty votes each."""
    for rater in range(100):
        share = float(rng.random() < 0.5)
        for _ in range(30):
            yield 0, 1, share, {"rater": rater}
    yield even(2)


@world("prompt")
def a_deterministic_judge_ten_times(rng):
    for prompt in range(30):
        share = float(rng.random() < 0.5)
        for _ in range(10):
            yield 0, 1, share, {"prompt": prompt}
    yield even(2)


@world("voter")
def pairs_that_go_together(rng):
    """Each voter votes on all pairs once, by an order: half of them by one, half by its reverse."""
    for voter in range(100):
        first, noise = rng.random() < 0.5, rng.normal(0.0, 0.3, 5)
        worth = (np.arange(5) if first else -np.arange(5)) + noise
        for i, j in pairs_of(5):
            yield i, j, float(worth[i] > worth[j]), {"voter": voter}
    yield even(5)


@world("user")
def crossed_with_the_coarser_named(rng):
    """Users have opinions, conversations moods; all have the same prompts, which do nothing."""
    for user in range(60):
        opinion = {pair: rng.random() for pair in pairs_of(3)}
        for conversation in range(rng.integers(1, 6)):
            mood = {pair: rng.random() < opinion[pair] for pair in pairs_of(3)}
            for pair in pairs_of(3):
                columns = {"user": user, "conversation": f"{user}-{conversation}"}
                for prompt in range(3):
                    yield *pair, float(mood[pair]), {**columns, "prompt": prompt}
    yield even(3)


@world("prompt")
def five_arms_all_tied(rng):
    for prompt in range(100):
        for i, j in pairs_of(5):
            if rng.random() < 0.5:
                share = float(rng.random() < 0.5)
                for _ in range(5):
                    yield i, j, share, {"prompt": prompt}
    yield even(5)


@world("prompt")
def pairs_chosen_by_prompts_before(rng):
    """Each prompt is asked, four times each, about the two pairs with the largest leads so far."""
    leads = dict.fromkeys(pairs_of(4), 0.0)
    for prompt in range(120):
        first = rng.permutation(len(leads))
        for k in sorted(first, key=lambda k: -abs([*leads.values()][k]))[:2]:
            pair, share = [*leads][k], float(rng.random() < 0.5)
            leads[pair] += share - 0.5
            for _ in range(4):
                yield *pair, share, {"prompt": prompt}
    yield even(4)


def a_knock_out_within_a_prompt(rng):
    """Half of the prompts prefer 0 to both others, half the reverse; 0 meets 2 if it beats 1."""
    for prompt in range(80):
        ahead, even_pair = rng.random() < 0.5, float(rng.random() < 0.5)
        yield 0, 1, float(ahead), {"prompt": prompt}
        yield (0 if ahead else 1), 2, (1.0 if ahead else even_pair), {"prompt": prompt}
    yield even(3)


def log_of(name, rng):
    """The votes of a world as a table, its true means in the order of the labels, its column."""
    column, function = WORLDS[name]
    *lines, mu = function(rng)
    words = {1.0: "model_a", 0.0: "model_b", 0.5: "tie"}
    frame = pd.DataFrame(
        {
            "model_a": [f"{i}" for i, *_ in lines],
            "model_b": [f"{j}" for _, j, *_ in lines],
            "winner": [words[share] for _, _, share, _ in lines],
            **{name: [columns[name] for *_, columns in lines] for name in lines[0][3]},
        }
    )
    return frame, mu, column


def false_statements(said, mu):
    """What is said and is false of these means."""
    arms = len(mu)
    others = ~np.eye(arms, dtype=bool)
    losses, scores = (mu < 0.5).sum(axis=1), mu.sum(axis=1)
    held = ((mu >= 0.5 + MARGIN) & others).sum(axis=1)
    lost = ((mu < 0.5 - MARGIN) & others).sum(axis=1)
    copeland, top = losses == losses.min(), scores >= scores.max() - 1e-9
    condorcet = ((mu > 0.5) & others).sum(axis=1) == arms - 1
    larger = scores[:, None] > scores + 1e-9
    within = np.array([np.delete(held, i).max() + lost[i] < arms for i in range(arms)])
    found = []
    if (said.beats & (mu <= 0.5)).any():
        found.append("beats")
    if (said.equal & (np.abs(mu - 0.5) >= MARGIN)).any():
        found.append("equal")
    if (said.larger_borda & ~larger).any():
        found.append("larger Borda score")
    sure = np.array([larger[i][others[i]].all() for i in range(arms)])
    for kind, proved, not_out in (
        ("copeland", copeland, copeland),
        ("condorcet", condorcet, condorcet),
        ("borda", sure, top),
        ("within_margin", within, within),
    ):
        for status, may, must in zip(said.statuses()[kind].values(), proved, not_out, strict=True):
            if (status == "proved" and not may) or (status == "ruled out" and must):
                found.append(kind)
    return found


def wrong_logs(name, logs, seed, *, named=True):
    """How many of some logs have a false statement, read by their column or without it."""
    wrong = 0
    for log in range(logs):
        frame, mu, column = log_of(name, np.random.default_rng([seed, log]))
        votes = cpe.read_votes(frame, cluster=column if named else None)
        order = [int(label) for label in votes.labels]
        said = statements(votes, DELTA, MARGIN)
        wrong += bool(false_statements(said, mu[np.ix_(order, order)]))
    return wrong


def test_there_are_thirteen_worlds():
    assert len(WORLDS) == 13


def test_a_knock_out_within_a_cluster_proves_falsehoods_and_is_warned_of(monkeypatch):
    """Its own votes choose the pairs, against what is assumed; the first vote of each is safe."""
    monkeypatch.setitem(WORLDS, "knock-out", ("prompt", a_knock_out_within_a_prompt))
    assert wrong_logs("knock-out", 10, 4) == 10
    frame, _, _ = log_of("knock-out", np.random.default_rng(0))
    assert cpe.read_votes(frame, cluster="prompt").summary.clustering.pairs_differ
    firsts = (log_of("knock-out", np.random.default_rng(seed))[0] for seed in range(10))
    said = [statements(cpe.read_votes(each, unique="prompt"), DELTA) for each in firsts]
    assert sum(each.beats.any() for each in said) <= binomial_margin(10, DELTA)


@pytest.mark.parametrize("name", [*WORLDS][::4])
def test_few_logs_are_wrong_about_the_mean_over_clusters(name):
    assert wrong_logs(name, 30, 1) <= binomial_margin(30, DELTA)


@pytest.mark.parametrize(
    "name", ["raters of fixed opinion", "sizes that go with the outcome", "repeated raters"]
)
def test_without_the_column_many_logs_are_wrong(name):
    assert wrong_logs(name, 12, 2, named=False) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_of_a_thousand_logs_at_most_five_in_a_hundred_are_wrong(name):
    wrong, without = wrong_logs(name, 1000, 3), wrong_logs(name, 100, 3, named=False)
    print(f"\n{name}: {wrong} of 1,000 wrong; without the column {without} of 100")
    assert wrong <= 1000 * DELTA


def graded_log(rng, clusters, votes):
    """Eight arms in an order of strength; each vote is one on a pair of its own, by a coin."""
    strength = np.linspace(1.2, -1.2, 8)
    pairs = pairs_of(8)
    for cluster in range(clusters):
        for i, j in (
            pairs if votes == len(pairs) else [pairs[k] for k in rng.integers(28, size=votes)]
        ):
            first = rng.random() < 1 / (1 + np.exp(strength[j] - strength[i]))
            yield f"arm {i}", f"arm {j}", "model_a" if first else "model_b", cluster


@pytest.mark.parametrize(("clusters", "votes"), [(300, 5), (300, 20), (60, 28)])
def test_of_what_independent_votes_prove_most_is_proved_in_clusters(clusters, votes):
    """Pairs, and statuses of all winners: at least two thirds, where half is asked for."""
    proved = [0, 0]
    for seed in range(5):
        lines = list(graded_log(np.random.default_rng(seed), clusters, votes))
        log = pd.DataFrame(lines, columns=["model_a", "model_b", "winner", "prompt"])
        for k, column in enumerate((None, "prompt")):
            said = statements(cpe.read_votes(log, cluster=column), DELTA)
            statuses = [each for arms in said.statuses().values() for each in arms.values()]
            proved[k] += int(said.beats.sum()) + sum(each != "possible" for each in statuses)
    assert proved[0] >= 50
    assert proved[1] >= proved[0] * 2 / 3
