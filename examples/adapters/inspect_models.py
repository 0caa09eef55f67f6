"""The best of several models by a scorer of Inspect (inspect_ai), with few generations.

    from inspect_ai.dataset import hf_dataset, MemoryDataset, Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import includes, model_graded_qa
    from inspect_models import best_model

    models = {name: get_model(name) for name in ("openai/gpt-5", "anthropic/claude-opus-5")}
    print(best_model(models, dataset, model_graded_qa(), margin=0.02, path="choice.jsonl"))

On a sample the model with the higher score wins. A model answers a sample once, when a comparison
needs it; what is proved is about all samples of the dataset.
"""

from typing import Any

from inspect_ai.dataset import Dataset
from inspect_ai.model import ChatMessageUser, Model, ModelName
from inspect_ai.scorer import Scorer, Target, value_to_float
from inspect_ai.solver import TaskState

import cpe_opt as cpe
from cpe_opt.sessions.best_of import Choice
from cpe_opt.sessions.questions import Question


def best_model(
    models: dict[str, Model], dataset: Dataset, scorer: Scorer, **options: Any
) -> Choice:
    """The best model by name; further options are those of ``cpe.best_of``."""
    samples = {str(number): sample for number, sample in enumerate(dataset, 1)}
    known: dict[tuple[str, str], float] = {}

    async def score(name: str, item: str) -> float:
        if (name, item) not in known:
            model, given, target = models[name], samples[item].input, Target(samples[item].target)
            asked = [ChatMessageUser(content=given)] if isinstance(given, str) else list(given)
            output = await model.generate(asked)
            messages = [*asked, output.message]
            state = TaskState(ModelName(model), item, 1, given, messages, target, output=output)
            found = await scorer(state, target)
            known[name, item] = 0.0 if found is None else value_to_float()(found.value)
        return known[name, item]

    async def judge(question: Question) -> float:
        first, second = [await score(name, question.item_id) for name in question.labels]
        return 0.5 if first == second else float(first > second)

    return cpe.best_of(models, judge, items=list(samples), orders="random", **options)
