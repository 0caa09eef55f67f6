"""Quadratic forms from halves, against those of every set."""

import numpy as np
import pytest

from cpe_opt.formulations.quadratic import local_search as module
from cpe_opt.formulations.quadratic.local_search import best_of_blocks, quadratic_forms
from tests.problems.subsets.test_halves import CLASSES


@pytest.mark.parametrize("name", CLASSES)
def test_the_best_of_blocks_is_the_best_of_all_sets(name, monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", 7)
    rng, decisions = np.random.default_rng(1), CLASSES[name]()
    sets, halves = decisions.indicator_matrix(), decisions.halves(10**6)
    matrix = rng.normal(size=(decisions.size, decisions.size))
    matrix, linear, theta = matrix + matrix.T, rng.normal(size=decisions.size), sets[0] + 1.0
    forms = quadratic_forms(sets, matrix) + sets @ linear
    values, best = best_of_blocks(halves, matrix, linear)
    assert values.max() == pytest.approx(forms.max())
    assert quadratic_forms(best, matrix) + best @ linear == pytest.approx(values)

    def score(forms, rewards):
        return forms / rewards

    values, best = best_of_blocks(halves, matrix, linear, score, theta)
    assert values.max() == pytest.approx((forms / (sets @ theta)).max())
    chosen = quadratic_forms(best, matrix) + best @ linear
    assert chosen / (best @ theta) == pytest.approx(values)
