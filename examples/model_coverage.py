r"""How often ranks under a model of strengths hold, on simulated boards of fifteen kinds.

    python examples/model_coverage.py --boards 200

Each board has strengths of its own, drawn from a normal distribution, and votes by Davidson's model
on the pairs of its kind. In the kinds with clusters, a vote of cluster c on {i, j} is the model's
at the uniform number of which the normal quantile is
:math:`\sqrt{r/2}\,(b_{ci} - b_{cj}) + \sqrt{1 - r}\,e`, with normal numbers b of the cluster's
taste and e of the vote: each vote has the model's distribution, and those of a cluster depend on
each other. Columns: how many of a hundred boards have all differences of strengths in their
intervals at once; all ranks; the mean number of ranks that an arm may have; on how many boards a
weak prior was needed: arms that it alone places have no intervals. Outside the model, what is
counted are the strengths that fit the true probabilities best, and ranks by true Borda scores. The
table is Markdown; standard errors of 95 % are 1.5 points with 200 boards, and 0.7 with 1,000.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import ndtr

import cpe_opt as cpe
from cpe_opt.problems.clusters import ClusterVotes
from cpe_opt.problems.dueling.davidson import davidson_fit
from cpe_opt.proofs.dueling.model_ranks import model_ranks

Draw = Callable[[np.random.Generator, int], np.ndarray]  # pairs of votes, (n, 2)


def each_pair(votes: int) -> Draw:
    """So many votes on every pair."""
    return lambda rng, arms: np.repeat(np.array(list(combinations(range(arms), 2))), votes, axis=0)


def chain(votes: int) -> Draw:
    """So many votes on neighbours of a cycle without its last pair."""
    return lambda rng, arms: np.repeat(
        np.array([(k, k + 1) for k in range(arms - 1)]), votes, axis=0
    )


def star(votes: int) -> Draw:
    """So many votes of each arm against the first."""
    return lambda rng, arms: np.repeat(np.array([(0, k) for k in range(1, arms)]), votes, axis=0)


def unbalanced(votes: int, evenness: float) -> Draw:
    """So many votes on pairs of arms that are drawn with very different probabilities."""

    def draw(rng: np.random.Generator, arms: int) -> np.ndarray:
        pairs = rng.choice(arms, (2 * votes, 2), p=rng.dirichlet(np.full(arms, evenness)))
        return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]][:votes])

    return draw


@dataclass(frozen=True)
class Kind:
    """A kind of board."""

    name: str
    arms: int
    pairs: Draw
    ties: float = 0.0
    clusters: int = 0
    taste: float = 0.0  # r
    spread: float = 0.7  # of strengths
    noise: float = 0.0  # of the log-odds of pairs: outside the model
    cycle: float = 0.0  # log-odds by which an arm is ahead of the next half: outside the model


KINDS = (
    Kind("5 arms, 20 votes a pair", 5, each_pair(20)),
    Kind("10 arms, 40 a pair, ties", 10, each_pair(40), ties=0.7),
    Kind("6 arms, 15 a pair, most tied", 6, each_pair(15), ties=4.0),
    Kind("30 arms, 5 a pair", 30, each_pair(5)),
    Kind("20 arms, 150 votes, unbalanced, ties", 20, unbalanced(150, 3.0), ties=0.3),
    Kind("59 arms, 8,931 votes, unbalanced, ties", 59, unbalanced(8931, 1.0), ties=0.5),
    Kind("100 arms, 10,000 votes, unbalanced", 100, unbalanced(10_000, 3.0)),
    Kind("10 arms, a chain of 30 a pair", 10, chain(30)),
    Kind("40 arms, a chain of 60 a pair, ties", 40, chain(60), ties=0.5),
    Kind("20 arms, 40 votes against the first", 20, star(40)),
    Kind("8 arms, 2,000 votes of 200 prompts", 8, unbalanced(2000, 2.0), 0.3, 200, 0.5),
    Kind("10 arms, 3,000 votes of 30 raters", 10, unbalanced(3000, 5.0), 0.0, 30, 0.4),
    Kind("50 arms, 6,000 votes of 300 raters", 50, unbalanced(6000, 2.0), 0.3, 300, 0.4),
    Kind("outside: 10 arms, 40 a pair, noise 0.5", 10, each_pair(40), noise=0.5),
    Kind("outside: 9 arms, 40 a pair, a cycle", 9, each_pair(40), cycle=1.0),
)


def main(boards: int, delta: float = 0.05) -> None:
    """Print the table."""
    print("| board | differences | ranks | ranks of an arm | prior |\n|---|---|---|---|---|")
    for number, kind in enumerate(KINDS):
        rows = np.array([held(kind, seed, number, delta) for seed in range(boards)])
        differences, ranks, width, prior = rows.mean(axis=0)
        cells = f"{100 * differences:.1f} % | {100 * ranks:.1f} % | {width:.1f} | {100 * prior:.0f}"
        print(f"| {kind.name} | {cells} % |", flush=True)


def held(kind: Kind, seed: int, number: int, delta: float) -> tuple[float, float, float, float]:
    """Of one board: whether differences, and ranks, hold; the mean width; whether by a prior."""
    rng = np.random.default_rng([seed, number])
    arms, place = kind.arms, np.arange(kind.arms)
    theta = kind.spread * rng.normal(size=arms)
    more = np.triu(kind.noise * rng.normal(size=(arms, arms)), 1)
    more += np.where(2 * ((place[None] - place[:, None]) % arms) < arms, kind.cycle, 0.0)
    log_odds = theta[:, None] - theta + np.where(place[:, None] < place, more, 0.0)
    log_odds = np.triu(log_odds, 1) - np.triu(log_odds, 1).T
    wins, ties = np.exp(log_odds / 2.0), np.full((arms, arms), kind.ties)
    wins, ties = wins / (wins + wins.T + ties), ties / (wins + wins.T + ties)
    pairs = kind.pairs(rng, arms)
    votes = drawn(kind, wins, ties, pairs, rng)
    table = model_ranks(votes, delta).tables[0]
    order = np.array([int(label) for label in table.labels])
    met, better = votes.duels, theta
    if kind.noise or kind.cycle:
        theta = davidson_fit(met * wins, met * ties).strengths
        better = (wins + ties / 2.0).sum(axis=1)
    away = table.strengths - theta[order]
    width = np.inf if table.no_intervals else table.critical * table.errors + 1e-9
    inside = np.abs(away[:, None] - away) <= width
    rank = 1 + (better[order][:, None] < better[order]).sum(axis=1)
    ends = np.array(list(table.ranks.values()))
    right = ((ends[:, 0] <= rank) & (rank <= ends[:, 1])).all()
    return float(inside.all()), float(right), float(np.ptp(ends, axis=1).mean() + 1), table.prior


def drawn(
    kind: Kind, wins: np.ndarray, ties: np.ndarray, pairs: np.ndarray, rng: np.random.Generator
) -> cpe.Votes:
    """Votes on some pairs."""
    first, second = pairs.T
    cluster = rng.integers(max(1, kind.clusters), size=len(pairs))
    taste = rng.normal(size=(max(1, kind.clusters), kind.arms))
    apart = taste[cluster, first] - taste[cluster, second]
    noise = rng.normal(size=len(pairs))
    level = ndtr(np.sqrt(kind.taste / 2.0) * apart + np.sqrt(1.0 - kind.taste) * noise)
    win, tie = wins[first, second], ties[first, second]
    share = np.where(level > 1.0 - win, 1.0, np.where(level > 1.0 - win - tie, 0.5, 0.0))
    counts = np.zeros((kind.arms, kind.arms))
    np.add.at(counts, (first, second), share)
    np.add.at(counts, (second, first), 1.0 - share)
    tied = np.zeros_like(counts)
    np.add.at(tied, (first, second), share == 0.5)
    by_cluster = None
    if kind.clusters:
        by_cluster = ClusterVotes.of_rows(cluster, first, second, share, np.ones(len(pairs)))
    return cpe.Votes(counts, tied=tied + tied.T, by_cluster=by_cluster)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--boards", type=int, default=200)
    main(parser.parse_args().boards)
