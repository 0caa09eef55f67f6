"""A panel assigns candidates to positions, in browsers.

    python examples/panel_over_the_page.py                  # then open the addresses it prints
    python examples/panel_over_the_page.py --panelists 3    # simulated ones, over HTTP

Who should be the editor, and who the speaker? Panelists see two profiles without names, and say
which suits the position better. CAR-Cond asks until it knows, with probability at least 0.9, which
assignment beats all others. Stopped and started again, it goes on: the answers are in the file.
"""

import argparse
import csv
import json
import math
import random
import threading
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import cpe_opt as cpe
from cpe_opt.sessions.content import Content
from cpe_opt.sessions.web import Serving

PROFILES = {
    "Ada": "**Ten years** of proofreading.\n\n- quiet\n- never late",
    "Ben": "Taught at a school for five years.\n\n- patient\n- writes well",
    "Cleo": "Hosted a show on the radio.\n\n- quick\n- spells by ear",
}
SKILLS = {  # what simulated panelists think
    "editor": {"Ada": 4.0, "Ben": 2.0, "Cleo": 0.0},
    "speaker": {"Ada": 0.0, "Ben": 2.0, "Cleo": 4.0},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--file", type=Path, default=Path("panel.jsonl"), help="the session")
    parser.add_argument("--port", type=int, default=0, help="0: any that is free")
    parser.add_argument("--panelists", type=int, default=0, help="simulated; 0: people")
    arguments = parser.parse_args()

    people, positions = list(PROFILES), list(SKILLS)
    edges = [(one, other) for one in range(len(people)) for other in range(len(positions))]
    graph = cpe.BipartiteGraph(
        len(people), len(positions), edges, candidate_labels=people, position_labels=positions
    )
    items = arguments.file.with_suffix(".csv")
    with items.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("label", "markdown"), *PROFILES.items()])

    with (
        cpe.Session.open(
            arguments.file, "car-cond", problem=graph, delta=0.1, slack="none", seed=1
        ) as session,
        Serving(
            session,
            Content.read(items, people),
            port=arguments.port,
            question="Who suits it better?",
            repeats=0.1,
        ) as serving,
    ):
        print(f"panelists: {serving.address}/", flush=True)
        print(f"you: {serving.address}/organise", flush=True)
        if arguments.panelists:
            simulate(serving.address, arguments.panelists)
        else:
            serving.wait(threading.Event())  # until it is interrupted
        status, raters = session.status(), session.raters()
    print(f"{status.answers:,} answers; {status.answer or 'to be continued'}")
    compared = raters["compared"] > 0
    print(f"panelists agree in {100 * raters['agree'][compared].mean():.0f} % of second answers")


def simulate(address: str, panelists: int) -> None:
    """Panelists who answer as their skills say, each in a thread, until it is settled."""
    threads = [
        threading.Thread(target=panelist, args=(address, f"panelist {number}"))
        for number in range(1, panelists + 1)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def panelist(address: str, name: str) -> None:
    """One of them: what the page in a browser does."""
    draw = random.Random(name)

    def post(path: str, **body: str) -> Any:
        data = json.dumps({"rater": name, **body}).encode()
        request = Request(address + path, data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=30) as reply:
            return json.load(reply)

    def person(thing: dict[str, str]) -> str:
        return next(each for each, words in PROFILES.items() if words.split()[-1] in thing["html"])

    reply = post("/api/question")
    while reply["state"] != "finished":
        if reply["state"] == "waiting":
            time.sleep(0.02)
            reply = post("/api/question")
            continue
        question = reply["question"]
        skills = SKILLS[question["about"]]
        first, second = (skills[person(thing)] for thing in question["things"])
        better = draw.random() < 1.0 / (1.0 + math.exp(second - first))
        reply = post(
            "/api/answer",
            id=question["id"],
            outcome="first" if better else "second",
            attempt=f"{name} {draw.random()}",
        )


if __name__ == "__main__":
    main()
