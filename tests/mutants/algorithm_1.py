"""Mutants of CW-RMED and ECW-RMED, of their shared state and of the programs that they keep."""

from tests.mutants import of

ECW = "learners/dueling/test_ecw_rmed.py"
CW = "learners/dueling/test_cw_rmed.py"
STATE = "learners/dueling/test_exploration.py"
FORMULAS = "learners/test_formulas.py"
SENSITIVITY = "solvers/test_sensitivity.py"
REFERENCE = f"{ECW}::test_plays_exactly_what_the_reference_plays"
OPTIMA = f"{CW}::test_every_optimum_is_that_of_a_fresh_program"
LASTING = f"{CW}::test_one_program_lasts_while_other_arms_change_places"
LISTS = f"{STATE}::test_lists_give_the_relaxation_of_every_winner"
WINNERS = f"{STATE}::test_evidence_of_all_winners_is_that_of_each"
CLOSED = f"{STATE}::test_the_closed_form_is_kept_right_duel_by_duel"

ALGORITHM_1 = [
    *of(
        "learners/dueling/copeland_rmed.py",
        f"{REFERENCE} {OPTIMA} {STATE}::test_only_the_safest_winner_is_sure",
        ("self._touched.append(i * self._arms + j if", "self._touched.append(0 if"),
        ("            return self.wanted\n        return entered", "        return entered"),
        ("for code in changed:", "for code in ():"),
        ("and code == self.safest * (self._arms + 1)", "and True"),
    ),
    *of(
        "learners/dueling/tournament.py",
        f"{STATE}::test_a_tournament_is_what_its_estimates_say",
        ("self.losses == self.first", "self.losses <= self.first + 1"),
        ("np.partition(self.losses, 1)[:2]", "np.partition(self.losses, 1)[[0, 0]]"),
        ("self.tally.leads(other, arm)", "not self.tally.leads(arm, other)"),
        ("gained, cost - before", "gained, before - cost"),
        ("if flipped:", "if not flipped:"),
    ),
    *of(
        "learners/dueling/winner_evidence.py",
        f"{WINNERS} {STATE}::test_evidence_reaches_a_level_when_that_of_a_winner_does",
        ("range(max(0, first - 1), tournament.second + 1)", "range(first, tournament.second + 1)"),
        ("tournament.second + 1):", "tournament.second):"),
        (
            "inside = head_ranks < number",
            "inside = head_ranks <= number",
            "a pair that comes next after these may be taken and given back, or left out",
        ),
        ("inside = tail_ranks < number", "inside = tail_ranks < 0"),
        ("head(taken - 1) + tail(level + 1)", "head(taken - 1) + tail(level)"),
        ("out=least, where=beats)", "out=least)"),
        ("self._bound + max(0.0, gained)", "self._bound"),
        ("first_smallest(-found)", "first_smallest(found)"),
        (
            "[:_FEW]",
            "[:1]",
            "of fewer challengers the bound is weaker, and true",
        ),
    ),
    *of(
        "learners/dueling/copeland_rmed.py",
        f"{STATE}::test_wanted_pairs_are_those_short_of_their_share",
        ("share * log_t > evidence", "share * log_t > 2.0 * evidence"),
        ("self.codes.discard(code)", "None"),
        ("near = moments < self._beyond", "self._beyond, near = math.inf, moments < self._beyond"),
        ("heapq.heappush(self._moments, (moment, code))", "pass"),
        ("self._moments[0][0] - _MARGIN <= log_t", "self._moments[0][0] - _MARGIN > log_t"),
        ("self.entered |= due", "pass"),
    ),
    *of(
        "learners/dueling/copeland_rmed.py",
        f"{STATE}::test_forced_pairs_are_those_of_step_1"
        f" {FORMULAS}::test_a_pair_near_one_half_is_drawn_as_soon_as_ln_ln_t_is_positive",
        ("self._near.add(code)", "pass"),
        ("if log_t > 1.0:", "if log_t > 2.0:"),
        ("self._beta / math.log(log_t)", "self._beta * math.log(log_t)"),
        ("[self._upper] < least", "[self._upper] <= least"),
        ("least = self._alpha * math.sqrt(log_t)", "least = math.sqrt(log_t)"),
        ("if t < self._short_from:", "if t <= self._short_from:"),
    ),
    *of(
        "learners/dueling/copeland_rmed.py",
        f"{REFERENCE} {ECW}::test_idle_rounds_are_the_rounds_before_something_changes",
        ("min(forced_at, fails_at) - t", "max(forced_at, fails_at) - t"),
        ("min(forced_at, fails_at) - t", "min(forced_at, fails_at) - t + 1"),
        ("following = plans.wanted - waiting", "following = set(plans.wanted)"),
        ("following |= entered - waiting", "following |= entered"),
        ("following |= entered - waiting", "pass"),
        ("                if pair in plans.wanted:", "                if False:"),
    ),
    *of(
        "learners/dueling/sorted_lists.py",
        f"{LISTS} {CLOSED}",
        ("tournament, tournament.first - 1", "tournament, tournament.first"),
        ("np.where(apart, 0.0, whole)", "np.where(self._beats, 0.0, whole)"),
        ("np.minimum(own, with_own)", "np.maximum(own, with_own)"),
        ("self._without(self._spare + 1)", "self._without(self._spare + 3)"),
        ("size <= rank, sums", "size < rank, sums"),
        ("size >= rank + 2, sums - cost", "size >= rank + 2, sums"),
        ("size - spare - 1)", "size - spare)"),
        ("costs[listed, most - 1] = math.inf", "pass"),
        ("(places >= rank[:, None])", "(places > rank[:, None])"),
    ),
    *of(
        "learners/dueling/relaxed_optimum.py",
        f"{CLOSED} {REFERENCE}",
        ("self._others += min(0.0, change)", "pass"),
        ("max(self._dearest[worse], cost)", "self._dearest[worse]"),
        ("min(self._outside[worse], cost)", "self._outside[worse]"),
        ("if not total * _SURE < self._outside[worse] * margin:", "if False:"),
        ("if margin > 1 and not total", "if margin > 10**9 and not total"),
        ("self._value += change / margin", "pass"),
        ("(tournament.first - 1 - beats)", "(tournament.first - 1 + 0 * beats)"),
        ("self._value * _SURE < self._others", "True"),
    ),
    *of(
        "learners/dueling/ecw_rmed.py",
        f"{REFERENCE} learners/test_plain_programs.py::test_learners_of_algorithm_1",
        ("make = EcwPlan", 'method, make = "cuts", None'),
        ("rows=partial(ecw_rows,", "rows=partial(copeland_rows,"),
    ),
    *of(
        "learners/dueling/reference_optimum.py",
        "learners/test_plain_programs.py::test_learners_of_algorithm_1",
        ("self._pattern = 0\n\n    def settle", "pass\n\n    def settle"),
        ("float(np.vdot(x, costs)) / 2", "-float(np.vdot(x, costs)) / 2"),
    ),
    *of(
        "learners/dueling/cw_rmed.py",
        f"{CW}::test_memory_is_in_megabytes_and_for_kept_programs_alone",
        ("memory * 2.0**20", "memory"),
        ('memory is not None and method != "kept"', "False"),
    ),
    *of(
        "learners/dueling/exact_optimum.py",
        f"{OPTIMA} {CW}::test_optima_are_right_where_hardly_any_program_is_kept"
        f" {CW}::test_programs_least_recently_used_are_given_up",
        ("[bound + change for bound in self._bounds]", "self._bounds"),
        ("self._heads.add(worse)", "pass"),
        ("self._lists.add(worse)", "pass"),
        ("return None if self._compare(place) else codes", "return codes"),
        (
            "first_smallest(lists.relaxed_optima())",
            "first_smallest(-lists.relaxed_optima())",
            "which winner is solved for first decides how many are, and no more",
        ),
        ("bounds[other] > limit:\n                break", "True:\n                break"),
        ("while size > self._memory", "while False"),
        ("lists.lower_bounds().tolist()", "(2.0 * lists.lower_bounds() + 5.0).tolist()"),
    ),
    *of(
        "learners/dueling/exact_optimum.py",
        f"{LASTING} {OPTIMA}",
        ("self._loop.set_upper(changed, columns.upper[changed])", "pass"),
        ("self._loop.set_costs(moved, objective[moved])", "pass"),
        ("float(changes @ self._point[columns])", "0.0"),
        ("np.minimum(reduced, 0.0, out=reduced)", "np.minimum(reduced, 9.9, out=reduced)"),
        ("np.minimum.reduceat(reduced, starts)", "0.0 * reduced[starts]"),
    ),
    *of(
        "formulations/dueling/reusable_columns.py",
        f"{LASTING} {OPTIMA}",
        ("max(0, self.losses - 1) - (self", "max(0, self.losses + 1) - (self"),
        ("upper[self.columns[self.is_column]] = np.inf", "upper[:] = np.inf"),
        ("number > spared[:, None]", "number > spared[:, None] + 1"),
        ("(draw - spared[row]).astype(float)", "(draw - spared[row] + 1).astype(float)"),
        ("sums[shortest - 1 :][::-1]", "sums[shortest - 1 :]"),
        ("more[:shortest] = draws[0]", "pass"),
        ("np.minimum(more, 1.0)", "more / 2.0"),
    ),
    *of(
        "solvers/sensitivity.py",
        SENSITIVITY,
        ("self._duals += change * duals", "pass"),
        ("self._reduced -= change * reduced", "pass"),
        ("self._reduced[columns] += changes", "pass"),
        ("(self._duals >= 0.0).all()", "True"),
        ("np.where(full | ~free, -np.inf, -self._tolerance)", "np.full(len(x), -np.inf)"),
        ("np.where(inside | full, self._tolerance, np.inf)", "np.full(len(x), np.inf)"),
        ("if not self.certified:\n            return False", "if False:\n            return False"),
    ),
]
