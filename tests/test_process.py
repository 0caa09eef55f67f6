"""The command line in a process of its own, where the process is the point."""

import subprocess
import sys

import cpe_opt as cpe


def test_the_module_runs():
    done = subprocess.run(
        [sys.executable, "-m", "cpe_opt", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == cpe.__version__


def test_help_imports_no_numerical_package():
    script = (
        "import sys; from cpe_opt.cli import app\n"
        "from typer.testing import CliRunner\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        "heavy = {'numpy', 'scipy', 'pandas', 'cvxpy', 'ortools', 'highspy', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[]\n", done.stderr
