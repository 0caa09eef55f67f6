r"""The programs of the Copeland lower bound with all rows listed.

The columns ``x_i_j`` are the evidence of the pairs that occur in rows.

``enumerate``
    every row of equation (2) of Komiyama, Honda, Nakagawa (ICML 2016); refused above
    :data:`ENUMERATION_LIMIT` rows.
``compact``
    polynomial size by duality: the sum of the h smallest of a set S is at least s if and only if
    there are :math:`\lambda, \nu \ge 0` with :math:`h\lambda - \sum_{j \in S} \nu_j \ge s` and
    :math:`\nu_j \ge \lambda - x_j`. Columns ``head_level``, ``head_short``, ``tail_level``,
    ``tail_short``; rows ``family_n``, ``head_row``, ``tail_row``.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.cutting_planes import fix_winner_pairs, pair_keys
from cpe_opt.formulations.dueling.rows import ConfusingRows
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram

ENUMERATION_LIMIT = 200_000


def evidence_pairs(families: ConfusingRows) -> IntArray:
    """The pairs that occur in rows: the winner's, then each challenger's; shape (pairs, 2)."""
    pairs = pair_keys(families.winner, families.inferiors)
    for block, challenger in enumerate(families.challengers.tolist()):
        pairs += pair_keys(challenger, families.superiors[block, : families.sizes[block]])
    return np.array(pairs, dtype=np.int64).reshape(len(pairs), 2)


def _evidence_columns(
    builder: ProgramBuilder, families: ConfusingRows, costs: FloatArray
) -> IntArray:
    """Add the columns ``x_i_j`` (and what is settled); their numbers, symmetric, shape (K, K)."""
    keys = evidence_pairs(families)
    numbers = builder.columns("x", keys, cost=costs[keys[:, 0], keys[:, 1]], upper=1.0)
    fix_winner_pairs(builder, families, numbers[: len(families.inferiors)])
    column = np.full(costs.shape, -1, dtype=np.int64)
    column[keys[:, 0], keys[:, 1]] = column[keys[:, 1], keys[:, 0]] = numbers
    return column


def enumerated_program(families: ConfusingRows, costs: FloatArray, name: str) -> LinearProgram:
    """Every row of equation (2), one by one."""
    count = families.row_count()
    if count > ENUMERATION_LIMIT:
        raise InputError(
            f"{name}: {count:,} rows to enumerate, at most {ENUMERATION_LIMIT:,} are listed; "
            "method='cuts' and method='compact' solve the same program"
        )
    builder = ProgramBuilder(name)
    column = _evidence_columns(builder, families, costs)
    rows = list(families.rows())
    row = np.repeat(np.arange(len(rows)), [len(pairs) for pairs in rows])
    pairs = np.array([pair for pairs in rows for pair in pairs], dtype=np.int64).reshape(-1, 2)
    builder.rows("row", len(rows), row, column[pairs[:, 0], pairs[:, 1]], lower=1.0)
    return builder.build()


def compact_program(families: ConfusingRows, costs: FloatArray, name: str) -> LinearProgram:
    """Polynomially many rows: a family's sums of smallest evidence by duality."""
    builder = ProgramBuilder(name)
    column = _evidence_columns(builder, families, costs)
    heads: dict[tuple[int, int], tuple[IntArray, FloatArray]] = {}
    tails: dict[tuple[int, int], tuple[IntArray, FloatArray]] = {}
    rows: list[IntArray] = []
    entries: list[FloatArray] = []
    for family in range(families.count):
        block = int(families.block[family])
        challenger = int(families.challengers[block])
        h_size, o_size = int(families.h_size[family]), int(families.o_size[family])
        # Challengers that the winner does not beat share one head.
        left_out = challenger if families.inferior_index[block] >= 0 else -1
        if (left_out, h_size) not in heads:
            others = families.inferiors[families.inferiors != left_out]
            key = (families.winner, h_size) if left_out < 0 else (families.winner, h_size, left_out)
            heads[left_out, h_size] = _smallest(
                builder, "head", key, column[families.winner, others], h_size
            )
        if (challenger, o_size) not in tails:
            superiors = families.superiors[block, : families.sizes[block]]
            tails[challenger, o_size] = _smallest(
                builder, "tail", (challenger, o_size), column[challenger, superiors], o_size
            )
        pair = [column[families.winner, challenger]] * int(families.includes_challenger[family])
        parts = (heads[left_out, h_size], tails[challenger, o_size])
        rows.append(np.concatenate([pair, parts[0][0], parts[1][0]]))
        entries.append(np.concatenate([np.ones(len(pair)), parts[0][1], parts[1][1]]))
    row = np.repeat(np.arange(len(rows)), [len(columns) for columns in rows])
    builder.rows(
        "family",
        len(rows),
        row,
        np.concatenate([*rows, []]),
        np.concatenate([*entries, []]),
        lower=1.0,
    )
    return builder.build()


def _smallest(
    builder: ProgramBuilder, block: str, key: tuple[int, ...], columns: IntArray, number: int
) -> tuple[IntArray, FloatArray]:
    """Columns and coefficients of an expression that is at most the sum of the smallest columns."""
    if number == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    if number == len(columns):
        return columns, np.ones(number)
    level = builder.columns(f"{block}_level", [key])
    count = len(columns)
    short = builder.columns(f"{block}_short", [(*key, place) for place in range(count)])
    # short_j >= level - x_j
    places = np.arange(count)
    builder.rows(
        f"{block}_row",
        [(*key, place) for place in range(count)],
        np.concatenate([places, places, places]),
        np.concatenate([short, columns, np.repeat(level, count)]),
        np.concatenate([np.ones(2 * count), -np.ones(count)]),
        lower=0.0,
    )
    return np.append(short, level), np.append(-np.ones(count), float(number))
