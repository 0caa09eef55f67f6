"""Verdicts of pages: fed numbers on both sides of their tolerances, each could fail."""

import math

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from tests.papers.scripts import chen2020, komiyama2016, kuroki2020, regret, study

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


def test_few_runs_show_no_small_probability():
    assert study.errs_at_most(0, 59, 0.05) is True
    assert study.errs_at_most(0, 58, 0.05) is None
    assert study.errs_at_most(0, 1650, 1e-4) is None
    assert study.errs_at_most(6, 100, 0.05) is None
    assert study.errs_at_most(10, 100, 0.05) is False


def test_errors_are_judged_name_by_name():
    counts = {"a": (0, 59), "b": (0, 58), "c": (10, 100)}
    for names, holds in (("a", True), ("ab", None), ("abc", False)):
        found = {name: counts[name] for name in names}
        assert errors_claim(found, [0.05] * len(found)).holds is holds
    strict = errors_claim({"a": (0, 59)}, [0.01])
    assert strict.holds is None


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


@pytest.mark.parametrize(
    ("rucb", "expected"), [(110, True), (90, False), (150, False), (125, None)]
)
def test_zoghi_figure_3_says_slight(rucb, expected):
    outcome = outcome_of(ccb=100, rucb=rucb, pbr=200, rankel=300)
    assert named(declared_claims("zoghi2015-figure3", [outcome]), "slight") is expected
    outcome = outcome_of(ccb=100, rucb=rucb, pbr=200, rankel=50)
    assert named(declared_claims("zoghi2015-figure3", [outcome]), "more") is False


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


def test_table_1_of_komiyama_is_compared_with_the_published_means():
    published = {"C*": 670.0, "C^E*": 730.0, "CCB": 8.8e5}

    def found(**means):
        frame = pd.DataFrame({name: value * SPREAD for name, value in (published | means).items()})
        return verdicts(komiyama2016.table_1_claims(frame))

    assert found() == "+++"
    assert found(**{name: 1.3 * value for name, value in published.items()}) == "++-"
    assert found(**{"CCB": 2e6, "C^E*": 900.0}).startswith("--")
