"""A program that judges, and misbehaves as it is told: by pairs such as ``garbage=3``.

Of a pair of letters the earlier wins, on all items of a test set; it fails at the item
``fails_at``, skips ``skips_at``, and does nothing after ``lasts`` questions. What it does ill it
does at its so manyth question of all of its processes, which count together in the file ``count``.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

WISHES = dict(part.split("=") for part in sys.argv[1:])


def number():
    """How many questions there were, this one included."""
    path = Path(WISHES["count"])
    handle = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY)
    os.write(handle, b".")
    os.close(handle)
    return path.stat().st_size


def due(what, count):
    """Whether to do it now: at this question, or with ``every`` before, at each such."""
    wish = WISHES.get(what, "")
    if wish.startswith("every"):
        return count % int(wish[5:]) == 0
    return wish == str(count)


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def hang():
    """Note that it does, where that is wanted, and do nothing more."""
    if "hung" in WISHES:
        Path(WISHES["hung"]).touch()
    time.sleep(10_000)


if "deaf" in WISHES:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "exit" in WISHES:
    sys.exit("no key was given")
if "leave" in WISHES:
    sys.exit()
for line in sys.stdin:
    question = json.loads(line)
    count = number()
    if "log" in WISHES:
        with Path(WISHES["log"]).open("a", encoding="utf-8") as log:
            log.write(json.dumps([os.getpid(), question]) + "\n")
    first, second = question["labels"]
    outcome = int(first < second)
    if "orders" in question:
        outcome = [int(one < other) for one, other in question["orders"]]
    answer = json.dumps({"id": question["id"], "outcome": outcome, "note": "x"})
    if count > int(WISHES.get("lasts", count)):
        sys.exit("no more")
    item = question.get("item", {}).get("id")
    if item and item == WISHES.get("fails_at"):
        say("what is this?\n")
        continue
    if item and item == WISHES.get("skips_at"):
        answer = json.dumps({"id": question["id"], "outcome": "skip"})
    if due("die", count):
        os.kill(os.getpid(), signal.SIGKILL)
    if due("hang", count) or count >= int(WISHES.get("hangs_from", count + 1)):
        hang()
    if due("family", count):  # a child that keeps the output open
        waiting = [sys.executable, "-c", "import time; time.sleep(1000)", WISHES["count"]]
        subprocess.Popen(waiting)
        hang()
    if due("garbage", count):
        say("I think the first is better\n")
        continue
    if due("other", count):
        answer = json.dumps({"id": "0-1.999", "outcome": 1})
    if due("bad", count):
        answer = json.dumps({"id": question["id"], "outcome": 3})
    if due("twice", count):
        say(f"{answer}\n")
    if due("torn", count):
        say(answer[:-1])
        sys.exit()
    if due("huge", count):
        say("x" * 3_000_000)
    if due("loud", count):
        sys.stderr.write("e" * 3_000_000 + "\n")
    if due("skip", count):
        answer = json.dumps({"id": question["id"], "outcome": "skip"})
    if due("slowly", count):
        for letter in answer:
            say(letter)
            time.sleep(0.001)
        answer = ""
    say(f"{answer}\n")
    if due("once", count):
        sys.exit()
if "deaf" in WISHES:
    time.sleep(1000)
