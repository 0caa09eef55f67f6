"""Mutants of certificates and their tolerances, and of what files are read as."""

from tests.mutants import killed_by

CERTIFY = "modelling/test_certify.py"
CLAIMS = "solvers/test_claims.py"
CONE_DUALITY = "modelling/test_cone_duality.py"
DUAL_REPAIR = "solvers/test_dual_repair.py"
ENGINE = "experiments/test_engine.py"
FURTHER_LOGS = "problems/dueling/test_further_logs.py"
LP_READER = "modelling/test_lp_reader.py"
MPS_READER = "modelling/test_mps_reader.py"
PREFLIB = "problems/dueling/test_preflib.py"
PROGRAM = "modelling/test_program.py"
SHARDS = "experiments/test_shards.py"

VERIFICATION = [
    *killed_by(
        f"{CERTIFY} {DUAL_REPAIR} {CLAIMS}",
        ("ROUNDING", "1e-12", "1e-06"),
        ("dual_proof", "1.0 if program.sense == 'min' else -1.0", "1.0"),
        (
            "_asks_infinity",
            "(multipliers > 0) & (lower == -math.inf)",
            "(multipliers > 0) & (upper == math.inf)",
        ),
        ("dual_proof", "sign * value + program.offset", "sign * value"),
        (
            "interior_program",
            "sides * program.costs[chosen] - gain",
            "sides * program.costs[chosen] + gain",
        ),
        ("_single_sides", "lower.astype(np.float64) - upper", "lower.astype(np.float64) + upper"),
        ("blended_duals", "(1.0 - share) * near + share * far", "far"),
        ("blended_duals", "if (slack[1] < needed).any():", "if False:"),
    ),
    *killed_by(
        f"{CLAIMS} {DUAL_REPAIR} {CONE_DUALITY}",
        ("Verifier._other_proof", "if proof is not None and proof.bound is not None", "if True"),
        (
            "Verifier._ray",
            "-gain if cone.sense == 'min' else gain",
            "gain if cone.sense == 'min' else gain",
        ),
        (
            "Verifier._ray",
            "np.isfinite(program.column_lower), 0.0, -1.0)",
            "np.isfinite(program.column_lower), -1.0, -1.0)",
        ),
        (
            "Verifier._ray",
            "np.isfinite(program.row_upper), 0.0, np.inf)",
            "np.isfinite(program.row_upper), np.inf, np.inf)",
        ),
        ("Verifier.judged", "if lead < -tolerance:", "if False:"),
        ("Verifier._infeasible", "max(_PROVED, ROUNDING * proof.terms)", "_PROVED"),
        (
            "Verifier.judged_conic",
            "max(tolerance, _TERMS * accuracy * raw.terms)",
            "max(tolerance, raw.terms)",
        ),
    ),
    *killed_by(
        CONE_DUALITY,
        ("cone_proof", "best = max(best, value - charge)", "best = max(best, value)"),
        ("ConeData.dual_objective", "-(self.sides @ z) - 0.5", "-(self.sides @ z) + 0.5"),
        (
            "ConeData.residual",
            "self.costs + self.matrix.T @ z + self.quadratic @ w",
            "self.costs + self.matrix.T @ z",
        ),
        ("cone_proof", "if charge <= _CHARGE * abs(value):", "if True:"),
        ("_inside", "dims.zero + dims.nonneg", "dims.zero"),
        ("_psd_member", "[0] >= _TINY * np.trace(matrix)", "[-1] >= _TINY * np.trace(matrix)"),
        ("_pow_member", "(1.0 - 4.0 * _TINY) >= abs(w)", "2.0 >= abs(w)"),
        ("_in_sense", "sign * (proof.bound + offset)", "sign * proof.bound + offset"),
    ),
    *killed_by(
        MPS_READER,
        ("_Reader._read_rhs", "self.parts.offset = 0.0 - value", "self.parts.offset = value"),
        ("_Reader._finish", "(kind == 'E' and width < 0.0)", "(kind == 'E' and width > 0.0)"),
        ("_Reader._finish", "lower = side - abs(width)", "lower = side - width"),
        ("_Reader._bound", "'MI': (-np.inf, None),", "'MI': (-np.inf, np.inf),"),
    ),
    *killed_by(
        f"{MPS_READER} {PROGRAM}",
        ("_check_finite", "np.isfinite(bounds) & (np.abs(bounds) >= ENDLESS)", "bounds == ENDLESS"),
    ),
    *killed_by(
        LP_READER,
        ("_Reader._add_row", "side = right[2] - left[2]", "side = right[2]"),
        ("_Reader._add_row", "left[1] + [-value for value in right[1]]", "left[1] + right[1]"),
        ("_Reader._add_row", "_TURNED[relation]", "relation"),
        ("_Reader._read_objective", "parts.costs[column] += value", "parts.costs[column] = value"),
    ),
    *killed_by(
        PREFLIB,
        ("read_preflib", "selected = wins + wins.T < voters", "selected = wins + wins.T > voters"),
        ("read_preflib", "+ 0.5 * level", "+ level"),
        ("VoteCounts.proving", "np.where(self.selected, 0.0, self.wins)", "self.wins"),
        ("statements", "votes.proving_wins, votes.independent", "votes.wins, votes.independent"),
    ),
    *killed_by(
        FURTHER_LOGS,
        ("_shares", "1.0 * (of_word[codes] == first)", "1.0 * (of_word[codes] == second)"),
    ),
    *killed_by(
        SHARDS,
        ("read_file", "page_checksum_verification=True", "page_checksum_verification=False"),
        ("_check_footer", "metadata.num_rows != span.size", "metadata.num_rows > span.size"),
    ),
    *killed_by(
        ENGINE,
        ("_digest", "'source': source_digest(), ", ""),
    ),
]
