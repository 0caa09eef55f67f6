"""Mutants of certificates and their tolerances, and of what files are read as."""

from tests.mutants import killed_by

CERTIFICATE = "solvers/test_certificate.py"
CERTIFY = "modelling/test_certify.py"
CONE_DUALITY = "modelling/test_cone_duality.py"
EXACT = "solvers/test_exact.py"
INFEASIBLE_ROWS = "solvers/test_infeasible_rows.py"
PREFLIB = "formats/test_preflib.py"
QUADRATIC = "modelling/test_quadratic.py"
RANGING = "solvers/test_ranging.py"
SOLVED_QUADRATIC = "solvers/test_quadratic.py"
UNBOUNDED_RAY = "solvers/test_unbounded_ray.py"
VERIFIED = "solvers/test_verification.py"

VERIFICATION = [
    *killed_by(
        f"{CERTIFICATE}::test_what_is_false_is_refused_by_the_checker_and_by_the_package",
        (
            "ProgramCertificate.fault",
            "self.claim == 'optimal' and self.value != self.bound",
            "False",
        ),
        (
            "ProgramCertificate.fault",
            "if (broken := exact.broken(self.point)):",
            "if (broken := ''):",
        ),
        ("ExactProgram.broken", "values[j].denominator != 1", "False"),
        ("ExactProgram.is_ray", "kept and self.total(ray) < 0", "kept"),
        ("ExactProgram.disproved", "bare and proved <= 0", "bare and proved < 0"),
        ("ExactProgram.disproved", "self.raised(proved) < least", "False"),
        ("ExactProgram.disproved", "'a branch has no proof' if left else ''", "''"),
        ("ExactProgram.raised", "not self.program.integer[costly].all()", "False"),
        ("branched", "max(lower, at + 1)", "max(lower, at + 2)"),
    ),
    *killed_by(
        f"{CERTIFICATE}::test_claims_are_those_of_enumeration_and_the_checker_accepts_them",
        ("ExactProgram.value", "self.offset + self.sign", "self.sign"),
        ("_Tree._solved", "self.exact.raised(bound) >= self.best", "True"),
    ),
    *killed_by(
        f"{CERTIFICATE}::test_a_point_better_than_the_solver_s_is_taken",
        ("_Tree._take_solver_point", "not self.exact.broken(end.x)", "True"),
    ),
    *killed_by(
        f"{EXACT}::test_pivots_from_every_basis_end_at_the_truth",
        ("simplex", "room < step", "room > step"),
        ("simplex", "-1 if values[k] < v else 1", "1"),
        ("_has_wrong_sign", "side[slope < 0]", "side[slope > 0]"),
    ),
    *killed_by(
        f"{VERIFIED}::test_what_numbers_contradict_is_not_believed",
        ("tolerances", "TOLERANCE * side", "1000.0 * TOLERANCE * side"),
        ("_point", "TOLERANCE * np.maximum(1.0", "10.0 * TOLERANCE * np.maximum(1.0"),
        ("Verifier.verified", "program.is_integer and ahead > within", "False"),
        ("Verifier.verified", "abs(ahead) <= within", "ahead <= within"),
    ),
    *killed_by(
        f"{VERIFIED}::test_large_coefficients_do_not_hide_a_broken_row",
        ("_point", "x[linear.integer] = whole", "pass"),
    ),
    *killed_by(
        f"{VERIFIED}::test_no_word_of_two_solvers_makes_a_program_of_far_numbers_infeasible",
        ("Verifier._second_look", "narrow and _is_ordinary(bare, None)", "True"),
    ),
    *killed_by(
        f"{VERIFIED}::test_what_residuals_may_move_is_said",
        ("certify", "np.abs(proof.row_duals) @ broken", "0.5 * np.abs(proof.row_duals) @ broken"),
        ("dual_proof", "sign * value + program.offset", "sign * value"),
    ),
    *killed_by(
        f"{VERIFIED}::test_no_ray_is_claimed_where_there_is_an_optimum",
        ("_RAY", "1e-12", "1e-10"),
    ),
    *killed_by(
        f"{VERIFIED}::test_rows_that_contradict_each_other_only_by_rounding_are_not_called_infeasible",
        ("Verifier.contradiction", "ROUNDING * proof.terms", "0.0"),
    ),
    *killed_by(
        f"{VERIFIED}::test_duals_of_wrong_signs_are_replaced_by_interior_ones",
        ("_INTERIOR", "'ipm'", "'simplex'"),
    ),
    *killed_by(
        f"{VERIFIED}::test_what_rounding_left_of_a_multiplier_is_taken_for_0",
        ("_NOISE", "1e-14", "0.0"),
    ),
    *killed_by(
        f"{VERIFIED}::test_an_unbounded_program_has_no_value_and_no_gap",
        ("improves", "-1.0 if program.sense == 'min' else 1.0", "1.0"),
    ),
    *killed_by(
        f"{CERTIFY}::test_optimal_pair_has_no_residuals",
        ("dual_proof", "1.0 if program.sense == 'min' else -1.0", "1.0"),
        (
            "_asks_infinity",
            "(multipliers > 0) & (lower == -math.inf)",
            "(multipliers > 0) & (upper == math.inf)",
        ),
    ),
    *killed_by(
        f"{UNBOUNDED_RAY}::test_what_a_ray_is",
        ("improves", "np.where(np.isfinite(program.row_upper), activity, 0.0)", "0.0 * activity"),
        ("improves", "np.where(np.isfinite(program.row_lower), -activity, 0.0)", "0.0 * activity"),
        ("improves", "gain > _GAIN", "gain >= _GAIN"),
    ),
    *killed_by(
        f"{UNBOUNDED_RAY}::test_a_bound_ends_a_ray",
        ("improves", "(falls & np.isfinite(program.column_lower))", "falls[:0]"),
        ("improves", "(rises & np.isfinite(program.column_upper))", "rises[:0]"),
    ),
    *killed_by(
        f"{UNBOUNDED_RAY}::test_columns_of_other_units_have_rays_in_them",
        ("_direction", "box.column_upper) / sizes", "box.column_upper)"),
    ),
    *killed_by(
        f"{UNBOUNDED_RAY}::test_only_whole_columns_need_whole_steps",
        ("_readable", "moves & program.integer", "moves & False"),
    ),
    *killed_by(
        f"{INFEASIBLE_ROWS}::test_whole_columns_are_named_where_they_matter",
        ("infeasible_rows", "np.flatnonzero(kept)", "np.flatnonzero(kept)[:-1]"),
        ("infeasible_rows", "kept = rest", "pass"),
    ),
    *killed_by(
        f"{INFEASIBLE_ROWS}::test_a_linear_program_is_searched_from_the_members_of_a_proof",
        ("infeasible_rows", "if multipliers is None", "if True"),
    ),
    *killed_by(
        f"{INFEASIBLE_ROWS}::test_factors_are_in_the_units_of_the_program",
        ("_multipliers", "solution, 0.0) / sizes", "solution, 0.0)"),
    ),
    *killed_by(
        f"{INFEASIBLE_ROWS}::test_sets_of_random_programs_are_irreducible",
        ("_described", "float(multipliers @", "float(-multipliers @"),
    ),
    *killed_by(
        f"{RANGING}::test_intervals_of_random_programs_end_where_they_say",
        ("_sides", "('upper', upper, value, math.inf)", "('upper', upper, upper, math.inf)"),
        ("_ranging", "[*intervals.col_bound_up", "[*intervals.col_bound_dn"),
    ),
    *killed_by(
        f"{RANGING}::test_sides_end_where_they_meet_the_other_side",
        ("_ranging", "side in (lies[k], 'equal')", "side == lies[k]"),
    ),
    *killed_by(
        f"{RANGING}::test_degenerate_points_and_other_optima_are_said",
        ("_ranging", "(basic & tight)", "basic[:0]"),
        ("_ranging", "(flat & ~basic & (lower < upper))", "(~basic & (lower < upper))"),
    ),
    *killed_by(
        f"{RANGING}::test_what_has_no_basis_is_refused",
        ("ranging", "> _AGREE", "> 1000.0 * _AGREE * max(1e9, 1.0)"),
    ),
    *killed_by(
        f"{CONE_DUALITY}::test_optima_have_bounds_from_the_dual_cone",
        ("cone_proof", "best = max(best, value - charge)", "best = max(best, value)"),
        ("ConeData.dual_objective", "-(self.sides @ z) - 0.5", "-(self.sides @ z) + 0.5"),
        (
            "ConeData.residual",
            "self.costs + self.matrix.T @ z + self.quadratic @ w",
            "self.costs + self.matrix.T @ z",
        ),
    ),
    *killed_by(
        f"{CONE_DUALITY}::test_multipliers_outside_of_the_dual_cone_prove_nothing",
        ("_inside", "dims.zero + dims.nonneg", "dims.zero"),
    ),
    *killed_by(
        f"{CONE_DUALITY}::test_bounds_are_true_of_any_multipliers",
        ("_margin", "np.linalg.eigvalsh(matrices)[:, 0]", "np.linalg.eigvalsh(matrices)[:, -1]"),
        ("_margin", "(1.0 - 2.0 * z.shape[1] * _TINY)", "2.0"),
    ),
    *killed_by(
        f"{PREFLIB}::test_only_pairs_that_some_ranking_leaves_out_are_selected",
        ("read_preflib", "selected = duels < voters", "selected = duels > voters"),
        ("VoteCounts.proving", "np.where(self.selected, 0.0, self.wins)", "self.wins"),
    ),
    *killed_by(
        f"{PREFLIB}::test_a_tie_is_half_a_win_of_a_ranking_that_names_neither",
        ("read_preflib", "+ 0.5 * level", "+ level"),
    ),
    *killed_by(
        f"{PREFLIB}::test_selected_pairs_prove_nothing_of_borda_scores",
        ("_of_borda_scores", "votes.proving_wins", "votes.wins"),
    ),
    *killed_by(
        f"{QUADRATIC}::test_the_objective_has_one_half_of_the_matrix_and_the_builder_has_none",
        ("QuadraticProgram.objective", "value + 0.5 *", "value + 1.0 *"),
        ("ProgramBuilder.build", "half + half.T", "half"),
    ),
    *killed_by(
        f"{QUADRATIC}::test_the_tangent_touches_and_bounds_the_objective",
        ("QuadraticProgram.tangent", "- 0.5 * float(point @ change)", "- float(point @ change)"),
    ),
    *killed_by(
        f"{QUADRATIC}::test_the_bound_of_duals_is_that_of_the_closed_form_and_never_above_it",
        ("QuadraticProgram.lifted", "-0.5 * (matrix @ point)", "0.0 * (matrix @ point)"),
        ("wolfe_proof", "program.lifted(point)[0]", "lifted"),
    ),
    *killed_by(
        f"{QUADRATIC}::test_rounding_makes_no_objective_concave_and_more_than_that_is_found",
        ("_by_pivots", "(pivots > 0.0).all()", "True"),
        ("_by_pivots", "[factors.perm_r]", ""),
    ),
    *killed_by(
        f"{SOLVED_QUADRATIC}::test_there_is_no_optimum",
        ("QuadraticProgram.recession", "self.lifted(np.zeros(self.shape[1]))[0]", "self.linear"),
    ),
    *killed_by(
        f"{SOLVED_QUADRATIC}::test_the_nearest_point_of_the_simplex",
        ("Highs._solve_quadratic", "row_duals=-raw.row_duals", "row_duals=raw.row_duals"),
    ),
]
