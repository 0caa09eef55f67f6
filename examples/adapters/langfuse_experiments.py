"""Experiments of Langfuse as a log of duels: on each item the higher evaluation wins.

    from langfuse import get_client
    from langfuse_experiments import write_experiments

    dataset, tasks = get_client().get_dataset("questions"), {"plain": answer, "steps": think}
    results = {
        name: dataset.run_experiment(name=name, task=task, evaluators=[accuracy])
        for name, task in tasks.items()
    }
    write_experiments(results, "accuracy", Path("duels.csv"))

Then ``cpe-opt evidence duels.csv --cluster item``. Items that a task or the evaluator failed on are
left out. Results of repeated runs of one name can be given as a list.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from by_scores import write_duels
from langfuse.experiment import ExperimentResult

Results = Mapping[str, ExperimentResult | Sequence[ExperimentResult]]


def write_experiments(results: Results, evaluation: str, out: Path) -> None:
    """Write a log of duels of experiments by the evaluation of this name."""
    write_duels(scores(results, evaluation), out)


def scores(results: Results, evaluation: str) -> Iterator[tuple[str, str, float]]:
    """Item, experiment and value."""
    for name, runs in results.items():
        for run in [runs] if isinstance(runs, ExperimentResult) else runs:
            for result in run.item_results:
                for found in result.evaluations:
                    if found.name == evaluation and found.value is not None:
                        yield _identity(result.item), name, float(found.value)


def _identity(item: Any) -> str:
    """The id of an item of a dataset; the input of a local one."""
    return item.id if hasattr(item, "id") else json.dumps(item["input"], sort_keys=True)
