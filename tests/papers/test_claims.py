"""Verdicts of pages: fed numbers on both sides of their tolerances, each could fail."""

import math

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.generators import cycle_and_chain
from tests.papers.scripts import chen2020, huang2018, komiyama2016, kuroki2020, regret, study

Interval, mean_interval, ratio_interval = study.Interval, study.mean_interval, study.ratio_interval
errors_claim, declared_claims = study.errors_claim, regret.declared_claims
TIME = np.unique(np.geomspace(1, 10**6, 300).astype(int))
SPREAD = np.array([0.99, 1.0, 1.01])  # of the regret of three runs


def runs_of(final, kind="log", spread=SPREAD, answer=0):
    """Runs that end at these multiples of a regret, growing as ln T, as T, or up to 100."""
    shapes = {
        "log": np.log(TIME) / np.log(TIME[-1]),
        "linear": TIME / TIME[-1],
        "flat": np.minimum(TIME, 100) / 100,
    }
    regrets = [factor * final * shapes[kind] for factor in spread]
    return pd.DataFrame(
        {
            "answer": answer,
            "samples": 10,
            "seconds": 1.0,
            "regret": [each[-1] for each in regrets],
            "times": [TIME] * len(regrets),
            "regrets": regrets,
        }
    )


def outcome_of(problem="gap", **finals):
    """An outcome from final regrets, or runs, by learner."""
    mu = cpe.load_instance(problem) if isinstance(problem, str) else problem
    runs = {
        name.replace("_", "-"): value if isinstance(value, pd.DataFrame) else runs_of(value)
        for name, value in finals.items()
    }
    return regret.Outcome(mu, {"horizon": 10**6, "runs": 3}, runs)


def verdicts(claims):
    """One sign a claim: it holds, fails, or is not shown."""
    return "".join({True: "+", False: "-", None: "?"}[claim.holds] for claim in claims)


def named(claims, name, words=""):
    """The verdict of the claim of that name, about these words."""
    (claim,) = [c for c in claims if c.name == name and words in str(c.words)]
    return claim.holds


def test_intervals_are_those_of_student_and_welch():
    sample = [1.0, 2.0, 4.0]
    half = 4.302652729911275 * np.std(sample, ddof=1) / math.sqrt(3)
    found = mean_interval(sample)
    assert (found.low, found.high) == pytest.approx((7 / 3 - half, 7 / 3 + half))
    # Equal variances of logarithms and sizes: Welch's freedom is 2(n - 1).
    other = ratio_interval([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    half = 2.7764451051977987 * math.sqrt(2 / 3) / 2
    assert math.log(other.high / other.value) == pytest.approx(half)
    assert mean_interval([3.0]).text() == "3 (1 run)"
    assert mean_interval([3.0]).within(2.0, 4.0) is None
    assert ratio_interval([2.0, 2.0], [1.0, 1.0]) == Interval(2.0, 2.0, 2.0)
    assert ratio_interval([2.0], [1.0, 1.1]).within(low=1.0) is None


def test_intervals_hold_the_truth_as_often_as_they_say():
    """2000 samples of 4: 95 % up to chance (three standard errors are 1.5 %)."""
    rng = np.random.default_rng(0)
    one, two = rng.normal(10, 1, (2000, 4)), rng.normal(5, 1, (2000, 4))
    for found, truth in (
        ([mean_interval(x) for x in one], 10.0),
        ([ratio_interval(x, y) for x, y in zip(one, two, strict=True)], 2.0),
    ):
        share = np.mean([interval.low <= truth <= interval.high for interval in found])
        assert share == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(1.1, 1.9, True), (2.1, 3.0, False), (0.0, 0.9, False), (0.9, 1.5, None), (1.5, 2.1, None)],
)
def test_an_interval_is_inside_outside_or_neither(low, high, expected):
    assert Interval(0.5 * (low + high), low, high).within(1.0, 2.0) is expected


def test_few_runs_show_no_small_probability():
    assert study.errs_at_most(0, 59, 0.05) is True
    assert study.errs_at_most(0, 58, 0.05) is None
    assert study.errs_at_most(0, 1650, 1e-4) is None
    assert study.errs_at_most(6, 100, 0.05) is None
    assert study.errs_at_most(10, 100, 0.05) is False


@pytest.mark.parametrize(("least", "holds"), [(1.0, True), (0.99, False), (2.0, True)])
def test_a_range_holds_with_its_ends(least, holds):
    found = study.range_claim("a", [3.0, least], low=1.0, high=3.0)
    assert found.holds is holds
    assert found.ours == f"{least:.1f} to 3.0"


def test_errors_are_judged_name_by_name():
    counts = {"a": (0, 59), "b": (0, 58), "c": (10, 100)}
    for names, holds in (("a", True), ("ab", None), ("abc", False)):
        found = {name: counts[name] for name in names}
        assert errors_claim(found, [0.05] * len(found)).holds is holds
    strict = errors_claim({"a": (0, 59)}, [0.01])
    assert strict.holds is None


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [([True, True], True), ([True, None], None), ([None, False], False), ([], True)],
)
def test_several_outcomes_make_one(outcomes, expected):
    assert study.all_hold(outcomes) is expected
    inside = {True: Interval(1.0, 0.9, 1.1), False: Interval(3.0, 2.5, 3.5)}
    found = {str(n): inside.get(o, Interval(2, 1.5, 2.5)) for n, o in enumerate(outcomes)}
    assert study.interval_claim("a", found, high=2.0).holds is expected


def test_the_interval_of_failures_is_that_of_clopper_and_pearson():
    found = study.failure_interval(0, 20)
    assert (found.low, found.high) == pytest.approx((0.0, 1 - 0.025 ** (1 / 20)))
    assert study.failure_interval(20, 20).high == 1.0
    found = study.failure_interval(3, 50)
    assert (found.low, found.high) == pytest.approx((0.01255, 0.16548), abs=1e-4)


def test_growth_and_slope_of_runs():
    outcome = outcome_of(a=runs_of(100, "linear"), b=runs_of(100), c=runs_of(100, "flat"))
    assert outcome.growth("a").value == pytest.approx(1.0, abs=1e-6)
    assert outcome.growth("b").value == pytest.approx(10 * np.log(1 / 0.9) / np.log(1e6), rel=0.01)
    assert outcome.growth("c").value == 0.0
    for name, linear in zip("abc", (True, False, False), strict=True):
        assert regret.regret_claim([outcome], "linear", "growth", [[name]], low=0.5).holds is linear
        assert (
            regret.regret_claim([outcome], "linear", "growth", [[name]], high=0.5).holds
            is not linear
        )
    assert outcome.slope("b").value == pytest.approx(100 / np.log(1e6), rel=0.01)


def test_less_wants_an_interval_apart():
    outcome = outcome_of(low=10.0, near=10.1, high=20.0)

    def less(outcome, better, worse):
        return regret.regret_claim([outcome], "more", "ratio", [[worse, better]], low=1.0).holds

    assert less(outcome, "low", "high") is True
    assert less(outcome, "high", "low") is False
    assert less(outcome, "low", "near") is None
    lone = outcome_of(low=runs_of(10, spread=[1.0]), high=20.0)
    assert less(lone, "low", "high") is None


def test_claims_of_several_learners_and_problems_name_both():
    outcomes = [outcome_of(name, a=10.0, b=20.0, c=30.0) for name in ("gap", "cyclic")]
    found = regret.regret_claim(outcomes, "more", "ratio", [["b", "a"], ["c", "a"]], low=1.0)
    assert found.words["of"] == "b/a, c/a"
    assert "cyclic: c/a 3.00" in found.ours


@pytest.mark.parametrize(
    ("rucb", "expected"), [(110, True), (90, False), (150, False), (125, None)]
)
def test_zoghi_figure_3_says_slight(rucb, expected):
    outcome = outcome_of(ccb=100, rucb=rucb, pbr=200, rankel=300)
    assert named(declared_claims("zoghi2015-figure3", [outcome]), "slight") is expected
    outcome = outcome_of(ccb=100, rucb=rucb, pbr=200, rankel=50)
    assert named(declared_claims("zoghi2015-figure3", [outcome]), "more") is False


def test_zoghi_figure_1_tells_linear_from_not():
    linear, log = runs_of(1000, "linear"), runs_of(1000)
    curves = {"ccb": 100, "scb": log, "savage": log, "pbr": log, "rankel": log}
    good = outcome_of(**curves, rucb=linear, rmed1=linear, ecw_rmed=log)
    assert verdicts(declared_claims("zoghi2015-figure1", [good])) == "+++"
    bad = outcome_of(**curves | {"scb": linear}, rucb=log, rmed1=linear, ecw_rmed=log)
    assert verdicts(declared_claims("zoghi2015-figure1", [bad])) == "+--"


def chain(arms, beats=0.9):
    made = cycle_and_chain(arms, beats)
    return cpe.PreferenceMatrix(made.array, name=f"{made.name}, p = {beats}")


def test_zoghi_figure_2_is_judged_on_the_problems_it_names():
    """With 30 arms CCB is to be better, with 500 and more SCB."""

    def judged(few, many):
        outcomes = [
            outcome_of(chain(arms), ccb=runs_of(1.0, "flat"), scb=runs_of(ratio, "flat"))
            for arms, ratio in ((30, few), (500, many), (1000, many))
        ]
        return verdicts(declared_claims("zoghi2015-figure2", outcomes))

    assert judged(2.0, 0.5) == "++++"  # many, few, most, stops
    assert judged(0.5, 2.0) == "---+"
    growing = outcome_of(chain(500), ccb=runs_of(1.0, "linear"), scb=1.0)
    assert named(declared_claims("zoghi2015-figure2", [growing]), "stops") is False
    small = outcome_of(chain(30, 0.6), ccb=1.0, scb=1.0)
    assert declared_claims("zoghi2015-figure2", [small]) == []


@pytest.mark.parametrize(
    ("slope", "own", "other", "expected"),
    [
        ((95, 110), 100, 200, True),
        ((180, 220), 100, 200, False),
        ((95, 110), 100, 102, None),  # the other constant is in it
        ((95, 99), 100, 102, None),  # or as near as its own
        ((70, 110), 100, 200, None),
        ((76, 124), 100, 200, True),
        ((74, 124), 100, 200, None),
    ],
)
def test_a_slope_shows_one_constant_and_not_the_other(slope, own, other, expected):
    assert komiyama2016.slope_shows(Interval(sum(slope) / 2, *slope), own, other) is expected


def komiyama2016_cw(outcomes):
    """All claims of CW-RMED's page."""
    slopes = komiyama2016.slope_claims(outcomes)["claims"]
    return [*slopes, *declared_claims("komiyama2016-cw-rmed", outcomes)]


def test_cw_rmed_is_judged_by_its_own_constant():
    """On Gap C* is 11.02 and C^E* 1253."""
    at = {name: value * np.log(10**6) for name, value in (("C", 11.0249), ("CE", 1252.5))}
    zero = {"cw-rmed (beta=0.0)": runs_of(at["C"]), "ecw-rmed (beta=0.0)": runs_of(at["CE"])}
    good = outcome_of(cw_rmed=at["C"], ecw_rmed=at["CE"], **zero)
    assert verdicts(komiyama2016_cw([good])) == "++++"
    swapped = outcome_of(cw_rmed=at["CE"], ecw_rmed=at["C"], **zero)
    assert verdicts(komiyama2016_cw([swapped])) == "----"


@pytest.mark.parametrize(("factor", "expected"), [(1.1, True), (1.3, False), (0.7, False)])
def test_almost_the_same_is_within_a_fifth(factor, expected):
    finals = {"cw_rmed": 100.0, "ecw_rmed": 1000.0}
    zero = {f"{name.replace('_', '-')} (beta=0.0)": factor * x for name, x in finals.items()}
    claims = komiyama2016_cw([outcome_of(**finals, **zero)])
    assert named(claims, "beta") is expected


def test_komiyama_wants_intervals_above_its_factors():
    finals = {"ccb": 130, "savage": 300, "ecw_rmed": 100}
    linear = {"rucb": runs_of(900, "linear"), "rmed1": runs_of(900, "linear")}
    claims = declared_claims("komiyama2016-figure1", [outcome_of(**finals, **linear)])
    assert verdicts(claims) == "+++++"
    worse = {"ccb": 90, "savage": 190, "ecw_rmed": 100, "rucb": 900, "rmed1": 900}
    assert verdicts(declared_claims("komiyama2016-figure1", [outcome_of(**worse)])) == "---++"
    close = outcome_of(**finals | {"ccb": 100.5}, **linear)
    assert declared_claims("komiyama2016-figure1", [close])[0].holds is None


def test_sushi_is_judged_in_standard_errors():
    """Of 3 runs 117, of the published mean 2021 ± 210 66: 134 of the difference."""
    for mean, expected in ((2021, True), (2021 + 260, True), (2021 + 340, None), (2500, False)):
        outcome = outcome_of("sushi", rmed1=runs_of(2021, spread=[0.9, 1.0, 1.1]))
        outcome.runs["rmed1"]["regret"] += mean - 2021
        assert regret.published_means([outcome], "rmed1", [[2021, 210]], 10).holds is expected
    # Near one of two references and far from the other is not shown, far from both differs.
    for means, expected in (([2500, 2021], None), ([2021, 2500], None), ([1000, 1200], False)):
        published = [[mean, 210] for mean in means]
        outcome = outcome_of("sushi", rmed1=runs_of(2500, spread=[0.99, 1.0, 1.01]))
        assert regret.published_means([outcome], "rmed1", published, 10).holds is expected


def crowd_frame(**factors):
    """Rows of table 2 at these multiples of the published samples."""
    columns = {"icb": 0, "icb, Proposition 1": 0, "saqm": 1, "sa-foa": 2}
    rows = []
    for name, *published in kuroki2020.published().itertuples():
        for plan in (*kuroki2020.PRINTED, *kuroki2020.CERTIFIED):
            samples = published[columns.get(plan, 2)] * 1000 * factors.get(plan.split(",")[0], 1.0)
            rows += [{"problem": name, "algorithm": plan, "samples": samples, "missing": 0.0}] * 2
    return pd.DataFrame(rows)


def test_table_2_agrees_within_a_fifth():
    claims = kuroki2020.table_2_claims(crowd_frame())
    assert all(claim.holds for claim in claims)
    for factor, expected in ((1.19, True), (1.21, False), (0.79, False)):
        claims = kuroki2020.table_2_claims(crowd_frame(saqm=factor, icb=factor))
        assert named(claims, "near", "SAQM") is expected
        assert named(claims, "near", "radius of Prop") is expected
    slow = kuroki2020.table_2_claims(crowd_frame(**{"sa-foa": 8.0}))
    assert named(slow, "far-fewer") is False
    assert named(slow, "fewer") is False
    frame = crowd_frame()
    frame.loc[0, "missing"] = 0.1
    assert named(kuroki2020.table_2_claims(frame), "optimal") is False


def peeling_frame(early, late, saqm=1.0):
    """Looks of five runs on two supports."""
    return pd.DataFrame(
        [
            {"sets": sets, "gap": gap, "seed": seed, "t": t, "saqm": saqm, "sa-foa": ratio}
            for sets in (20, 50)
            for gap in (0.1, 1.0)
            for seed in range(5)
            for t, value in ((500, early), (90_000, late))
            for ratio in [value + 0.001 * seed * (1 if t > 1000 else -1)]
        ]
    )


def test_kuroki_figure_1_is_judged_on_its_own_design():
    good = kuroki2020.figure_1_claims(peeling_frame(0.94, 0.96))
    assert verdicts(good) == "+++"
    falling = kuroki2020.figure_1_claims(peeling_frame(0.96, 0.93))
    assert verdicts(falling) == "++-"
    high = kuroki2020.figure_1_claims(peeling_frame(0.98, 0.99, saqm=0.89))
    assert verdicts(high) == "--+"


@pytest.mark.parametrize(("factor", "expected"), [(1.9, True), (2.1, False), (0.4, False)])
def test_kuroki_figure_3_calls_a_factor_of_two_comparable(factor, expected):
    frame = pd.DataFrame(
        [
            {"gap": gap, "algorithm": name, "samples": samples, "wrong": False}
            for gap in (0.1, 1.0)
            for name, samples in (("exhaustive", 100), ("saqm", 100 * factor), ("sa-foa", 100))
        ]
    )
    first, second, wrong = kuroki2020.figure_3_claims(frame)
    assert (first.holds, second.holds, wrong.holds) == (expected, True, True)
    frame.loc[1, "wrong"] = True
    assert kuroki2020.figure_3_claims(frame)[-1].holds is False


def matchings_frame(**changes):
    """Runs of three seeds; changes are of the samples of CAR-Parallel or the bounds."""
    settings = {"parallel": (200, 4.0), "bounds": (2000, 3000), "exact": (100, 150)}
    settings = settings | {"slack": 200} | changes
    rows = []

    def add(study, problem, algorithm, delta, theorem, samples):
        rows.extend(
            {
                "study": study, "problem": problem, "algorithm": algorithm, "delta": delta,
                "seed": seed, "theorem": theorem, "samples": samples + seed, "wrong": False,
            }
            for seed in range(3)
        )  # fmt: skip

    for problem, bound, exact in zip("ab", settings["bounds"], settings["exact"], strict=True):
        add("borda", problem, "clucb-borda-pac", 0.05, bound, 1500)
        add("borda", problem, "clucb-borda-exact", 0.05, 50, exact)
        add("hardness", problem, "car-cond", 0.009, 100, 300)
        add("hardness", problem, "car-cond, no slack", 0.009, 100, settings["slack"])
    for delta in (1e-2, 1e-100):
        log = -np.log(delta)
        add("delta", "c", "car-cond", delta, 1, 100 + 10 * log)
        start, slope = settings["parallel"]
        add("delta", "c", "car-parallel", delta, 1, start + slope * log)
    return pd.DataFrame(rows)


def test_chen_is_judged_on_the_algorithms_of_its_theorems():
    assert verdicts(chen2020.claims(matchings_frame())) == "++++++?"
    assert named(chen2020.claims(matchings_frame(slack=310)), "slack") is False
    low = chen2020.claims(matchings_frame(bounds=(1400, 3000)))
    assert named(low, "theorem-1") is False
    uneven = chen2020.claims(matchings_frame(exact=(100, 450)))
    assert named(uneven, "grows", "Theorem 2") is False
    steep = chen2020.claims(matchings_frame(parallel=(200, 11.0)))
    assert named(steep, "theorem-5") is False
    # A smaller slope, and still more samples at the smallest delta tried.
    late = chen2020.claims(matchings_frame(parallel=(5000, 9.0)))
    assert named(late, "theorem-5") is True
    assert named(late, "fewer") is False
    assert named(chen2020.claims(matchings_frame().assign(wrong=True)), "errors") is False


def huang_frame(uneven=3.0, **changes):
    rows = [
        {
            "kind": kind, "level": level, "algorithm": name, "bound": 1000.0,
            "samples": samples + seed, "wrong": False,
        }
        for kind in huang2018.KINDS
        for level in (0, 1)
        for name, samples in (
            ("coci", 100),
            ("coci-uniform", 100 * (uneven if level else 1.2)),
        )
        for seed in range(5)
    ]  # fmt: skip
    return pd.DataFrame(rows).assign(**changes)


def test_huang_could_fail():
    assert verdicts(huang2018.claims(huang_frame())) == "++++"
    assert named(huang2018.claims(huang_frame(uneven=1.0)), "pays") is False
    assert named(huang2018.claims(huang_frame(bound=103.0)), "coci") is False
    assert named(huang2018.claims(huang_frame(bound=200.0)), "coci-uniform") is False
    assert named(huang2018.claims(huang_frame(wrong=True)), "errors") is False


def test_table_1_of_komiyama_is_compared_with_the_published_means():
    published = {"C*": 670.0, "C^E*": 730.0, "CCB": 8.8e5}

    def found(**means):
        frame = pd.DataFrame({name: value * SPREAD for name, value in (published | means).items()})
        return verdicts(komiyama2016.table_1_claims(frame))

    assert found() == "+++"
    assert found(**{name: 1.3 * value for name, value in published.items()}) == "++-"
    assert found(**{"CCB": 2e6, "C^E*": 900.0}).startswith("--")
