"""Thresholds, radii and stopping rules of learners against formulas written out by hand."""

import importlib
import math
import types
from itertools import combinations, count

import numpy as np
import pytest
from scipy.optimize import brentq

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import Design
from cpe_opt.learners.dueling.ccb import Beliefs
from cpe_opt.learners.dueling.copeland_identification import kl_elimination
from cpe_opt.learners.dueling.copeland_rmed import ForcedPairs
from cpe_opt.learners.dueling.duel_counts import DuelTally, bernoulli_divergence
from cpe_opt.learners.dueling.elimination import PairRace, at_any_time, duels_to_a_sign, up_to
from cpe_opt.learners.dueling.intervals import DuelIntervals, first_above
from cpe_opt.learners.dueling.scb import cut_off
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings.edge_decisions import EdgeDecisions
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.learners.uniforms import Uniforms
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import checked_delta
from tests.learners.support import asking_singly, driven


@pytest.mark.parametrize("margin", [0.0, 1e-5, -9e-4, 2e-3, 0.3, -0.8, 0.999999, 1.0, -1.0])
def test_divergences_from_one_half_are_right_to_their_bits(margin):
    """p ln 2p + (1 - p) ln 2(1 - p) with p = (1 + margin)/2; margin²/2 to begin with."""
    chances = [(1 + margin) / 2, (1 - margin) / 2]
    expected = sum(p * math.log(2 * p) for p in chances if p > 0)
    found = bernoulli_divergence(margin)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-15)
    if 0 < abs(margin) < 0.01:
        assert found == pytest.approx(margin**2 / 2 + margin**4 / 12, rel=1e-9)


def test_leads_needed_are_the_paper_s():
    """δ = 0.1, n = 8: √(16 ln(64 π² / 0.3)) and √(16 ln(200 / 0.1))."""
    assert at_any_time(0.1)(8) == pytest.approx(11.0651, abs=1e-4)
    assert up_to(100, 0.1)(8) == pytest.approx(11.0279, abs=1e-4)
    assert checked_delta(None, 1000) == 0.001
    assert checked_delta(None, None) == 0.05
    assert checked_delta(0.2, 1000) == 0.2


def test_a_lead_that_only_equals_what_is_needed_is_no_verdict():
    assert duels_to_a_sign(0, 4, lambda n: 5.0) == 2


@pytest.mark.parametrize(("threshold", "guess", "first"), [(-1.0, 1.2, 1), (0.0, 2.0, 2)])
def test_the_first_round_above_is_found_from_a_guess_that_is_late(threshold, guess, first):
    assert first_above(math.log, threshold, guess) == first


def test_a_pair_near_one_half_is_drawn_as_soon_as_ln_ln_t_is_positive():
    """From t = 3 on; β / ln ln t is 0.11 at 3, 0.03 at 4, 0.014 at 8 for β = 0.01."""
    tally = DuelTally(2)
    tally.add(0, 1, 52, 100)
    forced = ForcedPairs(tally, 0.1, 0.01)
    due = [t for t in range(1, 10) if forced.due(t)]
    assert due == [3, 4, 5]


def test_an_arm_is_beaten_below_one_half_and_by_no_tie():
    tally = DuelTally(3)
    tally.add(0, 1, 1, 2)
    tally.add(1, 2, 0, 1)
    assert np.argwhere(tally.beaten).tolist() == [[1, 2]]


def test_random_pairs_name_the_arm_that_fewest_beat():
    mu = cpe.PreferenceMatrix([[0.5, 0.0, 0.0], [1.0, 0.5, 0.0], [1.0, 1.0, 0.5]])
    assert cpe.simulate("random-pairs", mu, horizon=100).answer == 2


def test_elimination_drops_an_arm_in_the_round_of_the_threshold():
    """One arm always has 1, one 0: their intervals part where exp(-x) > 1/2, x = threshold/t."""
    asked = []

    def reward(arm):
        asked.append(arm)
        yield Duel(0, 1)
        return 1 - arm

    learner = kl_elimination(2, reward, population=1000, delta=0.1, margin=0.0)
    assert driven(learner, lambda query: 0)[1] == 0

    def parted(t):
        log = math.log(4 * t * 2 / 0.1) + 2 * max(0.0, math.log(math.log(t)))
        return math.exp(-log / t) > 0.5

    assert len(asked) == 2 * next(t for t in count(2) if parted(t))


def test_elimination_stops_when_losses_are_within_a_factor():
    """Two arms of mean ½ and ε = 1: where 1 - low <= 2 (1 - high)."""
    asked = []

    def reward(arm):
        asked.append(arm)
        yield Duel(0, 1)
        return asked.count(arm) % 2

    learner = kl_elimination(2, reward, population=2000, delta=0.1, margin=1.0)
    assert driven(learner, lambda query: 0)[1] == 0

    def stops(t):
        mean = (t + 1) // 2 / t
        log = math.log(4 * t * 2 / 0.1) + 2 * max(0.0, math.log(math.log(t)))

        def excess(q):
            return mean * math.log(mean / q) + (1 - mean) * math.log((1 - mean) / (1 - q)) - log / t

        return 1 - brentq(excess, 1e-12, mean) <= 2 * (1 - brentq(excess, mean, 1 - 1e-12))

    assert len(asked) == 2 * next(t for t in count(3) if stops(t))


def test_an_interval_that_holds_one_half_decides_nothing():
    """8 of 10 more wins than losses: z = 64/(4 · 10 · 0.51) = 3.1, and ln 100 = 4.6."""
    intervals = DuelIntervals(2, 0.51, Uniforms(np.random.default_rng(0)))
    intervals.advance(100)
    intervals.add(0, 1, 9, 10)
    assert intervals.sign(0, 1) == 0
    intervals.advance(101)
    intervals.add(0, 1, 10, 10)
    assert intervals.sign(0, 1) == 1


def test_an_arm_does_not_meet_itself_where_another_is_as_strong():
    intervals = DuelIntervals(2, 0.51, Uniforms(np.random.default_rng(0)))
    intervals.advance(1)
    intervals.add(0, 1, 1, 2)
    assert [intervals.strongest_against(0) for _ in range(20)] == [1] * 20


def test_a_race_compares_the_lead_with_that_needed_after_the_duel():
    race = PairRace(2, lambda n: n - 0.5 * (n == 2), None)
    leads = []
    for _ in range(2):
        driven(race.single_pass(race.bears_on_the_winner, at_once=True), lambda query: 1)
        leads.append(race.wins[0])
    assert leads == [0, 1]


def test_values_known_within_the_slack_decide_nothing():
    """The paper's oracle is as accurate as the slack: In and Ex differ by less here."""
    graph = cpe.BipartiteGraph.complete(3, 1)
    cycle = np.array([[0.5, 0.04, 0.79], [0.96, 0.5, 0.17], [0.21, 0.83, 0.5]])
    apart = 0.003 * (1 - np.eye(3))
    decisions = EdgeDecisions(graph, [], [], method="subgradient")
    decisions.update(cycle + apart, cycle - apart)
    found = [decisions.decision(edge, 0.2, accuracy=0.2) for edge in (1, 2)]
    assert [decision.accept for decision in found] == [None, None]


def test_rounds_of_scb_have_a_confidence_of_their_own(monkeypatch):
    """T = 4, 16, 256, 65536 and δ = ln(T)/T."""
    asked = []

    def identification(arms, *, rng, delta):
        asked.append(delta)
        yield Duel(0, 1)
        return 1

    module = importlib.import_module("cpe_opt.learners.dueling.scb")
    monkeypatch.setattr(module, "copeland_identification", identification)
    trace = cpe.simulate("scb", cpe.load_instance("gap"), horizon=4 + 16 + 256 + 10)
    assert asked == [math.log(T) / T for T in (4, 16, 256, 65536)]
    assert trace.draws[1, 1] == 3 + 15 + 255 + 9


@pytest.mark.parametrize(
    ("budget", "asked", "outcome"),
    [(7, [3, 3], ("done", 6)), (6, [3, 3], ("guess 1", 6)), (5, [3, 2], ("guess 1", 5))],
)
def test_a_round_of_scb_ends_with_its_budget(budget, asked, outcome):
    """A query that uses the budget up comes too late to be answered: the answer is a guess."""

    def learner(known):
        answered = 0
        try:
            while answered < 2:
                yield Duel(0, 1, 3)
                answered += 1
        except HorizonReached:
            return f"guess {answered}"
        return "done"

    exchange = Exchange(learner, 2)
    queries, spent = driven(cut_off(exchange, budget), lambda query: query.times)
    assert ([query.times for query in queries], (exchange.answer, spent)) == (asked, outcome)


def halfway(name, known, shares, **parameters):
    """The answer of a learner cut off after observations: shares of its duels, or rewards."""
    learner = asking_singly(cpe.learners.get_learner(name))
    exchange = Exchange(learner, known, 0, **parameters)
    for share in shares:
        duel = isinstance(exchange.query, Duel)
        exchange.tell(share * exchange.query.times if duel else share)
    assert not exchange.finished
    exchange.stop()
    return exchange.answer


@pytest.mark.parametrize(("name", "score"), [("savage", 1), ("pbr", 1), ("rankel", (1, 0, 2))])
def test_races_cut_off_answer_by_the_scores_of_the_estimates(name, score):
    """Duels (0, 1), (0, 2), (1, 2): 1 beats both, and 0 beats 2."""
    assert halfway(name, 3, [0, 1, 1], horizon=10**6) == score
    assert halfway(name, 3, [], horizon=10**6) == ((0, 1, 2) if name == "rankel" else 0)


def test_an_identification_cut_off_answers_by_the_scores_of_the_estimates():
    name = "copeland-identification"
    first = Exchange(cpe.learners.copeland_identification, 3, 0, delta=0.1).query
    assert first.i == 0
    assert halfway(name, 3, [0], delta=0.1) == first.j
    assert halfway(name, 3, [1], delta=0.1) == halfway(name, 3, [], delta=0.1) == 0


def test_scb_guesses_until_it_knows_and_then_does_not():
    """Of T = 4, 16 and 256 the last is long enough for signs: 0 against 2, 1 - 0 and 2 - 1."""
    assert halfway("scb", 3, [0] * 3) == 2
    assert halfway("scb", 3, [1] * 3) == 0
    # Then 1 is identified, and what comes next does not matter.
    assert halfway("scb", 3, [0, 0, 0, 1, 0, 0, 0]) == 1


def test_coci_cut_off_answers_the_best_decision_for_the_estimates():
    model = cpe.BestSet(cpe.TopK(3, 1))
    for name in ("coci", "coci-uniform"):
        rewards = [np.array([x]) for x in (0.25, 0.75, 0.5)]
        assert halfway(name, model, rewards) == (0.0, 1.0, 0.0)
        assert halfway(name, model, rewards[:1]) == (1.0, 0.0, 0.0)


THETA = np.array([0.9, 0.6, 0.3, 0.0])
PAIRS = list(combinations(range(4), 2))


def pulls_until(name, **parameters):
    """How often a learner pulls pairs of four elements that show their exact sums."""
    rows = np.array([[float(e in pair) for e in range(4)] for pair in PAIRS])
    design = Design(
        value=4.0,
        bound=4.0,
        method="given",
        support=tuple(PAIRS),
        weights=np.full(6, 1 / 6),
        vectors=rows,
        criterion="G",
    )
    learner = cpe.learners.get_learner(name)(
        cpe.TopK(4, 2),
        rng=np.random.default_rng(0),
        design=design,
        delta=0.1,
        margin=0.1,
        sigma=0.2,
        growth=1 + 1e-9,
        **parameters,
    )
    queries, answer = driven(learner, lambda query: np.array(query.times) * (rows @ THETA))
    assert answer == (0, 1)
    return sum(query.rounds for query in queries)


def first_look(stops):
    """The first t at which a rule of t, A⁻¹ and C_t of each kind says stop."""
    for t in count(6):
        times = [t // 6 + (pair < t % 6) for pair in range(6)]
        rows = np.array([[float(e in pair) for e in range(4)] for pair in PAIRS])
        inverse = np.linalg.inv(sum(c * np.outer(x, x) for c, x in zip(times, rows, strict=True)))
        sets = 2 * math.sqrt(2) * 0.2 * math.sqrt(math.log(6 * t**2 * 6 / (math.pi**2 * 0.1)))
        each = 0.2 * math.sqrt(2 * math.log(6 * t**2 * 4 / (math.pi**2 * 0.1)))
        if stops(inverse, sets, each):
            return t
    raise AssertionError


def test_saqm_stops_at_the_first_look_that_its_rule_allows():
    """θ(M̂) - C‖χ_M̂‖ against the second best value, 1.2, and C/α times the largest norm."""
    chi = np.array([1.0, 1, 0, 0])

    def stops(inverse, c, _):
        norms = [math.sqrt(inverse[np.ix_(pair, pair)].sum()) for pair in PAIRS]
        return 1.5 - c * math.sqrt(chi @ inverse @ chi) >= 1.2 + c / 0.8 * max(norms) - 0.1

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("saqm", approximation_ratio=0.8) == expected


def test_icb_stops_at_the_first_look_that_its_rule_allows():
    """The lead of another pair, with the width of every element in one of both alone."""

    def stops(inverse, _, c):
        width = c * np.sqrt(np.diag(inverse))
        leads = [
            THETA[list(pair)].sum() - 1.5 + sum(width[e] for e in {0, 1} ^ set(pair))
            for pair in PAIRS[1:]
        ]
        return max(leads) < 0.1

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("icb") == expected


@pytest.mark.parametrize("threshold", [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
def test_coci_stops_when_the_radius_of_a_variance_is_below_its_threshold(threshold):
    """τ = 2, two arms, equal rewards: √(ln(4 t³ / 2δ) / 2T) with t = 4 + 1, 4 + 2, …"""

    def decide(theta):
        return np.array([float(theta[0] > threshold), 0.0])

    model = cpe.CustomModel(2, decide, bi_monotone=False, tau=2)
    asked, answer = driven(cpe.learners.coci(model, delta=0.1), lambda query: np.zeros(query.times))
    assert answer == (0.0, 0.0)
    pulls = next(
        pulls
        for pulls in count(2)
        if math.sqrt(math.log(4 * (pulls + 3) ** 3 / 0.2) / (2 * pulls)) <= threshold
    )
    assert sum(query.times for query in asked) == pulls + 2


def test_proofs_of_ccb_have_one_arm_more_than_a_winner_has_losses():
    """Steps B and C on their own."""
    intervals = types.SimpleNamespace(beaters=lambda arm: [9], changes=0)
    beliefs = Beliefs(intervals, 3, Uniforms(np.random.default_rng(0)))
    beliefs.losses_of_winner, beliefs.proofs = 0, [set(), set(), {1}]
    beliefs._remove(losses=[0, 1, 2], wins=[2, 1, 0])
    assert (beliefs.possible, beliefs.proofs) == ({0}, [set(), {9}, {1}])
    beliefs = Beliefs(intervals, 4, Uniforms(np.random.default_rng(0)))
    beliefs.proofs = [{1}, {2}, {0, 1}, {0, 1, 2}]
    beliefs._add(0, losses=1)
    assert beliefs.proofs[:3] == [set(), set(), {0, 1}]
    assert len(beliefs.proofs[3]) == 2
    assert beliefs.proofs[3] < {0, 1, 2}
