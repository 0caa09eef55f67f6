"""The table of the papers' numbers: complete, computed anew, and what is kept is on its page."""

import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.environments import CommonNumbers
from tests.papers.scripts import KEPT, STUDIES, printed_numbers, study
from tests.support import DATA, all_of

LINES = printed_numbers.numbers().to_dict("records")
MEASURES, measured = printed_numbers.MEASURES, printed_numbers.measured


def line(**given):
    return {**dict.fromkeys(LINES[0], ""), **given}


def outcome(of):
    return printed_numbers.outcome(of, measured(of))


def test_the_kept_table_is_the_one_that_is_computed_and_has_no_empty_cell(tmp_path):
    text, values = study.write_page(STUDIES["numbers"], study.Settings(out=tmp_path))
    kept = (KEPT / "numbers.md").read_text(encoding="utf-8")
    made_with = re.compile(r"with cpe_opt \S+")
    assert made_with.sub("", text) == made_with.sub("", kept)
    rows = values["numbers"].frame.to_numpy()
    assert len(rows) == len(LINES)
    for row in rows:
        assert all(cell.strip() for cell in row), row
    about = (KEPT / "README.md").read_text(encoding="utf-8")
    (counts,) = values["claims"].frame["here"]
    assert counts.replace(" agree", f" of {len(rows)} agree") in about


@all_of("given", [each for each in LINES if each["page"]])
def test_a_kept_number_is_on_its_page(given):
    text = (KEPT / f"{given['page']}.md").read_text(encoding="utf-8")
    ends = given["interval"].split(" to ") if " to " in given["interval"] else []
    parts = [given["of"], given["ours"], *ends]
    assert any(all(part in row for part in parts) for row in text.splitlines()), given["page"]


def test_every_line_says_where_its_number_is_from():
    for each in LINES:
        assert bool(each["measure"]) + bool(each["ours"]) <= 1
        assert not each["page"] or each["ours"]
        assert outcome(each) or each["why"], each["what"]
    assert {each["measure"] for each in LINES} - {""} == set(MEASURES)


@pytest.mark.skipif(not (DATA / "crowdsourcing").exists(), reason="needs the crowdsourcing sets")
def test_numbers_of_crowds_are_those_of_the_published_answers():
    checked = 0
    for each in LINES:
        name, _, what = each["of"].partition(" ")
        if each["paper"] != "kuroki2020" or not each["why"].endswith("from the published answers"):
            continue
        crowd = study.crowd(DATA / "crowdsourcing" / name, 1)
        accuracy = np.sort(crowd.theta)[::-1]
        value = {
            "tasks": len(crowd.outcomes),
            "workers": len(crowd.labels),
            "average": accuracy.mean(),
            "best": accuracy[0],
            "gap": accuracy[9] - accuracy[10],
        }[what]
        assert float(each["ours"]) == pytest.approx(value, abs=5e-5)
        checked += 1
    assert checked == 25


def test_savage_told_twice_the_horizon_loses_more_on_the_same_coins():
    mu = CommonNumbers(cpe.load_instance("mslr5-cycle"))

    def regret(horizon, seed):
        return cpe.simulate("savage", mu, horizon=horizon, seed=seed, regret="sum").regret[-1]

    ratios = [regret(2 * 10**7, seed) / regret(10**7, seed) for seed in range(3)]
    (kept,) = [each for each in LINES if each["of"] == "SAVAGE told twice the horizon"]
    assert min(ratios) > 1.0
    assert np.mean(ratios) == pytest.approx(float(kept["ours"]), abs=0.04)


def test_intervals_decide():
    kept = {"ours": "1,000", "interval": "900 to 1,100"}
    for low, high, holds in (
        ("900", "1100", True),
        ("901", "", None),
        ("", "1099", None),
        ("1101", "", False),
        ("", "899", False),
        ("", "", None),
    ):
        assert outcome(line(**kept, low=low, high=high)) is holds
    assert outcome(line(low="1")) is None
    point = line(ours="5", interval="none: 2 runs", low="5", high="5")
    assert outcome(point) is True
    share = measured(line(ours="50", interval="of 10"))
    assert (share.low, share.high) == pytest.approx((18.709, 81.291), abs=1e-3)


def test_measures_of_small_cases():
    """The maximum of (11) where all lose to half of the others; five arms in a regular cycle."""
    regular = np.full((5, 5), 0.5)
    for arm in range(5):
        for step in (1, 2):
            regular[arm, (arm + step) % 5], regular[(arm + step) % 5, arm] = 0.75, 0.25
    mu = cpe.PreferenceMatrix(regular)
    # L = 2 for all: (11) is 4 (1 + 2/1), (12) is 5 (5/2 + 4/5).
    assert MEASURES["(12) over (11)"](mu) == pytest.approx(16.5 / 12)
    assert MEASURES["arms with d losses over 2d + 1"](mu) == 1.0
    unit = 0.75 * np.log(1.5) + 0.25 * np.log(0.5)
    assert MEASURES["2 gap^2 over d_KL"](mu) == pytest.approx(0.125 / unit)
    assert MEASURES["distance to Lemma 8"]("5") == 0
    assert MEASURES["distance to Lemma 8"]("4") > 0
