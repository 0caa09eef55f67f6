"""The evidence of ECW-RMED's winner on the cyclic instance, against ln t."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREY, panels

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.learners.exchange import Exchange

ROUNDS = 10**6


def draw() -> Figure:
    """One panel: steps of evidence over rounds on a log scale."""
    rounds, evidence, duels = run(cpe.load_instance("cyclic"))
    figure, (axes,) = panels(height=3.6)
    axes.step(rounds, evidence, where="post", color=BLUE, lw=1.4)
    grid = np.geomspace(10, ROUNDS, 200)
    axes.plot(grid, np.log(grid), color=GREY, lw=1.2)
    axes.text(25, 4.4, "ln t", color=GREY, ha="right")
    axes.text(10**4, 15.2, "evidence of the winner", color=BLUE, ha="center")
    axes.plot(duels, np.full(len(duels), 0.3), "|", color="black", ms=7, mew=0.4)
    axes.text(10**5, 0.8, "rounds with a duel", ha="center")
    axes.set(xscale="log", xlim=(10, ROUNDS), ylim=(0, 16))
    axes.set(xlabel="round t", ylabel="nats")
    return figure


def run(mu: cpe.PreferenceMatrix) -> tuple[list[int], list[float], list[int]]:
    """The rounds at which a query ended, the evidence then, and the rounds with duels."""
    wins = np.zeros((mu.arms, mu.arms))
    exchange = Exchange(cpe.learners.ecw_rmed, mu.known, 0)
    world = mu.environment(np.random.default_rng(0))
    t, rounds, evidence, duels = 1, [], [], []
    while t < ROUNDS:
        query = exchange.query
        answers = []
        for each in getattr(query, "queries", [query]):
            won = world.answer(each)
            answers.append(won)
            if each.i != each.j:
                duels.append(t)
                wins[each.i, each.j] += won
                wins[each.j, each.i] += each.times - won
            t += each.times
        rounds.append(t)
        evidence.append(winner_evidence(wins))
        exchange.tell(answers if hasattr(query, "queries") else answers[0])
    return rounds, evidence, duels


def winner_evidence(wins: np.ndarray) -> float:
    """The most evidence that an empirical winner has for its rows."""
    total = wins + wins.T
    estimate = np.divide(wins, total, out=np.full_like(wins, 0.5), where=total > 0)
    matrix = cpe.PreferenceMatrix(estimate)
    x = matrix.divergences * total
    rows = (copeland_rows(estimate, winner, "literal") for winner in matrix.copeland_winners)
    return max(min(each.evidence(x), 99.0) for each in rows)
