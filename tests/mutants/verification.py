"""Mutants of certificates and their tolerances, and of what files are read as."""

from tests.mutants import killed_by

CERTIFICATE = "solvers/test_certificate.py"
CERTIFY = "modelling/test_certify.py"
CONFORMANCE = "solvers/test_conformance.py"
CONES = "solvers/test_cones.py"
EXPLAIN = "solvers/test_explain.py"
PREFLIB = "formats/test_preflib.py"
QUADRATIC = "modelling/test_quadratic.py"
RANGING = "solvers/test_ranging.py"
SOLVED_QUADRATIC = "solvers/test_quadratic.py"
VERIFIED = "solvers/test_verification.py"

VERIFICATION = [
    *killed_by(
        f"{CERTIFICATE}::test_what_is_false_is_refused_by_the_checker_and_by_the_package",
        (
            "ProgramCertificate.holds",
            "all((low <= v <= up for v, (low, up) in zip(values, exact.sides, strict=True)))",
            "True",
        ),
        ("ProgramCertificate.holds", "values[j].denominator == 1", "True"),
        ("ProgramCertificate.holds", "exact.objective(self.point) == self.value", "True"),
        ("_proves", "_ZERO] * len(exact.costs), sides) <=", "_ZERO] * len(exact.costs), sides) <"),
        ("_proves", "exact.proved(node.multipliers, exact.costs, sides) < least", "False"),
        ("_proves", "return not left", "return True"),
        ("_proves", "not exact.program.integer[node.column]", "False"),
        ("_branched", "Fraction(node.at + 1)", "Fraction(node.at + 2)"),
    ),
    *killed_by(
        f"{CERTIFICATE}::test_claims_are_those_of_enumeration_and_the_checker_accepts_them",
        ("ExactProgram.objective", "Fraction(self.program.offset) + self.sign", "self.sign"),
        ("_solved_node", "exact.total(x) >= exact.total(best)", "True"),
    ),
    *killed_by(
        f"{CERTIFICATE}::test_pivots_from_every_basis_end_at_the_truth",
        ("simplex", "room < step", "room > step"),
        ("simplex", "{k: 1 for k in basic", "{k: -1 for k in basic"),
        ("simplex", "sides[k][slope < 0]", "sides[k][slope > 0]"),
    ),
    *killed_by(
        f"{VERIFIED}::test_what_numbers_contradict_is_not_believed",
        ("tolerances", "TOLERANCE * side", "1000.0 * TOLERANCE * side"),
        ("_point", "TOLERANCE * np.maximum(1.0", "10.0 * TOLERANCE * np.maximum(1.0"),
        ("Verifier.verified", "program.is_integer and (not broken) and (ahead > within)", "False"),
        ("Verifier.verified", "abs(ahead) <= within", "ahead <= within"),
    ),
    *killed_by(
        f"{VERIFIED}::test_large_coefficients_do_not_hide_a_broken_row",
        ("_point", "x[linear.integer] = whole", "pass"),
    ),
    *killed_by(
        f"{VERIFIED}::test_no_word_of_two_solvers_makes_a_program_of_far_numbers_infeasible",
        ("Verifier._has_whole_point", "narrow and _is_ordinary(bare, None)", "True"),
    ),
    *killed_by(
        f"{VERIFIED}::test_what_residuals_may_move_is_said",
        ("residuals_of", "np.abs(proof.row_duals) @", "0.5 * np.abs(proof.row_duals) @"),
        ("dual_proof", "sign * value + program.offset", "sign * value"),
    ),
    *killed_by(
        f"{VERIFIED}::test_no_ray_is_claimed_where_there_is_an_optimum",
        ("_RAY", "1e-12", "1e-10"),
    ),
    *killed_by(
        f"{VERIFIED}::test_rows_that_contradict_each_other_only_by_rounding_are_not_called_infeasible",
        ("Verifier._has_point", "ROUNDING * proof.terms", "0.0"),
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
        ("improves", "-sign_of(program)", "1.0"),
    ),
    *killed_by(
        f"{CERTIFY}::test_optimal_pair_has_no_residuals",
        ("sign_of", "1.0 if program.sense == 'min' else -1.0", "1.0"),
        ("_asks_infinity", "> 0) & (lower == -math.inf)", "> 0) & (upper == math.inf)"),
    ),
    *killed_by(
        f"{EXPLAIN}::test_what_a_ray_is",
        ("improves", "np.where(np.isfinite(program.row_upper), activity, 0.0)", "0.0 * activity"),
        ("improves", "np.where(np.isfinite(program.row_lower), -activity, 0.0)", "0.0 * activity"),
        ("improves", "gain > _GAIN", "gain >= _GAIN"),
        ("improves", "(falls & np.isfinite(program.column_lower))", "falls[:0]"),
        ("improves", "(rises & np.isfinite(program.column_upper))", "rises[:0]"),
    ),
    *killed_by(
        f"{EXPLAIN}::test_only_whole_columns_need_whole_steps",
        ("_readable", "program.integer if program.is_integer", "program.integer if False"),
    ),
    *killed_by(
        f"{EXPLAIN}::test_whole_columns_are_named_and_both_sides_may_be_needed",
        ("infeasible_rows", "np.flatnonzero(kept)", "np.flatnonzero(kept)[:-1]"),
        ("infeasible_rows", "kept = rest", "pass"),
    ),
    *killed_by(
        f"{EXPLAIN}::test_a_linear_program_is_searched_from_the_members_of_a_proof",
        ("_contradicting", "members[members] = factors > 0.0", "pass"),
    ),
    *killed_by(
        f"{RANGING}::test_intervals_of_random_programs_end_where_they_say",
        ("_lines", "math.inf if side == 'upper' else points[k]", "points[k]"),
        ("_lines", "[*intervals.col_bound_up", "[*intervals.col_bound_dn"),
    ),
    *killed_by(
        f"{RANGING}::test_sides_end_where_they_meet_the_other_side",
        ("_lines", "side in (lies[k], 'equal')", "side == lies[k]"),
    ),
    *killed_by(
        f"{RANGING}::test_what_has_no_basis_is_refused",
        ("ranging", "> _AGREE", "> 1000.0 * _AGREE * max(1e9, 1.0)"),
    ),
    *killed_by(
        f"{CONES}::test_optima_have_bounds_from_the_dual_cone",
        ("cone_proof", "best = max(best, value - charge)", "best = max(best, value)"),
        ("ConeData.dual_objective", "-(self.sides @ z) - 0.5", "-(self.sides @ z) + 0.5"),
        ("ConeData.residual", "+ self.matrix.T @ z + self.quadratic @ w", "+ self.matrix.T @ z"),
    ),
    *killed_by(
        f"{CONES}::test_multipliers_outside_of_the_dual_cone_prove_nothing",
        ("_inside", "dims.zero + dims.nonneg", "dims.zero"),
    ),
    *killed_by(
        f"{CONES}::test_bounds_are_true_of_any_multipliers",
        ("_margin", "np.linalg.eigvalsh(matrices)[:, 0]", "np.linalg.eigvalsh(matrices)[:, -1]"),
        ("_margin", "v - u - logs", "v - 2.0 * u - logs"),
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
        f"{QUADRATIC}::test_no_tangent_and_no_bound_is_above_any_point_of_random_programs",
        ("QuadraticProgram.tangent", "- 0.5 * float(point @ change)", "- float(point @ change)"),
    ),
    *killed_by(
        f"{QUADRATIC}::test_the_bound_of_duals_is_that_of_the_closed_form_and_never_above_it",
        ("QuadraticProgram.lifted", "-0.5 * (matrix @ point)", "0.0 * (matrix @ point)"),
        ("wolfe_proof", "program.lifted(point)[0]", "lifted"),
    ),
    *killed_by(
        f"{QUADRATIC}::test_rounding_makes_no_objective_concave_and_more_than_that_is_found",
        ("_is_semidefinite", "(factors.U.diagonal() > 0.0).all()", "True"),
        ("_is_semidefinite", "1.0 / np.sqrt(diagonal[used])", "np.ones(len(used))"),
    ),
    *killed_by(
        f"{SOLVED_QUADRATIC}::test_there_is_no_optimum",
        ("QuadraticProgram.recession", "self.lifted(np.zeros(self.shape[1]))[0]", "self.linear"),
    ),
    *killed_by(
        f"{CONFORMANCE}::test_quadratic_programs",
        ("Highs._solve_quadratic", "row_duals=-raw.row_duals", "row_duals=raw.row_duals"),
    ),
]
