"""A promptfoo evaluation as a log of duels of its prompts and models.

    promptfoo eval --output results.json
    python examples/adapters/promptfoo_results.py results.json duels.csv
    cpe-opt evidence duels.csv --cluster item

Arms are prompts, providers, or both, whichever differ; a test is an item. Reads ``results.json``
and ``results.jsonl``. Rows that ended with an error, not with a score, are left out.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from by_scores import write_duels

ERROR = 2  # of failureReason: 0 none, 1 an assertion, 2 an error


def rows(path: Path) -> list[dict[str, Any]]:
    """The results, one per test, prompt and provider."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    found: list[dict[str, Any]] = json.loads(text)["results"]["results"]
    return found


def scores(path: Path) -> Iterator[tuple[str, str, float]]:
    """Test, arm and score of each row."""
    scored = [row for row in rows(path) if row.get("failureReason") != ERROR]
    names = [
        (row["prompt"].get("label") or row["prompt"]["raw"], _provider(row["provider"]))
        for row in scored
    ]
    differ = [place for place in (0, 1) if len({name[place] for name in names}) > 1]
    for row, name in zip(scored, names, strict=True):
        yield f"test {row['testIdx']}", ", ".join(name[place] for place in differ), row["score"]


def _provider(provider: str | dict[str, str]) -> str:
    return provider if isinstance(provider, str) else provider.get("label") or provider["id"]


if __name__ == "__main__":
    write_duels(scores(Path(sys.argv[1])), Path(sys.argv[2]))
