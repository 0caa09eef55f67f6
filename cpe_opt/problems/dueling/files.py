"""Preferences from files of any of the formats: matrices, logs of duels, PrefLib elections."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.problems.dueling.matrix_files import read_matrix
from cpe_opt.problems.dueling.number_pairs import (
    count_number_pairs,
    is_json_pairs,
    is_number_pairs,
    read_number_pairs,
)
from cpe_opt.problems.json_tables import header_of
from cpe_opt.problems.json_values import is_json
from cpe_opt.problems.log_forms import is_log
from cpe_opt.problems.logs import read_log
from cpe_opt.problems.pairs import PairTable, counted_table
from cpe_opt.problems.parquet_tables import is_parquet
from cpe_opt.problems.preflib import PREFLIB_SUFFIXES, read_preflib
from cpe_opt.problems.text import require_file, stem_of, suffix_of

if TYPE_CHECKING:
    import pandas as pd

Duels: TypeAlias = (
    "str | os.PathLike[str] | pd.DataFrame | Sequence[tuple[int, int]] | npt.NDArray[np.integer]"
)
"""A log: a file, a data frame, or pairs of numbers."""


def read_preferences(path: str | os.PathLike[str]) -> PairTable:
    """Read whichever of the formats a file is in.

    PrefLib files are told by their suffix, JSON by its suffix or its first characters, Parquet by
    its first bytes, logs of duels by their header or by two numbers a line; anything else is read
    as a matrix. Text may be compressed by gzip.
    """
    path = require_file(path)
    if suffix_of(path) in PREFLIB_SUFFIXES:
        return read_preflib(path)
    if is_parquet(path) or is_json(path) or is_log(header_of(path)) or is_number_pairs(path):
        return read_duels(path)
    return read_matrix(path)


def read_duels(duels: Duels) -> PairTable:
    """Count a log of duels, in any of the forms of :mod:`cpe_opt.problems.log_forms`.

    An entry of the matrix is the fraction of its pair's duels that the row's arm won, ties counted
    as half a win; a pair that never met is tied. Arms take the order in which they first appear;
    where they are numbers, that of these.

    Parameters
    ----------
    duels : path of a table or a list of JSON, a data frame with the same columns, or pairs (i, j)
        Of such a pair of numbers, i won.

    Raises
    ------
    InputError
        With the line concerned: on missing columns or labels, an arm against itself, counts that
        are no whole numbers, no duels.
    """
    import pandas as pd

    if isinstance(duels, list | tuple | np.ndarray):
        return count_number_pairs(duels)
    if not isinstance(duels, pd.DataFrame):
        duels = require_file(duels)  # type: ignore[arg-type]
        if not is_parquet(duels) and (
            is_json_pairs(duels) if is_json(duels) else is_number_pairs(duels)
        ):
            return read_number_pairs(duels)
    log, source = read_log(duels)
    labels, counts = log.counted()
    return counted_table(source, stem_of(source), labels, counts)
