"""Games of chess engines as a log of duels, in which a pair of games is one cluster.

    fastchess … -openings file=book.epd format=epd -rounds 200 -repeat -pgnout file=games.pgn
    python examples/adapters/fastchess_games.py games.pgn duels.csv
    cpe-opt evidence duels.csv --cluster round

The two games of a round begin with the same opening, with colours swapped, and depend on each
other. Their mean is one outcome, 0, ¼, ½, ¾ or 1, the five of pentanomial statistics. Reads PGN
files whose tag ``Round`` is the same in both games, as fastchess writes it; a game without a
result is left out.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*')
WINNERS = {"1-0": "model_a", "0-1": "model_b", "1/2-1/2": "tie"}


def games(text: str) -> Iterator[dict[str, str]]:
    """The tags of each game."""
    tags: dict[str, str] = {}
    for line in [*text.splitlines(), "the end"]:
        tag = TAG.fullmatch(line)
        if tag:
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif line.strip() and tags:  # the moves
            yield tags
            tags = {}


def duels(text: str) -> pd.DataFrame:
    """White, Black, who won, and the round with its opening, of each game with a result."""
    rows = [
        (tags["White"], tags["Black"], WINNERS[result], f"{tags['Round']} {tags.get('FEN', '')}")
        for tags in games(text)
        if (result := tags["Result"]) in WINNERS
    ]
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "round"])


if __name__ == "__main__":
    log = duels(Path(sys.argv[1]).read_text(encoding="utf-8"))
    log.to_csv(sys.argv[2], index=False)
    print(f"{sys.argv[2]}: {len(log):,} games in {log['round'].nunique():,} clusters")
