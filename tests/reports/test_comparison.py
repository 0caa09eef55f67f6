"""Tables of several learners on several instances: marks, bounds, files."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.experiments.significance import paired_tests
from cpe_opt.problems.environments import CommonNumbers
from cpe_opt.reports.comparison import LearnerComparison

SEEDS = np.arange(12)


def runs_of(values, seeds=SEEDS, units="mean"):
    """A frame as finished runs have it."""
    return pd.DataFrame(
        {
            "seed": seeds,
            "units": units,
            "regret": values,
            "samples": 5,
            "rounds": 1000,
            "seconds": 0.1,
            "answer": 0,
            "doubt": "",
        }
    )


@pytest.fixture(scope="module")
def runs():
    rng = np.random.default_rng(2)
    near = rng.exponential(1.0, 12)
    return {
        ("gap", "mine_1"): runs_of(100 * near),
        ("gap", "near"): runs_of(101 * np.roll(near, 1)),
        ("gap", "far"): runs_of(1000 + 50 * near),
        ("own & co", "mine_1"): runs_of(np.full(12, 8.0)),
        ("own & co", "near"): runs_of(np.full(12, 4.0)),
        ("own & co", "far"): runs_of(np.full(12, 2.0)),
    }


def test_the_best_and_those_not_told_from_it_are_marked(runs):
    found = LearnerComparison(runs)
    frame = found.table().set_index(["problem", "learner"])
    assert frame.index[frame["best"]].tolist() == [("gap", "mine_1"), ("own & co", "far")]
    assert frame.index[frame["even"]].tolist() == [("gap", "near")]
    values = {name: runs["gap", name]["regret"] for name in ("mine_1", "near", "far")}
    tests = paired_tests(values).set_index(["first", "second"])
    far = frame.loc[("gap", "far")]
    assert far["corrected"] == tests.loc[("mine_1", "far"), "corrected"]
    assert 1.0 / far["ratio"] == pytest.approx(tests.loc[("mine_1", "far"), "ratio"])
    assert 1.0 / far["ratio_high"] == pytest.approx(tests.loc[("mine_1", "far"), "low"])
    typical = math.sqrt(values["near"].mean() / values["mine_1"].mean() * 2.0)
    (row,) = [row for row in found.cross_table().rows if row[0] == "near"]
    assert row[-1] == f"{typical:.2f}"
    assert found.learners == ["near", "mine_1", "far"]


def test_runs_that_are_equal_up_to_rounding_have_no_spread(runs):
    table = {("gap", "mine"): runs_of(1000 / 3 * (1 + 1e-15 * np.arange(12))), **runs}
    (row,) = [row for row in LearnerComparison(table).cross_table().rows if row[0] == "mine"]
    assert row[1].startswith("333 ± 0")


def test_runs_are_paired_by_their_seeds(runs):
    """In whatever order they come; runs of other seeds count for means alone."""
    turned = dict(runs)
    mine = runs["gap", "mine_1"]
    more = runs_of([1.0], [99])
    turned["gap", "mine_1"] = pd.concat([more, mine.iloc[::-1]], ignore_index=True)
    tables = [LearnerComparison(each).table() for each in (runs, turned)]
    far = [table.query("problem == 'gap' and learner == 'far'") for table in tables]
    ratios = [rows["ratio"].item() for rows in far]
    assert ratios[0] == pytest.approx(ratios[1])


def test_few_runs_are_said_to_be_few(runs):
    few = {key: each.iloc[:4] for key, each in runs.items()}
    found = LearnerComparison(few)
    assert not found.table().query("not best and not even").index.tolist()
    assert "with fewer than 7 runs of the same seeds nothing can be told apart" in found.notes()[1]


def test_a_table_is_written_as_its_suffix_says(runs, tmp_path):
    found = LearnerComparison(runs, bounds={"gap": {"LB": 76.2}})
    text = found.write(tmp_path / "t.tex").read_text(encoding="utf-8")
    assert r"\begin{tabular}{lrrr}" in text
    assert r"own \& co" in text
    assert r"mine\_1" in text
    assert r"C* ln T & 76.2 &  &  \\" in text
    assert found.write(tmp_path / "t.md").read_text(encoding="utf-8").count("\n| ") == 5
    assert len(pd.read_csv(found.write(tmp_path / "t.csv"))) == 6
    assert "C* ln T" in found.write(tmp_path / "t.txt").read_text(encoding="utf-8")
    with pytest.raises(cpe.InputError, match=r"ends in \.tex, \.md"):
        found.write(tmp_path / "t.doc")


def test_common_numbers_are_the_same_for_all_and_as_likely():
    """The n-th duel of a pair ends alike, alone or in a batch, from either side."""
    mu = cpe.load_instance("gap")
    problem = CommonNumbers(mu)
    one, other = (problem.environment(np.random.default_rng(3)) for _ in range(2))
    ahead = [one.answer(cpe.Duel(0, 1)) for _ in range(200)]
    assert other.answer(cpe.Duel(2, 3, 70)) >= 0
    behind = other.answer(cpe.Duel(1, 0, 150)), other.answer(cpe.Duel(1, 0, 50))
    assert behind == (150 - sum(ahead[:150]), 50 - sum(ahead[150:]))
    many = one.answer(cpe.Duel(0, 2, 60_000)) / 60_000
    assert many == pytest.approx(mu.array[0, 2], abs=5 * 0.5 / 60_000**0.5)
    again = problem.environment(np.random.default_rng(4))
    assert [again.answer(cpe.Duel(0, 1)) for _ in range(200)] != ahead
    with pytest.raises(cpe.InputError, match="common random numbers are for duels"):
        CommonNumbers(cpe.load_instance("top-5-of-10"))


def test_common_numbers_are_asked_for_by_the_command(tmp_path):
    command = [
        *("compare", "random-pairs", "rucb", "--on", "cyclic", "--horizon", "40", "--runs", "2"),
        *("--jobs", "1", "--common", "--json", "--out", str(tmp_path / "results")),
    ]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert {row["learner"] for row in json.loads(done.stdout)["rows"]} == {"random-pairs", "rucb"}
