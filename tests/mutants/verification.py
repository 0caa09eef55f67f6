"""Mutants of what makes a solver's word a claim: certificates and their tolerances."""

from tests.mutants import of

CERTIFY = "modelling/test_certify.py"
REPAIR = "solvers/test_dual_repair.py"
CLAIMS = "solvers/test_claims.py"
CONES = "modelling/test_cone_duality.py"

VERIFICATION = [
    *of(
        "modelling/certify.py",
        f"{CERTIFY} {REPAIR} {CLAIMS}",
        ("ROUNDING = 1e-12", "ROUNDING = 1e-6"),
        ("_NOISE = 1e-14 ", "_NOISE = 0.0 "),
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
        "modelling/cone_duality.py",
        CONES,
        ("best = max(best, value - charge)", "best = max(best, value)"),
        ("best = max(best, value - charge)", "best = max(best, value + charge)"),
        ("-(self.sides @ z) - 0.5", "-(self.sides @ z) + 0.5"),
        ("-(self.sides @ z) - 0.5", "-(self.sides @ z) - 1.0"),
        ("self.costs + self.matrix.T @ z + self.quadratic @ w", "self.costs + self.matrix.T @ z"),
        ("_REACH = 1e3", "_REACH = 1e-3"),
        ("right[: self._count] = -residual", "right[: self._count] = residual"),
        ("if charge <= _CHARGE * abs(value):", "if True:"),
        ("(parts[:, 0] * (1.0 - _TINY) <", "(2.0 * parts[:, 0] <"),
        ("z[dims.zero : dims.zero + dims.nonneg] < 0.0", "z[dims.zero : dims.zero] < 0.0"),
        ("[0] >= _TINY * np.trace(matrix)", "[-1] >= _TINY * np.trace(matrix)"),
        ("v - u - u * log >= _TINY", "v + 1.0 - u - u * log >= _TINY"),
        ("(1.0 - 4.0 * _TINY) >= abs(w)", "2.0 >= abs(w)"),
        ("np.where(i == j, z, z / np.sqrt(2.0))", "np.where(i == j, z, z)"),
    ),
    *of(
        "solvers/conic.py",
        CONES,
        ("sign * (proof.bound + offset)", "sign * proof.bound + offset"),
        ("sign = -1.0 if problem.objective", "sign = 1.0 if problem.objective"),
    ),
    *of(
        "solvers/verification.py",
        f"{CLAIMS} {REPAIR} {CONES}",
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
        ("max(tolerance, _TERMS * accuracy * raw.terms)", "max(tolerance, raw.terms)"),
    ),
]
