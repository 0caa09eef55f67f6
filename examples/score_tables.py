r"""How many scores it takes to prove the best arm on a test set, by several rules.

    python examples/score_tables.py

The tables are simulated: *binary*, right or wrong, where an item is easy or hard for all arms;
*graded*, five grades; *sparse failures*, of 1 to 8 % of the items; *near ties*, arms that differ
on few items. An entry is the mean number of scores until the proof, over tables and runs, as a
share of the whole table, which "asking everything" takes.

- `score-tracking`, alone and with cheap scores that are right in 90 % of the cells;
- *independent orders*: the same bets, each arm along an order of its own, so that no two scores are
  of the same item;
- *intervals*: arms are asked in turn and ruled out once their confidence intervals are apart, by
  the bound of Hoeffding and Serfling for samples without replacement, at all times at once.
"""

import argparse
import math
from collections.abc import Callable

import numpy as np

import cpe_opt as cpe

DELTA = 0.05
Table = np.ndarray


def binary(rng: np.random.Generator, arms: int, items: int) -> Table:
    skill, ease = rng.normal(0.0, 0.35, (arms, 1)), rng.normal(0.0, 1.0, items)
    return (skill + ease + rng.normal(0.0, 0.8, (arms, items)) > -0.4) * 1.0


def graded(rng: np.random.Generator, arms: int, items: int) -> Table:
    skill, ease = rng.normal(2.0, 0.3, (arms, 1)), rng.normal(0.0, 0.8, items)
    return np.clip(np.rint(skill + ease + rng.normal(0.0, 0.7, (arms, items))), 0.0, 4.0) / 4.0


def sparse_failures(rng: np.random.Generator, arms: int, items: int) -> Table:
    return (rng.random((arms, items)) > rng.uniform(0.01, 0.08, (arms, 1))) * 1.0


def near_ties(rng: np.random.Generator, arms: int, items: int) -> Table:
    right = np.tile(rng.random(items) < 0.6, (arms, 1))
    turned = rng.random((arms, items)) < rng.uniform(0.02, 0.06, (arms, 1))
    return np.where(turned, ~right, right) * 1.0


KINDS: list[Callable[[np.random.Generator, int, int], Table]] = [
    binary,
    graded,
    sparse_failures,
    near_ties,
]
SIZES = [(2, 2000), (8, 50), (8, 500), (20, 500), (50, 1000)]


def tracking(table: Table, seed: int) -> int:
    return cpe.simulate("score-tracking", cpe.ItemScores(table), seed=seed, delta=DELTA).samples


def tracking_with_hints(table: Table, seed: int) -> int:
    turned = np.random.default_rng([seed, 1]).random(table.shape) < 0.1
    scores = cpe.ItemScores(table, hints=np.where(turned, 1.0 - table, table))
    return cpe.simulate("score-tracking", scores, seed=seed, delta=DELTA).samples


def independent_orders(table: Table, seed: int) -> int:
    return tracking(np.random.default_rng([seed, 2]).permuted(table, axis=1), seed)


def intervals(table: Table, seed: int) -> int:
    arms, items = table.shape
    scores = np.random.default_rng([seed, 3]).permuted(table, axis=1)
    left, count = np.ones(arms, dtype=np.bool_), 0
    for times in range(1, items + 1):
        count += int(left.sum())
        means = scores[:, :times].mean(axis=1)
        room = math.log(2.0 * arms * times * (times + 1) / DELTA) * (1.0 - (times - 1) / items)
        radius = math.sqrt(room / (2.0 * times)) if times < items else 0.0
        left &= means + radius >= (means - radius)[left].max()
        if left.sum() == 1:
            break
    return count


RULES: dict[str, Callable[[Table, int], int]] = {
    "`score-tracking`": tracking,
    "with cheap scores, 90 %": tracking_with_hints,
    "independent orders": independent_orders,
    "intervals": intervals,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=4, help="of each kind and size")
    parser.add_argument("--runs", type=int, default=2, help="orders of each table")
    parser.add_argument("--small", action="store_true", help="3 arms and 40 items alone")
    arguments = parser.parse_args()
    print(f"| kind | arms | items | {' | '.join(RULES)} |")
    print(f"|---|---|---|{'---|' * len(RULES)}")
    for kind in KINDS:
        for arms, items in [(3, 40)] if arguments.small else SIZES:
            tables = [kind(np.random.default_rng(s), arms, items) for s in range(arguments.tables)]
            row = [kind.__name__.replace("_", " "), str(arms), f"{items:,}"]
            for rule in RULES.values():
                counts = [rule(table, run) for table in tables for run in range(arguments.runs)]
                row.append(f"{100 * np.mean(counts) / (arms * items):.0f} %")
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
