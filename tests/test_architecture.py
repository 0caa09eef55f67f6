"""Every line has an address: layer × family. What the folders promise, the imports keep."""

import ast
import tomllib
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

from tests.architecture import SOURCE, import_graph, modules

ROOT = SOURCE.parent
FAMILIES = {
    "dueling": "dueling",
    "matchings": "matchings",
    "subsets": "subsets",
    "quadratic": "subsets",
    "designs": "subsets",
    "separable": "separable",
}
MAY_USE = {("matchings", "subsets")}  # a matching is a set of the class Matchings(graph)
# The best set of a class, from samples of single parameters, is both a separable problem and one
# of subsets: these modules, and no others of the family, know decision classes.
BEST_SET = {
    "cpe_opt.formulations.separable.oracle",
    "cpe_opt.problems.separable.files",
}
PROBLEMS = {
    "PreferenceMatrix": "cpe_opt.problems.dueling.preferences",
    "MatchingDuels": "cpe_opt.problems.matchings.duels",
    "SubsetBandit": "cpe_opt.problems.subsets.bandit",
    "SeparableProblem": "cpe_opt.problems.separable.problem",
}
APART = {"bad_inputs", "benchmarks", "mutants", "docs"}  # tests of the whole package


def family_of(module):
    parts = module.split(".")
    return FAMILIES.get(parts[2]) if len(parts) > 2 else None


def test_no_module_imports_itself_by_way_of_others():
    circles = [sorted(part) for part in nx.strongly_connected_components(import_graph())]
    assert [circle for circle in circles if len(circle) > 1] == []


def test_families_do_not_import_each_other():
    found = set()
    for importer, imported in import_graph().edges:
        pair = family_of(importer), family_of(imported)
        if None not in pair and pair[0] != pair[1] and pair not in MAY_USE:
            found.add((importer, imported))
    excused = {each for each in found if each[0] in BEST_SET and family_of(each[1]) == "subsets"}
    assert {importer for importer, _ in excused} == BEST_SET
    assert found - excused == set()


def contracts():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["tool"]["importlinter"]["contracts"]


def within(package):
    return {name for name in modules() if name == package or name.startswith(f"{package}.")}


LAYERED = [c for c in contracts() if c["type"] == "layers" and "containers" not in c]


@pytest.mark.parametrize("contract", LAYERED, ids=lambda contract: contract["name"])
def test_imports_point_down(contract):
    """The contracts of pyproject.toml once more, of imports for type checkers and in functions."""
    graph, found = import_graph(), set()
    for place, lower in enumerate(contract["layers"]):
        above = set().union(*(within(layer) for layer in contract["layers"][:place]), set())
        for module in within(lower):
            found |= {(module, other) for other in graph.successors(module) if other in above}
    assert found == set()


def test_layers_in_the_contract_are_those_of_the_package():
    (layers,) = (c["layers"] for c in contracts() if c["name"].startswith("Layers"))
    assert all(within(layer) for layer in layers)
    assert len(set(layers)) == len(layers)
    assert layers.index("cpe_opt.commands") < layers.index("cpe_opt.modelling")
    assert all(first != second for first, second in pairwise(layers))


def test_nobody_asks_for_the_class_of_a_problem():
    found = set()
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                asked = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
                found |= {(name, kind) for kind in asked & set(PROBLEMS) if PROBLEMS[kind] != name}
    assert found == set()


def test_tests_stand_where_the_code_stands():
    tests = Path(__file__).parent
    folders = {
        path.relative_to(tests)
        for path in tests.rglob("*")
        if path.is_dir() and any(path.glob("test_*.py"))
    }
    misplaced = {path for path in folders if path.parts[0] not in APART}
    assert {path for path in misplaced if not (SOURCE / path).is_dir()} == set()


def test_every_folder_of_a_family_has_its_name():
    rooms = {path.parts[-1] for path in SOURCE.glob("*/*") if path.is_dir()}
    assert rooms - {"__pycache__", "data", "web"} <= set(FAMILIES)
