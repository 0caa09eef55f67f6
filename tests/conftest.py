"""Solvers that share no code with ours, as fixtures: each takes a file and returns an optimum."""

import re
import shutil
import subprocess

import pytest


def _program(name):
    path = shutil.which(name)
    if path is None:
        packages = {"glpsol": "glpk-utils", "cbc": "coinor-cbc"}
        pytest.skip(f"{name} is not installed (Debian package {packages[name]})")
    return path


@pytest.fixture
def glpsol(tmp_path):
    path = _program("glpsol")

    def solve(file, sense="min"):
        report = tmp_path / f"{file.name}.report"
        reader = "--lp" if file.suffix == ".lp" else "--freemps"
        if sense == "max" and file.suffix == ".mps":
            pytest.skip("glpsol refuses an MPS file with a sense")
        command = [path, reader, str(file), "-o", str(report)]
        subprocess.run(command, check=True, capture_output=True)
        text = report.read_text()
        assert re.search(r"Status:\s+(INTEGER )?OPTIMAL", text), text[:300]
        return float(re.search(r"Objective:\s+\S+ = (\S+)", text)[1])

    return solve


@pytest.fixture
def cbc(tmp_path):
    path = _program("cbc")

    def solve(file, sense="min"):
        report = tmp_path / f"{file.name}.cbc"
        # It ignores the sense of an MPS file.
        direction = ["-max"] if sense == "max" and file.suffix == ".mps" else []
        done = subprocess.run(
            [path, str(file), *direction, "-solve", "-solution", str(report), "-quit"],
            check=True,
            capture_output=True,
            text=True,
        )
        first = report.read_text().splitlines()[0]
        assert first.startswith("Optimal"), first + done.stdout[-500:]
        return float(first.rsplit(maxsplit=1)[1])

    return solve


@pytest.fixture
def scip():
    pyscipopt = pytest.importorskip("pyscipopt", reason="the extra scip is not installed")

    def solve(file, sense="min"):
        model = pyscipopt.Model()
        model.hideOutput()
        model.readProblem(str(file))
        assert model.getObjectiveSense()[:3] == sense
        model.optimize()
        assert model.getStatus() == "optimal"
        return model.getObjVal()

    return solve
