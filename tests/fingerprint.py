"""What could depend on the processor, in small: ``python -m tests.fingerprint [SHARE]``.

It prints a JSON object of two parts. ``exact`` holds what must be the same on every machine: the
queries and the answer of every learner on instances full of ties, the sets of designs, winners.
``numbers`` holds what may differ by rounding: optima, weights, generated problems.
With a share of 3, a learner plays every third of the small problems, the next one others.
:mod:`tests.test_machines` runs it under several settings and compares.

The rule it guards is that of :mod:`cpe_opt.ties`: nothing that is published or compared rests on
the last bits of a product, an inverse or a logarithm, nor on the order an unstable sort leaves.
"""

import contextlib
import hashlib
import inspect
import json
import sys
import warnings

import numpy as np

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.formulations.designs.transductive import TransductiveDesigns
from cpe_opt.learners import LEARNERS, get_learner
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.learners.queries import HorizonReached
from tests.learners.support import singly

K4 = [(a, b) for a in "abcd" for b in "abcd" if a < b]
K5 = [(a, b) for a in "abcde" for b in "abcde" if a < b]
NEEDED = {
    "active-ranking": {"delta": 0.1},
    "borda-budget": {"budget": 200},
    "borda-tracking": {"delta": 1e-9},
    "condorcet-tracking": {"delta": 1e-9},
    "copeland-tracking": {"delta": 1e-9},
    "clucb-borda-pac": {"margin": 0.3},
    "copeland-budget": {"budget": 200},
    "copeland-identification": {"delta": 0.1},
    "matching-tracking": {"delta": 1e-9},
    "noisy-tournament": {"h": 0.1},
    "pdo": {"budget": 200},
}
VARIANTS = {
    "car-cond": [{}, {"slack": "none"}, {"method": "subgradient"}],
    "comb-game": [{}, {"player": "frank-wolfe", "threshold": "heuristic"}],
    "cw-rmed": [{}, {"beta": 0.0}],
    "eb-tc": [{"delta": 1e-9, "noise": 0.05}, {"delta": 0.1, "share": 0.5, "threshold": "glr"}],
    "ecw-rmed": [{}, {"beta": 0.0}],
    "exhaustive": [{"design": "uniform"}, {"design": "g"}],
    "fws": [{}, {"threshold": "heuristic"}],
    "icb": [{"design": "uniform"}, {"design": "g"}, {"design": "xy"}],
    "p-fws": [{}, {"actions": "sets", "threshold": "heuristic"}],
    "poly-alba": [{}, {"design": "xy"}],
    "rage": [{}, {"elimination": "width", "unit": 4.0}],
    "sa-foa": [
        {"approximation_ratio": 0.9, "maximiser": maximiser, "anchors": 1}
        for maximiser in ("swap", "peeling", "greedy")
    ],
    "saqm": [
        {},
        {"maximiser": "ascent", "approximation_ratio": 0.9, "design": "uniform"},
        {"maximiser": "ascent", "approximation_ratio": 0.9, "design": "xy"},
    ],
    "subset-tracking": [
        {"delta": 1e-9, "noise": 0.05, "feedback": feedback} for feedback in ("single", "sums")
    ],
}


def rotation(arms):
    """Every arm beats the next two by as much."""
    steps = (np.arange(arms)[None, :] - np.arange(arms)[:, None]) % arms
    ahead = np.where((steps == 1) | (steps == 2), 0.2, 0.0)
    return cpe.PreferenceMatrix(0.5 + ahead - ahead.T, name=f"rotation {arms}")


def ladder(arms):
    """Every arm beats all later ones by as much."""
    later = np.triu(np.full((arms, arms), 0.2), 1)
    return cpe.PreferenceMatrix(0.5 + later - later.T, name="ladder")


def square(size):
    """At each of so many positions one candidate beats all others by as much."""
    graph = cpe.BipartiteGraph.complete(size, size)
    good = 0.3 * (graph.position == graph.candidate)
    chances = 0.5 + good[:, None] - good[None, :]
    together = graph.position[:, None] == graph.position[None, :]
    return cpe.MatchingDuels(graph, np.where(together, chances, 0.0), name="square")


def problems():
    """Small problems by the first parameter of the learners they are for."""
    graph = cpe.BipartiteGraph.complete(3, 2)
    level = 0.5 * (graph.position[:, None] == graph.position[None, :])
    cube = np.vstack([np.eye(6), 1.0 - np.eye(6)])
    coins = [cpe.Bernoulli(p) for p in (0.8, 0.2, 0.5)]
    arcs = [tuple(arc) for arc in ("sa", "sb", "ac", "bc", "ad", "bd", "ct", "dt")]
    paths = cpe.Paths(arcs, "s", "t")
    return {
        "arms": [
            rotation(5),
            rotation(8),
            ladder(6),
            cpe.PreferenceMatrix(np.full((3, 3), 0.5), name="level"),
            cpe.load_instance("multisol"),
        ],
        "graph": [
            cpe.load_instance("figure1"),
            cpe.MatchingDuels(graph, level, name="level"),
            square(3),
        ],
        "decisions": [
            cpe.SubsetBandit.from_outcomes(cube, 3, name="cube"),
            cpe.planted_subsets(6, 3, gap=0.5, noise=0.1, seed=1),
            cpe.SubsetBandit(cpe.SpanningTrees(K4), [1, 1, 0, 0, 0, 1], noise=0.1, name="trees"),
            cpe.SubsetBandit(paths, [0, 1, 0, 1, 0, 1, 0, 1], name="paths"),
            *flat_problems(),
        ],
        "model": [
            cpe.SeparableProblem(
                cpe.BestSet(cpe.TopK(3, 2)), [cpe.Bernoulli(0.5)] * 3, name="level"
            ),
            cpe.SeparableProblem(cpe.OpinionSampling([1, 2, 2], 7), coins, name="opinions"),
            cpe.load_instance("water"),
        ],
    }


def symmetric_classes():
    """Classes whose elements are all alike, or nearly."""
    return (
        cpe.TopK(5, 2),
        cpe.TopK(6, 3),
        cpe.SpanningTrees(K4),
        cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0)]),
        cpe.Paths(
            [tuple(arc) for arc in ("sa", "sb", "ac", "bc", "cd", "ce", "dt", "et")], "s", "t"
        ),
        cpe.Matchings(cpe.BipartiteGraph.complete(3, 3)),
        cpe.PartitionMatroid([0, 0, 0, 1, 1, 1], [1, 2]),
    )


def flat_problems():
    """Problems without noise in which every estimate has ties, whatever is pulled."""
    for decisions in symmetric_classes():
        for name, step in (("flat", 0.0), ("steps", 0.4)):
            theta = 0.3 + step * (np.arange(decisions.size) % 2)
            yield cpe.SubsetBandit(decisions, theta, noise=0.0, name=f"{name} {decisions.name}")


def queries(name, problem, parameters, *, most, horizon):
    """A digest of the first queries of a learner, its rounds, and its answer so far."""
    learner, told = get_learner(name), {}
    if "horizon" in inspect.signature(learner).parameters:
        told["horizon"] = horizon
    running = singly(learner(problem.known, rng=np.random.default_rng(3), **told, **parameters))
    environment = problem.environment(np.random.default_rng(4))
    digest, observation, rounds, end = hashlib.sha256(), None, 0, "goes on"
    for _ in range(most):
        try:
            query = environment.check(running.send(observation))
        except StopIteration as finished:
            end = repr(finished.value)
            break
        rounds += query.rounds
        digest.update(repr(query).encode())
        if rounds > horizon:
            break
        observation = environment.answer(query)
    else:
        with contextlib.suppress(HorizonReached):
            try:
                running.throw(HorizonReached())
            except StopIteration as finished:
                end = f"goes on, {finished.value!r} is ahead"
    running.close()
    return f"{digest.hexdigest()[:12]} {rounds} {end}"


def of_learners(share):
    """Every learner on every small problem it is for, or on a share of them."""
    known, found = problems(), {}
    for number, (name, function) in enumerate(LEARNERS.items()):
        kind = next(iter(inspect.signature(function).parameters))
        for problem in known[kind][number % share :: share]:
            if name in ("eb-tc", "sa-foa") and not isinstance(problem.known, cpe.TopK):
                continue
            for variant in VARIANTS.get(name, [NEEDED.get(name, {})]):
                size = {"most": 40, "horizon": 10**9} if kind == "decisions" else {}
                if variant.get("method") == "subgradient":
                    size = {"most": 12, "horizon": 10**6}
                size = size or {"most": 120, "horizon": 10**6}
                key = f"{name} {problem.name} {variant}"
                sums = {"growth": 1.2, "noise": 0.05, "sigma": 0.1}
                taken = parameters_of(get_learner(name)) if kind == "decisions" else {}
                quick = {key: value for key, value in sums.items() if key in taken}
                found[key] = queries(name, problem, variant | quick, **size)
    return found


def of_designs():
    """The sets of designs, and their weights."""
    exact, numbers = {}, {}
    for decisions in (
        cpe.SpanningTrees(K5),
        cpe.TopK(7, 3),
        cpe.TopK(8, 3),
        cpe.PartitionMatroid([0, 0, 0, 1, 1], 1),
    ):
        for what in ("uniform", "g", "xy"):
            if what == "uniform":
                design = cpe.uniform_design(decisions, seed=0)
            else:
                design = (cpe.g_design if what == "g" else cpe.xy_design)(decisions, tolerance=1e-3)
            key = f"{what} {decisions.name}"
            exact[key] = hashlib.sha256(repr(design.support).encode()).hexdigest()[:12]
            numbers[key] = design.weights.tolist()
    for decisions in symmetric_classes():
        vectors = decisions.indicator_matrix()
        for method, design in {
            "frank-wolfe": cpe.g_design(vectors, method="frank-wolfe", tolerance=1e-3),
            "multiplicative": cpe.g_design(vectors, method="multiplicative", tolerance=1e-3),
            "g columns": cpe.g_design(decisions, method="columns", tolerance=1e-3),
            "xy": cpe.xy_design(vectors, method="multiplicative", tolerance=1e-3),
            "xy columns": cpe.xy_design(decisions, method="columns", tolerance=1e-3),
        }.items():
            key = f"{method} {decisions.name}"
            exact[key] = repr(design.support)
            numbers[key] = [*design.weights.tolist(), design.value, design.bound]
        designs = TransductiveDesigns(vectors)
        for step in range(1, len(vectors)):
            # The design itself, not digits of it: it is on the grid.
            rows, shares, value, _ = designs.of(np.arange(0, len(vectors), step))
            key = f"transductive {decisions.name} {step}"
            pulls = efficient_rounding(shares / shares.sum(), 1000)
            exact[key] = [rows.tolist(), shares.tolist(), pulls.tolist()]
            numbers[key] = [value]
    return exact, numbers


def of_optima():
    """Winners and optima of oracles with several optimal answers."""
    exact, numbers = {}, {}
    for mu in (rotation(5), rotation(7), ladder(6), cpe.load_instance("multisol")):
        lower, relaxed = cpe.copeland_bound(mu), cpe.ecw_bound(mu)
        exact[f"winner {mu.name} {mu.arms}"] = [lower.winner, relaxed.winner]
        numbers[f"C* {mu.name} {mu.arms}"] = [lower.value, relaxed.value]
        for answer in (lower, relaxed, cpe.copeland_time(mu)):
            numbers[f"{type(answer).__name__} {answer.method} {mu.name}"] = [
                answer.value,
                *([] if answer.exploration is None else answer.exploration.ravel().tolist()),
            ]
        lottery = cpe.von_neumann_winner(mu)
        exact[f"lottery {mu.name} {mu.arms}"] = list(lottery.support)
    for mu in (rotation(5), cpe.load_instance("arxiv")):
        wins = np.triu(np.rint(200 * mu.array), 1)
        proof = cpe.evidence(cpe.Votes(wins + np.tril(200 - wins.T, -1)))
        flips = {label: found.pairs for label, found in proof.explanations.items()}
        exact[f"evidence {mu.name}"] = [proof.statuses(), proof.beats.tolist(), repr(flips)]
        numbers[f"evidence {mu.name}"] = proof.pairs.cost.ravel().tolist()
    matrix = np.eye(8) + 0.1 * (np.arange(8)[:, None] + np.arange(8)[None, :] == 7)
    for method in ("peeling", "greedy", "swap", "ascent"):
        starts = {"starts": 6} if method in ("swap", "ascent") else {}
        found = cpe.ellipsoid_maximum(4, np.linalg.inv(matrix), method, **starts)
        exact[f"ellipsoid {method}"] = found.elements
        numbers[f"ellipsoid {method}"] = [found.value]
    numbers["planted"] = cpe.planted_subsets(8, 3, gap=0.1, seed=5).theta.tolist()
    numbers["planted matchings"] = (
        cpe.planted_condorcet(4, 2, gap=0.05, seed=1).array.ravel().tolist()
    )
    return exact, numbers


def fingerprint(share=1):
    """Both parts."""
    exact, numbers = of_learners(share), {}
    for more in (of_designs(), of_optima()):
        exact |= more[0]
        numbers |= more[1]
    return {"exact": exact, "numbers": numbers}


if __name__ == "__main__":
    warnings.simplefilter("error")
    json.dump(fingerprint(*map(int, sys.argv[1:])), sys.stdout)
