"""Declarative models and online algorithms for learning from comparisons.

Everything a script needs is here, imported on first use::

    import cpe_opt as cpe

    mu = cpe.load_instance("sushi")
    bound = cpe.copeland_lower_bound(mu)
    trace = cpe.simulate(cpe.learners.ecw_rmed, mu, horizon=10**6, seed=0)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cpe_opt import learners
    from cpe_opt.errors import (
        CpeOptError,
        ExportFailed,
        InputError,
        NoDuals,
        NotOptimal,
        SolverFailed,
        SolverMissing,
        SolverUnable,
        UnknownName,
        WriteFailed,
    )
    from cpe_opt.experiments.engine import Plan, run_experiment
    from cpe_opt.experiments.reproduce import REPRODUCTIONS, reproduce
    from cpe_opt.formulations.allocation import (
        optimal_sample_allocation,
        sample_allocation_problem,
        sample_allocation_program,
    )
    from cpe_opt.formulations.condorcet import (
        SaddlePoint,
        borda_winner,
        condorcet_program,
        condorcet_value,
        condorcet_winner,
    )
    from cpe_opt.formulations.copeland import (
        CopelandBound,
        copeland_lower_bound,
        copeland_program,
    )
    from cpe_opt.formulations.design import (
        Design,
        g_design_problem,
        g_optimal,
        uniform_design,
        xy_design_problem,
        xy_optimal,
    )
    from cpe_opt.formulations.ecw import ecw_bound, ecw_program
    from cpe_opt.formulations.ellipsoid import (
        EllipsoidMaximum,
        ellipsoid_program,
        maximise_ellipsoid,
    )
    from cpe_opt.formulations.matching import (
        Matching,
        matching_program,
        max_weight_matching,
        second_best_matching,
    )
    from cpe_opt.formulations.matching_hardness import (
        BordaHardness,
        CondorcetHardness,
        borda_hardness,
        condorcet_hardness,
    )
    from cpe_opt.formulations.rounding import efficient_rounding
    from cpe_opt.formulations.separable import (
        SeparableHardness,
        find_bi_monotone_violation,
        separable_hardness,
    )
    from cpe_opt.formulations.subset_hardness import (
        SubsetHardness,
        subset_hardness,
    )
    from cpe_opt.formulations.subset_programs import subset_program
    from cpe_opt.formulations.subsets import Subset, best_subset, second_best_subset
    from cpe_opt.formulations.voting import (
        Lottery,
        borda_winners,
        random_walk_winners,
        von_neumann_program,
        von_neumann_winner,
    )
    from cpe_opt.formulations.water import (
        optimal_water_plan,
        plan_value,
        water_plan_problem,
        water_plan_program,
    )
    from cpe_opt.modelling.certify import Residuals, certify
    from cpe_opt.modelling.export import read_program
    from cpe_opt.modelling.lazy import CutOptions, LazyProgram
    from cpe_opt.modelling.program import LinearProgram, ProgramBuilder, RowBlock
    from cpe_opt.modelling.result import CutRound, SolveResult, Status
    from cpe_opt.problems.bipartite import BipartiteGraph
    from cpe_opt.problems.catalogue import INSTANCES, cycle_and_chain, load_instance
    from cpe_opt.problems.costs import (
        Cost,
        PiecewiseLinear,
        Power,
        Quadratic,
    )
    from cpe_opt.problems.decisions import (
        DecisionClass,
        PartitionMatroid,
        TopK,
    )
    from cpe_opt.problems.distributions import Bernoulli, Beta, Empirical
    from cpe_opt.problems.hardness import (
        CcbRegretBound,
        CopelandHardness,
        ccb_regret_bound,
        copeland_hardness,
    )
    from cpe_opt.problems.matchings import MatchingDuels, planted_condorcet
    from cpe_opt.problems.networks import (
        GraphicMatroid,
        Matchings,
        Paths,
        SpanningTrees,
    )
    from cpe_opt.problems.preferences import PreferenceMatrix
    from cpe_opt.problems.separable import (
        BestSet,
        OpinionSampling,
        OwnModel,
        SeparableModel,
        SeparableProblem,
        WaterPlan,
    )
    from cpe_opt.problems.subsets import (
        SubsetBandit,
        planted_subsets,
    )
    from cpe_opt.simulation.driver import Trace, simulate
    from cpe_opt.solvers import SOLVERS, solve, solver_table
    from cpe_opt.solvers.exporting import export

_HOMES = {
    "cpe_opt.errors": (
        "CpeOptError ExportFailed InputError NoDuals NotOptimal SolverFailed SolverMissing "
        "SolverUnable UnknownName WriteFailed"
    ),
    "cpe_opt.experiments.engine": "Plan run_experiment",
    "cpe_opt.experiments.reproduce": "REPRODUCTIONS reproduce",
    "cpe_opt.formulations.condorcet": (
        "SaddlePoint borda_winner condorcet_program condorcet_value condorcet_winner"
    ),
    "cpe_opt.formulations.copeland": "CopelandBound copeland_lower_bound copeland_program",
    "cpe_opt.formulations.ecw": "ecw_bound ecw_program",
    "cpe_opt.formulations.matching": (
        "Matching matching_program max_weight_matching second_best_matching"
    ),
    "cpe_opt.formulations.matching_hardness": (
        "BordaHardness CondorcetHardness borda_hardness condorcet_hardness"
    ),
    "cpe_opt.formulations.voting": (
        "Lottery borda_winners random_walk_winners von_neumann_program von_neumann_winner"
    ),
    "cpe_opt.modelling.certify": "Residuals certify",
    "cpe_opt.modelling.export": "read_program",
    "cpe_opt.modelling.lazy": "CutOptions LazyProgram",
    "cpe_opt.modelling.program": "LinearProgram ProgramBuilder RowBlock",
    "cpe_opt.modelling.result": "CutRound SolveResult Status",
    "cpe_opt.problems.bipartite": "BipartiteGraph",
    "cpe_opt.problems.catalogue": "INSTANCES cycle_and_chain load_instance",
    "cpe_opt.problems.hardness": (
        "CcbRegretBound CopelandHardness ccb_regret_bound copeland_hardness"
    ),
    "cpe_opt.problems.matchings": "MatchingDuels planted_condorcet",
    "cpe_opt.problems.preferences": "PreferenceMatrix",
    "cpe_opt.simulation.driver": "Trace simulate",
    "cpe_opt.problems.decisions": ("DecisionClass PartitionMatroid TopK"),
    "cpe_opt.problems.networks": ("GraphicMatroid Matchings Paths SpanningTrees"),
    "cpe_opt.formulations.rounding": "efficient_rounding",
    "cpe_opt.formulations.subset_programs": "subset_program",
    "cpe_opt.formulations.subsets": ("Subset best_subset second_best_subset"),
    "cpe_opt.formulations.ellipsoid": ("EllipsoidMaximum ellipsoid_program maximise_ellipsoid"),
    "cpe_opt.formulations.design": (
        "Design g_design_problem g_optimal uniform_design xy_design_problem xy_optimal"
    ),
    "cpe_opt.problems.subsets": ("SubsetBandit planted_subsets"),
    "cpe_opt.formulations.subset_hardness": ("SubsetHardness subset_hardness"),
    "cpe_opt.problems.distributions": "Bernoulli Beta Empirical",
    "cpe_opt.problems.separable": (
        "BestSet OpinionSampling OwnModel SeparableModel SeparableProblem WaterPlan"
    ),
    "cpe_opt.problems.costs": ("Cost PiecewiseLinear Power Quadratic"),
    "cpe_opt.formulations.allocation": (
        "optimal_sample_allocation sample_allocation_problem sample_allocation_program"
    ),
    "cpe_opt.formulations.water": (
        "optimal_water_plan plan_value water_plan_problem water_plan_program"
    ),
    "cpe_opt.formulations.separable": (
        "SeparableHardness find_bi_monotone_violation separable_hardness"
    ),
    "cpe_opt.solvers": "SOLVERS solve solver_table",
    "cpe_opt.solvers.exporting": "export",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "INSTANCES",
    "REPRODUCTIONS",
    "SOLVERS",
    "Bernoulli",
    "BestSet",
    "Beta",
    "BipartiteGraph",
    "BordaHardness",
    "CcbRegretBound",
    "CondorcetHardness",
    "CopelandBound",
    "CopelandHardness",
    "Cost",
    "CpeOptError",
    "CutOptions",
    "CutRound",
    "DecisionClass",
    "Design",
    "EllipsoidMaximum",
    "Empirical",
    "ExportFailed",
    "GraphicMatroid",
    "InputError",
    "LazyProgram",
    "LinearProgram",
    "Lottery",
    "Matching",
    "MatchingDuels",
    "Matchings",
    "NoDuals",
    "NotOptimal",
    "OpinionSampling",
    "OwnModel",
    "PartitionMatroid",
    "Paths",
    "PiecewiseLinear",
    "Plan",
    "Power",
    "PreferenceMatrix",
    "ProgramBuilder",
    "Quadratic",
    "Residuals",
    "RowBlock",
    "SaddlePoint",
    "SeparableHardness",
    "SeparableModel",
    "SeparableProblem",
    "SolveResult",
    "SolverFailed",
    "SolverMissing",
    "SolverUnable",
    "SpanningTrees",
    "Status",
    "Subset",
    "SubsetBandit",
    "SubsetHardness",
    "TopK",
    "Trace",
    "UnknownName",
    "WaterPlan",
    "WriteFailed",
    "__version__",
    "best_subset",
    "borda_hardness",
    "borda_winner",
    "borda_winners",
    "ccb_regret_bound",
    "certify",
    "condorcet_hardness",
    "condorcet_program",
    "condorcet_value",
    "condorcet_winner",
    "copeland_hardness",
    "copeland_lower_bound",
    "copeland_program",
    "cycle_and_chain",
    "ecw_bound",
    "ecw_program",
    "efficient_rounding",
    "ellipsoid_program",
    "export",
    "find_bi_monotone_violation",
    "g_design_problem",
    "g_optimal",
    "learners",
    "load_instance",
    "matching_program",
    "max_weight_matching",
    "maximise_ellipsoid",
    "optimal_sample_allocation",
    "optimal_water_plan",
    "plan_value",
    "planted_condorcet",
    "planted_subsets",
    "random_walk_winners",
    "read_program",
    "reproduce",
    "run_experiment",
    "sample_allocation_problem",
    "sample_allocation_program",
    "second_best_matching",
    "second_best_subset",
    "separable_hardness",
    "simulate",
    "solve",
    "solver_table",
    "subset_hardness",
    "subset_program",
    "uniform_design",
    "von_neumann_program",
    "von_neumann_winner",
    "water_plan_problem",
    "water_plan_program",
    "xy_design_problem",
    "xy_optimal",
]


def __getattr__(name: str) -> Any:
    if name == "learners":
        return import_module("cpe_opt.learners")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'cpe_opt' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
