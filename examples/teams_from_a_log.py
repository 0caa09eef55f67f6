"""A log of 60 past projects, a team and a score each: what it proves, and which team to try next.

    python examples/teams_from_a_log.py
    cpe-opt evidence teams.csv --planned

Teams were formed by who was free, whatever the earlier scores: so they count as planned, which
proves more. A session starts from the log and asks for the scores that are missing; here a formula
answers instead of projects.
"""

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np

import cpe_opt as cpe

SKILL = {"Ada": 4.0, "Ben": 3.5, "Cleo": 3.4, "Dan": 2.5, "Eve": 2.2, "Fay": 1.0, "Gus": 0.8}
rng = np.random.default_rng(2)


def project(team: Iterable[str]) -> float:
    """The score of one project."""
    return sum(SKILL[member] for member in team) + float(rng.normal(scale=0.8))


if __name__ == "__main__":
    with Path("teams.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["team", "score"])
        for _ in range(60):
            team = rng.choice(list(SKILL), size=3, replace=False)
            writer.writerow([" + ".join(team), f"{project(team):.2f}"])

    log = cpe.read_scores("teams.csv")
    print(cpe.team_evidence(log, planned=True))

    with cpe.Session.open(
        "teams.jsonl", "subset-tracking", prior=log, delta=0.05, planned=True
    ) as session:
        while asked := session.ask():
            session.tell(asked[0].id, project(asked[0].labels))
        status = session.status()
    print(f"after {status.answers} more projects: {status.answer} is the best team, proved")
    print(f"if {status.assumption}")
