"""The best of several DSPy programs by a metric, with few calls; for what optimisers return.

    candidates = {"few shots": BootstrapFewShot(metric).compile(...), "plain": dspy.Predict(...)}
    found = best_program(candidates, metric, devset, margin=0.02, path="choice.jsonl")
    candidates[found.best].save("best.json")

On an example the program with the higher value of the metric wins. A program runs on an example
once, when a comparison needs it; what is proved is about all of ``devset``. Use examples that no
optimiser has seen.
"""

from collections.abc import Callable
from typing import Any

import dspy
from by_scores import best_by_score

from cpe_opt.sessions.best_of import Choice


def best_program(
    programs: dict[str, dspy.Module],
    metric: Callable[..., Any],
    devset: list[dspy.Example],
    **options: Any,
) -> Choice:
    """The best program by name; further options are those of ``cpe.best_of``."""

    def score(name: str, number: int) -> float:
        example = devset[number]
        found = metric(example, programs[name](**example.inputs()))
        return float(getattr(found, "score", found))  # some metrics give feedback, too

    return best_by_score(programs, score, len(devset), **options)
