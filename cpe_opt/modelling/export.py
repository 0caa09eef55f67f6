"""Model files: ``.lp``, ``.mps``, ``.mps.gz`` by suffix.

HiGHS does the writing and the reading. It drops every name silently if one is illegal, so names are
checked before, and the file is read back and compared with the program before it gets its name.

Readers disagree about a constant in the objective, and LP dialects about rows with two sides: see
:func:`plain_dialect`. A maximisation keeps its sense; in MPS that is an ``OBJSENSE`` section, which
HiGHS, SCIP, Gurobi and CPLEX honour, while glpsol and cbc need to be told (``--max``).
"""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from cpe_opt.errors import ExportFailed, InputError
from cpe_opt.modelling.program import LinearProgram, RowBlock, check_names

SUFFIXES = (".lp", ".mps", ".mps.gz")
_TOLERANCE = 1e-12
# cbc takes the short words of HiGHS for names of columns; every reader knows the full ones.
_SECTIONS = {"bin": "binary", "gen": "general"}


def export(program: LinearProgram, path: str | os.PathLike[str]) -> Path:
    """Write a program to ``path`` and prove that the file reads back as the same program.

    Parameters
    ----------
    program : LinearProgram
        A lazy program has rows that no file can list: solve it and export ``result.program``.
    path : path ending in ``.lp``, ``.mps`` or ``.mps.gz``

    Returns
    -------
    Path
        Where the file is.

    Raises
    ------
    InputError
        On another suffix, or something that is not a program.
    ExportFailed
        Where the file does not read back as ``program``; nothing is written then.
    """
    path = Path(path)
    suffix = _suffix(path)
    if not isinstance(program, LinearProgram):
        raise InputError(
            f"cannot export a {type(program).__name__}: expected a LinearProgram; a lazy program "
            "is exported after its solve, export(solve(lazy).program, path)"
        )
    check_names(program.column_names, "column")
    check_names(program.row_names, "row")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".export-") as folder:
        plain = Path(folder) / ("model" + suffix.removesuffix(".gz"))
        written = plain_dialect(program, keep_ranges=suffix != ".lp")
        _write(written, plain)
        _compare(written, read_program(plain), path)
        finished = plain
        if suffix.endswith(".gz"):
            finished = Path(folder) / "model.gz"
            # No time stamp, so that the same program gives the same bytes.
            with (
                plain.open("rb") as source,
                finished.open("wb") as raw,
                gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as target,
            ):
                shutil.copyfileobj(source, target)
        os.replace(finished, path)
    return path


def read_program(path: str | os.PathLike[str]) -> LinearProgram:
    """Read a model file; the program takes the file's name, its columns and rows theirs.

    Raises
    ------
    InputError
        Where the file is missing, has another suffix, or is not a model.
    """
    path = Path(path)
    suffix = _suffix(path)
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}")
    if not suffix.endswith(".gz"):
        return _read(path, path)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "model.mps"
        with gzip.open(path, "rb") as source, plain.open("wb") as target:
            shutil.copyfileobj(source, target)
        return _read(plain, path)


def plain_dialect(program: LinearProgram, *, keep_ranges: bool = False) -> LinearProgram:
    """An equal program that every reader understands; the same object if it is one already.

    A constant in the objective becomes the cost of a column ``objective_constant`` that is fixed at
    1. Unless ``keep_ranges``, a row with two different finite sides becomes ``<row>_lo`` and
    ``<row>_up``.
    """
    two_sided = np.isfinite(program.row_lower) & np.isfinite(program.row_upper)
    two_sided &= program.row_lower != program.row_upper
    if two_sided.any() and not keep_ranges:
        both = program.row_block.select(two_sided)
        kept = program.keeping_rows(~two_sided)
        infinite = np.full(len(both), np.inf)
        for lower, upper, end in ((both.lower, infinite, "_lo"), (-infinite, both.upper, "_up")):
            names = tuple(name + end for name in both.names)
            kept = kept.with_rows(RowBlock(both.matrix, lower, upper, names))
        program = kept
    if program.offset:
        rows = program.shape[0]
        program = replace(
            program,
            offset=0.0,
            costs=np.append(program.costs, program.offset),
            column_lower=np.append(program.column_lower, 1.0),
            column_upper=np.append(program.column_upper, 1.0),
            integer=np.append(program.integer, False),
            matrix=sp.csr_array(sp.hstack([program.matrix, sp.csr_array((rows, 1))], format="csr")),
            column_names=(*program.column_names, "objective_constant"),
        )
    return program


def highs_model(program: LinearProgram) -> Any:
    """The program as a ``highspy.HighsLp``, names included."""
    import highspy

    rows, columns = program.shape
    model = highspy.HighsLp()
    model.model_name_ = program.name
    model.num_col_, model.num_row_ = columns, rows
    model.sense_ = highspy.ObjSense.kMinimize
    if program.sense == "max":
        model.sense_ = highspy.ObjSense.kMaximize
    model.offset_ = program.offset
    model.col_cost_ = program.costs
    model.col_lower_, model.col_upper_ = program.column_lower, program.column_upper
    model.row_lower_, model.row_upper_ = program.row_lower, program.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.num_col_, model.a_matrix_.num_row_ = columns, rows
    model.a_matrix_.start_ = program.matrix.indptr.astype(np.int32)
    model.a_matrix_.index_ = program.matrix.indices.astype(np.int32)
    model.a_matrix_.value_ = program.matrix.data
    model.col_names_ = list(program.column_names)
    model.row_names_ = list(program.row_names)
    if program.is_integer:
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[int(whole)] for whole in program.integer]
    return model


def _suffix(path: Path) -> str:
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if path.name.endswith(suffix) and path.name != suffix:
            return suffix
    raise InputError(f"cannot tell the format of {path.name!r}: expected {', '.join(SUFFIXES)}")


def _quiet() -> Any:
    import highspy

    highs = highspy.Highs()
    highs.silent()
    return highs


def _write(program: LinearProgram, path: Path) -> None:
    import highspy

    highs = _quiet()
    highs.passModel(highs_model(program))
    if highs.writeModel(str(path)) == highspy.HighsStatus.kError:
        raise ExportFailed(f"HiGHS could not write {program.name!r} as {path.suffix}")
    if path.suffix == ".lp":
        text = path.read_text(encoding="utf-8")
        for short, full in _SECTIONS.items():
            text = text.replace(f"\n{short}\n", f"\n{full}\n")
        path.write_text(text, encoding="utf-8")


def _read(path: Path, shown: Path) -> LinearProgram:
    import highspy

    highs = _quiet()
    # HiGHS takes a text that is no model for one without columns.
    if highs.readModel(str(path)) == highspy.HighsStatus.kError or not highs.getNumCol():
        raise InputError(f"{str(shown)!r} does not read as a model file")
    model = highs.getLp()
    rows, columns = model.num_row_, model.num_col_
    build = sp.csc_array if model.a_matrix_.format_ == highspy.MatrixFormat.kColwise else None
    parts = (model.a_matrix_.value_, model.a_matrix_.index_, model.a_matrix_.start_)
    matrix = (build or sp.csr_array)(parts, shape=(rows, columns))
    integer = np.array([kind == highspy.HighsVarType.kInteger for kind in model.integrality_])
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
        column_names=tuple(model.col_names_),
        row_names=tuple(model.row_names_),
        offset=float(model.offset_),
    )


def _compare(program: LinearProgram, back: LinearProgram, path: Path) -> None:
    """Raise unless ``back`` is ``program`` up to the order of its columns and rows."""

    def refuse(what: str) -> None:
        raise ExportFailed(f"{path.name}: {what} of {program.name!r} did not survive the file")

    if program.sense != back.sense:
        refuse("the sense")
    if set(program.column_names) != set(back.column_names):
        refuse("the column names")
    if set(program.row_names) != set(back.row_names):
        refuse("the row names")
    column_of = {name: number for number, name in enumerate(back.column_names)}
    row_of = {name: number for number, name in enumerate(back.row_names)}
    columns = np.array([column_of[name] for name in program.column_names], dtype=np.int64)
    rows = np.array([row_of[name] for name in program.row_names], dtype=np.int64)
    for what, ours, theirs in (
        ("the offset", np.array([program.offset]), np.array([back.offset])),
        ("an objective coefficient", program.costs, back.costs[columns]),
        ("a column's lower bound", program.column_lower, back.column_lower[columns]),
        ("a column's upper bound", program.column_upper, back.column_upper[columns]),
        ("an integrality", program.integer, back.integer[columns]),
        ("a row's lower side", program.row_lower, back.row_lower[rows]),
        ("a row's upper side", program.row_upper, back.row_upper[rows]),
    ):
        if not np.allclose(ours, theirs, rtol=_TOLERANCE, atol=_TOLERANCE):
            refuse(what)
    difference = abs(program.matrix - back.matrix[rows][:, columns])
    scale = abs(program.matrix).max() if program.matrix.nnz else 1.0
    if difference.nnz and difference.max() > _TOLERANCE * max(1.0, scale):
        refuse("a coefficient")
