"""A judge that is a program: it reads one question per line and writes one answer per line.

    cpe-opt session run FILE --command "python examples/simulated_judge.py"

Its answers are noisy, some are ties, and it prefers what it is shown first. Any program that reads
a question and writes an answer can take its place, such as one that tries both prompts and asks a
language model which result is better. To the same question it gives the same answer, so a session
that was killed and goes on is the same as one that was not.
"""

import json
import math
import random
import sys

GOODNESS = {
    "plain": -1.1,
    "polite": -0.9,
    "numbered steps": 0.0,
    "one example": 0.2,
    "three examples": 2.0,
    "role of an expert": -0.4,
    "think first": 0.5,
    "think, then check": 0.3,
    "short answer": -0.7,
    "as a table": -1.4,
    "quote the source": -0.2,
    "ask back": -1.0,
}
PREFERS_FIRST, TIES = 1.0, 0.1

for line in sys.stdin:
    question = json.loads(line)
    first, second = (GOODNESS[label] for label in question["labels"])
    first_wins = 1.0 / (1.0 + math.exp(second - first - PREFERS_FIRST))
    draw = random.Random(question["id"]).random
    outcome = "tie" if draw() < TIES else "first" if draw() < first_wins else "second"
    print(json.dumps({"id": question["id"], "outcome": outcome}), flush=True)
