"""Each defect is planted, found and named; clean data have none."""

import json
from dataclasses import replace

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.problems.answer_rows import AnswerRows, UnreadRows
from cpe_opt.reports.findings import CHECKS

LABELS = ("ant", "bee", "cow", "dog")


def votes(n=600, seed=0, *, bias=0.0, drift=0.0, constant=None, versions=0.0):
    """Votes of a log: who is named first at random, eight raters, a prompt each, in time."""
    rng = np.random.default_rng(seed)
    pairs = [sorted(rng.choice(4, 2, replace=False)) for _ in range(n)]
    pairs = [pair if rng.random() < 0.5 else pair[::-1] for pair in pairs]
    first, second = np.array(pairs).T
    time = np.arange(n)
    better = 0.06 * (second - first)
    judge = rng.integers(2, size=n)
    better = np.where(time >= n / 2, better + drift * np.sign(better), better)
    better = np.where(judge == 1, better + versions * np.sign(better), better)
    value = (rng.random(n) < 0.5 + better + bias).astype(float)
    rater = rng.integers(8, size=n)
    if constant is not None:
        value[rater == 3] = constant
    columns = {
        "rater": [f"r{each}" for each in rater],
        "prompt": [f"p{each}" for each in time],
        "judge_version": [f"v{each}" for each in judge],
    }
    return AnswerRows(
        name="log", what="a log of duels", labels=LABELS, first=first, second=second, value=value,
        count=np.ones(n), named_first=True, columns=columns, times=60.0 * time,
    )  # fmt: skip


def scores(n=60, seed=0, arms=3, **columns):
    rng = np.random.default_rng(seed)
    arm = np.repeat(np.arange(arms), n)
    items = {"item": [f"q{t}" for t in range(n)] * arms}
    return AnswerRows(
        name="scores", what="a table of scores", labels=LABELS[:arms], first=arm, second=arm,
        value=rng.integers(2, size=arms * n).astype(float), count=np.ones(arms * n), item="item",
        columns=items | columns, over_items=True,
    )  # fmt: skip


def found(rows, cluster="rater"):
    checks = cpe.check_answers(rows, cluster=cluster)
    return {each.check: each for each in checks.findings}


def with_columns(rows, **columns):
    return replace(rows, columns={**rows.columns, **columns})


def test_clean_votes_have_no_findings():
    for seed in range(20):
        checks = cpe.check_answers(votes(seed=seed), cluster="rater")
        assert (checks.findings, checks.status) == ((), 0), seed


def test_clean_scores_have_no_findings():
    for seed in range(10):
        checks = cpe.check_answers(scores(seed=seed))
        assert (checks.findings, checks.status) == ((), 0)


@pytest.mark.parametrize(
    ("rows", "check", "words"),
    [
        (votes(bias=0.2), "position", "more where it is named first"),
        (votes(bias=-0.2), "position", "more where it is named second"),
        (votes(drift=-0.6), "a judge that changed", "the second half of the time"),
        (votes(versions=-0.6), "a judge that changed", "judge_version 'v"),
        (votes(constant=1.0), "constant raters", "of rater 'r3' are for the arm named first"),
        (votes(constant=0.5), "constant raters", "of rater 'r3' are a tie"),
    ],
)
def test_a_planted_defect_is_found_and_makes_proofs_false(rows, check, words):
    finding = found(rows)[check]
    assert words in finding.what
    assert (finding.level, finding.p_value < 0.001) == ("false", True)
    assert finding.do
    assert cpe.check_answers(rows, cluster="rater").status == 1


def test_a_rater_who_says_what_nearly_all_say_is_not_suspected():
    few = votes(96, bias=0.49)
    constant = [set(few.value[np.array(few.columns["rater"]) == f"r{k}"]) for k in range(8)]
    assert {1.0} in constant
    assert "constant raters" not in found(few)


def test_a_position_that_is_even_in_every_pair_costs_answers_alone():
    rows = votes(bias=0.2)
    value = (np.random.default_rng(5).random(2 * rows.rows) < 0.7).astype(float)
    both = replace(
        rows, first=np.append(rows.first, rows.second), second=np.append(rows.second, rows.first),
        value=value, count=np.ones(2 * rows.rows), columns={}, times=None,
    )  # fmt: skip
    assert found(both, None)["position"].level == "note"


def test_clusters_are_warned_of_until_one_is_named():
    rows = with_columns(votes(), judge_version=[""] * 600)
    checks = cpe.check_answers(rows)
    (finding,) = checks.findings
    assert "the column 'rater' has 8 different values in 600 votes" in finding.what
    assert finding.do == "--cluster rater takes together the votes that share a value"
    assert "clusters" not in found(rows)
    teams = replace(rows, second=rows.first, what="a log of teams and their scores")
    (finding,) = (each for each in cpe.check_answers(teams).findings if each.check == "clusters")
    assert "take one of those that share a value" in finding.do
    session = cpe.check_answers(replace(rows, adaptive=True)).findings[0]
    assert "ask more of them" in session.do
    crossed = with_columns(rows, judge=[f"j{k % 2}" for k in range(600)])
    assert "some values of 'judge' are in several clusters" in found(crossed)["clusters"].what
    with pytest.raises(InputError, match="no column 'who' of clusters"):
        cpe.check_answers(rows, cluster="who")


def test_evidence_warns_with_the_same_words(tmp_path):
    lines = ["a,b,ann", "c,a,ann", "a,c,bob"]
    (tmp_path / "log.csv").write_text("winner,loser,rater\n" + "\n".join(lines) + "\n")
    for cluster in (None, "rater"):
        checks = cpe.check_answers(cpe.read_answer_rows(tmp_path / "log.csv"), cluster=cluster)
        text = str(cpe.evidence(cpe.read_votes(tmp_path / "log.csv", cluster=cluster)))
        named = [each for each in checks.findings if each.check == "clusters"]
        assert named
        assert all(each.what in text and each.do in text for each in named)


def test_clusters_of_different_pairs_are_found():
    rows = votes(40)
    assert "clusters" not in found(with_columns(rows, rater=[f"r{k}" for k in range(40)]))
    some = found(with_columns(rows, rater=[f"r{k // 2}" for k in range(40)]))["clusters"]
    assert "clusters have votes on different pairs" in some.what


def test_the_same_text_twice_is_found():
    assert found(scores(item=[f"Q{t} " for t in range(60)] * 3), None) == {}
    names = [f"q{t}" for t in range(58)]
    twice = found(scores(arms=2, item=[*names, "q 58", "Q  58"] * 2), None)
    assert "in other letters or blanks, such as 'q 58'" in twice["repeated items"].what
    prompts = [f"what is {t % 50}?" for t in range(60)] * 3
    under = found(scores(prompt=prompts), None)["repeated items"]
    assert under.what.startswith("10 of the texts in 'prompt' more than once, under several items")
    assert under.level == "false"
    tasks = found(scores(task=[f"task {t % 3}" for t in range(60)] * 3), "task")
    assert "repeated items" not in tasks


def test_more_arms_than_items_are_noted():
    swapped = found(scores(2), None)["swapped columns"]
    assert (swapped.what, swapped.level) == ("3 arms and 2 items", "note")
    assert found(scores(3), None) == {}


def test_groups_that_never_met_are_noted():
    rows = votes()
    apart = (rows.first < 2) == (rows.second < 2)
    parts = {name: getattr(rows, name)[apart] for name in ("first", "second", "value", "count")}
    split = replace(rows, **parts, columns={}, times=None)
    checks = cpe.check_answers(split)
    (finding,) = [each for each in checks.findings if each.check == "groups that never met"]
    assert "2 groups of arms never met each other: ant, bee | cow, dog" in finding.what
    assert (finding.level, checks.status) == ("note", 0)


def test_the_report_says_what_was_read_what_was_not_and_what_was_checked():
    checks = cpe.check_answers(
        replace(votes(bias=0.2), unread=(UnreadRows("a duel of itself", 7, ("line 3",)),)),
        cluster="rater",
    )
    text = str(checks)
    assert "read   600 rows, 600 votes" in text
    assert "7 rows cannot be read (line 3, …); the first: a duel of itself" in text
    assert "what to do: ask each pair equally often in both orders" in text
    assert checks.status == 2
    plain = json.loads(json.dumps(checks.as_dict()))
    assert (plain["status"], plain["findings"][0]["check"]) == (2, "position")
    assert {*plain["left_out"]} <= {*CHECKS}
    assert checks.table()["check"].tolist()[0] == "position"
    assert "- a proof may be false: position" in checks.markdown()
