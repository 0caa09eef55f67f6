"""Runs of learners, and the same runs duel by duel."""

import statistics

import cpe_opt as cpe
from cpe_opt.learners import LEARNERS
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.problems.generators import cycle_and_chain
from tests.benchmarks.measuring import Row, processor_seconds, rounds_text


def sushi(settings):
    """Every learner of duels for regret on sushi, mean of 5 seeds."""
    mu = cpe.load_instance(settings.choose("gap", "sushi"))
    horizon, seeds = settings.choose((50, 1), (10**5, 5))
    plans = [
        (learner, horizon)
        for learner, function in LEARNERS.items()
        if (each := declaration_of(function)).family == "dueling"
        and each.goal == "regret"
        and learner != "random-pairs"  # which never idles
    ]
    plans += [("ecw-rmed", settings.choose(60, 10**9))]
    for learner, rounds in plans:
        traces = []

        def run(learner=learner, rounds=rounds, seeds=seeds, traces=traces):
            traces += [cpe.simulate(learner, mu, horizon=rounds, seed=s) for s in range(seeds)]

        seconds = processor_seconds(run) / seeds
        regret = statistics.mean(float(trace.regret[-1]) for trace in traces)
        queries = statistics.mean(trace.queries for trace in traces)
        note = f"regret {regret:.0f}, {queries:,.0f} queries"
        yield Row(f"{learner}, T = {rounds_text(rounds)}", seconds, note=note)


def many_arms(settings):
    """CCB and SCB on 500 arms, a cycle of three that beats a chain."""
    mu = cycle_and_chain(settings.choose(8, 500))
    for learner, horizon in (("ccb", 10**6), ("scb", 10**7)):
        rounds = settings.choose(100, horizon)
        seconds = processor_seconds(
            lambda name=learner, t=rounds: cpe.simulate(name, mu, horizon=t, seed=0)
        )
        note = f"{rounds / seconds:,.0f} rounds/s"
        yield Row(f"{learner} on {mu.arms} arms, T = {rounds_text(rounds)}", seconds, note=note)
