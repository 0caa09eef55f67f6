"""Seeded and published results are the same on every machine.

Two processors differ in how BLAS blocks its sums, in numpy's vector instructions, and in whether
the logarithm of the C library fuses multiplications and additions; all of that can be switched, so
one machine plays several. Others are played by :mod:`tests.played_rounding`, which changes the last
bits of what the package computes. The rule that must hold is that of :mod:`cpe_opt.ties`: queries,
answers, sets and winners agree exactly, numbers within 1e-9. :mod:`tests.fingerprint` says of what.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy._core import _multiarray_umath as umath

import cpe_opt
from cpe_opt.ties import first_largest, first_smallest, in_bits, on_grid
from tests.fingerprint import fingerprint

PACKAGE = Path(cpe_opt.__file__).parent
AVX512 = ("AVX512", "X86_V4")


def dispatched(*prefixes):
    """What numpy switches on by itself here, of these families of instructions."""
    return [
        name
        for name in umath.__cpu_dispatch__
        if umath.__cpu_features__.get(name) and name.startswith(prefixes)
    ]


MACHINES = {
    "old": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": " ".join(dispatched("")),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA",
    },
    "no-avx512": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": " ".join(dispatched(*AVX512)),
    },
}


CORES = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX")
DISPATCHES = {"all": "", "none": " ".join(dispatched(""))}
EVERY = {
    f"{core}-{vectors}-{threads}": {
        "OPENBLAS_CORETYPE": core,
        "NPY_DISABLE_CPU_FEATURES": disabled,
        "OPENBLAS_NUM_THREADS": threads,
    }
    for core in CORES
    for vectors, disabled in DISPATCHES.items()
    for threads in ("1", "2")
}


@pytest.fixture(scope="module")
def here():
    return found_here()


def found_here(*share):
    return json.loads(json.dumps(fingerprint(*share)))


def check(here, environment, *module):
    """What a module prints in another environment is what is found here."""
    done = subprocess.run(
        [sys.executable, "-m", *module],
        cwd=Path(__file__).parents[1],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    there = json.loads(done.stdout)
    assert there["exact"].keys() == here["exact"].keys()
    different = {
        key: (choice, there["exact"][key])
        for key, choice in here["exact"].items()
        if there["exact"][key] != choice
    }
    assert not different
    assert there["numbers"].keys() == here["numbers"].keys()
    for key, numbers in here["numbers"].items():
        np.testing.assert_allclose(
            there["numbers"][key], numbers, rtol=1e-9, atol=1e-9, err_msg=key
        )


def test_an_old_machine_of_other_rounding_makes_the_same_choices():
    """Both ways in which a machine is played at once; each by itself, and with more, below."""
    check(found_here(3), MACHINES["old"], "tests.played_rounding", "1", "tests.fingerprint", "3")


@pytest.mark.slow
@pytest.mark.parametrize("machine", [*MACHINES.values(), *EVERY.values()], ids=[*MACHINES, *EVERY])
def test_every_machine_that_can_be_played_makes_the_same_choices(machine, here):
    check(here, machine, "tests.fingerprint")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
def test_no_choice_hangs_on_the_last_bits_of_products_sums_and_logarithms(seed, here):
    check(here, {}, "tests.played_rounding", str(seed), "tests.fingerprint")


def test_rounding_that_is_played_changes_last_bits_and_no_more():
    """Inexact products differ, exact ones do not, and one input has one output."""
    code = (
        "import tests.played_rounding as p, numpy as np; "
        "p.Errors.begin(0); "
        "a, b = np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(4, 2); "
        "assert (p.product(a, b) == a @ b).all(); "
        "assert (p.product(a / 7, b) != a / 7 @ b).any(); "
        "assert (p.product(a / 7, b) == p.product(a / 7, b)).all(); "
        "assert np.allclose(p.product(a / 7, b), a / 7 @ b, rtol=1e-15); "
        "assert p.method(a, 'sum') == 66.0; "
        "assert (p.method(a / 7, 'cumsum') != (a / 7).cumsum()).any(); "
        "print(p.decomposition(np.linalg.inv, np.eye(2) / 3)[0, 0] - 3.0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert 0.0 < abs(float(done.stdout)) < 1e-14


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
