"""The best of several models by a scorer of Inspect (inspect_ai), with few generations.

    from inspect_ai.dataset import hf_dataset, MemoryDataset, Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import includes, model_graded_qa
    from inspect_models import best_model

    models = {name: get_model(name) for name in ("openai/gpt-5", "anthropic/claude-opus-5")}
    print(best_model(models, dataset, model_graded_qa(), margin=0.02, path="choice.jsonl"))

The best model has the highest mean score, from 0 to 1, over all samples of the dataset. A model
answers a sample once, when its score is needed; what is proved is about all of them.
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

    async def score(question: Question) -> float:
        model, sample = models[question.label], samples[question.item_id]
        given, target = sample.input, Target(sample.target)
        asked = [ChatMessageUser(content=given)] if isinstance(given, str) else list(given)
        output = await model.generate(asked)
        messages = [*asked, output.message]
        name = ModelName(model)
        state = TaskState(name, question.item_id, 1, given, messages, target, output=output)
        found = await scorer(state, target)
        return 0.0 if found is None else value_to_float()(found.value)

    return cpe.best_of(models, score=score, items=list(samples), **options)
