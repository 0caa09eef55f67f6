"""The best team of workers, if only the team's total can be seen.

    python examples/team_from_sums.py --workers 12 --team 4 --out team.png

Draws a random crowd, computes an optimal design over all teams, and compares the learners that work
from totals.
"""

import argparse
from pathlib import Path

import cpe_opt as cpe
from cpe_opt.experiments.engine import run_many
from cpe_opt.reports.curves import samples_figure
from cpe_opt.reports.drawing import save_figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--team", type=int, default=4, help="workers in a team")
    parser.add_argument("--gap", type=float, default=0.3)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("team.png"), help="a picture to draw")
    arguments = parser.parse_args()

    crowd = cpe.planted_subsets(arguments.workers, arguments.team, gap=arguments.gap, seed=1)
    teams = crowd.known
    best = cpe.best_subset(teams, crowd.theta)
    print(f"{teams.count():,} teams; the best is {teams.describe(best.elements)}")

    design = cpe.g_design(teams)
    print(f"an optimal design pulls {len(design.weights)} teams; certified gap {design.gap:.0e}")
    uniform = cpe.uniform_design(teams, seed=0)
    print(f"equal shares of {len(uniform.weights)} random teams: {uniform.value:.1f} for "
          f"{design.value:.1f}, at most")  # fmt: skip

    samples = {}
    for learner in ("icb", "sa-foa", "saqm", "exhaustive"):
        traces = run_many(learner, crowd, horizon=None, runs=arguments.runs, jobs=1)
        right = sum(trace.answer == best.elements for trace in traces)
        samples[learner] = [float(trace.samples) for trace in traces]
        mean = sum(samples[learner]) / len(traces)
        print(f"{learner:12} {mean:>12,.0f} totals, right in {right} of {len(traces)} runs")
    title = f"the best {arguments.team} of {arguments.workers}"
    save_figure(samples_figure({title: samples}), arguments.out)
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
