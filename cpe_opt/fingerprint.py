"""Fingerprints of values, functions and this package: what a kept result is kept under.

Two values have the same fingerprint if they are built alike of the same numbers, texts and code:

- numbers, texts and arrays by their contents, an array with its type and shape;
- a function by its bytecode, defaults, closure, and whatever of its module it mentions; comments do
  not count. One of this package counts by name, because :func:`source_digest` covers its code;
- a class by its bases and attributes; those of installed packages by name and version;
- an object with an attribute ``fingerprint`` by its class and that content;
- any other object by what pickle would keep of it, without its cached properties.

The bytecode is what runs, and what cloudpickle sends to workers. The text of a function is not: it
is read from a file that may have been edited since the function was imported, and the runs of the
old function would be kept under the new one. ``joblib.hash`` takes a function for its name, and
tells equal values apart in which the same part stands once or twice.

The source digest leaves out the layers that decide no result: the command line,
``cpe_opt.experiments`` and ``reports``. Functions of these count by their code, like those of
users. Of a learner of this package only the modules count that its own one imports, directly or
not, so that its runs are kept when another learner is edited or a new one is added.
"""

from __future__ import annotations

import copyreg
import hashlib
import re
import sys
import sysconfig
import types
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from cpe_opt.errors import InputError

_IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+(cpe_opt[\w.]*)(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?", re.M
)
_PACKAGE, _REGISTRY = "cpe_opt", ["learners", "registry"]
_DECIDE_NOTHING = ("commands", "experiments", "reports")
_NO_SOURCE = ("__main__.py", "__pycache__", "cli.py", *_DECIDE_NOTHING)
_NO_CONTENT = (
    *("__abstractmethods__", "__annotations__", "__dict__", "__doc__", "__firstlineno__"),
    *("__module__", "__parameters__", "__qualname__", "__slotnames__", "__static_attributes__"),
    *("__weakref__", "_abc_impl"),
)


@cache
def source_digest(*names: str) -> str:
    """A digest of this package's files, as they were when first asked for in this process.

    With names of modules: of these and of all that they import, directly or not.
    """
    root = Path(__file__).parent
    paths = _imported(root, names) if names else set(root.rglob("*"))
    digest = hashlib.sha256()
    for path in sorted(paths):
        place = path.relative_to(root)
        if path.is_file() and not set(place.parts) & set(_NO_SOURCE):
            digest.update(_joined(place.as_posix().encode(), path.read_bytes()))
    return digest.hexdigest()


def _imported(root: Path, names: tuple[str, ...]) -> set[Path]:
    """The files of modules, and of those of this package that they import, also in functions.

    Solvers are loaded by name: all count as soon as one does. The registry of learners does not
    count, as it says only where they are.
    """
    found, left = set[Path](), list(names)
    while left:
        package, *parts = left.pop().split(".")
        path = root.joinpath(*parts)
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if package != _PACKAGE or path in found or parts == _REGISTRY or not path.is_file():
            continue
        found.add(path)
        if parts[:1] == ["solvers"]:
            left += [f"{_PACKAGE}.solvers.{each.stem}" for each in path.parent.glob("*.py")]
        for module, members in _IMPORT.findall(path.read_text(encoding="utf-8")):
            left += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", members))]
    return found


def fingerprint(value: Any) -> str:
    """The fingerprint of a value, as 64 hexadecimal digits.

    Raises
    ------
    InputError
        Where a value has no lasting content, such as an open file.

    Examples
    --------
    >>> fingerprint({"a": 1, "b": (2.0, "x")}) == fingerprint({"b": (2.0, "x"), "a": 1})
    True
    >>> fingerprint(1) == fingerprint(1.0)
    False
    """
    return _Fingerprints().of(value).hex()


def _joined(*parts: bytes) -> bytes:
    """The parts with their lengths, so that no two lists of parts give the same bytes."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


class _Fingerprints:
    """The fingerprints of one value and of its parts."""

    def __init__(self) -> None:
        self.done: dict[int, tuple[Any, bytes]] = {}  # values are held, so that no id is used again
        self.begun: list[int] = []

    def of(self, value: Any) -> bytes:
        """That of a part."""
        if id(value) in self.done:
            return self.done[id(value)][1]
        if id(value) in self.begun:
            # It holds itself: how far up is all there is to say.
            depth = len(self.begun) - self.begun.index(id(value))
            return hashlib.sha256(b"cycle %d" % depth).digest()
        self.begun.append(id(value))
        digest = hashlib.sha256(_joined(*self.parts(value))).digest()
        self.begun.pop()
        self.done[id(value)] = value, digest
        return digest

    def parts(self, value: Any) -> Iterator[bytes]:
        """What a value is built of."""
        import numpy as np

        if isinstance(value, np.generic):
            value = value.item()
        if value is None or type(value) in (bool, int, float, complex, str, type(...)):
            yield from (
                type(value).__name__.encode(),
                repr(value).encode("utf-8", "backslashreplace"),
            )
        elif type(value) in (bytes, bytearray):
            yield from (b"bytes", bytes(value))
        elif type(value) is np.ndarray and not value.dtype.hasobject:
            yield from (b"array", value.dtype.str.encode(), repr(value.shape).encode())
            yield np.ascontiguousarray(value).tobytes()
        elif type(value) in (list, tuple):
            yield type(value).__name__.encode()
            yield from map(self.of, value)
        elif type(value) in (set, frozenset):
            yield b"set"
            yield from sorted(map(self.of, value))
        elif type(value) in (dict, types.MappingProxyType):
            yield b"mapping"
            yield from sorted(self.of(key) + self.of(entry) for key, entry in value.items())
        elif isinstance(value, types.CodeType):
            yield from (b"code", value.co_code, value.co_exceptiontable)
            yield from map(self.of, (value.co_consts, value.co_names, value.co_varnames))
            yield from map(self.of, (value.co_freevars, value.co_cellvars, value.co_argcount))
        elif isinstance(value, types.FunctionType):
            yield from self.parts_of_function(value)
        elif isinstance(value, types.ModuleType):
            yield from (b"module", *self.parts_of_module(value.__name__))
        elif isinstance(value, type):
            yield from self.parts_of_class(value)
        else:
            yield from self.parts_of_object(value)

    def parts_of_function(self, function: types.FunctionType) -> Iterator[bytes]:
        """Its code, or its name where its package is known; defaults and closure in any case."""
        yield b"function"
        if _is_known(function.__module__):
            yield from self.parts_of_module(function.__module__)
            yield function.__qualname__.encode()
        else:
            yield self.of(function.__code__)
            mentioned = {
                name: function.__globals__[name]
                for name in _names(function.__code__)
                if name in function.__globals__
            }
            yield self.of(mentioned)
        yield self.of(function.__defaults__)
        yield self.of(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            try:
                contents = cell.cell_contents
            except ValueError:  # not bound yet
                yield b"empty"
            else:
                yield self.of(contents)

    def parts_of_module(self, name: str) -> Iterator[bytes]:
        """A name and a version; the text of a module that is nobody's package."""
        top = name.partition(".")[0]
        yield name.encode()
        if top != _PACKAGE:
            yield str(getattr(sys.modules.get(top), "__version__", "")).encode()
        file = getattr(sys.modules.get(name), "__file__", None)
        if not _is_known(name) and file is not None:
            yield Path(file).read_bytes()

    def parts_of_class(self, kind: type) -> Iterator[bytes]:
        """Bases and attributes; the name alone where the package is known."""
        yield from (b"class", kind.__qualname__.encode())
        if _is_known(kind.__module__):
            yield from self.parts_of_module(kind.__module__)
            return
        yield from map(self.of, kind.__bases__)
        yield self.of({key: v for key, v in vars(kind).items() if key not in _NO_CONTENT})

    def parts_of_object(self, value: Any) -> Iterator[bytes]:
        """What it wraps, what it says of itself, or what pickle would keep of it."""
        kind = type(value)
        wraps = next((names for known, names in _WRAPPERS.items() if isinstance(value, known)), ())
        if wraps:
            content: Any = [getattr(value, name) for name in wraps]
        elif hasattr(value, "fingerprint"):
            content = value.fingerprint
        elif hasattr(value, "__wrapped__"):
            content = value.__wrapped__
        else:
            reduce = copyreg.dispatch_table.get(kind)
            try:
                kept = value.__reduce_ex__(4) if reduce is None else reduce(value)
            except Exception:
                raise InputError(
                    f"results cannot be kept for {value!r}: a {kind.__name__} has no content that "
                    "lasts"
                ) from None
            if isinstance(kept, str):  # the name of a global
                module = str(getattr(value, "__module__", None) or "builtins")
                yield from (b"global", *self.parts_of_module(module), kept.encode())
                return
            made, arguments, state, *items = (*kept, None, None, None)[:5]
            items = [None if each is None else list(each) for each in items]
            content = (made, arguments, _without_caches(kind, state), *items)
        yield from (b"object", self.of(kind), self.of(content))


_WRAPPERS: dict[type, tuple[str, ...]] = {
    types.MethodType: ("__func__", "__self__"),
    property: ("fget", "fset", "fdel"),
    classmethod: ("__func__",),
    staticmethod: ("__func__",),
    cached_property: ("func",),
}


def _is_known(module: str | None) -> bool:
    """Whether a module is of this package, of Python's library, or installed."""
    name = module or ""
    top, _, below = name.partition(".")
    if top == _PACKAGE:
        return below.partition(".")[0] not in _DECIDE_NOTHING
    if top == "builtins" or top in sys.stdlib_module_names - {"__main__"}:
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    installed = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    return file is not None and any(Path(file).is_relative_to(folder) for folder in installed)


def _names(code: types.CodeType) -> set[str]:
    """The names that a function and those within it mention."""
    within = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_names, within))


def _without_caches(kind: type, state: Any) -> Any:
    """The state of an object without the values of its cached properties."""
    if not isinstance(state, Mapping):
        return state
    return {
        key: value
        for key, value in state.items()
        if not isinstance(getattr(kind, str(key), None), cached_property)
    }
