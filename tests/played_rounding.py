"""The rounding of machines that nobody has.

``python -m tests.played_rounding SEED MODULE [SHARE]``: the module is imported, and what its
function ``fingerprint`` returns printed as JSON, in an interpreter where the package's own
products, sums, inverses, decompositions, logarithms and exponentials are off by a few units in the
last place. Their code is rewritten as it is imported
(:class:`Rewriter`): ``a @ b`` becomes a call of :func:`product`, ``x.sum()`` one of :func:`method`,
and so on. The rules are those of a real machine:

- an operation gives the same numbers for the same input, whenever it is called;
- what is exact on every machine stays exact: products and sums of numbers on a grid so coarse that
  no partial sum is rounded, such as of counts, of indicators, or of what ``on_grid`` returns;
- matrices are disturbed before they are inverted or decomposed as well as afterwards, so that the
  axes of an eigenspace turn, as they do between one BLAS and another;
- single operations of IEEE 754 (``+ - * /``, square roots) are exact everywhere and stay so.
"""

import ast
import importlib
import importlib.machinery
import json
import math
import sys
import warnings
import zlib

import numpy as np

SIZE = 4.0 * np.finfo(np.float64).eps  # largest relative error of an entry
SPARED = ("cpe_opt.ties",)
DECOMPOSED = ("inv", "pinv", "solve", "eigh", "eigvalsh", "svd", "lstsq", "det", "norm")
SUMMED = ("sum", "mean", "var", "cumsum", "dot")
TRANSCENDENTAL = ("log", "log1p", "exp", "expm1", "logaddexp", "lgamma", "xlogy", "expit")


class Errors:
    """The relative errors of one machine, by the numbers that have them."""

    table = np.zeros(1)

    @classmethod
    def begin(cls, seed):
        """Another machine."""
        cls.table = np.random.default_rng(seed).uniform(-SIZE, SIZE, size=99_991)

    @classmethod
    def of(cls, array):
        """Those of an array, of its shape."""
        first = zlib.crc32(np.ascontiguousarray(array).tobytes()) % len(cls.table)
        if first + array.size <= len(cls.table):
            return cls.table[first : first + array.size].reshape(array.shape)
        places = np.arange(first, first + array.size)
        return cls.table.take(places, mode="wrap").reshape(array.shape)


def disturbed(result):
    """Floats with other last bits, whatever holds them; everything else as it is."""
    if isinstance(result, tuple):
        return type(result)(*map(disturbed, result)) if hasattr(result, "_fields") else tuple(
            map(disturbed, result)
        )  # fmt: skip
    if not isinstance(result, (float, np.ndarray)) or np.asarray(result).dtype != np.float64:
        return result
    array = np.asarray(result)
    other = array * (1.0 + Errors.of(array))
    return other if isinstance(result, np.ndarray) else type(result)(other)


def unit_in_the_last_place(array):
    """The exponent of the largest power of two that divides all the numbers, and of their size."""
    array = np.abs(np.asarray(array, dtype=np.float64).ravel())
    array = array[array > 0.0]
    if not len(array):
        return 0, 0
    if not np.isfinite(array).all():
        return 0, math.inf
    mantissas, exponents = np.frexp(array)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    trailing = np.log2((whole & -whole).astype(np.float64)).astype(int)
    return int((exponents - 53 + trailing).min()), int(exponents.max())


def is_exact(terms, *factors):
    """Whether no order of adding so many products of entries can round anything."""
    if terms > 1 and any(map(has_all_digits, factors)):
        return False
    spare = 53 - math.log2(max(1, terms))
    for factor in factors:
        low, high = unit_in_the_last_place(factor)
        spare -= high - low
        if spare < 0:
            return False
    return True


def has_all_digits(array):
    """Whether the number in the middle has, so that a sum with another one is rounded."""
    middle = array.flat[array.size // 2] if array.size else 0
    return bool(math.frexp(middle)[0] * 2**53 % 2 == 1)


def numeric(*values):
    """Whether all are arrays of numbers, one of them of floats."""
    arrays = all(isinstance(value, np.ndarray) and value.dtype.kind in "biuf" for value in values)
    return arrays and any(value.dtype == np.float64 for value in values)


def product(left, right):
    """``left @ right``."""
    result = left @ right
    if not numeric(left, right) or is_exact(left.shape[-1], left, right):
        return result
    return disturbed(result)


def method(owner, name, *args, **options):
    """``owner.name(…)`` for the names of sums."""
    result = getattr(owner, name)(*args, **options)
    array = args[0] if owner is np and args else owner
    if not numeric(array) or (name in ("sum", "cumsum") and is_exact(array.size, array)):
        return result
    return disturbed(result)


def decomposition(function, matrix, *args, **options):
    """``np.linalg.function(matrix, …)``."""
    return disturbed(function(disturbed(matrix), *args, **options))


def transcendental(function, *args, **options):
    """A logarithm, an exponential or a function of the gamma family."""
    result = function(*args, **options)
    return result if options.get("out") is not None else disturbed(result)


class Rewriter(ast.NodeTransformer):
    """Calls of the functions above in place of what a module does itself."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        return self.call(node, "product", [node.left, node.right])

    def visit_Call(self, node):
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", None))
        if isinstance(function, ast.Name) and name not in ("xlogy", "expit"):
            return node
        if name in TRANSCENDENTAL:
            return self.call(node, "transcendental", [function, *node.args], node.keywords)
        if name in DECOMPOSED and ast.unparse(function).startswith("np.linalg."):
            return self.call(node, "decomposition", [function, *node.args], node.keywords)
        if name in SUMMED:
            arguments = [function.value, ast.Constant(name), *node.args]
            return self.call(node, "method", arguments, node.keywords)
        return node

    @staticmethod
    def call(node, name, arguments, keywords=()):
        function = ast.Attribute(ast.Name("_played_rounding", ast.Load()), name, ast.Load())
        return ast.copy_location(ast.Call(function, arguments, list(keywords)), node)


class Loader(importlib.machinery.SourceFileLoader):
    """Of a module of the package."""

    def get_code(self, fullname):
        """Never from a cache, and never into one."""
        path = self.get_filename(fullname)
        tree = Rewriter().visit(ast.parse(self.get_data(path)))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def exec_module(self, module):
        module._played_rounding = sys.modules[__name__]
        super().exec_module(module)


class Finder:
    """The package's modules, with rounding of their own."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if not name.startswith("cpe_opt") or name in SPARED or spec is None:
            return None
        if spec.origin is not None and isinstance(
            spec.loader, importlib.machinery.SourceFileLoader
        ):
            spec.loader = Loader(name, spec.origin)
        return spec


def main(seed, module, *share):
    """Print what a module finds on such a machine."""
    Errors.begin(seed)
    assert not any(name.startswith("cpe_opt") for name in sys.modules)
    sys.meta_path.insert(0, Finder)
    room = importlib.import_module(module)
    warnings.simplefilter("error")
    json.dump(room.fingerprint(*share), sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
