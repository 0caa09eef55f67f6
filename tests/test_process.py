"""The command line in a process of its own, where the process is the point."""

import json
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from tests.support import some_quick


def test_the_version_is_said():
    assert CliRunner().invoke(app, ["--version"]).stdout.strip() == cpe.__version__


def test_a_command_loads_only_what_it_needs(tmp_path):
    """One after the other, so that a package which one loads is there for the next ones."""
    log = tmp_path / "log.csv"
    log.write_text("model_a,model_b,winner,judge\n" + "x,y,model_a,r1\nz,y,tie,r2\n" * 9)
    needless = {
        "--help": ["numpy", "scipy"],
        "models": ["highspy"],
        "solve copeland-bound sushi": ["scipy.linalg"],
        "analyse sushi": ["scipy.optimize", "scipy.special", "cvxpy", "ortools"],
        "analyse figure1": ["networkx", "cpe_opt.reports.evidence"],
        f"evidence {log}": ["scipy.stats", "pandas", "matplotlib", "jinja2"],
    }
    script = (
        "import sys; from cpe_opt.cli import app\n"
        "from typer.testing import CliRunner\n"
        f"needless = {needless}\n"
        "for command, names in needless.items():\n"
        "    assert CliRunner().invoke(app, command.split()).exit_code == 0\n"
        "    later = sum(list(needless.values())[list(needless).index(command) :], [])\n"
        "    print(command, sorted({*later} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout == "".join(f"{command} []\n" for command in needless), done.stderr


def test_a_run_guided_by_a_model_imports_no_program_and_no_scipy_and_a_table_that_fits_no_rich():
    script = (
        "import sys, cpe_opt as cpe\n"
        "trace = cpe.simulate('copeland-tracking', cpe.load_instance('gap'), delta=0.5, seed=0)\n"
        "heavy = {'scipy', 'pandas', 'highspy', 'cpe_opt.modelling', 'cpe_opt.solvers.solve'}\n"
        "print(trace.proved, sorted(heavy & set(sys.modules)))\n"
        "from cpe_opt.cli import app\n"
        "try: app(['analyse', 'gap'])\n"
        "finally: print('rich.console' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    first, *table, last = done.stdout.splitlines()
    assert (first, last) == ("True []", "False"), done.stderr
    assert "Copeland" in "".join(table)


def test_ctrl_c_says_how_to_go_on(tmp_path):
    """After the first finished run; a status of 130, and no traceback."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "cpe_opt", "compare", "random-pairs", "--on", "gap"),
            *("--runs", "20000", "--horizon", "1000", "--jobs", "1"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    while process.poll() is None and not list(tmp_path.rglob("runs-*.parquet")):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    shown, errors = process.communicate()
    assert process.returncode == 130
    assert errors == (
        "interrupted: finished runs are kept in results; the same command goes on with the rest\n"
    )
    assert shown == ""


@pytest.mark.skipif(sys.platform == "win32", reason="sh is of POSIX")
@pytest.mark.parametrize("closed", some_quick(["<&- >&- 2>&-"], ["<&-", ">&-"]))
def test_streams_that_are_closed_are_no_files_and_no_errors(tmp_path, closed):
    """A session's file does not get the number of one, and what would be printed."""
    path = tmp_path / "s.jsonl"
    cpe.Session.open(path, "random-pairs", labels=["a", "b"], horizon=9).close()
    judge = tmp_path / "judge.py"
    judge.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'outcome': 'tie'}), flush=True)\n"
    )
    command = [sys.executable, "-m", "cpe_opt", "session", "run", path]
    for given in ([], ["--command", f"{sys.executable} {judge}", "--budget", "2"]):
        subprocess.run(["sh", "-c", f'exec "$0" "$@" {closed}', *command, *given], check=True)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert sum("answer" in record for record in records) == 2
