"""The public names and their homes, the one list of them."""

from . import (
    learners as learners,
)
from .errors import (
    CpeOptError as CpeOptError,
    InputError as InputError,
)
from .experiments.calls import (
    calls_needed as calls_needed,
)
from .experiments.engine import (
    run_experiment as run_experiment,
)
from .experiments.planning import (
    LearnerSpec as LearnerSpec,
)
from .formats.answer_rows import (
    read_answer_rows as read_answer_rows,
)
from .formats.observations import (
    read_item_clusters as read_item_clusters,
    read_item_duels as read_item_duels,
    read_item_scores as read_item_scores,
    read_observations as read_observations,
    read_panel as read_panel,
    read_scores as read_scores,
    write_item_duels as write_item_duels,
    write_scores as write_scores,
)
from .formats.prices import (
    read_prices as read_prices,
)
from .formats.problems import (
    load_problem as load_problem,
    read_matrix as read_matrix,
    write_problem as write_problem,
)
from .formats.votes import (
    read_votes as read_votes,
    read_votes_by as read_votes_by,
    write_votes as write_votes,
)
from .formulations.designs.optimal import (
    g_design as g_design,
    g_design_program as g_design_program,
    xy_design as xy_design,
    xy_design_program as xy_design_program,
)
from .formulations.designs.uniform import (
    uniform_design as uniform_design,
)
from .formulations.dueling.borda_time import (
    borda_time as borda_time,
    borda_time_program as borda_time_program,
)
from .formulations.dueling.cheapest_flips import (
    cheapest_flips as cheapest_flips,
    cheapest_flips_program as cheapest_flips_program,
)
from .formulations.dueling.condorcet_time import (
    condorcet_time as condorcet_time,
    condorcet_time_program as condorcet_time_program,
)
from .formulations.dueling.copeland_time import (
    copeland_time as copeland_time,
    copeland_time_program as copeland_time_program,
)
from .formulations.dueling.lower_bound import (
    copeland_bound as copeland_bound,
    copeland_bound_program as copeland_bound_program,
    ecw_bound as ecw_bound,
    ecw_bound_program as ecw_bound_program,
)
from .formulations.dueling.voting import (
    von_neumann_winner as von_neumann_winner,
    von_neumann_winner_program as von_neumann_winner_program,
)
from .formulations.matchings.assignment import (
    best_matching as best_matching,
    best_matching_program as best_matching_program,
)
from .formulations.matchings.condorcet_value import (
    borda_winner as borda_winner,
    condorcet_value as condorcet_value,
    condorcet_value_program as condorcet_value_program,
    condorcet_winner as condorcet_winner,
)
from .formulations.matchings.matching_time import (
    matching_time as matching_time,
    matching_time_program as matching_time_program,
)
from .formulations.quadratic.maximise import (
    ellipsoid_maximum as ellipsoid_maximum,
    ellipsoid_maximum_program as ellipsoid_maximum_program,
)
from .formulations.separable.sample_allocation import (
    sample_allocation as sample_allocation,
    sample_allocation_program as sample_allocation_program,
)
from .formulations.separable.water_plan import (
    water_plan as water_plan,
    water_plan_program as water_plan_program,
)
from .formulations.subsets.oracle import (
    best_subset as best_subset,
    best_subset_program as best_subset_program,
)
from .formulations.subsets.subset_time import (
    subset_time as subset_time,
    subset_time_program as subset_time_program,
)
from .hardness.dueling import (
    copeland_hardness as copeland_hardness,
)
from .hardness.matchings import (
    borda_hardness as borda_hardness,
    condorcet_hardness as condorcet_hardness,
)
from .hardness.separable import (
    separable_hardness as separable_hardness,
)
from .hardness.subsets import (
    subset_hardness as subset_hardness,
)
from .modelling.builder import (
    ProgramBuilder as ProgramBuilder,
)
from .modelling.conic import (
    ConicProgram as ConicProgram,
)
from .modelling.program import (
    LazyProgram as LazyProgram,
    LinearProgram as LinearProgram,
)
from .modelling.quadratic import (
    QuadraticProgram as QuadraticProgram,
)
from .modelling.reading import (
    read_program as read_program,
)
from .modelling.result import (
    NotOptimal as NotOptimal,
)
from .problems.catalogue import (
    INSTANCES as INSTANCES,
    load_instance as load_instance,
)
from .problems.dueling.items import (
    ItemDuels as ItemDuels,
)
from .problems.dueling.preferences import (
    PreferenceMatrix as PreferenceMatrix,
)
from .problems.dueling.votes import (
    Votes as Votes,
)
from .problems.generators import (
    planted_condorcet as planted_condorcet,
    planted_subsets as planted_subsets,
    random_items as random_items,
)
from .problems.matchings.bipartite import (
    BipartiteGraph as BipartiteGraph,
)
from .problems.matchings.decisions import Matchings as Matchings
from .problems.matchings.duels import (
    MatchingDuels as MatchingDuels,
)
from .problems.problem import (
    Problem as Problem,
)
from .problems.queries import (
    Batch as Batch,
    CellSums as CellSums,
    Duel as Duel,
    Pull as Pull,
    PullSets as PullSets,
)
from .problems.separable.model import (
    BestSet as BestSet,
    CustomModel as CustomModel,
    OpinionSampling as OpinionSampling,
)
from .problems.separable.problem import (
    Bernoulli as Bernoulli,
    Beta as Beta,
    Empirical as Empirical,
    SeparableProblem as SeparableProblem,
)
from .problems.separable.water_plan import (
    PiecewiseLinear as PiecewiseLinear,
    Power as Power,
    Quadratic as Quadratic,
    WaterPlan as WaterPlan,
)
from .problems.subsets.bandit import (
    SubsetBandit as SubsetBandit,
)
from .problems.subsets.decisions import DecisionClass as DecisionClass
from .problems.subsets.edge_sets import (
    Paths as Paths,
    SpanningTrees as SpanningTrees,
)
from .problems.subsets.item_scores import (
    ItemScores as ItemScores,
)
from .problems.subsets.matroids import (
    PartitionMatroid as PartitionMatroid,
    TopK as TopK,
)
from .problems.subsets.team_scores import TeamScores as TeamScores
from .reports.analysis import (
    analyse as analyse,
)
from .reports.checks import (
    check_answers as check_answers,
)
from .reports.curves import (
    plot_calls as plot_calls,
    plot_regret as plot_regret,
)
from .reports.evidence import (
    evidence as evidence,
    evidence_by as evidence_by,
)
from .reports.evidence_plot import (
    plot_evidence as plot_evidence,
    plot_ranks as plot_ranks,
)
from .reports.panel_evidence import (
    panel_evidence as panel_evidence,
)
from .reports.team_evidence import (
    team_evidence as team_evidence,
)
from .reports.two_arms import two_arms as two_arms
from .sessions.best_of import (
    best_of as best_of,
)
from .sessions.session import (
    Session as Session,
)
from .simulation.driver import (
    simulate as simulate,
)
from .solvers.certificate import (
    certificate as certificate,
)
from .solvers.explain import (
    infeasible_rows as infeasible_rows,
    unbounded_ray as unbounded_ray,
)
from .solvers.exporting import (
    export as export,
)
from .solvers.ranging import (
    ranging as ranging,
)
from .solvers.recording import (
    recording as recording,
)
from .solvers.registry import (
    SOLVERS as SOLVERS,
)
from .solvers.solve import (
    solve as solve,
)

__version__: str
