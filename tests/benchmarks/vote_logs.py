"""Logs of votes of any size: models on a scale of strength, languages, prompts, raters, times.

The suffix is the format: .csv, .jsonl or .parquet. A pair is the likelier, the nearer its models
are; a win has the probability of Bradley and Terry, an eighth of votes are ties, and a language
moves each strength a little. Languages are ten, of unequal size; every prompt has about twenty
votes, every rater about ten.
"""

from pathlib import Path

import numpy as np
import pandas as pd

_LANGUAGES = ("en", "zh", "de", "es", "fr", "ja", "ru", "pt", "ko", "pl")
_TIES = 0.125
_START = 1_735_689_600  # 2025-01-01, in seconds since 1970


def vote_log(lines=2_000_000, models=200, seed=0):
    """A data frame with the columns of an arena's log."""
    rng = np.random.default_rng(seed)
    strength = np.sort(rng.normal(0.0, 1.2, models))[::-1]
    share = 1.0 / np.arange(1, len(_LANGUAGES) + 1)
    language = rng.choice(len(_LANGUAGES), lines, p=share / share.sum())
    first = rng.integers(models, size=lines)
    step = np.rint(rng.laplace(0.0, models / 4, lines)).astype(int)
    second = (first + np.where(step % models == 0, 1, step)) % models
    moved = strength + rng.normal(0.0, 0.15, (len(_LANGUAGES), models))
    lead = moved[language, first] - moved[language, second]
    wins = rng.random(lines) < 1.0 / (1.0 + np.exp(-lead))
    words = np.array(["model_b", "model_a", "tie", "tie (bothbad)"])
    tied = rng.random(lines) < _TIES
    outcome = np.where(tied, rng.integers(2, 4, lines), wins)
    names = np.array([f"model-{k:03}" for k in rng.permutation(models)])
    return pd.DataFrame(
        {
            "model_a": names[first],
            "model_b": names[second],
            "winner": words[outcome],
            "judge": [f"rater{k}" for k in rng.integers(max(2, lines // 10), size=lines).tolist()],
            "prompt": [f"p{k:06x}" for k in rng.integers(max(2, lines // 20), size=lines).tolist()],
            "language": np.array(_LANGUAGES)[language],
            "turn": rng.integers(1, 4, lines),
            "tstamp": _START + np.sort(rng.random(lines) * 600 * 86_400).round(4),
        }
    )


def write_log(log, path):
    """Write it in the format of the suffix."""
    path = Path(path)
    if path.suffix == ".parquet":
        log.to_parquet(path)
    elif path.suffix == ".jsonl":
        log.to_json(path, orient="records", lines=True, double_precision=4)
    else:
        log.to_csv(path, index=False)
