"""Packages of solvers: found or not, and what is said where they cannot be imported."""

import numpy
import pytest

from cpe_opt.errors import SolverMissing, SolverUnable
from cpe_opt.solvers.base import installed, load


def test_packages_that_are_there_and_that_are_not():
    assert installed("numpy") == numpy.__version__
    assert load("numpy.linalg", "numpy", "solver 'own'", "") is numpy.linalg
    assert installed("none-of-this-name") is None
    with pytest.raises(SolverMissing, match="'none', which is not installed: pip install none"):
        load("none_of_this_name.core", "none", "solver 'own'", "pip install none")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise ImportError('libhighs.so.1 is another')", "libhighs.so.1 is another"),
        ("raise OSError('no GPU')", "OSError: no GPU"),
    ],
)
def test_what_fails_when_it_is_imported_is_said(tmp_path, monkeypatch, code, words):
    (tmp_path / "broken_solver.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SolverUnable, match=f"'own' cannot be imported: {words}"):
        load("broken_solver", "broken", "solver 'own'", "")
