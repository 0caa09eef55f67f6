"""What the theorems on duels say, computed as it is written: truths, wealth, and mean wealth."""

import itertools
import math

import numpy as np
import pandas as pd

import cpe_opt as cpe


def sign_matrices(arms, signs=(-1, 0, 1)):
    """Every truth: entry [i, j] is 1 where i beats j, -1 where j does, or 0."""
    pairs = list(itertools.combinations(range(arms), 2))
    for of_pairs in itertools.product(signs, repeat=len(pairs)):
        truth = np.zeros((arms, arms), dtype=int)
        for (i, j), sign in zip(pairs, of_pairs, strict=True):
            truth[i, j], truth[j, i] = sign, -sign
        yield truth


def wealth(e, held, lost, winner, answers, *, independent=True, number=float):
    """W of the theorem on Copeland winners, with B of some arms.

    ``held[j, k]``: k does not beat j, a null of e[k, j]; ``lost[i, k]``: k beats i.
    """
    others = len(e) - 1
    stakes = [e[k, winner] for k in range(len(e)) if k != winner and held[winner, k]]
    mean = sum(stakes) / len(stakes) if stakes else number(1)
    product = math.prod(1 + (stake - 1) / others for stake in stakes)
    first, second = mean, number(0)
    if independent:
        first = number("0.2") + number("0.65") * mean + number("0.15") * product
    for i in answers:
        stakes = [e[i, k] for k in range(len(e)) if lost[i, k] and k != winner]
        mean = sum(stakes) / len(stakes) if stakes else number(1)
        product = math.prod(1 + (stake - 1) / len(stakes) for stake in stakes)
        second += number("0.6") * mean + number("0.4") * product if independent else mean
    if independent:
        return first * (number("0.8") + number("0.2") / others * second)
    return number("0.8") * first + number("0.2") / others * second


def last_mean(value, outcomes, arms, depth):
    """The mean of a function of the wins after so many votes, which no vote may make larger.

    ``outcomes(wins)`` are those of the vote that a rule asks for next: the two arms, the share of
    the first, and the chance.
    """

    def play(wins, before, left):
        if not left:
            return before
        mean = last = 0.0
        for i, j, share, chance in outcomes(wins):
            after = wins.copy()
            after[i, j] += share
            after[j, i] += 1 - share
            changed = value(after)
            mean += chance * changed
            last += chance * play(after, changed, left - 1)
        assert mean <= before * (1 + 1e-6)
        return last

    nothing = np.zeros((arms, arms))
    started = value(nothing)
    assert abs(started - 1.0) <= 1e-5
    return play(nothing, started, depth)


def votes_of(clusters):
    """From lists of (first, second, share of the first), one a cluster; shares are halves."""
    rows = [
        (f"arm {i}", f"arm {j}", ("model_b", "tie", "model_a")[round(2 * share)], number)
        for number, lines in enumerate(clusters)
        for i, j, share in lines
    ]
    frame = pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "prompt"])
    votes = cpe.read_votes(frame, cluster="prompt")
    assert list(votes.labels) == sorted(votes.labels)
    return votes


def log_mean(values):
    return float(np.logaddexp.reduce(values) - math.log(len(values)))
