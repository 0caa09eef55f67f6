"""The import graph of the package, read off its source: tests and docs ask it questions."""

import ast
from pathlib import Path

import networkx as nx

import cpe_opt

SOURCE = Path(cpe_opt.__file__).parent
STATEMENTS = ast.stmt | ast.ExceptHandler | ast.match_case


def module_name(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules():
    """Every module's name and file."""
    return {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def import_graph():
    """An arc from every module to each it imports, anywhere: in functions, for type checkers."""
    files = modules()
    graph = nx.DiGraph()
    graph.add_nodes_from(files)
    for name, path in files.items():
        nodes = [ast.parse(path.read_text(encoding="utf-8"))]
        for node in nodes:  # expressions hold no statement
            nodes += [each for each in ast.iter_child_nodes(node) if isinstance(each, STATEMENTS)]
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                found = [each if each in files else node.module for each in inner]
            else:
                continue
            graph.add_edges_from((name, each) for each in found if each in files)
    return graph
