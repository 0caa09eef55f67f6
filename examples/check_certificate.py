"""Check a certificate of cpe_opt with nothing but Python's own fractions and json.

    python check_certificate.py FILE

A certificate holds a program in rational numbers, a claim about it, and what proves the claim:

    minimise (or maximise)  offset + c'x   subject to   l <= A x <= u,  lower <= x <= upper,
                            x_j whole for some columns j.

All of it is computed here without rounding. A maximisation is taken as the minimisation of -c'x.
For any multipliers y of the rows let z = c - A'y. Then every point of the program has
c'x = y'(A x) + z'x, which is at least the sum of y_i l_i for y_i > 0, y_i u_i for y_i < 0, z_j
lower_j for z_j > 0 and z_j upper_j for z_j < 0, if no term needs an infinite side. This sum is a
bound; with 0 in place of c, a sum above 0 shows that there is no point.

"optimal" and "bounded" have a point, its value, and a bound that no point passes, for "optimal" the
same number; "infeasible" has no point; "unbounded" has one, and a ray that improves the objective
for ever. Bounds and infeasibility are proved by nodes in preorder: a branch at a whole column
(first x <= k, then x >= k + 1), or a leaf where multipliers prove the bound or a contradiction, or
where a column has no value left.
"""

import json
import sys
from fractions import Fraction

INFINITE = float("inf")
ENDS = (("lower", -INFINITE), ("upper", INFINITE))
BOTH = {"value", "bound", "point", "nodes"}
PARTS = {"optimal": BOTH, "bounded": BOTH, "infeasible": {"nodes"}, "unbounded": {"point", "ray"}}


def require(holds, sentence):
    if not holds:
        raise ValueError(sentence)


def once(pairs):
    """The object of a JSON text, where no key is there twice."""
    require(len(dict(pairs)) == len(pairs), "a name is there twice")
    return dict(pairs)


def number(text):
    require(isinstance(text, str), f"{text!r} is no text of a fraction")
    return Fraction(text)


def numbers(given, known):
    """Fractions by names that are known; those that are left out are 0."""
    require(set(given) <= set(known), "there is a number for a column or row that is not there")
    return {name: number(text) for name, text in given.items()}


def sides(each):
    return [end if each[key] is None else number(each[key]) for key, end in ENDS]


def total(terms, values):
    return sum((a * values[name] for name, a in terms.items() if name in values), Fraction(0))


def whole_multiple(values):
    """A number, and its products with the values, which are whole: they add up faster."""
    scale = 1
    for value in values.values():
        scale *= Fraction(scale, value.denominator).denominator
    return scale, {name: value * scale for name, value in values.items()}


def least(factor, lower, upper):
    """The least of ``factor * value`` for values between the sides; it may be -infinite."""
    return factor * (lower if factor > 0 else upper) if factor else factor


class Program:
    """The program, as a minimisation of ``costs``."""

    def __init__(self, data):
        self.sign = {"min": 1, "max": -1}[data["sense"]]
        self.name, self.offset, columns = data["name"], number(data["offset"]), data["columns"]
        self.costs = {name: self.sign * number(each["cost"]) for name, each in columns.items()}
        self.bounds = {name: sides(each) for name, each in columns.items()}
        kinds = {type(each["whole"]) for each in columns.values()}
        require(kinds <= {bool}, "a column is neither whole nor not")
        self.whole = {name for name, each in columns.items() if each["whole"]}
        rows = data["rows"].items()
        self.rows = {name: (numbers(each["terms"], columns), *sides(each)) for name, each in rows}
        self.limits = {("row", name): row for name, row in self.rows.items()}
        for name, ends in self.bounds.items():
            self.limits["column", name] = ({name: Fraction(1)}, *ends)

    def check_point(self, point):
        scale, scaled = whole_multiple(point)
        for (kind, name), (terms, lower, upper) in self.limits.items():
            value = total(terms, scaled) / scale
            require(lower <= value <= upper, f"the point breaks the {kind} {name!r}")
        for name in self.whole & set(point):
            require(point[name].denominator == 1, f"the point is not whole in {name!r}")

    def check_ray(self, ray):
        """Whether all its multiples, of which some are whole, lead to points, and better ones."""
        for (kind, name), (terms, lower, upper) in self.limits.items():
            change = total(terms, ray)
            require(change >= 0 or lower == -INFINITE, f"the ray falls below the {kind} {name!r}")
            require(change <= 0 or upper == INFINITE, f"the ray rises above the {kind} {name!r}")
        require(total(self.costs, ray) < 0, "the ray does not improve the objective")

    def proved(self, multipliers, bounds, costs):
        """The bound on ``costs`` that the multipliers prove for all points within the bounds."""
        scale, scaled = whole_multiple(multipliers)
        proved, rest = Fraction(0), {name: cost * scale for name, cost in costs.items()}
        for name, y in scaled.items():
            terms, lower, upper = self.rows[name]
            proved += least(y, lower, upper)
            for column, a in terms.items():
                rest[column] = rest.get(column, Fraction(0)) - y * a
        proved += sum(least(z, *bounds[name]) for name, z in rest.items())
        return proved / scale if proved > -INFINITE else proved

    def raised(self, bound):
        """The least multiple of a step from a bound on, where only whole columns have costs."""
        step = Fraction(0)
        for name, cost in self.costs.items():
            if cost and name not in self.whole:
                return bound
            rest = cost
            while rest:
                step, rest = rest, step % rest
        return -(-bound // abs(step)) * abs(step) if step and bound > -INFINITE else bound

    def check_nodes(self, nodes, aim):
        """Whether the leaves prove that all points cost as much as the aim, and none is missing.

        An infinite aim, which no leaf of a bound proves, means that there is no point.
        """
        left = [self.bounds]
        for node in nodes:
            bounds, kind = left.pop(), set(node)
            if kind == {"branch", "at"}:
                name, at = node["branch"], number(node["at"])
                require(name in self.whole, f"{name!r}, where a node branches, is no whole column")
                require(at.denominator == 1, f"the branch at {name!r} is not at a whole number")
                lower, upper = bounds[name]
                left.append(bounds | {name: (max(lower, at + 1), upper)})
                left.append(bounds | {name: (lower, min(upper, at))})
            elif kind == {"empty"}:
                lower, upper = bounds[node["empty"]]
                require(lower > upper, f"the column {node['empty']!r} has values left")
            elif kind == {"contradiction"}:
                proved = self.proved(numbers(node["contradiction"], self.rows), bounds, {})
                require(proved > 0, "multipliers of a leaf prove no contradiction")
            else:
                proved = self.proved(numbers(node["bound"], self.rows), bounds, self.costs)
                require(self.raised(proved) >= aim, "multipliers of a leaf prove too little")
        require(not left, "a branch has no proof")


def check(text):
    """The sentence that the certificate proves; an error where it proves nothing."""
    data = json.loads(text, object_pairs_hook=once)
    require(data["format"] == "cpe_opt certificate 1", "it has another format")
    program, claim = Program(data["program"]), data["claim"]
    parts = set(data) - {"format", "program", "model", "claim"}
    require(parts == PARTS[claim], f"its parts are not those of the claim {claim!r}")
    if claim == "infeasible":
        program.check_nodes(data["nodes"], INFINITE)
        return f"{program.name}: no point satisfies all rows and bounds"
    point = numbers(data["point"], program.bounds)
    program.check_point(point)
    if claim == "unbounded":
        program.check_ray(numbers(data["ray"], program.bounds))
        return f"{program.name}: the objective improves without end"
    value, bound = number(data["value"]), number(data["bound"])
    reached = program.offset + program.sign * total(program.costs, point)
    require(reached == value, "the objective at the point is not the value")
    program.check_nodes(data["nodes"], program.sign * (bound - program.offset))
    if claim == "bounded":
        gap = f"{1.01 * float(abs(value - bound)):.3g}"  # not rounded down
        return f"{program.name}: a value of {float(value):.12g}, at most {gap} from the optimum"
    require(value == bound, "the value and the bound differ")
    return f"{program.name}: the optimum is {float(value):.12g}, exactly"


def main(path):
    sys.set_int_max_str_digits(0)  # numerators may have thousands of digits
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            print(f"proved: {check(file.read())}")
    except Exception as error:
        reason = error if type(error) is ValueError else f"it is damaged: {error!r}"
        print(f"refused: {path}: {reason}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else "usage: check_certificate.py FILE")
