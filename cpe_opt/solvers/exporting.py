"""Any program to a model file, those too whose rows only a solve finds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Unpack, cast

from cpe_opt.errors import InputError
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.export import write_conic, write_program
from cpe_opt.modelling.names import model_suffix
from cpe_opt.modelling.program import LazyProgram, LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import checked_types


@checked_types
def export(
    program: LinearProgram | QuadraticProgram | LazyProgram | ConicProgram,
    path: str | os.PathLike[str],
    *,
    relaxation: bool = False,
    legend: Mapping[str, str] | None = None,
    **solving: Unpack[SolveOptions],
) -> Path:
    r"""Write a program to ``path``; the file reads back as the same program, digit by digit.

    A name that the format cannot hold is changed, and a comment at the top of the file says for
    which name it stands; :func:`cpe_opt.read_program` gives it back.

    Parameters
    ----------
    program : LinearProgram, QuadraticProgram, LazyProgram or ConicProgram
        A lazy program is solved, and the file has the rows that its solve needed: their optimum is
        that of all rows.
    path : path
        That of a linear or quadratic program ends in ``.lp``, ``.mps`` or ``.mps.gz``, that of a
        cone program in ``.cbf``.
    relaxation : bool
        Of a lazy program write the rows that are listed from the start; nothing is solved.
    legend : mapping of str to str, optional
        What columns and rows stand for, by their names; other names are left out. Comments at the
        top of an LP or CBF file, a table ``<stem>.legend.csv`` next to an MPS file.
    **solving
        As for :func:`cpe_opt.solve`, where a lazy program is solved.

    Returns
    -------
    Path
        Where the file is.

    Raises
    ------
    InputError
        On a suffix of another kind of program, a name that is used twice, a number that readers do
        not take, a program without columns, or a legend of other names.
    NotOptimal
        Where the solve of a lazy program ends without an optimum.
    WriteFailed
        Where the disk is full, or the folder cannot be written to.

    Examples
    --------
    >>> import tempfile
    >>> from cpe_opt.modelling.builder import ProgramBuilder
    >>> builder = ProgramBuilder("lunch")
    >>> order = builder.columns("order", ["tuna"], cost=3, lower=1)
    >>> legend = {"order_tuna": "tuna rolls"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = export(builder.build(), f"{folder}/lunch.lp", legend=legend)
    ...     print(path.read_text(encoding="utf-8").splitlines()[0])
    \ order_tuna: tuna rolls
    """
    if isinstance(program, LazyProgram):
        model_suffix(Path(path))
        if relaxation:
            refuse_unused(solving, "export of a relaxation")
            return write_program(program.relaxation, path, legend)
        return write_program(needed_rows(program, **solving), path, legend)
    if relaxation:
        raise InputError(f"relaxation has no effect on {program.name!r}: all rows are listed")
    refuse_unused(solving, "export of a program with all rows listed")
    if isinstance(program, ConicProgram):
        return write_conic(program, path, legend)
    return write_program(program, path, legend)


def needed_rows(lazy: LazyProgram, **solving: Unpack[SolveOptions]) -> LinearProgram:
    """The program with the rows that its solve needed: their optimum is that of all rows."""
    return cast("LinearProgram", solve(lazy, **solving).program)
