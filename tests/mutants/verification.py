"""Mutants of what makes a solver's word a claim: certificates and their tolerances."""

from tests.mutants import of

CERTIFY = "modelling/test_certify.py"
REPAIR = "solvers/test_dual_repair.py"
CLAIMS = "solvers/test_claims.py"

VERIFICATION = [
    *of(
        "modelling/certify.py",
        f"{CERTIFY} {REPAIR} {CLAIMS}",
        ("ROUNDING = 1e-12", "ROUNDING = 1e-6"),
        ('sign = 1.0 if program.sense == "min" else -1.0\n    # A', "sign = 1.0\n    # A"),
        ("        multipliers > 0,\n", "        multipliers < 0,\n"),
        ("(multipliers > 0) & (lower == -math.inf)", "(multipliers > 0) & (upper == math.inf)"),
        ("((multipliers < 0) & (upper == math.inf))", "((multipliers < 0) & (upper == -math.inf))"),
        ("sign * value + program.offset", "sign * value"),
        ('gain = _TILT if program.sense == "min" else -_TILT', "gain = _TILT"),
        ("sides * program.costs[chosen] - gain", "sides * program.costs[chosen] + gain"),
        ("sides * program.costs[chosen] - gain", "program.costs[chosen] - gain"),
        ("@ sp.diags_array(sides)", "@ sp.diags_array(np.abs(sides))"),
        ("_TILT = 1e-6 ", "_TILT = 1e-15 "),
        ("lower.astype(np.float64) - upper", "lower.astype(np.float64) + upper"),
        ("(1.0 - share) * near + share * far", "near"),
        ("(1.0 - share) * near + share * far", "far"),
        ("sign * blend, dtype", "blend, dtype"),
        ("if (slack[1] < needed).any():", "if False:"),
        (".max(initial=0.0)\n    blend", ".min(initial=0.0)\n    blend"),
    ),
    *of(
        "solvers/verification.py",
        f"{CLAIMS} {REPAIR}",
        (
            "if proof is not None and proof.bound is not None:\n                return",
            "if True:\n                return",
        ),
        ("> _RAY * float(", "> _RAY * 0.0 * float("),
        ('-gain if cone.sense == "min" else gain', 'gain if cone.sense == "min" else gain'),
        (
            "np.isfinite(program.column_lower), 0.0, -1.0)",
            "np.isfinite(program.column_lower), -1.0, -1.0)",
        ),
        (
            "np.isfinite(program.row_upper), 0.0, np.inf)",
            "np.isfinite(program.row_upper), np.inf, np.inf)",
        ),
        ("if lead < -tolerance:", "if False:"),
        ("max(_PROVED, ROUNDING * proof.terms)", "_PROVED"),
    ),
]
