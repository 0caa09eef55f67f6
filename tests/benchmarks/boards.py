"""What it takes to make leaderboards of logs of millions of votes."""

import tempfile
from pathlib import Path

from tests.benchmarks.alone import mean_seconds
from tests.benchmarks.measuring import Row
from tests.benchmarks.vote_logs import vote_log, write_log

_LIMIT = 600  # processor seconds
_MOST_MEMORY = 1000.0  # MB
TASKS = (
    ("a CSV, with a page", ".csv", ("--report", "board.html"), 60.0),
    ("Parquet, a board for each of 10 languages, with a page", ".parquet",
     ("--by", "language", "--report", "boards.html"), 120.0),
    ("Parquet, in clusters by prompt", ".parquet", ("--cluster", "prompt"), 60.0),
    ("JSON lines, one vote of each rater on a pair, since a day", ".jsonl",
     ("--unique", "judge,pair", "--since", "2025-02-01"), 60.0),
)  # fmt: skip


def boards(settings):
    """`cpe-opt evidence FILE` on 2,000,000 votes on 200 models, of 10 languages, 100,000 prompts
    and 200,000 raters, all of it: reading, proofs, what would settle the rest, text and page.
    """
    lines, models = settings.choose((2_000, 12), (2_000_000, 200))
    with tempfile.TemporaryDirectory() as folder:
        log = vote_log(lines, models)
        for task, suffix, options, bar in TASKS:
            path = Path(folder) / f"votes{suffix}"
            if not path.exists():
                write_log(log, path)
            placed = [f"{folder}/{each}" if each.endswith(".html") else each for each in options]
            report = settings.alone("command", _LIMIT, line=["evidence", str(path), *placed])
            yield Row(task, mean_seconds(report), bar=bar)
            yield Row(f"{task}: memory", report.get("memory"), bar=_MOST_MEMORY, unit="MB")
