"""The cone programs in models/: their files are fresh, and any conic solver finds their optimum."""

import pytest

import cpe_opt as cpe
from cpe_opt.modelling.cbf_reader import read_cone_form
from cpe_opt.modelling.cones import cone_form
from tests.catalogue import CONE_ENTRIES, read_toml

entries = pytest.mark.parametrize("entry", CONE_ENTRIES, ids=lambda e: f"{e.model}-{e.stem}")


@entries
def test_a_fresh_export_is_the_stored_file(entry):
    """Number by number: sets are columns of zeros and ones, on every machine."""
    stored, fresh = read_cone_form(entry.folder / f"{entry.stem}.cbf"), cone_form(entry.program())
    assert (stored.sense, stored.offset, stored.cones) == (fresh.sense, fresh.offset, fresh.cones)
    assert stored.costs.tolist() == fresh.costs.tolist()
    assert stored.constants.tolist() == fresh.constants.tolist()
    assert (stored.matrix != fresh.matrix).nnz == 0


@entries
def test_the_page_of_facts_is_true(entry):
    facts, expected = read_toml(entry), entry.describe()
    assert set(facts) == set(expected)
    assert facts.pop("optimum") == pytest.approx(expected.pop("optimum"), abs=2e-6)
    assert facts == expected


@entries
@pytest.mark.parametrize(
    ("solver", "accuracy", "options"),
    [("clarabel", 1e-6, {}), ("scs", 1e-4, {"eps_abs": 1e-6, "eps_rel": 1e-6})],
)
def test_conic_solvers_find_the_optimum_in_the_file(entry, solver, accuracy, options):
    program = cpe.read_program(entry.folder / f"{entry.stem}.cbf")
    optimum = cpe.solve(program, solver, solver_options=options).objective
    assert optimum == pytest.approx(read_toml(entry)["optimum"], rel=accuracy, abs=accuracy)


@entries
def test_the_page_lists_the_program(entry):
    facts = read_toml(entry)
    page = (entry.folder / "README.md").read_text(encoding="utf-8")
    row = f"| `{entry.stem}.cbf` | {facts['variables']} | {facts['constraints']} | "
    assert row + f"{facts['optimum']:.4f} |" in page
