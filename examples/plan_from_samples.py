"""How much water to purify at which source, if the quality has to be sampled first.

    python examples/plan_from_samples.py --out plan.lp

Solves the plan at the true qualities in three ways, writes it as an integer program, and finds it
again by sampling the sources.
"""

import argparse
from pathlib import Path

import cpe_opt as cpe


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("plan.lp"), help="an LP file to write")
    arguments = parser.parse_args()

    problem = cpe.load_instance("water")
    plan, quality = problem.model, problem.theta
    assert isinstance(plan, cpe.WaterPlan)
    for method in ("greedy", "milp", "continuous"):
        best = cpe.water_plan(plan, quality, method)
        amounts = plan.describe(best.amounts.round(3).tolist())
        print(f"{method:11} {amounts}; value {best.value:.4f}")
    cpe.export(cpe.water_plan_program(plan, quality), arguments.out)
    print(f"wrote {arguments.out}")

    hard = cpe.separable_hardness(problem)
    for learner in (cpe.learners.coci, cpe.learners.coci_uniform):
        trace = cpe.simulate(learner, problem, seed=0)
        print(
            f"{learner.__name__:13} {plan.describe(trace.answer)} after {trace.samples:,} samples"
        )
    print(f"Theorem 1 promises at most {hard.coci_sample_bound(delta=0.05):,.0f}")


if __name__ == "__main__":
    main()
