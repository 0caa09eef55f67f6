"""Places of the package by name: functions, methods, constants and attributes of classes."""

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "cpe_opt"


@dataclass(frozen=True)
class Definition:
    """The definition with a number, in the order of :func:`_statements`, of a file of the package.

    It keeps its lines, as the syntax trees of the package are large. Its ``text`` is normalised:
    what :func:`ast.unparse` makes of it, without comments and without the docstring.
    """

    file: str
    number: int
    lines: str

    @cached_property
    def text(self):
        indented = self.lines[0] == " "
        (node,) = ast.parse("if True:\n" * indented + self.lines).body
        (node,) = node.body if indented else (node,)
        docstring, body = _docstring(node)
        if docstring is not None:
            node.body = body or [ast.Pass()]
        return ast.unparse(node)

    def module_with(self, text):
        """The source of the whole file with this definition replaced by another text."""
        tree = ast.parse((PACKAGE / self.file).read_text(encoding="utf-8"))
        _, body, place = list(_statements(tree, ""))[self.number]
        (changed,) = ast.parse(text).body
        docstring, _ = _docstring(body[place])
        if docstring is not None:
            changed.body.insert(0, docstring)
        body[place] = changed
        return ast.unparse(tree)


@cache
def definitions():
    """Every qualified name of the package, with the definitions that have it."""
    found = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        text = path.read_text(encoding="utf-8")
        rows = text.splitlines()
        for number, (names, body, place) in enumerate(_statements(ast.parse(text), "")):
            node = body[place]
            decorators = getattr(node, "decorator_list", [])
            first = min(each.lineno for each in (node, *decorators))
            for name in names:
                lines = "\n".join(rows[first - 1 : node.end_lineno])
                found[name].append(Definition(file, number, lines))
    return found


def _statements(owner, prefix):
    """Names, and the list and place of the statement that defines them, in a module or class."""
    for place, statement in enumerate(owner.body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield [prefix + statement.name], owner.body, place
        elif isinstance(statement, ast.ClassDef):
            yield from _statements(statement, f"{prefix}{statement.name}.")
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = getattr(statement, "targets", None) or [statement.target]
            named = [
                n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)
            ]
            yield [prefix + name for name in named], owner.body, place


def _docstring(node):
    """The statement of the docstring or None, and the body after it."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None, []
    if ast.get_docstring(node, clean=False) is None:
        return None, node.body
    return node.body[0], node.body[1:]
