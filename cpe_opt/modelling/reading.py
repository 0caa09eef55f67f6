"""Programs from model files: ``.lp`` and ``.mps`` by HiGHS, ``.cbf`` by a reader of our own."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cpe_opt.errors import InputError
from cpe_opt.modelling.cbf_reader import read_cone_form
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.texts import is_negated
from cpe_opt.validation import checked_types

SUFFIXES = (".lp", ".mps", ".mps.gz")  # of linear programs
CONIC_SUFFIXES = (".cbf",)
SMALLEST, LARGEST = 1e-12, 1e15  # of coefficients of rows that readers take


@checked_types
def read_program(path: str | os.PathLike[str]) -> LinearProgram | ConicProgram:
    r"""Read a model file; the program takes the file's name, its columns and rows theirs.

    A maximisation that :func:`cpe_opt.export` wrote as a minimisation is one again. A ``.cbf`` file
    has no names: the columns of its cone program are ``x_0``, ``x_1``, …. Comments are left alone,
    legends too. Columns and rows without a name, or with one that is taken, get one with their
    number.

    Parameters
    ----------
    path : path ending in ``.lp``, ``.mps``, ``.mps.gz`` or ``.cbf``

    Raises
    ------
    InputError
        Where the file is missing, has another suffix, is not a model, or has a quadratic objective
        or semi-continuous columns.

    Examples
    --------
    >>> import tempfile
    >>> text = "Minimize\n cost: 3 x + 2 y\nSubject To\n need: x + y >= 4\nEnd\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "diet.lp")
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     read_program(file)
    LinearProgram('diet', 2 columns, 1 row, min)
    """
    path = Path(path)
    suffix = model_suffix(path)
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}")
    return read_cone_form(path).program() if suffix == ".cbf" else read_model(path, suffix, path)


def model_suffix(path: Path) -> str:
    """The suffix of a model file in small letters, or :class:`InputError` where it is none."""
    known = (*SUFFIXES, *CONIC_SUFFIXES)
    for suffix in sorted(known, key=len, reverse=True):
        if path.name.lower().endswith(suffix) and path.name.lower() != suffix:
            return suffix
    raise InputError(f"cannot tell the format of {path.name!r}: expected {', '.join(known)}")


def read_model(path: Path, suffix: str, shown: Path) -> LinearProgram:
    """Read a file that is called ``shown`` when something is wrong with it."""
    content = path.read_bytes()
    if suffix.endswith(".gz"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{str(shown)!r} is no gzip file: {error}") from None
    plain = suffix.removesuffix(".gz")
    if path.suffix == plain:
        program = _read_plain(path, shown)
    else:  # HiGHS tells the format by the suffix, in small letters
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / f"model{plain}"
            copy.write_bytes(content)
            program = _read_plain(copy, shown)
    if plain == ".lp" or not is_negated(content.decode(errors="replace").splitlines()):
        return program
    return replace(program, sense="max", costs=0.0 - program.costs, offset=0.0 - program.offset)


def _read_plain(path: Path, shown: Path) -> LinearProgram:
    import highspy

    highs = highspy.Highs()
    highs.silent()
    highs.setOptionValue("small_matrix_value", SMALLEST)
    highs.setOptionValue("large_matrix_value", LARGEST)
    # HiGHS takes a text that is no model for one without columns.
    if highs.readModel(str(path)) == highspy.HighsStatus.kError or not highs.getNumCol():
        raise InputError(f"{str(shown)!r} does not read as a model file")
    if highs.getModel().hessian_.dim_:
        raise InputError(f"{str(shown)!r} has a quadratic objective: expected a linear one")
    model = highs.getLp()
    kinds = highspy.HighsVarType
    for place, kind in enumerate(model.integrality_):
        if kind not in (kinds.kContinuous, kinds.kInteger):
            raise InputError(
                f"{str(shown)!r}: column {model.col_names_[place]!r} is semi-continuous: expected "
                "continuous or whole columns"
            )
    rows, columns = model.num_row_, model.num_col_
    build = sp.csc_array if model.a_matrix_.format_ == highspy.MatrixFormat.kColwise else None
    parts = (model.a_matrix_.value_, model.a_matrix_.index_, model.a_matrix_.start_)
    matrix = (build or sp.csr_array)(parts, shape=(rows, columns))
    integer = np.array([kind == kinds.kInteger for kind in model.integrality_])
    name = shown.name.split(".")[0]
    return LinearProgram(
        name=name,
        sense="max" if model.sense_ == highspy.ObjSense.kMaximize else "min",
        costs=np.array(model.col_cost_, dtype=np.float64),
        column_lower=np.array(model.col_lower_, dtype=np.float64),
        column_upper=np.array(model.col_upper_, dtype=np.float64),
        integer=integer if integer.size else np.zeros(columns, dtype=np.bool_),
        matrix=sp.csr_array(matrix),
        row_lower=np.array(model.row_lower_, dtype=np.float64),
        row_upper=np.array(model.row_upper_, dtype=np.float64),
        column_names=_distinct(list(model.col_names_), columns, "column"),
        row_names=_distinct(list(model.row_names_), rows, "row"),
        offset=float(model.offset_),
    )


def _distinct(names: list[str], count: int, what: str) -> tuple[str, ...]:
    """The names, with numbers where there is none or it is taken."""
    taken = set(names)
    distinct: list[str] = []
    seen: set[str] = set()
    for number in range(count):
        name = names[number] if number < len(names) else ""
        if not name or name in seen:
            name = f"{name or what}_{number}"
            while name in taken:
                name += "_"
            taken.add(name)
        seen.add(name)
        distinct.append(name)
    return tuple(distinct)
