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

    Its ``text`` is normalised: what :func:`ast.unparse` makes of it, without comments and
    without the docstring.
    """

    file: str
    number: int
    node: ast.stmt

    @cached_property
    def text(self):
        docstring, body = _docstring(self.node)
        if docstring is None:
            return ast.unparse(self.node)
        fields = dict(ast.iter_fields(self.node)) | {"body": body or [ast.Pass()]}
        return ast.unparse(ast.copy_location(type(self.node)(**fields), self.node))

    def module_with(self, text):
        """The source of the whole file with this definition replaced by another text."""
        tree = ast.parse((PACKAGE / self.file).read_text(encoding="utf-8"))
        _, body, place = list(_statements(tree, ""))[self.number]
        (changed,) = ast.parse(text).body
        docstring, _ = _docstring(self.node)
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
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for number, (names, body, place) in enumerate(_statements(tree, "")):
            for name in names:
                found[name].append(Definition(file, number, body[place]))
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
