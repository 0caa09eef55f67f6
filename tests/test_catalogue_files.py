"""models/ is true: every file re-exports, and independent solvers find its optimum in it."""

import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.formulations.models import MODELS as REGISTRY
from cpe_opt.formulations.separable.water_plan import plan_value
from cpe_opt.modelling.export import plain_dialect
from cpe_opt.solvers.certificate import program_data
from cpe_opt.solvers.registry import SOLVERS, get_backend
from tests.catalogue import CHECK, ENTRIES, MODELS, read_toml
from tests.modelling.cbf import conic_program, read_cone_form
from tests.support import some_quick

LINEAR = [entry for entry in ENTRIES if not entry.is_conic]
# Which cuts a solve needs may differ between machines.
STABLE = [entry for entry in LINEAR if entry.method != "cuts"]
entries = pytest.mark.parametrize("entry", LINEAR, ids=lambda e: f"{e.model}-{e.stem}")
every = pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.model}-{e.stem}")
READERS = ("glpsol", "cbc", "scip")
# Each file by one reader, of the LP and the MPS file by different ones; by the others, too, with
# the slow tests.
READINGS = [
    pytest.param(
        *(entry, suffix, reader),
        id=f"{entry.model}-{entry.stem}{suffix}-{reader}",
        marks=[pytest.mark.slow] * ((number + place) % 3 != READERS.index(reader)),
    )
    for number, entry in enumerate(LINEAR)
    for place, suffix in enumerate([".lp", ".mps"])
    for reader in READERS
]


SIZES = {
    "dueling": lambda mu: str(mu.arms),
    "matchings": lambda duels: (
        f"{duels.graph.candidates} | {duels.graph.positions} | {duels.graph.size}"
    ),
    "subsets": lambda bandit: f"{bandit.decisions.size} | {bandit.decisions.count()}",
    "separable": lambda problem: str(problem.model.size),
}


def same_program(one, other):
    """Equal up to the order of rows and columns."""
    assert sorted(one.column_names) == sorted(other.column_names)
    assert sorted(one.row_names) == sorted(other.row_names)
    columns = [other.column_names.index(name) for name in one.column_names]
    rows = [other.row_names.index(name) for name in one.row_names]
    np.testing.assert_allclose(one.costs, other.costs[columns], rtol=1e-11)
    np.testing.assert_allclose(one.column_lower, other.column_lower[columns])
    np.testing.assert_allclose(one.column_upper, other.column_upper[columns])
    np.testing.assert_allclose(one.row_lower, other.row_lower[rows])
    np.testing.assert_allclose(one.row_upper, other.row_upper[rows])
    difference = one.matrix - other.matrix[rows][:, columns]
    assert abs(difference).sum() < 1e-9


@cache
def solution(entry):
    return entry.solve()


@cache
def stored_program(entry, suffix=".lp"):
    return cpe.read_program(entry.folder / f"{entry.stem}{suffix}")


@every
def test_the_page_of_facts_is_true(entry):
    facts, solved = read_toml(entry), solution(entry)
    expected = entry.describe(*solved)
    assert set(facts) == set(expected)
    accuracy = 1e-5 if entry.is_conic else 1e-9
    assert facts["optimum"] == pytest.approx(solved[0].objective, rel=accuracy, abs=accuracy)
    for key in ("model", "instance", "source", "method", "winner", "arm", "sense", "command"):
        assert facts.get(key) == expected.get(key)
    if entry.is_conic:
        return
    assert facts["gap"] < 1e-9
    assert facts["residual"] < 1e-9
    if entry in STABLE:
        assert (facts["rows"], facts["columns"]) == (expected["rows"], expected["columns"])


@pytest.mark.parametrize("entry", STABLE, ids=lambda e: f"{e.model}-{e.stem}")
def test_a_fresh_export_is_what_the_stored_files_hold(entry):
    fresh = solution(entry)[0].program
    for suffix in (".lp", ".mps"):
        plain = plain_dialect(fresh, keep_ranges=suffix == ".mps")
        same_program(plain, stored_program(entry, suffix))


@pytest.mark.parametrize(("entry", "suffix", "reader"), READINGS)
def test_independent_solvers_find_the_optimum_in_the_file(entry, suffix, reader, request):
    solve = request.getfixturevalue(reader)
    facts = read_toml(entry)
    optimum = solve(entry.folder / f"{entry.stem}{suffix}", facts["sense"])
    assert optimum == pytest.approx(facts["optimum"], rel=1e-6, abs=1e-8)


@entries
def test_the_stored_certificate_proves_the_optimum_of_the_file(entry):
    """By the checker, of the LP file as it is read; another optimal point would do as well."""
    text = entry.certificate.read_text(encoding="utf-8")
    assert CHECK(text).startswith(f"{entry.stem}: the optimum is ")
    stored = json.loads(text)
    assert stored["program"] == program_data(stored_program(entry))
    assert read_toml(entry)["optimum"] == pytest.approx(
        float(Fraction(stored["value"])), rel=1e-9, abs=1e-9
    )


def test_the_stored_cuts_suffice():
    """They suffice: the file's optimum violates no row of the full program."""
    entry = next(entry for entry in ENTRIES if entry.method == "cuts")
    stored = stored_program(entry)
    lazy = cpe.copeland_bound_program(cpe.load_instance(entry.instance))
    assert set(stored.column_names) == set(lazy.relaxation.column_names)
    columns = [stored.column_names.index(name) for name in lazy.relaxation.column_names]
    best = cpe.solve(stored).x[columns]
    assert len(lazy.separate(best, 1e-7)) == 0


def test_optima_of_sets_are_those_of_enumeration():
    """And of a table in a page, the design's value is the theorem's."""
    for entry in ENTRIES:
        if entry.model == "ellipsoid-maximum":
            bandit = cpe.load_instance(entry.instance)
            matrix, listed = entry.matrix, bandit.decisions.indicator_matrix()
            best = ((listed @ matrix) * listed).sum(axis=1).max()
            assert read_toml(entry)["optimum"] == pytest.approx(best, rel=1e-6)


def test_stored_ellipsoids_are_those_of_the_command_on_every_machine():
    for entry in ENTRIES:
        if entry.model == "ellipsoid-maximum":
            _, fresh = entry.known.arguments(entry.problem)
            np.testing.assert_allclose(fresh, entry.matrix, rtol=1e-9, atol=1e-9)


def test_optima_of_allocations_are_those_of_the_greedy_ways():
    opinions, water = (cpe.load_instance(name) for name in ("opinions", "water"))
    sizes, theta = np.array(opinions.model.sizes), opinions.theta
    samples = cpe.sample_allocation(theta, sizes, opinions.model.budget).allocation
    plan = cpe.water_plan(water.model, water.theta).amounts
    expected = {
        "opinions": (sizes**2 * theta / samples).sum(),
        "water": plan_value(water.model, water.theta, plan),
    }
    for entry in ENTRIES:
        if entry.instance in expected:
            assert read_toml(entry)["optimum"] == pytest.approx(expected[entry.instance])


@pytest.mark.slow
@pytest.mark.parametrize("model", ["g-design", "xy-design"])
def test_pages_of_designs_have_their_values(model):
    page = (MODELS / model / "README.md").read_text(encoding="utf-8")
    for name in ("trees-of-k4", "top-5-of-10", "trees-of-k5"):
        bandit = cpe.load_instance(name)
        design = REGISTRY[model].answers(bandit.decisions, tolerance=1e-5)
        printed = page.partition(f"| `{name}` | {SIZES['subsets'](bandit)} | ")[2]
        assert float(printed.partition(" |")[0]) == pytest.approx(design.bound, rel=2e-5)


@pytest.mark.parametrize("model", ["borda-time", "subset-time", "matching-time"])
def test_pages_of_times_have_their_values(model):
    page = (MODELS / model / "README.md").read_text(encoding="utf-8")
    for entry in ENTRIES:
        if entry.model == model:
            problem = entry.problem
            value = entry.known.solve(problem, "multiplicative").value
            assert read_toml(entry)["bound"] == pytest.approx(value, rel=1e-6)
            size, values = SIZES[entry.known.family](problem), [value]
            if model == "matching-time":
                size = f"{problem.graph.size} | {problem.graph.count_matchings()}"
            elif model == "subset-time":
                values.append(cpe.subset_time(problem, "sums").value)
            for each in values:
                assert f"| `{entry.stem}` | {size} | {each:.2f} |" in page


@pytest.mark.parametrize(
    "solver", some_quick([s for s in SOLVERS if s not in ("osqp", "scs")], SOLVERS)
)
def test_all_solvers_find_it(solver):
    """Whichever is installed and can solve programs of the kind; HiGHS made the files."""
    backend, solved = get_backend(solver), 0
    if not backend.available:
        pytest.skip(f"{solver} is not installed")
    for entry in LINEAR:
        program = stored_program(entry)
        if program.kind not in backend.solves:
            continue
        try:
            found = cpe.solve(program, solver).objective
        except SolverUnable:
            if solver not in ("mosek", "cp-sat"):  # a licence, and columns without bounds
                raise
            continue
        assert found == pytest.approx(read_toml(entry)["optimum"], rel=1e-6, abs=1e-6)
        solved += 1
    assert solved > 5 or solver == "mosek"


@entries
def test_the_page_lists_the_program(entry):
    facts = read_toml(entry)
    page = (entry.folder / "README.md").read_text(encoding="utf-8")
    size = SIZES[entry.known.family](entry.problem)
    method = f"{entry.method} | " if entry.method else ""
    row = f"| `{entry.stem}` | {size} | {method}{facts['columns']} | {facts['rows']} | "
    assert row + f"{facts['optimum']:.4f} |" in page


def test_a_fresh_cone_program_is_the_stored_file(tmp_path):
    for entry in ENTRIES:
        if entry.is_conic:
            fresh = cpe.export(entry.build(), tmp_path / "fresh.cbf").read_text(encoding="utf-8")
            assert fresh == (entry.folder / f"{entry.stem}.cbf").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["clarabel", "scs"])
def test_conic_solvers_find_the_optimum_in_the_file(solver):
    for entry in ENTRIES:
        if entry.is_conic:
            stored = conic_program(read_cone_form(entry.folder / f"{entry.stem}.cbf"))
            found = cpe.solve(stored, solver).objective
            assert found == pytest.approx(read_toml(entry)["optimum"], rel=1e-3)


def test_every_model_has_a_page_and_an_instance():
    """A page that names its builder, and is in the table of all."""
    table = (MODELS / "README.md").read_text(encoding="utf-8")
    for model in REGISTRY.values():
        page = (MODELS / model.name / "README.md").read_text(encoding="utf-8")
        assert page.startswith(f"# `{model.name}`")
        assert f"`cpe_opt.{model.noun}_program" in page
        assert f"[`{model.name}`]({model.name}/README.md)" in table
        assert any(entry.model == model.name for entry in ENTRIES)


def test_nothing_else_stands_in_models():
    """No Python, no stray file: pages, programs and their facts."""
    expected = {MODELS / "README.md", *(e.folder / "README.md" for e in ENTRIES)}
    for entry in ENTRIES:
        data = (".csv",) if entry.model == "ellipsoid-maximum" else ()
        data += () if entry.is_conic else (".json",)
        expected |= {entry.folder / f"{entry.stem}{s}" for s in (*entry.suffixes, ".toml", *data)}
    assert {path for path in MODELS.rglob("*") if path.is_file()} == expected
