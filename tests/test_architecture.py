"""Every line has an address: layer × family.

That imports point down, and that families do not import each other, are contracts of import-linter
in ``pyproject.toml``.
"""

import ast
import re
import tomllib
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import networkx as nx

from tests.architecture import SOURCE, import_graph, modules

ROOT = SOURCE.parent
FAMILIES = {"dueling", "matchings", "subsets", "quadratic", "designs", "separable"}
PROBLEMS = {
    "PreferenceMatrix": "cpe_opt.problems.dueling.preferences",
    "MatchingDuels": "cpe_opt.problems.matchings.duels",
    "SubsetBandit": "cpe_opt.problems.subsets.bandit",
    "SeparableProblem": "cpe_opt.problems.separable.problem",
}
FILES = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py")}
APART = {"bad_inputs", "benchmarks", "mutants", "docs", "papers", "suites"}  # of no one layer


def test_no_module_imports_itself_by_way_of_others():
    circles = [sorted(part) for part in nx.strongly_connected_components(import_graph())]
    assert [circle for circle in circles if len(circle) > 1] == []


def contracts():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["tool"]["importlinter"]["contracts"]


def within(package):
    return {name for name in modules() if name == package or name.startswith(f"{package}.")}


def test_layers_in_the_contract_are_those_of_the_package():
    (layers,) = (c["layers"] for c in contracts() if c["name"].startswith("Layers"))
    assert all(within(layer) for layer in layers)
    assert len(set(layers)) == len(layers)
    assert layers.index("cpe_opt.commands") < layers.index("cpe_opt.modelling")
    assert all(first != second for first, second in pairwise(layers))


def test_nobody_asks_for_the_class_of_a_problem():
    found = set()
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        named = any(kind in text for kind in PROBLEMS)
        for node in ast.walk(ast.parse(text)) if named else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                asked = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
                found |= {(name, kind) for kind in asked & set(PROBLEMS) if PROBLEMS[kind] != name}
    assert found == set()


def test_no_two_classes_share_a_name():
    places = defaultdict(list)
    for name, path in modules().items():
        for kind in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.M):
            places[kind].append(name)
    assert len(places) > 300
    assert {kind: names for kind, names in places.items() if len(names) > 1} == {}


def test_tests_stand_where_the_code_stands():
    tests = Path(__file__).parent
    folders = {
        path.relative_to(tests)
        for path in tests.rglob("*")
        if path.is_dir() and any(path.glob("test_*.py"))
    }
    misplaced = {path for path in folders if path.parts[0] not in APART}
    code = {path for path in misplaced if (SOURCE / path).is_dir() or f"{path}.py" in FILES}
    assert misplaced - code == set()


def test_every_folder_of_a_family_has_its_name():
    rooms = {path.parts[-1] for path in SOURCE.glob("*/*") if path.is_dir()}
    assert rooms - {"__pycache__", "data", "static"} <= FAMILIES
