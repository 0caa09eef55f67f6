"""Problems that a script makes, named on the command line."""

import pytest

import cpe_opt as cpe

SCRIPT = """
from __future__ import annotations
from dataclasses import dataclass
import cpe_opt as cpe

@dataclass
class Note:
    text: str

class Pairs(cpe.DecisionClass):
    def sets(self):
        return ((k, k + 1) for k in range(0, self.size, 2))

note = Note("a class of one's own")
mine = cpe.SubsetBandit(Pairs(4), [1.0, 2.0, 0.0, 0.5], noise=0.1, name="mine")
number = 3
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def test_a_problem_of_a_script_runs(script, tmp_path):
    problem = cpe.load_problem(f"{script}:mine")
    assert problem.name == "mine"
    table = cpe.run_experiment(["clucb"], [problem], runs=3, jobs=1, out=tmp_path / "out")
    assert table["problem"].tolist() == ["mine"]
    assert list((tmp_path / "out").rglob("runs-*.parquet"))


def test_the_fingerprint_is_that_of_the_script_s_code(script):
    from cpe_opt.experiments.fingerprint import fingerprint

    first = fingerprint(cpe.load_problem(f"{script}:mine"))
    assert fingerprint(cpe.load_problem(f"{script}:mine")) == first
    script.write_text(SCRIPT.replace("self.size, 2)", "self.size - 1, 2)"))
    assert fingerprint(cpe.load_problem(f"{script}:mine")) != first
