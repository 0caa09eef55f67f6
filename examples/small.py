"""The whole idea in one file: ask about two arms at a time until the answers prove who wins.

    python examples/small.py --seed 0

Each part is named after the file of ``cpe_opt`` that does it for real. A *Copeland winner* is an
arm that as few others as possible beat. The ways in which an answer could be wrong are used three
times: as rows of a linear program, as what the learner asks about, and as what answers rule out.
"""

import argparse
from itertools import product

import highspy
import numpy as np

# problems/dueling/preferences.py: mu[i, j] is the probability that i wins a duel against j -------

LABELS = ["mild tuna", "fatty tuna", "salmon", "tuna", "roe", "bream", "eel", "scallop"]
SUSHI = [  # of 5,000 people, in thousandths; the row's arm against those after it
    [512, 622, 655, 698, 726, 711, 708],
    [602, 683, 652, 776, 663, 683],
    [528, 554, 533, 534, 591],
    [553, 619, 566, 641],
    [510, 508, 540],
    [505, 530],
    [515],
]


def preference_matrix(upper):
    """The matrix of an upper triangle: mu[i, j] + mu[j, i] = 1."""
    mu = np.full((len(upper) + 1,) * 2, 0.5)
    for i, row in enumerate(upper):
        mu[i, i + 1 :] = np.array(row) / 1000
        mu[i + 1 :, i] = 1 - mu[i, i + 1 :]
    return mu


# formulations/dueling/confusing_instances.py: the ways in which "winner" could be wrong -----------


def weakest_flips(mu, winner, x):
    """The pairs whose reversal unseats the winner, with the least sum of x: a separation oracle.

    Some arm j has to become better: h of those that beat it lose to it, and o others beat the
    winner, until fewer arms beat j than beat the winner. Which ones, two sorts find.
    """
    arms = set(range(len(mu)))
    beaten_by = [set(np.flatnonzero(mu[:, j] > 0.5)) for j in arms]
    best = (np.inf, [])
    for j in arms - {winner}:
        direct = winner in beaten_by[j]  # this flip counts twice: j gains what the winner loses
        ahead = sorted(beaten_by[j] - {winner}, key=lambda k: x[k, j])
        below = arms - beaten_by[winner] - {winner} - ({j} if direct else set())
        below = sorted(below, key=lambda k: x[winner, k])
        for flips_direct in {False, direct}:
            needed = len(beaten_by[j]) - len(beaten_by[winner]) + 1 - 2 * flips_direct
            for h, o in product(range(len(ahead) + 1), range(len(below) + 1)):
                if h + o == max(needed, 0):
                    pairs = [(k, j) for k in ahead[:h]] + [(winner, k) for k in below[:o]]
                    pairs += [(winner, j)] * flips_direct
                    best = min(best, (sum(x[p] for p in pairs), pairs))
    return best


# formulations/dueling/copeland_time.py and solvers/cutting_planes.py: a program of many rows ------


def cheapest_exploration(mu, winner):
    """The fewest duels, per ln(1/delta), that tell every confusing instance apart: T* and q.

    minimise sum q_ij over pairs i < j, subject to sum of d_ij q_ij >= 1 over the pairs of each
    ``weakest_flips``, with d the divergence of a pair's coin from a fair one. There are far too
    many rows to list, so HiGHS gets those that its last solution breaks, until it breaks none.
    """
    d = mu * np.log(2 * mu)
    d = np.maximum(d + d.T, 1e-6)  # so that a pair at one half costs much, not infinitely much
    first, second = np.triu_indices(len(mu), 1)
    column = np.zeros(mu.shape, dtype=np.int32)
    column[first, second] = column[second, first] = np.arange(len(first))
    model = highspy.Highs()
    model.silent()
    for cost in 1 / d[first, second]:  # of x = d q, which rows hold with entries of 1
        model.addCol(cost, 0.0, 1.0, 0, [], [])  # no row needs more than 1 of a pair
    x = np.zeros_like(mu)
    while True:
        total, pairs = weakest_flips(mu, winner, x)
        if total >= 1 - 1e-7:
            return float(model.getInfo().objective_function_value), x / d
        row = np.unique([column[p] for p in pairs])
        model.addRow(1.0, np.inf, len(row), row, np.ones(len(row)))
        model.run()
        if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"HiGHS ended with {model.getModelStatus()}")
        x[first, second] = x[second, first] = model.getSolution().col_value


# proofs/dueling/e_values.py: bets that nobody wins if "i does not beat j" is true -----------------


def e_values(wins):
    """What a stake of 1 has become, bet on i in every duel with j: E[i, j].

    A share of the stake is bet at even odds, in advance; the mean over several shares needs no
    luck in choosing one. If mu[i, j] <= 1/2, no bet gains on average, so E reaches 1/delta, ever,
    with probability at most delta.
    """
    shares = np.tanh(np.geomspace(0.005, 3.0, 40))[:, None, None]
    stakes = wins * np.log1p(shares) + wins.T * np.log1p(-shares)
    return np.exp(np.minimum(stakes, 40.0)).mean(axis=0)


# proofs/dueling/copeland.py and predictable_bets.py: what they prove together ---------------------


def together(e, most):
    """One stake from bets that move at different duels: half in one of them, half in all."""
    return 1.0 if len(e) == 0 else 0.5 * np.mean(e) + 0.5 * np.prod(1 + (e - 1) / most)


def weakest_truth(e, winner):
    """The least stake under any truth in which the winner is none: proved at 1/delta or more.

    In such a truth some j has level l, the number of arms that beat it, and the winner is beaten by
    more. Bets on "k beats j" for all other k, and on "the winner beats k", are then bets on what
    is false, so that their joint stake is 1/delta with probability at most delta.
    """
    arms, least = len(e), np.inf
    for j in set(range(arms)) - {winner}:
        others = [k for k in range(arms) if k not in {winner, j}]
        against_j, of_winner = np.sort(e[others, j]), np.sort(e[winner, others])
        for level in range(arms - 1):
            for beats in (True, False):  # does the winner beat j in this truth?
                size, more = arms - 2 - level + beats, level + beats
                if max(size, more) <= len(others):
                    against = [*against_j[:size], *([] if beats else [e[winner, j]])]
                    sizes = range(more, len(others) + 1)
                    flips = min(together(of_winner[:m], max(m, 1)) for m in sizes)
                    stake = together(np.array(against), arms - 1)
                    least = min(least, stake * (0.8 + 0.2 / (arms - 1) * flips))
    return least


# learners/dueling/pair_tracking.py: ask what the program says (the real one draws matrices) -------


def copeland_tracking(arms, delta):
    """A learner is a generator: it yields (i, j, times) and gets how often i won.

    It asks the pairs that are behind the plan of the program at its estimates, a twentieth of all
    duels at a time, and stops when the stakes against every other truth are at least 1/delta.
    """
    wins = np.zeros((arms, arms))
    for i, j in zip(*np.triu_indices(arms, 1), strict=True):
        wins[i, j] = yield i, j, 1
        wins[j, i] = 1 - wins[i, j]
    while True:
        duels = wins + wins.T
        estimates = (wins + 0.5) / (duels + 1)
        winner = int(np.argmin((estimates < 0.5).sum(axis=1)))  # the fewest beat it
        if weakest_truth(e_values(wins), winner) >= 1 / delta:
            return winner, int(duels.sum() / 2)
        _, q = cheapest_exploration(estimates, winner)
        planned = 1.05 * q * duels.sum() / q.sum() + np.sqrt(duels.sum()) / arms**2
        behind = np.triu(np.maximum(planned - duels, 0), 1)  # by the root: no sign stays wrong
        times = np.ceil(behind * min(1.0, 0.05 * (duels.sum() / 2) / behind.sum()))
        for i, j in zip(*np.nonzero(times), strict=True):
            won = yield i, j, int(times[i, j])
            wins[i, j] += won
            wins[j, i] += times[i, j] - won


# simulation/driver.py: somebody who answers -------------------------------------------------------


def simulate(learner, mu, seed):
    """Answer a learner's questions by coins until it returns."""
    rng = np.random.default_rng(seed)
    i, j, times = next(learner)
    while True:
        try:
            i, j, times = learner.send(rng.binomial(times, mu[i, j]))
        except StopIteration as finished:
            return finished.value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--delta", type=float, default=0.05)
    given = parser.parse_args()
    mu = preference_matrix(SUSHI)
    time, _ = cheapest_exploration(mu, winner=0)
    print(f"T* = {time:,.0f}: nobody does with fewer than T* ln(1/delta) duels, as delta falls")
    winner, duels = simulate(copeland_tracking(len(mu), given.delta), mu, given.seed)
    print(f"proved with {duels:,} duels: {LABELS[winner]}, wrong with probability <= {given.delta}")


if __name__ == "__main__":
    main()
