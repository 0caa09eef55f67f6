"""A program that judges, and misbehaves as it is told: by pairs such as ``garbage=3``.

Of a pair of letters the earlier wins, on all items of a test set. What it does ill it does at its
so manyth question of all of its processes, which count together in the file ``count``. It
is started often, and imports little.
"""

import json
import os
import sys
import time

WISHES = dict(part.split("=") for part in sys.argv[1:])


def number():
    """How many questions there were, this one included."""
    handle = os.open(WISHES["count"], os.O_APPEND | os.O_CREAT | os.O_WRONLY)
    os.write(handle, b".")
    return os.lseek(handle, 0, os.SEEK_CUR)  # where it was written, whoever else writes


def due(what):
    """Whether to do it now: at this question, or with ``every`` before, at each such."""
    wish = WISHES.get(what, "")
    return count % int(wish[5:]) == 0 if wish.startswith("every") else wish == str(count)


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


if "deaf" in WISHES:
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "exit" in WISHES:
    sys.exit("no key was given")
for line in sys.stdin:
    question, count = json.loads(line), number()
    if "log" in WISHES:
        with open(WISHES["log"], "a", encoding="utf-8") as log:  # noqa: PTH123
            log.write(json.dumps([os.getpid(), question]) + "\n")
    first, second = question["labels"]
    said = {"id": question["id"], "outcome": int(first < second)}
    if "orders" in question:
        said["outcome"] = [int(one < other) for one, other in question["orders"]]
    if due("bad"):
        said["outcome"] = 3
    if due("other"):
        said["id"] = "0-1.999"
    answer = json.dumps(said)
    if due("die"):
        os.kill(os.getpid(), 9)
    if due("family"):  # a child that keeps the output open
        waiting = [sys.executable, "-c", "import time; time.sleep(1000)", WISHES["count"]]
        os.spawnv(os.P_NOWAIT, sys.executable, waiting)
    if due("hang") or due("family"):
        time.sleep(10_000)
    if due("garbage"):
        answer = "I think the first is better"
    if due("twice"):
        say(f"{answer}\n")
    if due("huge"):
        say("x" * 3_000_000)
    if due("loud"):
        sys.stderr.write("e" * 3_000_000 + "\n")
    say(f"{answer}\n")
    if due("once"):
        sys.exit()
if "deaf" in WISHES:
    time.sleep(1000)
