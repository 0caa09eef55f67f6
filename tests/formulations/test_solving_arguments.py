"""What is said of a solver is used, or refused where no program is solved."""

import pytest

import cpe_opt as cpe
from cpe_opt.formulations.models import MODELS
from tests.formulations.test_models import NOT_FOR, PROBLEMS


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_no_method_leaves_a_solver_unread(model):
    for name in PROBLEMS[model.family]:
        for method in model.methods or [None]:
            with pytest.raises(cpe.InputError) as refused:
                model.solve(cpe.load_instance(name), method, solver="no-such")
            said = str(refused.value)
            if not NOT_FOR.search(said):
                assert "'no-such'" in said or "solver has no effect" in said
                assert "'no-such'" in said or method not in {*model.formulations} - {"continuous"}


@pytest.mark.parametrize("oracle", [cpe.g_design, cpe.xy_design])
def test_columns_of_k_of_n_take_no_solver(oracle):
    with pytest.raises(cpe.InputError, match="solver has no effect: leave it out"):
        oracle(cpe.TopK(4, 2), method="columns", solver="no-such")
