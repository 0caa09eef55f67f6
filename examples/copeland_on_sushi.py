"""From real preferences to a proved winner, the regret bound, its LP file, and learners near it.

    python examples/copeland_on_sushi.py --out demo

Finds the best sushi by duels, with a proof; computes the constants C* (any algorithm) and C^E*
(ECW-RMED), writes the linear program behind C*, runs ECW-RMED and CW-RMED, and plots their regret.
"""

import argparse
import math
import time
from pathlib import Path

import cpe_opt as cpe
from cpe_opt.experiments.engine import run_many
from cpe_opt.experiments.results import regret_curve
from cpe_opt.reports.curves import plot_regret


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the results")
    parser.add_argument("--horizon", type=float, default=1e6)
    parser.add_argument("--runs", type=int, default=20, help="runs of ECW-RMED")
    parser.add_argument("--cw-runs", type=int, default=12, help="runs of CW-RMED")
    arguments = parser.parse_args()
    horizon, out = int(arguments.horizon), arguments.out
    started = time.perf_counter()

    mu = cpe.load_instance("sushi")
    winners = ", ".join(mu.labels[arm] for arm in mu.copeland_winners)
    condorcet = "none" if mu.condorcet_winner is None else mu.labels[mu.condorcet_winner]
    print(f"Which of {mu.arms} kinds of sushi do people like best? Each is shown two of them …")
    proof = cpe.simulate("copeland-tracking", mu, delta=0.05, seed=0)
    print(
        f"{mu.labels[proof.answer]}: proved by {proof.samples:,} answers, with a probability of "
        "error of at most 5 %"
    )
    print(f"in the whole table: Copeland winners: {winners}; Condorcet winner: {condorcet}")

    print("What it costs to play near the best while one learns:")
    bound, ecw = cpe.copeland_bound(mu), cpe.ecw_bound(mu)
    solved = bound.result
    assert solved is not None
    assert solved.program is not None
    assert solved.residuals is not None
    rows, columns = solved.program.shape
    print(f"C*   = {bound.value:.4f}: no consistent algorithm has less regret than C* ln T")
    print(f"C^E* = {ecw.value:.4f}: ECW-RMED's constant")
    print(
        f"the program of C*: {columns} columns, {rows} rows, all found as {solved.cuts} cuts in "
        f"{len(solved.cut_rounds)} rounds by {solved.solver} {solved.solver_version}; "
        f"optimality gap {solved.residuals.gap:.1e}, largest residual {solved.residuals.primal:.1e}"
    )
    program_file = cpe.export(solved.program, out / "copeland-sushi.lp")

    plan = {"ecw-rmed": arguments.runs, "cw-rmed": arguments.cw_runs}
    traces = {}
    print(f"Now {arguments.runs} runs of ECW-RMED and {arguments.cw_runs} of CW-RMED …", flush=True)
    for learner, runs in plan.items():
        traces[learner] = run_many(learner, mu, horizon=horizon, runs=runs, seed=0)
        final = [trace.regret[-1] for trace in traces[learner]]
        seconds = sum(trace.seconds for trace in traces[learner]) / runs
        right = sum(trace.answer in mu.copeland_winners for trace in traces[learner])
        print(
            f"{learner}: regret {sum(final) / runs:.0f} at T = {horizon:,} (C* ln T = "
            f"{bound.value * math.log(horizon):.0f}), mean of {runs} runs of {seconds:.1f} s; "
            f"{right} of {runs} end on a winner"
        )
    picture = out / "regret-sushi.png"
    plot_regret(
        {learner: regret_curve(many) for learner, many in traces.items()},
        picture,
        title=f"sushi, {mu.arms} arms",
        bounds={"LB": bound.value, "ECWB": ecw.value},
    )
    print(f"wrote {program_file}, {picture}")
    print(f"{time.perf_counter() - started:.0f} seconds in all")


if __name__ == "__main__":
    main()
