"""Fingerprints of values, functions and this package: what a kept result is kept under.

joblib hashes what pickle would keep of a value. Where that would say too little, or too much:

- a function or a class of a user counts by its code: bytecode, defaults, closure, and whatever of
  its module it mentions. Comments do not count, nor does a file edited since it was imported;
- one of this package counts by name, for :func:`source_digest` covers its code, and one of an
  installed package by name and version;
- an object with an attribute ``fingerprint`` counts by its class and that content, any other one
  without its cached properties;
- equal parts count alike, whether they are one object or two.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
import sysconfig
import types
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from joblib.hashing import NumpyHasher

from cpe_opt import validation
from cpe_opt.errors import InputError

_OF_CODE = ("co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount")


@cache
def source_digest() -> str:
    """A digest of this package's files, as they were when first asked for in this process."""
    root = Path(__file__).parents[1]
    files = (path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return fingerprint({path.relative_to(root).as_posix(): path.read_bytes() for path in files})


def fingerprint(value: Any) -> str:
    """The fingerprint of a value, as 40 hexadecimal digits.

    Raises
    ------
    InputError
        Where a value has no lasting content, such as an open file.
    """
    try:
        return str(_Hasher().hash(value))
    except Exception as error:
        raise InputError(
            f"results cannot be kept for {value!r}, which has no content that lasts: {error}"
        ) from None


def json_digest(content: Any) -> str:
    """SHA-256 of a value that JSON can write, in one form: keys in order, no blanks."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class _Hasher(NumpyHasher):  # type: ignore[misc]
    """joblib's hash of a value in which some parts stand for others."""

    def __init__(self) -> None:
        super().__init__(hash_name="sha1")
        self._begun: dict[int, tuple[int, Any]] = {}  # values are held, so that no id is used again

    def save(self, obj: Any) -> None:
        super().save(self._stand_in(obj))

    def memoize(self, obj: Any) -> None:
        """Nothing is remembered: equal parts count alike."""

    def save_reduce(self, func: Any, args: Any, state: Any = None, *items: Any, obj: Any) -> None:
        """What pickle keeps of an object, without the values of its cached properties."""
        if isinstance(state, dict):
            kept = (key for key in state if not isinstance(_of(type(obj), key), cached_property))
            state = {key: state[key] for key in kept}
        super().save_reduce(func, args, state, *items, obj=obj)

    def _stand_in(self, value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, np.ndarray):
            return value if value.flags.c_contiguous else np.ascontiguousarray(value)
        if isinstance(value, set | frozenset):
            return (set, sorted(map(fingerprint, value)))
        if isinstance(value, types.ModuleType):
            return _of_module(value.__name__)
        if isinstance(value, types.CodeType):
            return (value.co_code, value.co_exceptiontable, *(getattr(value, n) for n in _OF_CODE))
        if isinstance(value, types.FunctionType) and value.__globals__ is vars(validation):
            value = inspect.unwrap(value)  # which the door of its arguments stands before
        if isinstance(value, types.FunctionType | type):
            if id(value) in self._begun:
                return ("again", self._begun[id(value)][0])
            self._begun[id(value)] = len(self._begun), value
            return _of_class(value) if isinstance(value, type) else _of_function(value)
        if isinstance(value, property):
            return (property, value.fget, value.fset, value.fdel)
        if isinstance(value, cached_property):
            return (cached_property, value.func)
        if hasattr(value, "fingerprint"):
            return (type(value), value.fingerprint)
        return (type(value), value.__wrapped__) if hasattr(value, "__wrapped__") else value


def _of_function(function: types.FunctionType) -> tuple[Any, ...]:
    """Its code, or its name where its package is known; defaults and closure in any case."""
    if _is_known(function.__module__):
        code: tuple[Any, ...] = (_of_module(function.__module__), function.__qualname__)
    else:
        scope = function.__globals__
        mentioned = {name: scope[name] for name in _names(function.__code__) if name in scope}
        code = (function.__code__, mentioned)
    bound = [_of(cell, "cell_contents") for cell in function.__closure__ or ()]
    return ("function", *code, function.__defaults__, function.__kwdefaults__, bound)


def _of_class(kind: type) -> tuple[Any, ...]:
    """Bases and attributes; the name alone where the package is known."""
    if _is_known(kind.__module__):
        return ("class", kind.__qualname__, _of_module(kind.__module__))
    methods = {
        key: value
        for key, value in vars(kind).items()
        if key != "_abc_impl" and (not key.startswith("__") or callable(value))
    }
    return ("class", kind.__qualname__, kind.__bases__, methods)


def _of_module(name: str) -> tuple[Any, ...]:
    """A name and a version; the text of a module that is nobody's package."""
    top = name.partition(".")[0]
    version = "" if top == "cpe_opt" else getattr(sys.modules.get(top), "__version__", "")
    file = getattr(sys.modules.get(name), "__file__", None)
    text = b"" if _is_known(name) or file is None else Path(file).read_bytes()
    return ("module", name, str(version), text)


def _is_known(module: str | None) -> bool:
    """Whether a module is of this package, of Python's library, or installed."""
    name = module or ""
    top = name.partition(".")[0]
    if top in {"cpe_opt", "builtins"} or top in sys.stdlib_module_names - {"__main__"}:
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    installed = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    return file is not None and any(Path(file).is_relative_to(folder) for folder in installed)


def _names(code: types.CodeType) -> set[str]:
    """The names that a function and those within it mention."""
    within = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_names, within))


def _of(value: Any, name: str) -> Any:
    """An attribute; None where there is none, as of a cell of a closure that is not bound yet."""
    try:
        return getattr(value, str(name), None)
    except ValueError:
        return None
