"""``examples/small.py``, the whole idea in one file, by brute force and next to the package."""

import itertools
import math
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe

FILE = Path(__file__).parents[1] / "examples" / "small.py"
SMALL = runpy.run_path(str(FILE))
PAIRS = list(itertools.combinations(range(4), 2))


def small_matrix(seed):
    rng = np.random.default_rng(seed)
    mu = np.full((4, 4), 0.5)
    for i, j in PAIRS:
        mu[i, j] = rng.choice([0.2, 0.4, 0.6, 0.8])
        mu[j, i] = 1 - mu[i, j]
    return mu


def losses(mu):
    return (mu < 0.5).sum(axis=1)


def test_it_is_short_and_needs_numpy_and_highspy_alone():
    text = FILE.read_text()
    assert len(text.splitlines()) <= 200
    assert "import cpe_opt" not in text
    root = FILE.parents[1] / "cpe_opt"
    rooms = [line.split()[1].rstrip(":") for line in text.splitlines() if line.startswith("# ")]
    assert [room for room in rooms if not (root / room).exists()] == []
    assert len(rooms) == 7


@pytest.mark.parametrize("seed", range(20))
def test_the_weakest_flips_are_those_of_enumeration(seed):
    mu, rng = small_matrix(seed), np.random.default_rng(seed)
    x = rng.random((4, 4))
    x += x.T
    winner = int(np.argmin(losses(mu)))
    best = math.inf
    for size in range(len(PAIRS) + 1):
        for flips in itertools.combinations(PAIRS, size):
            turned = mu.copy()
            for i, j in flips:
                turned[i, j], turned[j, i] = mu[j, i], mu[i, j]
            if losses(turned)[winner] > losses(turned).min():
                best = min(best, sum(x[pair] for pair in flips))
    total, pairs = SMALL["weakest_flips"](mu, winner, x)
    assert total == pytest.approx(best)
    assert sum(x[pair] for pair in pairs) == pytest.approx(best)


def test_its_time_is_that_of_the_package():
    mu = SMALL["preference_matrix"](SMALL["SUSHI"])
    time, q = SMALL["cheapest_exploration"](mu, 0)
    exact = cpe.copeland_time(cpe.PreferenceMatrix(mu))
    assert time == pytest.approx(exact.value, rel=1e-6)
    assert np.triu(q).sum() == pytest.approx(exact.value, rel=1e-6)


@pytest.mark.parametrize("margin", [0.02, 0.3])
def test_no_bet_gains_where_there_is_nothing_to_win(margin):
    """The mean of E over all outcomes of 12 duels: 1 at a fair coin, less below, more above."""
    duels = np.arange(13)
    chances = np.array([math.comb(12, won) for won in duels])
    e = np.array([SMALL["e_values"](np.array([[0, w], [12 - w, 0]]))[0, 1] for w in duels])

    def mean(p):
        return float(chances * p**duels * (1 - p) ** (12 - duels) @ e)

    assert mean(0.5) == pytest.approx(1.0)
    assert mean(0.5 - margin) < 1.0 < mean(0.5 + margin)


@pytest.mark.parametrize("seed", range(10))
def test_the_weakest_truth_is_that_of_enumeration(seed):
    """Over all truths of four arms, ties among them, in which the winner is none."""
    rng = np.random.default_rng(seed)
    e, together, least = np.exp(rng.normal(0, 2, (4, 4))), SMALL["together"], math.inf
    for signs in itertools.product([-1, 0, 1], repeat=len(PAIRS)):
        ahead = np.zeros((4, 4))
        for (i, j), sign in zip(PAIRS, signs, strict=True):
            ahead[i, j], ahead[j, i] = sign, -sign
        level = (ahead < 0).sum(axis=1)
        for j in range(1, 4):
            if level[0] > level[j]:
                unbeaten = [k for k in range(4) if k != j and ahead[k, j] <= 0]
                beating = [k for k in range(1, 4) if k != j and ahead[k, 0] > 0]
                stake = together(e[unbeaten, j], 3)
                stake *= 0.8 + 0.2 / 3 * together(e[0, beating], max(len(beating), 1))
                least = min(least, stake)
    assert SMALL["weakest_truth"](e, 0) == pytest.approx(least)


@pytest.mark.parametrize(
    ("arms", "time"), [(4, "3,520"), pytest.param(8, "3,564", marks=pytest.mark.slow)]
)
def test_it_proves_the_best_sushi(arms, time, capsys, monkeypatch):
    main = runpy.run_path(str(FILE))["main"]
    upper = [row[: arms - 1 - k] for k, row in enumerate(SMALL["SUSHI"][: arms - 1])]
    monkeypatch.setitem(main.__globals__, "SUSHI", upper)
    monkeypatch.setattr("sys.argv", [str(FILE), "--seed", "6"])
    main()
    shown = capsys.readouterr().out
    assert f"T* = {time}" in shown
    assert re.search(r"proved with [\d,]+ duels: mild tuna", shown)
