"""Which of 12 prompts is best, as judged by a program, with a restart in the middle.

    python examples/prompts_with_a_judge.py --parallel 4

The judge is simulated_judge.py in this folder, in a process of its own, or several at once.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import pandas as pd

import cpe_opt as cpe
from cpe_opt.sessions.judges import Calling, JudgesReport, run_judges
from cpe_opt.sessions.status import progress_of

PROMPTS = [
    *("plain", "polite", "numbered steps", "one example", "three examples", "role of an expert"),
    *("think first", "think, then check", "short answer", "as a table", "quote the source"),
    "ask back",
]
JUDGE = [sys.executable, str(Path(__file__).with_name("simulated_judge.py"))]


def ask(path: Path, parallel: int, budget: int | None = None) -> JudgesReport:
    """Let judges answer, in a session that is opened for it and closed."""
    with cpe.Session.open(path) as session:
        return run_judges(
            session, JUDGE, Calling(parallel=parallel, budget=budget, rater="simulated")
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parallel", type=int, default=4, help="judges at once")
    parser.add_argument("--delta", type=float, default=0.05, help="probability of an error")
    parser.add_argument("--seed", type=int, default=0, help="draws which is shown first")
    arguments = parser.parse_args()

    learner = {"learner": "copeland-tracking", "delta": arguments.delta, "seed": arguments.seed}
    learner["parallel"] = arguments.parallel  # so many questions are open at once
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prompts.jsonl"
        cpe.Session.open(path, labels=PROMPTS, **learner).close()
        report = ask(path, arguments.parallel, budget=200)
        ahead = progress_of(cpe.Session.read(path)).favourite
        print(f"{report.answers} duels, and the first budget is used up; ahead: {ahead}")
        report = ask(path, arguments.parallel)  # goes on where that stopped
        session = cpe.Session.read(path)
    status, progress = session.status(), progress_of(session)
    print(f"{report.answers} more, {status.answers} in all, of which {status.ties} were ties")
    print(f"proved: {progress.proved}; wrong with probability at most {arguments.delta:g}")
    print_positions(session.answers(), status.answer)


def print_positions(answers: pd.DataFrame, best: str) -> None:
    """What the judge's preference for the first comes to, and why it does no harm.

    Which of two is shown first is drawn for each question. So the probability that one of them wins
    is the mean of its probabilities in both places, which is above 1/2 for the better of the two.
    """
    decided = answers[answers["outcome"] != 0.5]
    share = decided["outcome"].mean()
    print(f"what was shown first won {share:.0%} of {len(decided)} duels without a tie")
    first = decided.loc[decided["first"] == best, "outcome"]
    second = 1.0 - decided.loc[decided["second"] == best, "outcome"]
    print(
        f"{best} won {first.mean():.0%} of {len(first)} where it was shown first, "
        f"{second.mean():.0%} of {len(second)} where second: the drawn order takes the mean"
    )


if __name__ == "__main__":
    main()
