"""Mutants of the formulations."""

from tests.mutants import of

HERE = "formulations"
ANSWERS = f"{HERE}/separable/test_answers.py"
ALLOCATION = f"{HERE}/separable/test_sample_allocation.py"
CONDORCET = f"{HERE}/matchings/test_condorcet.py"
CUTS = f"{HERE}/dueling/test_cutting_planes.py"
TIME = f"{HERE}/dueling/test_copeland_time.py"
BORDA_TIME = f"{HERE}/dueling/test_borda_time.py"
COPELAND = f"{HERE}/dueling/test_lower_bound.py"
INTERIOR = f"{HERE}/designs/test_interior.py"
DESIGN = f"{HERE}/designs/test_optimal.py"
MATCHINGS = "formulations/matchings/test_assignment.py"
ELLIPSOID = f"{HERE}/quadratic/test_maximise.py"
TRACKING = "learners/dueling/test_tracking.py"
PLANS = f"{HERE}/dueling/test_thrifty_plan.py"
PROOFS = f"{HERE}/dueling/test_proofs.py"
PAIR_PROOF = f"{HERE}/dueling/test_pair_proof.py"
BORDA_PROOF = f"{HERE}/dueling/test_borda_proof.py"
SETTLING = f"{HERE}/dueling/test_settling.py"
FLIPS = f"{HERE}/dueling/test_cheapest_flips.py"
FAMILIES = f"{HERE}/dueling/test_rows.py"
SUBSETS = f"{HERE}/subsets/test_oracle.py"
SUBSET_TIME = f"{HERE}/subsets/test_subset_time.py"
MATCHING_TIME = f"{HERE}/matchings/test_matching_time.py"
SUMS = f"{HERE}/subsets/test_sums_of_sets.py"

FORMULATIONS = [
    *of(
        "problems/dueling/preferences.py",
        "problems/dueling/test_preferences.py::test_divergences_that_are_equal_on_paper_are_equal",
        (
            "in_bits(binary_divergence(self.array), _BITS_OF_DIVERGENCES)",
            "binary_divergence(self.array)",
        ),
    ),
    *of(
        "proofs/dueling/e_values.py",
        PROOFS,
        ("weights / weights.sum()", "weights / weights[1:].sum()"),
        ("odds = _LARGEST * _STEP **", "odds = 2.0 * _STEP **"),
        ("np.minimum(1.0, odds / _ALIKE)", "np.minimum(1.0, odds)"),
        ("np.tanh(odds / 2)", "np.tanh(odds)"),
        ("lost[..., None] * _LOST", "lost[..., None] * _LOST / 2"),
        ("just_below(total, _GRID)", "total + _GRID"),
    ),
    *of(
        "proofs/dueling/copeland.py",
        PROOFS,
        ("log_bet(rest, arms - 1)", "log_bet(rest, arms)"),
        ("size = arms - 1 - np.arange(arms - 1)", "size = arms - 1 - np.arange(arms - 1) // 2"),
        ("+ own[:, None]) / size", ") / size"),
        ("products[:, size - 1] + own_product[:, None]", "products[:, size - 1]"),
        ("others_flip[:, level + 1]", "others_flip[:, level]"),
        ("level = np.arange(1, max(1, arms - 2))", "level = np.arange(1, max(1, arms - 3))"),
        (
            "[*order[row, : arms - 2 - case].tolist(), answer]",
            "order[row, : arms - 2 - case].tolist()",
        ),
        ("losses = case - (arms - 1) + 2", "losses = case - (arms - 1) + 1"),
        ("(sums[taken] - inside * e[:, None]) / number", "sums[taken] / number"),
        ("number - 1, taken] - own)", "number - 1, taken])"),
        ("np.minimum.accumulate(merged[:, ::-1], axis=1)[:, ::-1]", "merged"),
        ("_SHARE * least / count", "_SHARE * least"),
        ("_NOTHING * ONE + _MEAN * mean", "_MEAN * mean"),
        ("_NOTHING * ONE + _MEAN * mean", "_NOTHING + _MEAN * mean"),
        ("(1.0 - _SHARE) * ONE", "ONE"),
        ("np.full((count, count), ONE)", "np.ones((count, count))"),
        ("in_bits(scaled(log_e), _BITS)", "scaled(log_e)"),
    ),
    *of(
        "proofs/dueling/e_values.py",
        PROOFS,
        ("-400.0, 980.0", "-400.0, 300.0"),
        ("-400.0, 980.0", "-400.0, 1080.0"),
        ("-400.0, 980.0", "0.0, 980.0"),
        ("(count - 1.0) * ONE", "count * ONE"),
        ("(e + (count - 1.0) * ONE) / count", "e + (count - 1.0) * ONE"),
        ("np.log(numbers) + _SHIFT", "np.log(numbers)"),
    ),
    *of(
        "proofs/dueling/borda.py",
        f"{TRACKING}::test_blocks_add_up_as_they_are_described"
        f" {TRACKING}::test_a_block_of_even_duels_proves_nothing_on_average",
        ("(2.0 * others) ** 2", "(3.0 * others) ** 2"),
        ("2.0 * inverse", "inverse"),
        ("mean = won / duels", "mean = won"),
    ),
    *of(
        "proofs/mixture.py",
        "proofs/test_mixture.py",
        ("self._rho**2 / 2\n", "self._rho**2 / 3\n"),
        ("np.log(weights / weights.sum())", "np.log(weights)"),
        ("self._rho / total", "self._rho / (0.5 * total)"),
        ("(value - needed) / slope", "1.1 * (value - needed) / slope"),
        ("np.minimum(1.0, self._rho / alike)", "np.minimum(1.0, self._rho**4)"),
    ),
    *of(
        "proofs/subsets/adaptive_samples.py",
        "proofs/subsets/test_adaptive_samples.py",
        ("volumes + math.log(len(LAMBDAS))", "volumes"),
        (".sum(axis=1) / 2.0", ".sum(axis=1) / 4.0"),
        ("found[hidden] = math.inf", "pass"),
        ("paid = np.maximum(sizes, 0.0) + lost", "paid = sizes[sizes > _SINGULAR * sizes[-1]]"),
        ("paid = np.maximum(sizes, 0.0) + lost", "paid = np.maximum(sizes, 0.0) - lost"),
        ("rows @ self._unseen", "0.0 * rows @ self._unseen"),
        ("LAMBDAS * more[:, None]", "0.0 * more[:, None]"),
        ("each = needed + math.log(3.0)", "each = needed"),
        ("paid - math.log(count)", "paid"),
        ("each + math.log(count)", "each"),
        ("needed + self.costs", "needed"),
        ("np.stack([paid, of_log, paid + of_log])", "np.stack([paid, of_log, paid])"),
        ("_NEWTON, _SETTLED = 60", "_NEWTON, _SETTLED = 0"),
    ),
    *of(
        "proofs/subsets/noise_bound.py",
        f"{HERE}/subsets/test_noise_bound.py",
        ("-math.log(error) if", "-math.log(2.0 * error) if"),
        ("planned_mixture(lines - len(sizes)) if", "planned_mixture(lines) if"),
        ("logs + math.log(weight) - volumes", "logs + math.log(weight)"),
        (".sum(axis=1) / 2.0\n        found", ".sum(axis=1) / 4.0\n        found"),
        ("lambdas[:, None] * sizes / rho", "sizes / rho + 0.0 * lambdas[:, None]"),
        ("top = math.floor(", "top = math.ceil("),
        ("weight = 2.0 / 3.0 /", "weight = 1.0 /"),
        ("- (place + 1.0) * math.log(2.0)", "- place * math.log(2.0)"),
        ("spare / 2.0 * np.log1p", "spare * np.log1p"),
        ("2.0 * (logs - needed) / lambdas", "(logs - needed) / lambdas + 1e3"),
        ("logs - lambdas * found / 2.0", "logs - lambdas * found"),
        ("least, sizes = float(sizes.min()) - slack", "least, sizes = float(sizes.max()) - slack"),
        ("len(sizes) - exact_rank(np.unique(sets, axis=0))", "1"),
        ("* pivot - product)", "* pivot + product)"),
        ("math.ceil(limit / unit)", "math.floor(limit / unit)"),
        ("sizes[0] > _ROUNDING * sizes.sum()", "True"),
    ),
    *of(
        "formulations/subsets/oracle.py",
        "formulations/subsets/test_ranked.py",
        ("(*exclude, element)", "(element,)"),
        ("                kept.append(element)", "                kept[:] = include"),
        ("            if element not in include:", "            if element:"),
        ("heapq.heappush(parts, (-value,", "heapq.heappush(parts, (value,"),
    ),
    *of(
        "reports/team_evidence.py",
        "reports/test_team_evidence.py",
        ("(1.0 - SIGMA_SHARE) * delta", "delta"),
        ("largest_sigma(scores, SIGMA_SHARE * delta", "largest_sigma(scores, delta"),
        ("planned=planned)\n        share", "planned=True)\n        share"),
        ("]) / sigma\n", "])\n"),
        ("loss=loss * sigma", "loss=loss"),
        ("np.isfinite(lower).all()", "True"),
        ("math.log(1.0 / share)", "0.2"),
        ("planned=planned)\n        block", "planned=True)\n        block"),
    ),
    *of(
        "reports/team_evidence.py",
        "reports/test_team_evidence.py",
        ("(against > 0.0).all()", "(against > 0.0).any()"),
        ("rows[:, element] != 0.0", "rows[:, element] > 0.0"),
    ),
    *of(
        "proofs/subsets/listed_blocks.py",
        "proofs/subsets/test_listed_blocks.py",
        ("max(1, len(self._listed) - 1)", "max(1, len(self._listed) // 2)"),
        ("max(1, len(some) * (decisions.size - len(some)))", "len(some)"),
        ("return float(weights[matched].sum())", "return float(worst.max())"),
        ("if best == self._best:", "if self._best:"),
        ("worst = np.maximum(0.0, -lower)", "worst = np.abs(lower)"),
        ("math.log(rivals.count) - math", "-math"),
        ("precision * (rows @ theta)", "rows @ theta"),
        ("if hidden is not None:", "if False:"),
        ("self.needed - math.log(self._count)", "self.needed"),
        ("- _ROUNDING * (np.abs(sums) + least)", "+ _ROUNDING * (np.abs(sums) + least)"),
    ),
    *of(
        "proofs/subsets/glr_threshold.py",
        "proofs/subsets/test_glr_threshold.py",
        ("size * deviation_constant(self._log / size)", "deviation_constant(self._log)"),
        ("0.5 * math.log1p(-power)", "math.log1p(-power)"),
        ("2.0 * np.log(4.0 + np.log(pulls))", "np.log(4.0 + np.log(pulls))"),
        ("[self._log / power for power in powers]", "[0.5 * self._log for power in powers]"),
        ("[_addend(power) / power for power", "[0.5 * _addend(power) for power"),
    ),
    *of(
        "proofs/subsets/optimistic_gap.py",
        "proofs/subsets/test_optimistic_gap.py",
        ("np.sqrt(sums[:, 0] * self._thresholds(sums))", "np.sqrt(self._thresholds(sums) / 2)"),
        ("np.stack([s / 2.0, 0.5 / s,", "np.stack([s / 4.0, 0.5 / s,"),
        ("np.stack([s / 2.0, 0.5 / s,", "np.stack([s / 2.0, 0.25 / s,"),
        ("len(places)\n", "len(places)\n        s = 2.0 * s\n"),
        ("np.tile(self.constants, lines) / s / 2.0", "0.0 / s"),
        ("np.tile(self.slopes, lines) / s / 2.0]", "0.0 / s]"),
        ("self.constants + sums[:, 2, None] * self.slopes", "self.constants"),
    ),
    *of(
        "proofs/subsets/weighted_blocks.py",
        "proofs/subsets/test_weighted_blocks.py",
        ("self._variances[elements] += weight**2 / times", "self._variances[elements] += weight"),
        ("self._sums[elements] += weight * means", "self._sums[elements] += means"),
        ("self.weight**2 / (different", "self.weight / (different"),
        ("return (1.0 + _ROUNDING) / self.weight", "return 0.5 / self.weight"),
        ("block[:, None] * weights**2", "block[:, None] * weights"),
        ("return float(weights[first", "return float(_FACTORS[first"),
    ),
    *of(
        "proofs/subsets/optimistic_gap.py",
        "proofs/subsets/test_optimistic_gap.py",
        ("(), (element,), np.inf)", "(), (), np.inf)"),
        ("optimum.bound + same + lost", "optimum.value + same + lost"),
        (
            "(each - self._mean)[self._chosen].sum()",
            "(0.5 * each - self._mean)[self._chosen].sum()",
        ),
        ("self._sign * each)", "0.5 * self._sign * each)"),
        ("np.where(self._chosen, -1.0, 1.0)", "np.where(self._chosen, -1.0, 0.0)"),
        (".sum()) + constant", ".sum())"),
        ("if between is not None and splits:", "if False:"),
        ("if self.of_found() > enough:", "if self.of_found() > 2.0 * enough + 1.0:"),
        ("_Part(part.include, (*part.exclude, between), bound),", ""),
        ("_Part((*part.include, between), part.exclude, bound),", ""),
        ("worst = max(worst, bound)", "worst = bound"),
        ("radii(sums[other]) - gaps[other]", "radii(sums[other])"),
    ),
    *of(
        "proofs/subsets/set_pool.py",
        "proofs/subsets/test_optimistic_gap.py",
        ("if members in self._place:", "if False:"),
        ("self.vectors = self.vectors[chosen]", "self.vectors = self.vectors[~chosen]"),
        ("rows[rows.any(axis=1)]", "rows"),
    ),
    *of(
        "proofs/dueling/remaining_duels.py",
        PLANS,
        ("(needed / margin + charge)", "(needed + charge)"),
        ("(needed / margin + charge)", "(needed / margin)"),
        ("losses - losses[winner] + 1", "losses - losses[winner]"),
        ("lists[:, winner] = False", "lists[winner] = False"),
        ("if not asked.all():", "if not asked.any():"),
        ("charge * (x > 0.0)", "charge * (x >= 0.0)"),
        ("x[winner] = beaten[:, winner]", "x[winner] = beaten[winner]"),
    ),
    *of(
        "proofs/dueling/condorcet.py",
        PROOFS,
        ("e.sum(axis=0) / others", "e.sum(axis=0)"),
        ("log_bet(e, others)", "log_bet(e, 1)"),
        ("np.fill_diagonal(e, ONE)", "np.fill_diagonal(e, 1.0)"),
        ("e.sum(axis=0)", "e.sum(axis=1)"),
    ),
    *of(
        "proofs/dueling/pairs.py",
        PAIR_PROOF,
        ("math.log(pairs) - math.log(delta)", "-math.log(delta)"),
        ("math.log1p(-1.0 / pairs)", "math.log1p(-0.5 / pairs)"),
        ("evidence - math.log(pairs)", "evidence - math.log(pairs) / 2"),
        ("np.logaddexp(high, low) - math.log(2.0)", "np.logaddexp(high, low)"),
        ("np.logaddexp(high, low) - math.log(2.0)", "high"),
        ("-math.log(delta) - math.fsum", "-math.log(delta) - 0.0 * math.fsum"),
        ("just_below(bet(each) - lost)", "just_below(bet(each))"),
        ("self.cost >= self.threshold", "self.reversal >= self.threshold"),
        ("self.leads.T, self.reversal", "self.leads, self.reversal"),
        ("self.leads.T, self.reversal", "self.leads.T, self.cost"),
        ("for each in (mean, high)", "for each in (high, high)"),
    ),
    *of(
        "proofs/dueling/winners.py",
        PAIR_PROOF,
        ("cutoff=proof.threshold", "cutoff=proof.threshold / 2"),
        (".evidence(proof.cost) >= proof.threshold", ".evidence(proof.cost) >= 1.0"),
        ("    if not independent:\n        return False\n", ""),
        (".evidence >= -math.log(delta)", ".evidence >= -math.log(2 * delta)"),
        ("proof.against_condorcet >= proof.threshold", "proof.against_condorcet > 0"),
        ("beaten == len(beaten) - 1", "beaten >= len(beaten) - 2"),
    ),
    *of(
        "proofs/dueling/borda.py",
        BORDA_PROOF,
        ("len(wins) * (len(wins) - 1) / 2.0)", "len(wins) * (len(wins) - 1) / 4.0)"),
        ("None, :] + 2.0 * values", "None, :] + values"),
        ("- 3.0 * paid", "- 2.0 * paid"),
        ("np.log1p(votes / tau)\n", "np.log1p(votes / tau / 2)\n"),
        ("0.5 * (each + np.log1p", "0.5 * (0.0 * each + np.log1p"),
        ("v + tau * (s", "v + tau / 2 * (s"),
        ("exponent = 2.0 * lead**2", "exponent = 4.0 * lead**2"),
        ("votes * tau / (votes + tau)", "votes"),
        ("size + unit * kappa / tau", "size + unit * kappa"),
        ("np.maximum(fractions - radius, 0.0), 0.0)", "np.maximum(fractions - radius, 0.0), 0.5)"),
        ("np.log(np.exp(logs - largest).mean(axis=0))", "0.0"),
        ("len(_TAU) * arms", "arms"),
        ("0.5 * np.log1p(votes / tau))\n", "0.0 * np.log1p(votes / tau))\n"),
    ),
    *of(
        "proofs/dueling/remaining_duels.py",
        SETTLING,
        ("np.maximum(total - self.duels, 0.0)", "total"),
        ("if proved(duels):", "if not proved(duels):"),
        ("elif most == before[i, j]:", "elif least < 0:"),
        ("_SHARE_LEFT = 0.1, 0.01", "_SHARE_LEFT = 0.9, 0.01"),
        ("PAIRS_SHARE * self.delta", "10 * PAIRS_SHARE * self.delta"),
        ("COPELAND_SHARE * self.delta", "10 * COPELAND_SHARE * self.delta"),
        ("np.triu(needed) * price", "needed * price"),
    ),
    *of(
        "formulations/separable/sample_allocation.py",
        f"{ALLOCATION}::test_greedy_is_brute_force {ALLOCATION}::test_the_instance_of_lemma_8"
        f" {ALLOCATION}::test_many_steps_at_once_are_the_steps_one_by_one",
        ("(-a / math.sqrt(y * (y + 1.0)), -i)", "(-a / math.sqrt(y * y), -i)"),
        ("(-a / math.sqrt(y * (y + 1.0)), -i)", "(-a / math.sqrt(y * (y + 1.0)), i)"),
        ("for i in sorted(equal, reverse=True)[:left]", "for i in sorted(equal)[:left]"),
        ("np.maximum(1, floor)", "np.maximum(0, floor)"),
        ("np.floor(0.5 + np.sqrt(0.25 +", "np.floor(1.5 + np.sqrt(0.25 +"),
    ),
    *of(
        "formulations/separable/checks.py",
        f"{ALLOCATION}::test_greedy_is_brute_force"
        f" {ALLOCATION}::test_allocations_do_not_depend_on_the_unit"
        f" {ANSWERS}::test_no_allocation_is_better_than_the_bound",
        ("np.sqrt(variance / root / root)", "variance"),
        ("np.sqrt(variance / root / root)", "np.sqrt(variance / root)"),
    ),
    *of(
        "formulations/separable/sample_allocation.py",
        f"{ALLOCATION}::test_the_integer_program_agrees"
        f" {ALLOCATION}::test_the_continuous_optimum_is_the_conic_one_and_near_the_whole_one"
        f" {ANSWERS}::test_no_allocation_is_better_than_the_bound"
        f" {ANSWERS}::test_a_real_allocation_is_certified_by_a_price_without_a_solver",
        ("/ (y * (y - 1.0))", "/ (y * (y + 1.0))"),
        ("(share >= 1.0).all()", "(share >= 0.0).all()"),
        ("2.0 * scale * math.sqrt(price)", "4.0 * scale * math.sqrt(price)"),
        ("each.sum() - price * budget", "each.sum() - 2.0 * price * budget"),
        ("scale**2 > price", "scale > price"),
    ),
    *of(
        "formulations/separable/water_plan.py",
        f"{ALLOCATION}::test_water_plans_are_brute_force"
        f" {ALLOCATION}::test_a_plan_takes_no_step_that_gains_nothing",
        ("worth[self.arm] * self._plan.step - self._rises", "worth[self.arm] - self._rises"),
        ("max(int((level > 0).sum()), self._plan.needed)", "self._plan.needed"),
        ("int((level > 0).sum())", "int((level >= 0).sum())"),
        ("np.lexsort((self.number, -self.arm))", "np.lexsort((self.number, self.arm))"),
    ),
    *of(
        "formulations/separable/water_plan.py",
        f"{ANSWERS}::test_no_plan_earns_more_than_the_bound"
        f" {ANSWERS}::test_the_whole_demand_may_be_all_there_is"
        f" {ANSWERS}::test_the_best_amount_of_one_source",
        ("-price * plan.demand, 0.0", "-2.0 * price * plan.demand, 0.0"),
        ("(low, middle) if total >= plan.demand", "(low, middle) if total < plan.demand"),
        ("gain / (2.0 * cost.a)", "gain / cost.a"),
        ("1.0 / (cost.p - 1.0)))", "1.0 / cost.p))"),
        ("if slope >= worth]", "if slope <= worth]"),
    ),
    *of(
        "formulations/separable/water_plan.py",
        f"{ALLOCATION}::test_water_plans_of_other_solvers_agree"
        f" {ALLOCATION}::test_on_a_fine_grid_the_plan_is_the_conic_one",
        ("cost.a * cp.square(amount) + cost.b", "cost.a * cp.square(amount) + 2 * cost.b"),
        ("rises = np.diff([0.0, *cost.slopes])", "rises = np.array(cost.slopes)"),
        (
            'builder.row("demand", columns, lower=plan.needed)',
            'builder.row("demand", columns, lower=0)',
        ),
    ),
    *of(
        "formulations/separable/box_test.py",
        f"{HERE}/separable/test_box_test.py learners/separable/test_coci.py"
        "::test_what_vertices_of_the_box_decide_is_proved_where_they_are_enough",
        ("isinstance(model, BestSet | WaterPlan)", "isinstance(model, BestSet)"),
        ("self.proves = self.two_calls or", "self.proves = self.two_calls and"),
        ("theirs == value and other < arm", "theirs == value and other > arm"),
        ("return above < self._k", "return above <= self._k"),
        ("up[arm], down[arm] = high[arm], low[arm]", "up[arm], down[arm] = low[arm], high[arm]"),
        ("if seen is not None and decision != seen", "if seen is not None and decision > seen"),
        ("self._high, 1.0 + share))", "self._high, 1.0 - 0.5 * share))"),
        ("(others.outer_low >= self._outer.low).all()", "True"),
        ("(others.inner_low <= self._inner.low).all()", "True"),
        ("ends = inner if undecided else outer", "ends = outer if undecided else inner"),
        ("ends = inner if undecided else outer", "ends = inner"),
        ("all(a <= c and d <= b for", "all(a <= c or d <= b for"),
    ),
    *of(
        "formulations/matchings/condorcet.py",
        f"{CONDORCET}::test_the_saddle_lp_has_the_value_of_the_game"
        f" {CONDORCET}::test_winners_are_those_of_enumeration"
        f" {CONDORCET}::test_against_itself_the_value_is_one_half",
        (
            "mirror.program(-replies.matrix.T, replies.constraints_y)",
            "mirror.program(-replies.matrix, replies.constraints_y)",
        ),
        (
            "y[free] = graph.positions * result.row_duals",
            "y[free] = result.row_duals",
            "strategies are scaled to add up to 1 at each position afterwards",
        ),
    ),
    *of(
        "formulations/matchings/condorcet.py",
        f"{CONDORCET}::test_the_saddle_lp_has_the_value_of_the_game"
        f" {CONDORCET}::test_winners_are_those_of_enumeration"
        f" {CONDORCET}::test_against_itself_the_value_is_one_half"
        f" {CONDORCET}::test_programs_of_the_same_replies_are_those_built_alone",
        ("scale = 1.0 / graph.positions", "scale = 1.0"),
        ('"v", people, cost=-scale)', '"v", people, cost=0.0)'),
        ("self._scale * matrix[:, self._forced_y].sum(axis=1)", "0.0"),
        ("-matrix[self._f, self._e]", "-matrix[self._e, self._f]"),
        ("lower[:size] = constraints_x.forced", "lower[:size] = 0.0"),
        ("if not data.all()", "if False"),
        ("table = table.copy()\n            ", ""),
    ),
    *of(
        "formulations/matchings/condorcet.py",
        f"{CONDORCET}::test_winners_are_those_of_enumeration",
        ("condorcet_lead(duels, matching) <= _STRICT", "condorcet_lead(duels, matching) <= -1.0"),
        ("/ duels.graph.positions - 0.5", "/ duels.graph.positions - 0.6"),
    ),
    *of(
        "formulations/matchings/assignment.py",
        f"{CONDORCET}::test_the_saddle_lp_has_the_value_of_the_game",
        ("costs = x @ self.matrix", "costs = self.matrix @ x"),
        ("gains = self.matrix @ y", "gains = y @ self.matrix"),
        ("/ self.matchings.graph.positions, reply", ", reply"),
    ),
    *of(
        "formulations/matchings/condorcet.py",
        f"{CONDORCET}::test_the_subgradient_oracle_keeps_its_epsilon",
        ("- best <= epsilon", "- best <= 50 * epsilon"),
        ("if value > best:", "if value < best:"),
        ("mean_y += (y - mean_y) / step", "mean_y += y - mean_y"),
        ("x + length * gradient / norm", "x - length * gradient / norm"),
        ("direction = -x", "direction = x.copy()"),
    ),
    *of(
        "formulations/dueling/best_winner.py",
        f"{COPELAND}::test_published_optima {COPELAND}::test_cuts_equal_the_enumerated_program"
        f" {COPELAND}::test_the_best_winner_is_chosen"
        f" {COPELAND}::test_the_bound_is_that_of_all_winners"
        f" {COPELAND}::test_evidence_of_a_tie_costs_nothing",
        ("if best is None or value < by_winner", "if best is None or value > by_winner"),
        ("by_winner, min(bounds)", "by_winner, max(bounds)"),
        (
            "out=np.zeros_like(divergences), where=divergences > 0",
            "out=np.ones_like(divergences), where=divergences > 0",
        ),
    ),
    *of(
        "formulations/dueling/lower_bound.py",
        f"{COPELAND}::test_published_optima"
        f" {COPELAND}::test_ties_that_cost_an_arm_its_rank_make_its_bound_infinite",
        ("q[tied, winner] = math.inf", "q[tied, winner] = 0.0"),
        (
            "preferences.regret(), preferences.divergences)",
            "preferences.regret(), 2 * preferences.divergences)",
        ),
    ),
    *of(
        "formulations/dueling/copeland_time.py",
        TIME,
        ("len(winner_ties(preferences, winner)))", "0)"),
        ("tied[winner] = False", "tied[winner] = True"),
        ("q = unit_costs(best.evidence, preferences.divergences)", "q = best.evidence"),
    ),
    *of(
        "formulations/dueling/condorcet_time.py",
        f"{HERE}/dueling/test_condorcet_time.py",
        ("x[arm, chosen[arm]] = x[chosen[arm], arm] = 1.0", "x[arm, chosen[arm]] = 1.0"),
        ("first_largest(-np.where(preferences", "first_largest(np.where(preferences"),
        ("np.ones(len(columns)), lower=1.0)", "np.ones(len(columns)), lower=0.5)"),
        ("if arm != winner:", "if arm >= 0:"),
    ),
    *of(
        "formulations/inverse_rows.py",
        BORDA_TIME,
        ("self.rows @ sp.diags_array(1.0 / units)", "self.rows @ sp.diags_array(units)"),
        ("np.full(count, 2.0), inverse", "np.full(count, 1.0), inverse"),
        ("weights / weights.sum(), result", "2.0 * weights, result"),
        ("amounts.value) * self.units", "amounts.value)"),
        ("weights / self.prices))", "weights * self.prices))"),
        (".sum() ** 2)", ".sum())"),
        ("0 <= magnitude <= _USUAL", "abs(magnitude) >= 0"),
        ("(sides / largest)", "(largest / sides)"),
    ),
    *of(
        "formulations/dueling/borda_time.py",
        BORDA_TIME,
        ("exploration=q + q.T", "exploration=q"),
        ("min(value, spaces.bound(weights))", "value / 2"),
        ("spaces.feasible(spaces.amounts(weights))", "spaces.amounts(weights)"),
    ),
    *of(
        "formulations/dueling/borda_time.py",
        BORDA_TIME,
        ("np.repeat([4.0, 1.0]", "np.repeat([2.0, 1.0]"),
        ("share = 0.5 / (", "share = 2.0 / ("),
        ("(arms - 1)) ** 2", "arms) ** 2"),
    ),
    *of(
        "formulations/dueling/characteristic_time.py",
        TIME,
        ("q[arm, others] = q[others, arm] = math.inf", "q[arm, others] = math.inf"),
        ("return least_cost([sure * time for time in times], delta)", "return self.value"),
        ("list(self.by_winner.values()) or [self.value]", "[self.value]"),
        ("return asymptotic_cost(self.value, delta)", "return self.duels(delta)"),
    ),
    *of(
        "formulations/dueling/best_winner.py",
        f"{COPELAND}::test_cuts_equal_the_enumerated_program"
        f" {COPELAND}::test_cuts_equal_the_compact_program",
        (
            "np.append(-np.ones(count), float(number))",
            "np.append(-np.ones(count), float(number - 1))",
        ),
        (
            "cost=costs[keys[:, 0], keys[:, 1]], upper=1.0)",
            "cost=costs[keys[:, 0], keys[:, 1]])",
            "an x above 1 satisfies no more rows than 1 does, and costs more",
        ),
        (
            "column[pairs[:, 0], pairs[:, 1]], lower=1.0)",
            "column[pairs[:, 0], pairs[:, 1]], lower=0.9)",
        ),
    ),
    *of(
        "formulations/dueling/confusing_instances.py",
        f"{FAMILIES} {COPELAND}::test_published_optima {HERE}/dueling/test_ecw.py::test_theorem_6"
        f" {COPELAND}::test_no_confusing_instance_is_forgotten"
        f" {COPELAND}::test_a_tie_of_the_winner_is_flipped_for_nothing",
        ("max(0, first - 1 + free)), second + 1)", "max(0, first + free)), second + 1)"),
        ("max(0, first - 1 + free)), second + 1)", "max(0, first - 1 + free)), second)"),
        ("[levels + 1 - first, levels - first]", "[levels + 1, levels - first]"),
        ("[levels + 1 - first, levels - first]", "[levels + 1 - first, levels + 1 - first]"),
        ("np.maximum(0, heads - free)", "heads"),
        ("others - levels - 1], axis=1)", "others - levels], axis=1)"),
        ("losses[winner] + 1 - free)", "losses[winner] - free)"),
        ("losses[winner] + 1 - free)", "losses[winner] + 1)"),
        (
            "rank[inferior_index] < self.h_size",
            "rank[inferior_index] <= self.h_size",
            "a pair that comes next after the h_size may be taken and given back, or left out",
        ),
        ("superior[:, winner] = False", "superior[:, winner] = superior[:, winner]"),
    ),
    *of(
        "formulations/dueling/nested_columns.py",
        f"{CUTS} {COPELAND}::test_cuts_equal_the_enumerated_program"
        f" {COPELAND}::test_exploration_is_feasible_and_attains_the_value"
        f" {HERE}/dueling/test_ecw.py::test_closed_form_equals_the_program",
        ("families.sizes[:, None] - place, 0)", "families.sizes[:, None] - place - 1, 0)"),
        ("(o_size[row] - draw).astype(float)", "(o_size[row] - draw + 1).astype(float)"),
        (") < 1.0 - tolerance", ") < 0.5 - tolerance"),
        ("column != own[row]", "column != -1"),
        ("h_size + (rank[own] < h_size)", "h_size + (rank[own] <= h_size)"),
        ("broken & self._is_distinct", "broken"),
        ("np.minimum.at(least", "np.maximum.at(least"),
        (
            "is_best_size(cheapest, families.sizes, largest)",
            "is_best_size(cheapest, families.sizes, least)",
        ),
        (
            "is_best_size(cheapest, families.sizes, least)",
            "is_best_size(cheapest, families.sizes, largest)",
        ),
        ("size >= smallest_draw[:, None]", "size > smallest_draw[:, None]"),
        ("size <= largest_draw[:, None]", "size < largest_draw[:, None]"),
        ("keepdims=True) * (1.0 + TIE)", "keepdims=True)"),
        ("families.sizes[block] - 1 - rank]", "rank]"),
        ("lower=1.0, upper=1.0\n", "lower=0.0, upper=1.0\n"),
    ),
    *of(
        "formulations/dueling/ecw.py",
        f"{HERE}/dueling/test_ecw.py",
        ("sums.shape[1]) - spare[:, None]", "sums.shape[1]) - spare[:, None] + 1"),
        ("first_largest(-value) + 1)", "first_largest(value) + 1)"),
        ("1.0 / (chosen - spare)[:, None]", "1.0 / (chosen + 1 - spare)[:, None]"),
        (
            "x[families.winner, families.inferiors] = 1.0",
            "x[families.winner, families.inferiors] = 0.5",
        ),
        (
            "families.sizes[blocks] - families.o_size,",
            "families.sizes[blocks] - families.o_size + 1,",
        ),
        ("first_smallest(list(by_winner.values()))", "0"),
    ),
    *of(
        "formulations/designs/optimal.py",
        f"{DESIGN}::test_the_cyclic_construction_is_the_uniform_design",
        (
            "found * (k * (k - 1) / (size - 1))",
            "found",
            "weights are divided by their sum in the end",
        ),
        ("(apart == d).sum", "(apart >= d).sum"),
        (
            "(blocks[used] + shift) % size",
            "(blocks[used] + 2 * shift) % size",
        ),
    ),
    *of(
        "formulations/designs/optimal.py",
        f"{DESIGN}::test_g_value_of_k_subsets_is_n"
        f" {DESIGN}::test_xy_value_of_k_subsets_is_twice_min_over_a",
        ("2.0 * min(k, n - k) * n * (n - 1)", "min(k, n - k) * n * (n - 1)"),
        ("2.0 * min(k, n - k) * n * (n - 1)", "2.0 * max(k, n - k) * n * (n - 1)"),
    ),
    *of(
        "formulations/designs/design.py",
        f"{DESIGN}::test_g_value_of_k_subsets_is_n {DESIGN}::test_published_values"
        f" {DESIGN}::test_methods_agree_on_random_lists_of_60_actions",
        (
            "self.vectors.T @ (self.weights[:, None]",
            "self.vectors.T @ (1.0 + self.weights[:, None]",
        ),
        ("np.flatnonzero(row > 0.5)", "np.flatnonzero(row < 0.5)"),
        ("np.flatnonzero(weights > 0)", "np.flatnonzero(weights >= 0)"),
    ),
    *of(
        "formulations/designs/enumerated.py",
        f"{DESIGN}::test_design_problems_solve_by_any_conic_solver"
        f" {DESIGN}::test_programs_are_in_columns_of_the_actions",
        ("cp.vstack([2 * flat, cost - spread])", "cp.vstack([flat, cost - spread])"),
        ("minimax_program(inside, differences(inside))", "minimax_program(inside, inside)"),
    ),
    *of(
        "formulations/designs/transductive.py",
        f"{HERE}/designs/test_transductive.py",
        ("free = free * growth(", "free = free * growth(vectors, saddle.inverse) * growth("),
        ("mixture = mixture * quadratic_forms", "mixture = 1.0 + quadratic_forms"),
        ("if design.value > most:\n            equal", "if False:\n            equal"),
        ("if design.value > most:\n            raise", "if False:\n            raise"),
        ("design.value > most:\n            equal", "math.isinf(design.value):\n            equal"),
        ("bound * (1.0 + _CLAIMED)", "bound * (1.0 + 4.0 * _CLAIMED)"),
        ("max(_LEAST_SHARE, 2.0 * _TRACE / count)", "_LEAST_SHARE"),
        ("in_bits(weights / weights.sum(), _BITS_OF_SHARES)", "weights / weights.sum()"),
        (".max() > _OUTSIDE", ".max() > 10"),
        ("(1.0 - _MIXED) * weights + equal", "weights + equal"),
        ("weights[rows] / weights[rows].sum()", "1.1 * weights[rows]"),
        ("differences(self._scaled[left])", "differences(self._scaled)"),
    ),
    *of(
        "formulations/designs/uniform.py",
        f"{DESIGN}::test_uniform_designs_span_the_class"
        f" {DESIGN}::test_shares_of_a_uniform_design_are_equal_and_add_up_to_one"
        f" {DESIGN}::test_spans",
        (
            "np.full(len(vectors), 1.0 / len(vectors))\n    inside",
            "np.full(len(vectors), 1.0)\n    inside",
        ),
        ("for sign in (1.0, -1.0)", "for sign in (1.0,)"),
    ),
    *of(
        "formulations/designs/vectors.py",
        f"{DESIGN}::test_published_values {DESIGN}::test_programs_are_in_columns_of_the_actions",
        ("inside = sizes > _CLEAR * noise", "inside = sizes > 0.9 * sizes[0]"),
        ("rest -= np.outer(direction, direction @ rest)", "pass"),
        (
            "np.where(leading < 0, -vectors, vectors)",
            "np.where(leading < 0, vectors, vectors)",
            "differences of both signs have the same norms: only their number doubles",
        ),
    ),
    *of(
        "formulations/designs/optimal.py",
        f"{DESIGN}::test_g_value_of_k_subsets_is_n {DESIGN}::test_published_values"
        f" {DESIGN}::test_designs_say_what_is_certain",
        ("value=max(float(norms.max()), bound)", "value=bound"),
        ("value=max(saddle.value, saddle.bound)", "value=saddle.bound"),
    ),
    *of(
        "formulations/designs/column_generation.py",
        f"{DESIGN}::test_column_generation_is_the_design_of_the_list"
        f" {DESIGN}::test_xy_column_generation_is_the_design_of_the_list"
        f" {DESIGN}::test_column_generation_by_pricing_where_the_class_is_too_long_to_list",
        ("excess = worst / r - 1.0", "excess = worst / r - 1.1"),
        ("best[2] <= r * (1.0 + tolerance)", "best[2] <= r * (1.2 + tolerance)"),
    ),
    *of(
        "formulations/designs/column_generation.py",
        f"{DESIGN}::test_column_generation_is_the_design_of_the_list"
        f" {DESIGN}::test_xy_column_generation_is_the_design_of_the_list"
        f" {DESIGN}::test_column_generation_by_pricing_where_the_class_is_too_long_to_list",
        (
            "below = max(below, saddle.trace**2 / max(largest, reach))",
            "below = max(below, 1.1 * saddle.trace**2 / max(largest, reach))",
        ),
        ("above <= below * (1.0 + tolerance)", "above <= below * (1.2 + tolerance)"),
    ),
    *of(
        "formulations/designs/column_generation.py",
        INTERIOR,
        ("q + length * step", "q - length * step"),
        ("smooth = 2.0 * (vectors", "smooth = 0.0 * (vectors"),
        ("np.diag(-(left[near] ** 2))", "np.diag(left[near] ** 2)"),
        ("weights = 1.0 / (1.0 - quadratic_forms(rows, inverse))", "weights = np.ones(len(rows))"),
        ("if not near:", "if False:"),
        ("squares[:, ~near] / left[~near]", "squares[:, ~near]"),
    ),
    *of(
        "formulations/designs/pricing.py",
        f"{SUMS}::test_penalties_of_the_affine_hull_keep_the_bound",
        ("float(levels @ levels) / k", "float(levels @ levels)"),
        ("weight * (2.0 * normals.T", "weight * (1.0 * normals.T"),
        (
            "bound = self._branched(matrix, self._spanning, value, max(value, enough))",
            "bound = value",
        ),
    ),
    *of(
        "formulations/designs/pricing.py",
        f"{DESIGN}::test_column_generation_is_the_design_of_the_list"
        f" {DESIGN}::test_xy_column_generation_is_the_design_of_the_list"
        f" {DESIGN}::test_differences_that_are_not_listed_are_bounded_by_their_length",
        (
            'np.argsort(-on_grid(values), kind="stable")[:_STARTS]',
            'np.argsort(on_grid(values), kind="stable")[:_STARTS]',
        ),
        (
            "return 2.0 * min(decisions.k, n - decisions.k) * top",
            "return min(decisions.k, n - decisions.k) * top",
        ),
    ),
    *of(
        "formulations/designs/enumerated.py",
        f"{DESIGN}::test_methods_agree_on_random_lists_of_60_actions"
        f" {DESIGN}::test_pairwise_steps_keep_the_inverse_and_never_lower_the_determinant"
        f" {DESIGN}::test_any_weights_bracket_the_xy_optimum"
        f" {DESIGN}::test_no_design_of_a_fine_grid_is_better"
        f" {DESIGN}::test_an_action_that_sees_no_difference_falls_by_the_same_factor_everywhere",
        ("(gram[0, 0] - gram[1, 1]) / (2.0 * curvature)", "(gram[0, 0] - gram[1, 1]) / curvature"),
        ("np.diag([1.0 / moved, -1.0 / moved])", "np.diag([1.0 / moved, 1.0 / moved])"),
        ("trace**2 / largest, trace", "2.0 * trace**2 / largest, trace"),
        ("weights = weights * g / dimension", "weights = weights / g / dimension"),
        ("weights * growth(vectors, saddle.against)", "weights / growth(vectors, saddle.against)"),
        ("np.maximum(squares, _UNSEEN * squares.max())", "np.maximum(squares, 0.0)"),
        (
            "float(self.g.max()) / self.dimension - 1.0",
            "float(self.g.min()) / self.dimension - 1.0",
        ),
    ),
    *of(
        "formulations/quadratic/maximise.py",
        f"{ELLIPSOID}::test_exact_is_brute_force {ELLIPSOID}::test_bounds_hold_and_ascent_is_a_set"
        f" {ELLIPSOID}::test_peeling_keeps_its_guarantee",
        (
            "max(spectral_bound(matrix, k, linear",
            "min(spectral_bound(matrix, k, linear",
        ),
        ("eigenvalues[0] / eigenvalues[-1])", "eigenvalues[-1] / eigenvalues[0])"),
    ),
    *of(
        "formulations/quadratic/program.py",
        f"{ELLIPSOID}::test_exact_is_brute_force {ELLIPSOID}::test_a_set_can_be_left_out",
        ("cost=2.0 * matrix[first, second]", "cost=matrix[first, second]"),
        ("cost=np.diag(matrix) + linear", "cost=np.diag(matrix)"),
        ("np.full(n, 1.0 - decisions.rank)", "np.full(n, -1.0 * decisions.rank)"),
        ("upper=len(members) - 1.0", "upper=float(len(members))"),
    ),
    *of(
        "formulations/quadratic/local_search.py",
        f"{ELLIPSOID}::test_exact_is_brute_force {ELLIPSOID}::test_bounds_hold_and_ascent_is_a_set"
        f" {ELLIPSOID}::test_ascent_ends_where_no_set_is_better_for_the_linearised_form"
        f" {ELLIPSOID}::test_ascent_follows_the_slope_of_the_quadratic_and_the_linear_part",
        (
            "2.0 * (matrix @ chi + lift * chi) + linear - lift",
            "matrix @ chi + lift * chi + linear - lift",
        ),
        (
            "matrix[np.ix_(chosen, chosen)].sum() + linear[chosen].sum()",
            "matrix[np.ix_(chosen, chosen)].sum()",
        ),
    ),
    *of(
        "formulations/quadratic/bounds.py",
        f"{ELLIPSOID}::test_bounds_are_never_below_the_optimum"
        f" {ELLIPSOID}::test_the_bound_is_exact_where_all_sets_are_equal"
        f" {ELLIPSOID}::test_steps_improve_the_bound"
        f" {ELLIPSOID}::test_steps_end_at_a_bound_that_is_good_enough"
        f" {ELLIPSOID}::test_bounds_hold_and_ascent_is_a_set"
        f" {ELLIPSOID}::test_the_bound_is_exact_for_a_linear_form_of_one_element",
        ("k * (n - k) / n  # radius", "0.5 * k * (n - k) / n  # radius"),
        ("part**2 * sums.sum()", "part * sums.sum()"),
        ("+ 2.0 * part * sums", "+ part * sums"),
        ("bound = constant + level * radius + 0.25", "bound = constant + level * radius - 0.25"),
        ("here = here - max(bound - aim, 0.0)", "here = here + max(bound - aim, 0.0)"),
        ("flat or best.value <= target", "flat"),
        ("squares, goal = 0.25 * linear**2", "squares, goal = linear**2"),
        (
            "np.maximum(0.0, nonnegative.dual_value) / 2.0",
            "np.maximum(0.0, nonnegative.dual_value) / -2.0",
        ),
    ),
    *of(
        "formulations/quadratic/local_search.py",
        f"{ELLIPSOID}::test_peeling_is_the_paper_s"
        f" {ELLIPSOID}::test_greedy_takes_the_best_next_element"
        f" {ELLIPSOID}::test_swap_search_stops_at_sets_that_no_swap_improves"
        f" {ELLIPSOID}::test_peeling_of_many_problems_is_peeling_of_each"
        f" {ELLIPSOID}::test_swap_search_finds_the_optimum_of_nearly_all_random_matrices",
        ("(n - 2) * own + own.sum", "(n - 1) * own + own.sum"),
        ("+ own[every, dropped][:, None] + own", "+ own[every, dropped][:, None]"),
        ("np.where(kept, -degree, -np.inf)", "np.where(kept, degree, -np.inf)"),
        ("gain = gain + 2.0 * scale", "gain = gain + scale"),
        ("gain -= 2.0 * s[:, :, None]", "gain -= s[:, :, None]"),
        ("2.0 * s * g - s * diagonal + d, into", "2.0 * s * g + s * diagonal + d, into"),
        ("scale * quadratic_forms(x, matrix) + (linear", "quadratic_forms(x, matrix) + (linear"),
    ),
    *of(
        "formulations/magnitude.py",
        f"{HERE}/test_magnitude.py {ELLIPSOID}::test_bad_input_is_refused_in_words",
        ("if largest else 1.0", "if largest else 0.0"),
        ("if largest > np.finfo", "if largest < np.finfo"),
        ("math.frexp(largest)[1] - 1)", "math.frexp(largest)[1])"),
    ),
    *of(
        "formulations/matchings/assignment.py",
        f"{MATCHINGS}::test_forced_edges_exclude_others"
        f" {MATCHINGS}::test_bad_constraints_are_refused"
        f" {MATCHINGS}::test_the_facade_is_the_oracle_of_the_class"
        f" {MATCHINGS}::test_all_solvers_find_what_enumeration_finds",
        (
            "~np.isin(graph.candidate, graph.candidate[self.forced])",
            "~np.isin(graph.candidate, [])",
        ),
        ("return np.flatnonzero(self.forbidden)", "return np.flatnonzero(~self.forbidden)"),
        ("return np.flatnonzero(self.forced)", "return np.flatnonzero(self.free)"),
    ),
    *of(
        "problems/subsets/decisions.py",
        "problems/subsets/test_own_classes.py",
        ("0 <= ascending[0] <= ascending[-1] < self.size", "ascending[-1] < self.size"),
        ("if len(set(ascending)) < len(ascending):", "if False:"),
        ("if values[place] > own else None", "if values[place] > own + 1.5 else None"),
        ("slack = _WORSE *", "slack = 0.0 *"),
        ("self.best(weights.copy(),", "self.best(weights,"),
        ("            self._note_found(members)\n", ""),
        ("if tells and not self.contains(members):", "if False:"),
        ("(chi @ chi[place] == sizes) & (sizes <", "(chi @ chi[place] == sizes) & (sizes >"),
    ),
    *of(
        "problems/matchings/decisions.py",
        f"{MATCHINGS}::test_all_solvers_find_what_enumeration_finds"
        f" {MATCHINGS}::test_second_best_and_best_different"
        f" {MATCHINGS}::test_the_oracle_of_learners_maximises"
        f" {CONDORCET}::test_the_saddle_lp_has_the_value_of_the_game",
        ("table.ravel()[self._place[banned]] = np.inf", "pass"),
        ("columns, ones, upper=1.0\n", "columns, ones, upper=2.0\n"),
        ("self.cheapest(-weights, include", "self.cheapest(weights, include"),
        ("table[j, c] = cost", "table[j, c] = np.inf"),
        (
            "self._place[np.asarray(exclude)]] = np.inf",
            "self._place[np.asarray(exclude)]] = 0.0",
        ),
    ),
    *of(
        "hardness/matchings.py",
        "hardness/test_matchings.py",
        (
            "np.minimum(float(width) ** 2",
            "np.maximum(float(width) ** 2",
        ),
        ("_PROOF_CONSTANT = 32.0", "_PROOF_CONSTANT = 16.0"),
        ("max(last, 1.0) ** 3 / delta) + size", "max(last, 1.0) ** 2 / delta) + size"),
        ("gap = 0.5 - _best_with_each", "gap = 1.0 - _best_with_each"),
        (
            "np.maximum(self.gap[pairs[:, 0]], self.gap[pairs[:, 1]])",
            "np.minimum(self.gap[pairs[:, 0]], self.gap[pairs[:, 1]])",
        ),
        ("float(cost[chosen].mean())", "float(cost[chosen].sum())"),
        (
            "/ self.duels.graph.positions**2 * math.log(1 / delta)",
            "/ self.duels.graph.positions * math.log(1 / delta)",
        ),
        (
            "return first + hard * math.log(hard / delta)",
            "return first + hard * math.log(1 / delta)",
        ),
    ),
    *of(
        "formulations/designs/design.py",
        f"{DESIGN}::test_rounding_is_what_pulling_the_furthest_behind_leads_to"
        f" {DESIGN}::test_rounding_grows_with_the_total",
        ("times / shares, (times + 1) / shares", "times * shares, (times + 1) * shares"),
        ("(times - 1) / shares, (times - 2) / shares", "times / shares, (times - 1) / shares"),
        (
            "(total - count / 2.0) * shares",
            "(total + count) * shares",
            "the steps down end at the same numbers",
        ),
    ),
    *of(
        "hardness/separable.py",
        "hardness/test_separable.py::test_radii_are_the_distances_to_a_change"
        " learners/separable/test_coci.py::test_models_are_bi_monotone_as_they_say"
        " hardness/test_separable.py::test_an_arm_that_never_matters_has_an_infinite_radius"
        " learners/separable/test_coci.py::test_coci_is_the_algorithm_as_printed"
        " hardness/test_separable.py::test_the_least_number_of_observations_is_between_its_bounds",
        ("0.5 / nearest**2", "1.0 / nearest**2"),
        ("least, len(self.radius) * least", "least, 0.5 * len(self.radius) * least"),
        (
            "12.0 * hardness * math.log(24.0 * hardness)",
            "12.0 * hardness * math.log(12.0 * hardness)",
        ),
        ("start = 2.0 * self.problem.model.size", "start = 1.0 * self.problem.model.size"),
        ("model.size * float(terms.max())", "model.size * float(terms.min())"),
        ("moved = theta - sign * distance", "moved = theta + sign * distance"),
        (
            "(middle, high) if same(middle) else (low, middle)",
            "(low, middle) if same(middle) else (middle, high)",
        ),
    ),
    *of(
        "formulations/separable/oracle.py",
        "learners/separable/test_coci.py::test_violations_of_bi_monotonicity_are_found"
        " learners/separable/test_coci.py::test_models_are_bi_monotone_as_they_say"
        f" {ALLOCATION}::test_the_oracle_of_opinions_is_the_best_allocation",
        ("sizes * np.sqrt(theta)", "sizes * theta"),
        ("expected = direction if other == arm else -direction", "expected = direction"),
    ),
    *of(
        "hardness/subsets.py",
        "hardness/test_subsets.py",
        ("self.rho / width / width", "self.rho / width"),
        ("8.0 * (3.0 + 1.0 / alpha) ** 2", "8.0 * (3.0 + alpha) ** 2"),
        (
            "(2.0 * float(width[list(heaviest)].sum())) ** 2",
            "float(width[list(heaviest)].sum()) ** 2",
        ),
        ("scale * math.log(decisions.size / delta)", "scale * math.log(1.0 / delta)"),
        (
            "math.inf if second is None else best.value - second.value",
            "math.inf if second is None else best.value",
        ),
    ),
    *of(
        "formulations/information.py",
        f"{TIME} {SUBSET_TIME} {HERE}/test_information.py",
        ("if len(sorted_times) * delta >= 1.0 - delta:", "if False:"),
        ("if named < 1.0 - delta else", "if named < 1.0 - 9 * delta else"),
        ("p, delta) <= information else", "p, delta) <= 2 * information else"),
        ("math.log(p) - math.log(delta)", "math.log(p) - 2 * math.log(delta)"),
        ("math.log1p(-p) - math.log1p(-delta)", "-math.log1p(-delta)"),
        (
            "if len(sorted_times) == 1 or high in (0.0, math.inf):",
            "if high in (0.0, math.inf):",
            "the halving ends at the closed form, too",
        ),
        ("return -time * math.log(", "return -2 * time * math.log("),
        ("(1.0 - 2.0 * delta) *", "(1.0 - delta) *"),
        ("math.log1p(-delta) - math.log(delta)", "-math.log(delta)"),
        ("if delta >= 0.5", "if delta > 0.5", "kl(½, ½) is 0"),
    ),
    *of(
        "formulations/subsets/subset_time.py",
        SUBSET_TIME,
        ("endless.astype(np.float64) if endless.any()", "self.exploration if endless.any()"),
        ("return least_cost([self.bound], delta)", "return self.value"),
        ("return asymptotic_cost(self.value, delta)", "return self.value"),
    ),
    *of(
        "formulations/subsets/subset_time.py",
        SUBSET_TIME,
        ("np.where(tied != 0.0, math.inf, 0.0)", "np.where(tied > 0.0, math.inf, 0.0)"),
        ("or problem.noise == 0.0", "or problem.noise < 0.0"),
    ),
    *of(
        "formulations/matchings/matching_time.py",
        MATCHING_TIME,
        ("SIGMA = 0.5", "SIGMA = 1.0"),
        ("0.5 - duels.array[rivals, each]", "1.0 - duels.array[rivals, each]"),
        ("q[rivals, each] = q[each, rivals] =", "q[rivals, each] ="),
        ("costs = charged[rivals, each]", "costs = charged[rivals, each] ** 2"),
        ("known=winner), costs", "known=()), costs"),
    ),
    *of(
        "problems/matchings/prices.py",
        MATCHING_TIME,
        ("matrix[e, f] = matrix[f, e] = table", "matrix[e, f] = table"),
        ("if abs(price - mirror) >", "if price - mirror < -"),
    ),
    *of(
        "formulations/subsets/alternatives.py",
        SUBSET_TIME,
        ("other = oracle.maximise(theta, include=(element,))", "continue"),
        ("equal = self.gaps <= _EQUAL", "equal = self.gaps < -_EQUAL"),
        ("rows[each, pairs[:, 1]] = 1.0, -1.0", "rows[each, pairs[:, 1]] = 1.0, 1.0"),
    ),
    *of(
        "formulations/subsets/single_pulls.py",
        SUBSET_TIME,
        ("shares = 2.0 * (sigma", "shares = (sigma"),
        ("np.abs(rows[:, used]) * shares", "np.maximum(rows[:, used], 0.0) * shares"),
        ("q[used] = amounts * max(1.0, ratio)", "q[used] = amounts"),
        (
            "cost = float(rows.prices @ amounts) * max(1.0, ratio)",
            "cost = float(rows.prices @ amounts)",
        ),
        ("if late or not len(fresh) or", "if True or"),
    ),
    *of(
        "formulations/subsets/sums_of_sets.py",
        SUMS,
        (
            "basis = span_basis(sets)\n    rows = RatioPricing(alternatives, math.sqrt(2.0)",
            "basis = span_basis(sets)\n    rows = RatioPricing(alternatives, 2.0",
        ),
        ("value * shares / charged", "value * shares"),
        ("np.asarray(sets @ costs)", "np.asarray(sets @ costs**2)"),
        ("scale = math.sqrt(2.0 * float(costs)) * sigma", "scale = math.sqrt(2.0) * sigma"),
    ),
    *of(
        "formulations/subsets/sums_of_sets.py",
        SUMS,
        ("max(0.0, most) / self._least**2)", "max(0.0, most) * 0.0)"),
        ("linear=-2.0 * (form @ best)", "linear=2.0 * (form @ best)"),
        ("result.bound + float(best @ form @ best)", "result.bound"),
    ),
    *of(
        "formulations/quadratic/bounds.py",
        f"{SUMS}::test_branching_bounds_the_largest_value",
        (
            "2.0 * matrix[np.ix_(rest, inside)].sum(axis=1),",
            "matrix[np.ix_(rest, inside)].sum(axis=1),",
        ),
        (
            "for chosen in (np.append(inside, split), inside):",
            "for chosen in (np.append(inside, split),):",
        ),
        ("-largest <= target or", "True or"),
    ),
    *of(
        "formulations/subsets/single_pulls.py",
        SUBSET_TIME,
        ("** 2 / (2.0 * self._variance)", "** 2 / self._variance"),
        ("np.where(self._chosen, -1.0, 1.0)", "np.where(self._chosen, 1.0, 1.0)"),
        ("upper=best - 1.0)", "upper=best - 2.0)"),
        ("lower=slopes * best - np.array(touched) ** 2", "lower=slopes * best"),
        ("return most * 2.0 * self._variance", "return 0.1 * most * 2.0 * self._variance"),
    ),
    *of(
        "problems/subsets/matroids.py",
        SUBSET_TIME,
        ("self.rank_of([*(e for e in chosen if e != out), new]) == len(chosen)", "out < new"),
    ),
    *of(
        "problems/subsets/matroids.py",
        f"{SUBSETS}::test_the_best_set_is_that_of_enumeration"
        f" {SUBSETS}::test_the_second_best_set_is_that_of_enumeration",
        ('f"{prefix}size", columns, lower=self.k,', 'f"{prefix}size", columns, lower=0,'),
        ("np.argsort(-weights, kind", "np.argsort(weights, kind"),
        ("return chosen if len(chosen) == self.rank else None", "return chosen"),
        ("columns, lower=capacities, upper=capacities", "columns, lower=0.0, upper=capacities"),
    ),
    *of(
        "problems/subsets/trees.py",
        f"{SUBSETS}::test_the_best_set_is_that_of_enumeration",
        ("ends[:, side] == root, 0.0, 1.0", "ends[:, side] == root, 1.0, 1.0"),
        ("columns, lower=self.rank, upper=self.rank", "columns, lower=0, upper=self.rank"),
    ),
    *of(
        "problems/subsets/paths.py",
        f"{SUBSETS}::test_the_best_set_is_that_of_enumeration",
        ("= 1.0, -1.0\n", "= -1.0, 1.0\n"),
        ("np.repeat([1.0, -1.0, float(vertices)], arcs)", "np.repeat([1.0, -1.0, 1.0], arcs)"),
        ("value[u] + weights[e] > value[v])", "value[u] + weights[e] < value[v])"),
        ("v <= before or u >= after", "v <= after or u >= before"),
    ),
    *of(
        "formulations/subsets/oracle.py",
        f"{SUBSETS}::test_the_best_set_is_that_of_enumeration"
        f" {MATCHINGS}::test_the_facade_is_the_oracle_of_the_class",
        ("lower=forced.astype(np.float64)", "lower=0.0"),
        ("upper=np.where(forbidden, 0.0, 1.0)", "upper=1.0"),
        ('        name="subset",', '        name="matching",'),
    ),
    *of(
        "formulations/subsets/best_subset.py",
        f"{SUBSETS}::test_the_second_best_set_is_that_of_enumeration"
        f" {SUBSETS}::test_bounds_hold_from_the_other_side"
        f" {SUBSETS}::test_the_least_weight_is_minus_the_largest_of_minus",
        ("oracle.other_optimum(weights, first, sense)", "oracle.other_optimum(weights, first)"),
        ("bound=optimum.bound", "bound=-optimum.bound"),
        ("oracle.optimum(weights, sense=sense)", "oracle.optimum(weights)"),
    ),
    *of(
        "formulations/subsets/oracle.py",
        "problems/subsets/test_own_classes.py",
        ("list(include)].all(axis=1)", "list(include)].any(axis=1)"),
        ("~vectors[:, list(exclude)]", "vectors[:, list(exclude)]"),
        ("np.argmax(", "np.argmin("),
    ),
    *of(
        "problems/subsets/decisions.py",
        "problems/subsets/test_own_classes.py",
        ("(held >= np.asarray(lower) - _FEASIBLE) & ", ""),
        (" & (held <= np.asarray(upper) + _FEASIBLE)", ""),
    ),
    *of(
        "formulations/subsets/oracle.py",
        f"{SUBSETS}::test_the_best_set_is_that_of_enumeration"
        f" {SUBSETS}::test_the_second_best_set_is_that_of_enumeration"
        f" {SUBSETS}::test_the_least_weight_is_minus_the_largest_of_minus"
        f" {SUBSETS}::test_a_mixture_of_optima_is_rounded_to_one"
        f" {SUBSETS}::test_bounds_hold_from_the_other_side"
        f" {MATCHINGS}::test_all_solvers_find_what_enumeration_finds"
        f" {MATCHINGS}::test_the_oracle_of_learners_maximises",
        ('if sense == "max" else -unit_of(weights)', 'if sense == "min" else -unit_of(weights)'),
        ("sign * other.value)", "-sign * other.value)"),
        ("value + unit * error, None)", "value - unit * error, None)"),
        ("(value := float(weights[list(other)].sum())) > largest", "(value := 0.0) > largest"),
        ('beyond = max if sense == "max" else min', 'beyond = min if sense == "max" else max'),
        (
            "decisions.best_set(sign * weights, forced, unused)",
            "decisions.best_set(sign * weights, forced)",
        ),
    ),
    *of(
        "formulations/dueling/cheapest_flips.py",
        f"{FLIPS}",
        ("np.where(lost, -1.0, 1.0)", "np.where(lost, 1.0, 1.0)"),
        ("cost=pairs.cost, upper=1.0", "cost=pairs.cost, upper=2.0"),
        ("np.append(pairs.second[~free], first)", "pairs.second[~free]"),
        ("np.append(pairs.second[~free], first)", "first"),
        ("found.value < best.value * (1.0 - TIE)", "found.value > best.value * (1.0 - TIE)"),
        ("found.value < best.value * (1.0 - TIE)", "found.value <= best.value"),
        ("if arm not in winners", "if arm in winners"),
        ("turned[pairs.free] = ~point", "turned[pairs.free] = point"),
    ),
    *of(
        "formulations/dueling/cheapest_flips.py",
        f"{FLIPS}",
        ("supplies[arm] = self.losses[arm]", "supplies[arm] = self.losses[arm] - level"),
        ("costs = np.where(own, 0, self.costs)", "costs = self.costs"),
        ("held = pairs.losses + given", "held = pairs.losses"),
        ("np.repeat([1, 2 * arms]", "np.repeat([2, 2 * arms]"),
        ("here[0] + (s - t) *", "here[0] + 2 * (s - t) *"),
        ("if there[0] >= here[0]", "if there[0] <= here[0]"),
        ("(cost * self.step - self.error)", "(cost * self.step + self.error)"),
        ("= top + len(self.kept)", "= 0"),
        ("network.error <= _ACCURACY * value", "network.error <= 1e9 * value"),
        ("own | (pairs.cost <= most)", "own | (pairs.cost <= most / 2)"),
    ),
    *of(
        "formulations/dueling/cheapest_flips.py",
        f"{FLIPS}",
        ("behind = second == arm", "behind = first == arm"),
        ("np.add.at(after, flips[:, 0], -1)", "np.add.at(after, flips[:, 0], 0)"),
        ("while len(kept) != before", "while before < 0"),
        ("if not without(None, pair[1])", "if True"),
        ("> _SYMMETRY * array", "> 10.0 * array"),
    ),
    *of(
        "formulations/dueling/voting.py",
        f"{HERE}/dueling/test_voting.py",
        ("payoff = preferences.array - 0.5\n", "payoff = preferences.array\n"),
        ("float(max(0.0, -against.min()))", "float(max(0.0, -against.max()))"),
    ),
    *of(
        "problems/dueling/scores.py",
        "problems/dueling/test_scores.py",
        ("array.T / (arms - 1)", "array / (arms - 1)"),
        ("scores >= scores.max() - TOLERANCE", "scores >= scores.min() - TOLERANCE"),
        (
            "< arms - 1:",
            "< arms - 2:",
            "of two arms one loses to the other, so that the walk has one closed class in any case",
        ),
    ),
]
