import subprocess
import sys
from pathlib import Path

import pandas as pd

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


def test_the_script_of_the_readme(tmp_path):
    """The README's ten-line script runs as it stands and prints what it says."""
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    script = readme.split("```python\n")[1].split("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    promised = [line.split("# ")[-1].strip() for line in script.splitlines() if "print(" in line]
    assert done.stdout.split("\n")[: len(promised)] == promised
