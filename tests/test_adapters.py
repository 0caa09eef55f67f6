"""The adapters in examples/adapters, on data made here and by the packages that they adapt."""

import json
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe

FOLDER = Path(__file__).parents[1] / "examples" / "adapters"
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


@pytest.fixture
def adapter(monkeypatch):
    """The names of a script of the folder."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return lambda name: runpy.run_path(str(FOLDER / f"{name}.py"))


@pytest.fixture
def run_adapter(tmp_path, monkeypatch, capsys):
    """Run a script of the folder as its docstring says; returns what it prints."""

    def run(name, *arguments):
        monkeypatch.syspath_prepend(str(FOLDER))
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
        return capsys.readouterr().out

    return run


def pgn(white, black, result, round_, fen):
    """A game as fastchess writes it."""
    tags = {"Event": "Fastchess Tournament", "Site": "?", "Date": "2026.11.25", "Round": round_}
    tags |= {"White": white, "Black": black, "Result": result, "SetUp": 1, "FEN": fen}
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    moves = f"1. e4 {{+0.31/12 0.102s}} e5 {{[%clk 0:01] -0.20/11 0.1s}}\n2. Nf3 {result}"
    return "\n".join([*lines, "", moves, "", ""])


def test_a_pair_of_games_is_one_outcome(run_adapter, tmp_path):
    """Five outcomes, as pentanomial statistics have them; games that were stopped do not count."""
    rng = np.random.default_rng(2)
    games, pairs = [], []
    for number in range(300):
        mine = rng.choice([1.0, 0.5, 0.0], size=2, p=[0.5, 0.3, 0.2])  # what "new" gets
        fen = f"r1bqkbnr/pp1ppppp/2n5/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number % 7 + 1}"
        games.append(pgn(r"new \"dev\"", "old", RESULTS[mine[0]], number + 1, fen))
        games.append(pgn("old", r"new \"dev\"", RESULTS[1.0 - mine[1]], number + 1, fen))
        pairs.append(mine.mean())
    games.append(pgn("old", r"new \"dev\"", "*", 301, fen))
    (tmp_path / "games.pgn").write_text("".join(games))
    shown = run_adapter("fastchess_games", "games.pgn", "duels.csv")
    assert shown == "duels.csv: 600 games in 300 clusters\n"
    votes = cpe.read_votes("duels.csv", cluster="round")
    assert sorted(votes.labels) == ['new "dev"', "old"]
    new = votes.labels.index('new "dev"')
    assert votes.proving_wins[new, 1 - new] == pytest.approx(sum(pairs))
    assert set(pairs) == {0.0, 0.25, 0.5, 0.75, 1.0}
    assert cpe.evidence(votes).beats[new, 1 - new]


def promptfoo(scores):
    """The file of ``promptfoo eval --output results.json``, by test, prompt and model."""
    results = [
        {
            "promptIdx": prompt,
            "testIdx": test,
            "prompt": {"raw": f"Answer {prompt}: {{{{q}}}}", "label": ["plain", "steps"][prompt]},
            "provider": {"id": f"openai:{model}", "label": ""},
            "success": score > 0.5,
            "score": score,
            "failureReason": 0 if score > 0.5 else 1,
            "vars": {"q": f"question {test}"},
            "response": {"output": "…"},
        }
        for (test, prompt, model), score in scores.items()
    ]
    results[0] |= {"failureReason": 2, "error": "the model did not answer", "score": 0}
    summary = {"version": 3, "timestamp": "2026-11-25T10:00:00Z", "results": results}
    return {"evalId": "eval-1", "results": summary, "config": {}, "shareableUrl": None}


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_scores_of_promptfoo(run_adapter, tmp_path, suffix):
    rng = np.random.default_rng(3)
    better = {(0, "small"): 0.4, (1, "small"): 0.6, (0, "large"): 0.5, (1, "large"): 0.9}
    scores = {
        (test, *arm): float(rng.random() < mean)
        for test in range(120)
        for arm, mean in better.items()
    }
    content = promptfoo(scores)
    text = json.dumps(content)
    if suffix == "jsonl":
        text = "\n".join(json.dumps(row) for row in content["results"]["results"])
    (tmp_path / f"results.{suffix}").write_text(text)
    shown = run_adapter("promptfoo_results", f"results.{suffix}", "duels.csv")
    assert shown.startswith(f"duels.csv: {120 * 6 - 3} duels on 120 items\n")
    votes = cpe.read_votes("duels.csv", cluster="item")
    found = cpe.evidence(votes)
    assert found.copeland["steps, openai:large"] == "proved"
    first, second = (votes.labels.index(f"{each}, openai:small") for each in ("plain", "steps"))
    wins = sum(scores[t, 0, "small"] > scores[t, 1, "small"] for t in range(1, 120))
    ties = sum(scores[t, 0, "small"] == scores[t, 1, "small"] for t in range(1, 120))
    assert votes.wins[first, second] == wins + ties / 2


def test_one_prompt_and_two_models_are_called_by_the_models(adapter, tmp_path):
    scores = {(t, 0, model): float(t % 3 > 0) for t in range(9) for model in ("small", "large")}
    path = tmp_path / "results.json"
    path.write_text(json.dumps(promptfoo(scores)))
    arms = {arm for _, arm, _ in adapter("promptfoo_results")["scores"](path)}
    assert arms == {"openai:small", "openai:large"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Inspect's own imports and calls
def test_models_by_a_scorer_of_inspect(adapter):
    pytest.importorskip("inspect_ai", reason="pip install inspect_ai")
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes

    asked = []

    def answers(name, share):
        """A model that knows the answer to this share of the questions."""

        def answer(messages, tools, tool_choice, config):
            number = int(messages[-1].text.split()[-1])
            asked.append((name, number))
            said = f"it is {number}" if number % 100 < 100 * share else "no idea"
            output = ModelOutput.from_content(name, said)
            output.usage = ModelUsage()  # else tokens are counted, by a table from the network
            return output

        return get_model("mockllm/model", custom_outputs=answer, memoize=False)

    models = {"weak": answers("weak", 0.3), "strong": answers("strong", 0.9)}
    samples = [Sample(input=f"what is {n}", target=str(n)) for n in range(100)]
    samples[0].input = [ChatMessageUser(content="what is 0")]
    found = adapter("inspect_models")["best_model"](models, MemoryDataset(samples), includes())
    assert (found.best, found.proved) == ("strong", True)
    assert found.saved > 0
    assert len(asked) == len(set(asked)) == found.calls


def test_programs_of_dspy_by_a_metric(adapter):
    dspy = pytest.importorskip("dspy", reason="pip install dspy")
    calls = []

    class Adds(dspy.Module):
        def __init__(self, name, most):
            super().__init__()
            self.name, self.most = name, most

        def forward(self, a, b):
            calls.append((self.name, a))
            return dspy.Prediction(total=a + b if a < self.most else None)

    def metric(example, prediction, trace=None):
        return example.total == prediction.total

    def with_feedback(example, prediction, trace=None):
        return dspy.Prediction(score=float(metric(example, prediction)), feedback="…")

    programs = {name: Adds(name, most) for name, most in (("plain", 20), ("shots", 70))}
    devset = [dspy.Example(a=n, b=1, total=n + 1).with_inputs("a", "b") for n in range(80)]
    for each in (metric, with_feedback):
        calls.clear()
        found = adapter("dspy_programs")["best_program"](programs, each, devset)
        assert (found.best, found.proved) == ("shots", True)
        assert found.saved > 0
        assert len(calls) == len(set(calls)) == 2 * found.calls


def test_candidates_of_gepa(adapter):
    """A run of the optimiser with the selector; then a proof on examples that it has not seen."""
    gepa = pytest.importorskip("gepa", reason="pip install gepa")
    from gepa.core.adapter import EvaluationBatch

    names, evaluated = adapter("gepa_candidates"), []

    class Lengths:
        """A candidate's prompt is worth its length; on an example up to what that needs."""

        propose_new_texts = None

        def evaluate(self, batch, candidate, capture_traces=False):
            length = len(candidate["prompt"])
            evaluated.append((candidate["prompt"], tuple(batch)))
            scores = [min(length, need) / 10.0 for need in batch]
            return EvaluationBatch(list(batch), scores, list(batch) if capture_traces else None)

        def make_reflective_dataset(self, candidate, batch, components):
            return {name: [{"Feedback": "longer"}] for name in components}

    selector, chosen = names["CopelandSelector"](), []

    class Selector:
        def select_candidate_idx(self, state):
            chosen.append(selector.select_candidate_idx(state))
            means = [np.mean([*each.values()]) for each in state.prog_candidate_val_subscores]
            assert means[chosen[-1]] == max(means)  # the longer one is ahead on no fewer examples
            return chosen[-1]

    def longer(candidate, dataset, components):
        return {name: candidate[name] + "!" for name in components}

    result = gepa.optimize(
        {"prompt": "a"},
        trainset=[10] * 6,
        valset=[3, 4, 5, 10],
        adapter=Lengths(),
        candidate_selection_strategy=Selector(),
        custom_candidate_proposer=longer,
        reflection_lm=lambda prompt: "",
        reflection_minibatch_size=3,
        max_metric_calls=70,
    )
    assert len(result.candidates) >= 4
    assert chosen == sorted(chosen)
    evaluated.clear()
    found = names["best_candidate"](result, Lengths(), list(range(10, 130)))
    assert (found.best, found.proved) == (str(len(result.candidates) - 1), True)
    assert found.saved > 0
    assert len(evaluated) == len(set(evaluated))


def test_experiments_of_langfuse(adapter, tmp_path, monkeypatch):
    """Run by its own runner, on local items and without a server."""
    langfuse = pytest.importorskip("langfuse", reason="pip install langfuse")
    client = langfuse.Langfuse(public_key="pk", secret_key="sk", tracing_enabled=False)
    data = [{"input": {"n": n}, "expected_output": n % 10} for n in range(120)]

    def correct(*, output, expected_output, **others):
        return langfuse.Evaluation(name="correct", value=float(output == expected_output))

    def length(*, output, **others):
        return langfuse.Evaluation(name="length", value=-float(output))

    def task(most):
        def answer(*, item, **others):
            if item["input"]["n"] == 5:
                raise RuntimeError("no answer")
            return item["input"]["n"] % 10 if item["input"]["n"] < most else 0

        return answer

    settings = {"data": data, "evaluators": [correct, length]}
    results = {
        name: client.run_experiment(name=name, task=task(most), **settings)
        for name, most in (("plain", 40), ("steps", 110))
    }
    monkeypatch.chdir(tmp_path)
    adapter("langfuse_experiments")["write_experiments"](results, "correct", Path("duels.csv"))
    votes = cpe.read_votes("duels.csv", cluster="item")
    steps = votes.labels.index("steps")
    better = sum(40 <= n < 110 and n % 10 > 0 for n in range(120))
    assert votes.wins[steps, 1 - steps] == better + (119 - better) / 2
    assert cpe.evidence(votes).beats[steps, 1 - steps]
