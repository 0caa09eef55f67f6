"""Choices between equal numbers: alike on every machine, by grids, tolerances and stable sorts."""

import ast
from pathlib import Path

import numpy as np

import cpe_opt
from cpe_opt.ties import first_largest, first_smallest, in_bits, on_grid

PACKAGE = Path(cpe_opt.__file__).parent


def test_sorts_are_stable():
    """The order of equal numbers under an unstable sort depends on vector instructions."""
    unstable = []
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "argsort" in text or "argpart" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                kinds = [word.value for word in node.keywords if word.arg == "kind"]
                stable = [isinstance(k, ast.Constant) and k.value == "stable" for k in kinds]
                if node.func.attr in ("argsort", "argpartition") and stable != [True]:
                    unstable.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert not unstable


def test_numbers_equal_on_paper_are_equal_on_the_grid():
    rng = np.random.default_rng(0)
    for scale in (1e-200, 1e-6, 1.0, 3e7, 1e200):
        exact = scale * rng.integers(-8, 9, size=50) / 7
        noisy = exact * (1.0 + rng.uniform(-1e-15, 1e-15, size=50))
        assert (on_grid(noisy) == on_grid(exact)).all()
        assert np.abs(on_grid(exact) - exact).max() <= 1e-9 * np.abs(exact).max()
        assert (in_bits(noisy, 30) == in_bits(exact, 30)).all()
        np.testing.assert_allclose(in_bits(exact, 30), exact, rtol=2.0**-30, atol=0)
    sums = on_grid(rng.uniform(size=1000))
    assert sums.sum() == sums[::-1].cumsum()[-1]
    assert on_grid([0.0, 0.0]).tolist() == [0.0, 0.0]


def test_of_nearly_equal_numbers_the_first_is_taken():
    rows = np.array([[1.0, 3.0, 3.0 + 1e-12], [3.0 - 1e-12, 3.0, 1.0], [1.0, 2.0, 2.0 + 1e-6]])
    assert first_largest(rows).tolist() == [1, 0, 2]
    assert first_smallest([2.0, 1.0 + 1e-12, 1.0]) == 1
    assert first_smallest([1e12, 2.0, 1.0]) == 2
    assert int(first_largest([-np.inf, -np.inf])) == 0
    assert int(first_largest([np.inf, 1.0, np.inf])) == 0
    assert int(first_largest([0.0, 1e-12], scale=1.0)) == 0
    assert int(first_largest([0.0, 1e-12])) == 1
