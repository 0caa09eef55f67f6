"""Mutants of the readers of model files and of the names that files can hold."""

from tests.mutants import of

MPS = "modelling/test_mps_reader.py"
LP = "modelling/test_lp_reader.py"
NAMES = "modelling/test_file_names.py"

MODEL_FILES = [
    *of(
        "modelling/mps_reader.py",
        MPS,
        ("self.parts.offset = 0.0 - value", "self.parts.offset = value"),
        ('(kind == "E" and width < 0.0)', '(kind == "E" and width > 0.0)'),
        ("lower = side - abs(width)", "lower = side - width"),
        ("upper = side + abs(width)", "upper = side + width"),
        ("if last.get(row, column) == column:", "if row not in last:"),
        ('self._known("row", row, self.kinds)\n            yield', "yield"),
        ('self._known("column", rest[0], columns)', "rest[0] in columns or columns.clear()"),
        ("if value < 0.0 and column not in lower_bounds:", "if False:"),
        ("upper=1.0)", "upper=np.inf)"),
        (
            "if column in upper_bounds:\n                continue",
            "if column in lower_bounds:\n                continue",
        ),
        ("if name and name != first:", "if not first:"),
        ('if kind in ("LI", "UI", "BV"):', 'if kind in ("LI", "UI"):'),
        ('"MI": (-np.inf, None),', '"MI": (-np.inf, np.inf),'),
        ("elif row == self.objective:", "else:"),
        ("if row in self.rhs:", "if False:"),
        ("if section in self.seen:", "if False:"),
        ('word.startswith("$")', "False"),
    ),
    *of(
        "modelling/lp_reader.py",
        LP,
        ("side = right[2] - left[2]", "side = right[2]"),
        ("left[1] + [-value for value in right[1]]", "left[1] + right[1]"),
        ("_TURNED[relation]\n        side", "relation\n        side"),
        ("ends = left[2] - middle[2], right[2] - middle[2]", "ends = left[2], right[2]"),
        ('ends if relation == "<" else ends[::-1]', "sorted(ends)"),
        ("relation != second or", ""),
        ("value, signed = -value if", "value, signed = -1.0 if"),
        ("ends = behind and not columns and self._breaks()", "ends = False"),
        ("if not behind and token[:1] in _DIGITS and", "if token[:1] in _DIGITS and"),
        ("parts.costs[column] += value", "parts.costs[column] = value"),
        ("if name not in self.parts.columns:", "if False:"),
        ("if not 0.0 <= bound <= 1.0:", "if False:"),
        ("stated.setdefault(column, (usual, line))", "stated.get(column, (usual, line))"),
        ("if not ended:", "if False:"),
        ("if kind in self.seen:", "if False:"),
        ("name.count(opening) != name.count(closing)", "False"),
        ("if name.lower() in _NO_NAMES:", "if False:"),
    ),
    *of(
        "modelling/model_file.py",
        f"{MPS} {LP}",
        ("float(Fraction(match[1]) / Fraction(match[2]))", "float(match[1])"),
        ("if before != value:", "if False:"),
        ("LARGEST = 1e15", "LARGEST = 1e16"),
        ("if name in self.rows:", "if False:"),
        ('content.decode("utf-8-sig")', 'content.decode("utf-8")'),
        (r're.compile(r"\r\n|\r|\n")', r're.compile(r"\r\n|\n")'),
    ),
    *of(
        "modelling/program.py",
        f"{MPS} modelling/test_program.py",
        ("ENDLESS = 1e20", "ENDLESS = 1e31"),
        ("np.isfinite(bounds) & (np.abs(bounds) >= ENDLESS)", "bounds == ENDLESS"),
    ),
    *of(
        "modelling/names.py",
        NAMES,
        ("own not in listed", "True"),
        ("while name in taken:", "while False:"),
        ('if line[:1] not in ("*", "\\\\", ""):', "if False:"),
        ('name[0] != "$"', "True"),
    ),
]
