"""Rows as a line of text, ``x_0_3 >= 0.9``, in the grammar of LP files.

A name may stand before the row, as in ``enough: x_0_3 + 2 x_0_1 >= 0.9``; two sides are written
``0.1 <= x_0_3 <= 0.9``. Without a name a row is called after its text's place among those given:
``extra_0``, ``extra_1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cpe_opt.errors import InputError
from cpe_opt.modelling.lp_reader import read_lp
from cpe_opt.modelling.model_file import FaultyFile, ModelText
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.validation import checked_text


def with_row_texts(program: LinearProgram, rows: Sequence[str]) -> LinearProgram:
    """The same program with rows appended.

    Parameters
    ----------
    program : LinearProgram
    rows : sequence of str
        By the names of its columns.

    Raises
    ------
    InputError, UnknownName
        Where a text is no row, or has a column that the program does not have.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    >>> more = with_row_texts(program, ["enough: x_0_3 >= 0.9", "x_0_1 - x_0_3 <= 0"])
    >>> more.row_names[-2:], more.row_lower[-2:].tolist()
    (('enough', 'extra_1'), [0.9, -inf])
    """
    taken = set(program.row_names)
    for place, text in enumerate(rows):
        read = _read(text)
        (name,) = read.row_names
        row = read.matrix.tocoo()
        columns = [read.column_names[column] for column in row.coords[1]]
        program = program.with_row(
            dict(zip(columns, row.data.tolist(), strict=True)),
            lower=float(read.row_lower[0]),
            upper=float(read.row_upper[0]),
            name=name if ":" in text else unused_name("extra", f"_{place}", taken),
        )
    return program


def _read(text: str) -> LinearProgram:
    """A program of this row alone."""
    checked_text("row", text)
    lines = f"Minimize\n obj: 0\nSubject To\n {text}\nEnd\n"
    try:
        read = read_lp(ModelText(Path("row"), lines.encode()), "row")
    except FaultyFile as error:
        what = str(error).partition(": ")[2]
        raise InputError(f"row {text!r}: {what}; expected such as 'x_0_1 >= 0.9'") from None
    if not isinstance(read, LinearProgram) or len(read.row_names) != 1:
        raise InputError(f"row {text!r}: expected one linear row, such as 'x_0_1 >= 0.9'")
    return read
