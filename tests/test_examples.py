import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import cpe_opt as cpe

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_main_job(tmp_path):
    """The script that make demo runs, with a short horizon and few runs."""
    done = subprocess.run(
        [
            *(sys.executable, str(EXAMPLES / "copeland_on_sushi.py"), "--out", "demo"),
            *("--horizon", "2000", "--runs", "2", "--cw-runs", "1"),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Copeland winners: mildly fatty tuna" in done.stdout
    assert "C*   = 142.6078" in done.stdout
    assert "C^E* = 143.3679" in done.stdout
    assert "120 columns" in done.stdout
    folder = tmp_path / "demo"
    program = cpe.read_program(folder / "copeland-sushi.lp")
    assert round(cpe.solve(program).objective, 4) == 142.6078
    frame = pd.read_parquet(folder / "regret-sushi.parquet")
    assert set(frame["learner"]) == {"ecw_rmed", "cw_rmed"}
    assert (folder / "regret-sushi.png").stat().st_size > 10_000
    assert len(list(folder.iterdir())) == 3


def run_script(*command, cwd):
    """What a script prints."""
    done = subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, cwd=cwd, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


README = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
SCRIPTS = [part.split("```")[0] for part in README.split("```python\n")[1:]]


@pytest.mark.parametrize("script", SCRIPTS, ids=range(len(SCRIPTS)))
def test_scripts_of_the_readme(script, tmp_path):
    """They run as they stand, one after the import of the first, and print what they say."""
    whole = script if "import cpe_opt" in script else f"import cpe_opt as cpe\n{script}"
    promised = [line.split("# ")[-1].strip() for line in script.splitlines() if "print(" in line]
    assert len(promised) >= 2
    printed = run_script("-c", whole, cwd=tmp_path).split("\n")
    assert printed[: len(promised)] == promised


def test_the_team_from_sums(tmp_path):
    options = ["--workers", 6, "--team", 2, "--gap", 0.5, "--runs", 2]
    shown = run_script(EXAMPLES / "team_from_sums.py", *options, cwd=tmp_path)
    assert "15 teams; the best is" in shown
    assert shown.count("right in 2 of 2 runs") == 4
    assert (tmp_path / "team.png").stat().st_size > 5_000


def test_the_plan_from_samples(tmp_path):
    shown = run_script(EXAMPLES / "plan_from_samples.py", cwd=tmp_path)
    assert shown.count("lake: 3, river: 1, well: 2; value -3.2000") == 2
    assert shown.count("lake: 3, river: 1, well: 2 after") == 2
    program = cpe.read_program(tmp_path / "plan.lp")
    assert round(cpe.solve(program, "scip").objective, 4) == -3.2
