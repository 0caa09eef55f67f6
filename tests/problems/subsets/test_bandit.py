"""Full-bandit problems: their data, the synthetic generator, and files of crowdsourcing."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.best_subset import second_best_subset
from tests.support import DATA

CROWDS = DATA / "crowdsourcing"

ANSWERS = """question_id,ann,bob,cid
q1,A,B,A
q2,C,C,D
q3,B,A,
q4,D, D,A
"""
TRUTH = """question_id,truth
q4,D
q1,A
q2,C
q3,B
extra,A
"""


@pytest.fixture
def folder(tmp_path):
    crowd = tmp_path / "crowd"
    crowd.mkdir()
    (crowd / "answer.csv").write_text(ANSWERS, encoding="utf-8")
    (crowd / "truth.csv").write_text(TRUTH, encoding="utf-8")
    return crowd


def test_workers_are_read(folder):
    bandit = cpe.SubsetBandit.from_crowdsourcing(folder, 2)
    assert bandit.name == "crowd"
    assert bandit.decisions.labels == ("ann", "bob", "cid")
    np.testing.assert_allclose(bandit.theta, [1.0, 0.5, 0.25])
    np.testing.assert_array_equal(bandit.outcomes, [[1, 0, 1], [1, 1, 0], [1, 0, 0], [1, 1, 0]])
    assert bandit.known is bandit.decisions
    assert cpe.best_subset(bandit.known, bandit.theta).elements == (0, 1)
    assert bandit.value([1, 0]) == 1.5


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("truth.csv", "question_id,truth\nq1,A\n", "no truth for question 'q2'"),
        ("truth.csv", "question_id,answer\nq1,A\n", "no column 'truth'"),
        ("truth.csv", "truth\nA\n", "no column 'question_id'"),
        ("truth.csv", TRUTH + "q1,B\n", "truth.csv, line 7: question_id 'q1' stands there twice"),
        ("answer.csv", "question_id,ann\nq1,A\n", "1 workers, expected at least 2"),
        ("answer.csv", "question_id,ann,bob\n", "no lines below its header"),
        ("answer.csv", "", "the file is empty"),
        ("answer.csv", None, "no file"),
    ],
)
def test_bad_files_are_refused_in_words(folder, name, text, message):
    path = folder / name
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(cpe.InputError, match=message):
        cpe.SubsetBandit.from_crowdsourcing(folder, 1)


@pytest.mark.skipif(not CROWDS.is_dir(), reason="the crowdsourcing data of Li et al. is not here")
@pytest.mark.parametrize(
    ("name", "workers", "tasks", "average", "best"),
    [
        ("IT", 36, 25, 0.54, 0.84),
        ("Medicine", 45, 36, 0.48, 0.92),
        ("Chinese", 50, 24, 0.37, 0.79),
        ("Pokemon", 55, 20, 0.28, 1.00),
        ("English", 63, 30, 0.26, 0.70),
        ("Science", 111, 20, 0.29, 0.85),
    ],
)
def test_published_sizes_and_accuracies(name, workers, tasks, average, best):
    """Table 1 of the paper."""
    bandit = cpe.SubsetBandit.from_crowdsourcing(CROWDS / name, 10)
    assert bandit.outcomes.shape == (tasks, workers)
    assert bandit.theta.mean() == pytest.approx(average, abs=0.0051)
    assert bandit.theta.max() == pytest.approx(best, abs=0.0051)


@pytest.mark.parametrize(("n", "k", "gap"), [(10, 5, 0.1), (10, 5, 1.0), (4, 3, 0.3), (6, 1, 0.2)])
def test_planted_subsets_have_the_chosen_gap(n, k, gap):
    for seed in range(10):
        bandit = cpe.planted_subsets(n, k, gap=gap, seed=seed)
        top = np.sort(bandit.theta)[::-1]
        assert top[k - 1] - top[k] == pytest.approx(gap)
        assert (top[:k] >= 0).all()
        assert (top[:k] <= 1).all()
        assert (top[k:] >= -1).all()
        best, second = (
            cpe.best_subset(bandit.known, bandit.theta),
            second_best_subset(bandit.known, bandit.theta),
        )
        assert best.value - second.value == pytest.approx(gap)
    np.testing.assert_array_equal(bandit.theta, cpe.planted_subsets(n, k, gap=gap, seed=9).theta)


def test_a_problem_cannot_be_changed():
    bandit = cpe.planted_subsets(4, 2)
    with pytest.raises(ValueError, match="read-only"):
        bandit.theta[0] = 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cpe.SubsetBandit(3, [1, 2, 3]), "decisions is 3, expected a DecisionClass"),
        (lambda: cpe.SubsetBandit(cpe.TopK(3, 1), [1, 2]), r"theta has shape \(2,\)"),
        (lambda: cpe.SubsetBandit(cpe.TopK(2, 1), [1, np.nan]), r"theta\[1\] \(1\) is nan"),
        (lambda: cpe.SubsetBandit(cpe.TopK(2, 1), [1, "b"]), "theta: not an array of numbers"),
        (lambda: cpe.SubsetBandit(cpe.TopK(2, 1), [1, 2], noise=-1), "noise is -1"),
        (
            lambda: cpe.SubsetBandit(cpe.TopK(2, 1), [1, 2], outcomes=[[1, 1]]),
            "column means are theta",
        ),
        (lambda: cpe.SubsetBandit.from_outcomes([1.0], 1), "expected \\(tasks, elements\\)"),
        (lambda: cpe.planted_subsets(4, 4), "k is 4, expected less than the number of elements"),
        (lambda: cpe.planted_subsets(4, 2, gap=0), "gap is 0"),
        (lambda: cpe.planted_subsets(4, 2, gap=2), "at most 1"),
        (lambda: cpe.planted_subsets(4, 2).value([0]), r"\{0\} is no set of 2 of 4"),
    ],
)
def test_bad_input_is_refused_in_words(call, message):
    with pytest.raises(cpe.InputError, match=message):
        call()
