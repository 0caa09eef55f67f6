"""A fixed number of duels: how often learners name a wrong arm after it.

Instances, with the duels that each learner has on them, are in ``pages/fixed-budget.toml``.

    python examples/papers/budgets.py --full
"""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import study

import cpe_opt as cpe


def first_arms(name: str, arms: int) -> cpe.PreferenceMatrix:
    """The first arms of a built-in instance."""
    return cpe.load_instance(name).submatrix(range(arms))


def tournament(arms: int, seed: int) -> cpe.PreferenceMatrix:
    """Uniform probabilities from 0.1 to 0.9."""
    matrix, upper = np.full((arms, arms), 0.5), np.triu_indices(arms, 1)
    matrix[upper] = np.random.default_rng(seed).uniform(0.1, 0.9, len(upper[0]))
    matrix.T[upper] = 1.0 - matrix[upper]
    return cpe.PreferenceMatrix(matrix)


def runs_of(
    about: dict[str, str], problem: Any, method: str, duels: int, runs: int, seed: tuple[int, int]
) -> list[dict[str, Any]]:
    """Whether runs end with a wrong answer; the arms are in another order in each."""
    rows: list[dict[str, Any]] = []
    for number in range(runs):
        rng = np.random.default_rng([*seed, number])
        mixed = problem.submatrix(rng.permutation(problem.arms).tolist())
        winners = getattr(mixed, f"{about['learner']}_winners")
        told: dict[str, Any] = {"budget": duels, "method": method, "seed": int(rng.integers(2**31))}
        trace = cpe.simulate(f"{about['learner']}-budget", mixed, **told)
        wrong = trace.answer not in winners
        row = {"wrong": wrong, "proved": trace.proved, "wrongly proved": wrong and trace.proved}
        rows.append({**about, "estimated": trace.error_estimate, **row})
    return rows


def values(settings: study.Settings) -> dict[str, Any]:
    """A table for each learner, and what is claimed of both."""
    said = study.declared("fixed-budget")
    scale, instances = said[settings.choose("quick", "full")], pd.DataFrame(said["instances"])
    problems = [study.built(each) for each in instances.pop("problem")]
    instances, learners = instances.assign(arms=[p.arms for p in problems]), ("copeland", "borda")
    tasks: list[Any] = []
    for line, problem in zip(instances.itertuples(), problems, strict=True):
        for learner, (column, options) in product(learners, said["columns"].items()):
            about = {"learner": learner, "instance": line.name, "column": column}
            duels = max(1, round(options["share"] * getattr(line, learner)))
            run = (about, problem, options["method"], duels, said["block"])
            tasks += [(*run, (settings.seed, block)) for block in range(scale[options["runs"]])]
    tasks.sort(key=lambda task: -task[3])
    frame, lines = study.rows_of_tasks(runs_of, tasks, settings), ["learner", "instance"]
    counts = frame.groupby([*lines, "column"])["wrong"].agg(["sum", "size"])
    errors = pd.Series([study.failure_interval(*each) for each in counts.to_numpy()], counts.index)
    error = errors.unstack()
    means = frame[frame["column"] == "adaptive"].groupby(lines)[["estimated", "proved"]].mean()
    shown = error.map(lambda each: each.text(".1%")).join(means)
    tables = {each: instances.join(shown.loc[each], on="name") for each in learners}
    return {
        **{n: study.Table(table.assign(duels=table[n])) for n, table in tables.items()},
        **{f"{n} runs": scale[n] * said["block"] for n in ("more", "fewer")},
        "claims": claims(error, frame["wrongly proved"], [("copeland", n) for n in said["clear"]]),
    }


def claims(error: pd.DataFrame, wrong: pd.Series, clear: list[Any]) -> list[study.Claim]:
    """That adaptive duels err less often than uniform ones, and prove nothing that is wrong."""
    both = list(zip(error["adaptive"], error["uniform, half"], strict=True))
    half = [(error["adaptive, half"][name], error["uniform"][name]) for name in clear]
    pairs = (f"{a.text('.1%')}, uniform {b.text('.1%')}" for a, b in half)
    twice = "; ".join(f"{name} {pair}" for (_, name), pair in zip(clear, pairs, strict=True))
    times = f"{study.span([a.value / b.value for a, b in both], '.2f')} times as often"
    proofs = study.failure_interval(int(wrong.sum()), len(wrong)).within(high=0.05)
    return [
        study.Claim("half", times, study.all_hold(below(*pair) for pair in both)),
        study.Claim("twice", twice, study.all_hold(below(*pair) for pair in half)),
        study.Claim("proofs", study.errors_text(int(wrong.sum()), len(wrong)), proofs),
    ]


def below(one: study.Interval, other: study.Interval) -> bool | None:
    """Whether one is the smaller, if the intervals tell."""
    return True if one.high <= other.low else False if one.low > other.high else None


STUDIES = (study.Study("fixed-budget", "budgets.py", values),)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
