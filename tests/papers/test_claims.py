"""Verdicts of pages: fed numbers on both sides of their tolerances, each could fail."""

import math

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from tests.papers.scripts import budgets, chen2020, komiyama2016, kuroki2020, regret, study

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


def test_errors_are_judged_name_by_name_and_few_runs_show_no_small_probability():
    for failures, runs, delta, holds in (
        (0, 72, 0.05, True),
        (0, 71, 0.05, None),
        (0, 1650, 1e-4, None),
        (6, 100, 0.05, None),
        (12, 100, 0.05, False),
    ):
        both = errors_claim({"a": (0, 72), "b": (failures, runs)}, [0.05, delta])
        assert both.holds is holds


def test_growth_and_slope_of_runs():
    outcome = outcome_of(a=runs_of(100, "linear"), b=runs_of(100), c=runs_of(100, "flat"))
    assert outcome.growth("a").value == pytest.approx(1.0, abs=1e-6)
    assert outcome.growth("b").value == pytest.approx(10 * np.log(1 / 0.9) / np.log(1e6), rel=0.01)
    assert outcome.growth("c").value == 0.0
    constant = cpe.copeland_bound(outcome.problem).value
    slope = outcome.slope("b", "LB").value
    assert slope == pytest.approx(100 / np.log(1e6) / constant, rel=0.01)
    linear = regret.regret_claim([outcome], "linear", "growth", [["a"], ["b"]], low=0.05)
    assert linear.holds is True
    assert (
        regret.regret_claim([outcome], "linear", "growth", [["a"], ["c"]], low=0.05).holds is False
    )


def test_cw_rmed_is_judged_by_its_own_constant():
    """On Gap C* is 11.02 and C^E* 1253."""
    at = {name: value * np.log(10**6) for name, value in (("C", 11.0249), ("CE", 1252.5))}
    zero = {"cw-rmed (beta=0.0)": runs_of(at["C"]), "ecw-rmed (beta=0.0)": runs_of(at["CE"])}
    good = outcome_of(cw_rmed=at["C"], ecw_rmed=at["CE"], **zero)
    assert verdicts(declared_claims("komiyama2016-cw-rmed", [good])) == "++++"
    swapped = outcome_of(cw_rmed=at["CE"], ecw_rmed=at["C"], **zero)
    assert verdicts(declared_claims("komiyama2016-cw-rmed", [swapped])) == "----"


def test_komiyama_wants_intervals_above_its_factors():
    finals = {"ccb": 130, "savage": 300, "ecw_rmed": 100}
    linear = {"rucb": runs_of(900, "linear"), "rmed1": runs_of(900, "linear")}
    claims = declared_claims("komiyama2016-figure1", [outcome_of(**finals, **linear)])
    assert verdicts(claims) == "++++"
    worse = {"ccb": 90, "savage": 190, "ecw_rmed": 100, "rucb": 900, "rmed1": 900}
    assert verdicts(declared_claims("komiyama2016-figure1", [outcome_of(**worse)])) == "---+"
    close = outcome_of(**finals | {"ccb": 100.5}, **linear)
    assert declared_claims("komiyama2016-figure1", [close])[0].holds is None


def test_table_1_of_komiyama_is_compared_with_the_published_means():
    published = {"C*": 670.0, "C^E*": 730.0, "CCB": 8.8e5}

    def found(**means):
        frame = pd.DataFrame({name: value * SPREAD for name, value in (published | means).items()})
        return verdicts(komiyama2016.table_1_claims(frame))

    assert found() == "+++"
    assert found(**{name: 1.3 * value for name, value in published.items()}) == "++-"
    assert found(**{"CCB": 2e6, "C^E*": 900.0}).startswith("--")


def test_sushi_is_within_two_published_standard_errors():
    """RMED1's mean 2021 has one of 66; RUCB has two means."""
    for learner, mean, expected in (
        ("rmed1", 2021, True),
        ("rmed1", 2021 + 100, None),
        ("rmed1", 2021 + 240, False),
        ("rucb", 2629, True),
        ("rucb", 3133, True),
        ("rucb", 3700, False),
    ):
        (found,) = [
            claim
            for claim in declared_claims("sushi", [outcome_of("sushi", **SUSHI | {learner: mean})])
            if claim.words["published"].startswith(learner)
        ]
        assert found.holds is expected


SUSHI = dict.fromkeys(("ccb", "rucb", "rmed1", "ecw_rmed", "savage (target=condorcet)"), 1.0)


def test_budgets_are_judged_where_intervals_do_not_meet():
    """Errors of 300 runs on two instances, one of which is clear."""

    def found(adaptive=10, half=10, wrong=0):
        counts = {"adaptive": adaptive, "uniform, half": 60, "adaptive, half": half, "uniform": 60}
        errors = {name: [study.failure_interval(n, 300)] * 2 for name, n in counts.items()}
        index = pd.MultiIndex.from_product([["copeland"], ["a", "b"]])
        proved = pd.Series([True] * wrong + [False] * (300 - wrong))
        return verdicts(budgets.claims(pd.DataFrame(errors, index), proved, [("copeland", "a")]))

    assert found() == "+++"
    assert found(adaptive=50) == "?++"
    assert found(adaptive=120, half=120) == "--+"
    assert [found(wrong=each)[-1] for each in (12, 30)] == ["?", "-"]


def test_table_2_agrees_within_a_fifth():
    """With columns at multiples of the published samples."""
    names = list(study.declared("kuroki2020")["table2"])
    published = {name: kuroki2020.published()[name.split(",")[0]] * 1000.0 for name in names}

    def found(missing=0.0, **factors):
        rows = [
            {"problem": problem, "algorithm": name, "missing": missing}
            | {"samples": value * factors.get(name.split(",")[0], 1.0)}
            for name, values in published.items()
            for problem, value in values.items()
        ]
        return kuroki2020.table_2_claims(pd.DataFrame(rows))

    assert all(claim.holds for claim in found() if claim.name != "certified")
    for factor, expected in ((1.19, True), (1.21, False), (0.79, False)):
        claims = found(saqm=factor, icb=factor)
        assert named(claims, "near", "SAQM") is expected
        assert named(claims, "near", "radius of Prop") is expected
    slow = found(**{"sa-foa": 8.0})
    assert named(slow, "far-fewer") is False
    assert named(slow, "fewer") is False
    assert named(found(missing=0.1), "optimal") is False


def matchings_claims(bounds=(2000, 3000), exact=(100, 150), slack=200, parallel=(200, 4.0), **more):
    """Of three runs each; ``parallel`` are samples of CAR-Parallel: at delta = 1, and by ln."""
    lines = [("delta", "c", "car-cond", d, 1, 100 - 10 * np.log(d)) for d in (1e-2, 1e-100)]
    for delta in (1e-2, 1e-100):
        samples = parallel[0] - parallel[1] * np.log(delta)
        lines.append(("delta", "c", "car-parallel", delta, 1, samples))
    for problem, bound, needed in zip("ab", bounds, exact, strict=True):
        lines += [
            ("borda", problem, "clucb-borda-pac", 0.05, bound, 1500),
            ("borda", problem, "clucb-borda-exact", 0.05, 50, needed),
            ("hardness", problem, "car-cond", 0.009, 100, 300),
            ("hardness", problem, "car-cond, no slack", 0.009, 100, slack),
        ]
    head = ["study", "problem", "algorithm", "delta", "theorem", "samples", "seed"]
    rows = [(*line[:-1], line[-1] + seed, seed) for line in lines for seed in range(3)]
    return chen2020.claims(pd.DataFrame(rows, columns=head).assign(**{"wrong": False} | more))


def test_chen_is_judged_on_the_algorithms_of_its_theorems():
    assert verdicts(matchings_claims()) == "++++++?"
    for changes, name in (
        ({"slack": 310}, "slack"),
        ({"bounds": (1400, 3000)}, "theorem-1"),
        ({"exact": (100, 450)}, "theorem-2"),
        ({"parallel": (200, 11.0)}, "theorem-5"),
        ({"parallel": (5000, 9.0)}, "fewer"),  # a smaller slope, and still more samples
        ({"wrong": True}, "errors"),
    ):
        assert named(matchings_claims(**changes), name) is False
    assert named(matchings_claims(parallel=(5000, 9.0)), "theorem-5") is True
