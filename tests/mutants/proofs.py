"""Mutants of proofs: e-values, thresholds, mixtures, shares of δ, and what stops by them."""

from tests.mutants import killed_by

ANSWERS = "learners/test_answers.py"
ANY_LOG = "formulations/subsets/test_any_log.py"
BLOCK_BOUNDS = "formulations/subsets/test_block_bounds.py"
BLOCK_MIXTURE = "formulations/test_block_mixture.py"
BLOCK_SUMS = "formulations/subsets/test_block_sums.py"
BORDA_PROOF = "formulations/dueling/test_borda_proof.py"
DUELING_PROOFS = "formulations/dueling/test_proofs.py"
EXCESS = "formulations/subsets/test_excess.py"
HUGE_CLASSES = "learners/subsets/test_huge_classes.py"
MATCHING_TRACKING = "learners/matchings/test_matching_tracking.py"
NOISE_BOUND = "formulations/subsets/test_noise_bound.py"
PAIR_PROOF = "formulations/dueling/test_pair_proof.py"
PREFLIB = "problems/dueling/test_preflib.py"
SETTLING = "formulations/dueling/test_settling.py"
SINGLE_EVIDENCE = "learners/subsets/test_single_evidence.py"
SINGLE_THRESHOLD = "formulations/subsets/test_single_threshold.py"
SUBSET_TRACKING = "learners/subsets/test_subset_tracking.py"
TEAM_EVIDENCE = "analysis/test_team_evidence.py"
TRACKING = "learners/dueling/test_tracking.py"
UNPROVED_ANSWERS = "learners/test_unproved_answers.py"

PROOFS = [
    *killed_by(
        f"{TRACKING}::test_it_stops_as_soon_as_a_look_finds_the_proof",
        ("Goal.enough", "return -math.log(delta)", "return -0.9 * math.log(delta)"),
    ),
    *killed_by(
        TRACKING,
        ("customary_threshold", "math.log(1.0 + math.log(duels))", "math.log(math.log(duels))"),
        ("track", "if look.evidence >= goal", "if 2 * look.evidence >= goal"),
        ("started_tally", "if not votes.independent:", "if votes is None:"),
        (
            "_by_blocks",
            "needed = math.log(arms - 1) - math.log(delta)",
            "needed = -math.log(delta)",
        ),
        ("_customary", "2.0 * blocks.information", "0.5 * blocks.information"),
        ("copeland_tracking", "return found if proved else without_proof(found)", "return found"),
        (
            "CondorcetGoal.look",
            "np.delete(against, answer).min()",
            "np.delete(against, answer).max()",
        ),
        (
            "CustomaryGoal.against",
            "tally.evidence, 0.0).sum(axis=0)",
            "tally.evidence, 0.0).sum(axis=1)",
        ),
        (
            "Exchange._finish",
            "doubt, assumption = ('', self._declared)",
            "doubt, assumption = ('', '')",
        ),
        ("BordaBlocks.add", "(2.0 * others) ** 2", "(3.0 * others) ** 2"),
        ("BordaBlocks.add", "2.0 * inverse", "inverse"),
    ),
    *killed_by(
        f"{TRACKING}::test_the_smallest_probabilities_of_an_error_are_reached_or_refused",
        ("checked_probability", "if probability < LEAST_PROBABILITY:", "if False:"),
    ),
    *killed_by(
        ANSWERS,
        ("Exchange.__init__", "'' if says.promises else NO_GUARANTEE", "''"),
    ),
    *killed_by(
        DUELING_PROOFS,
        ("_grid", "weights / weights.sum()", "weights / weights[1:].sum()"),
        ("_grid", "np.tanh(odds / 2)", "np.tanh(odds)"),
        ("log_e_values", "lost[..., None] * _LOST", "lost[..., None] * _LOST / 2"),
        ("weakest_truth", "log_bet(rest, arms - 1)", "log_bet(rest, arms)"),
        ("weakest_truth", "(sums[:, size - 1] + own[:, None]) / size", "sums[:, size - 1] / size"),
        ("weakest_truth", "others_flip[:, level + 1]", "others_flip[:, level]"),
        (
            "weakest_truth",
            "[*order[row, :arms - 2 - case].tolist(), answer]",
            "order[row, :arms - 2 - case].tolist()",
        ),
        ("weakest_truth", "losses = case - (arms - 1) + 2", "losses = case - (arms - 1) + 1"),
        ("_others_flip", "_SHARE * least / count", "_SHARE * least"),
        ("log_bet", "(count - 1.0) * ONE", "count * ONE"),
        ("log_bet", "(e + (count - 1.0) * ONE) / count", "e + (count - 1.0) * ONE"),
        ("evidence_against", "e.sum(axis=0) / others", "e.sum(axis=0)"),
        ("evidence_against", "log_bet(e, others)", "log_bet(e, 1)"),
    ),
    *killed_by(
        PAIR_PROOF,
        ("pair_proof", "math.log(pairs) - math.log(delta)", "-math.log(delta)"),
        ("pair_proof", "math.log1p(-1.0 / pairs)", "math.log1p(-0.5 / pairs)"),
        ("pair_proof", "np.logaddexp(high, low) - math.log(2.0)", "np.logaddexp(high, low)"),
        ("pair_proof", "-math.log(delta) - math.fsum", "-math.log(delta) - 0.0 * math.fsum"),
        ("pair_proof", "just_below(bet(each) - lost)", "just_below(bet(each))"),
        ("PairProof.beats", "self.cost >= self.threshold", "self.reversal >= self.threshold"),
        ("PairProof.against_condorcet", "self.leads.T, self.reversal", "self.leads, self.reversal"),
        ("copeland_statuses", "cutoff=proof.threshold", "cutoff=proof.threshold / 2"),
        ("copeland_proved", "if not independent:", "if False:"),
        ("copeland_proved", ".evidence >= -math.log(delta)", ".evidence >= -math.log(2 * delta)"),
        (
            "condorcet_statuses",
            "proof.against_condorcet >= proof.threshold",
            "proof.against_condorcet > 0",
        ),
        ("condorcet_statuses", "beaten == len(beaten) - 1", "beaten >= len(beaten) - 2"),
    ),
    *killed_by(
        BORDA_PROOF,
        ("borda_order", "len(wins) * (len(wins) - 1) / 2.0)", "len(wins) * (len(wins) - 1) / 4.0)"),
        ("borda_evidence", "- 3.0 * paid", "- 2.0 * paid"),
        ("borda_evidence", "np.log1p(votes / tau)", "np.log1p(votes / tau / 2)"),
        ("borda_evidence", "exponent = 2.0 * lead ** 2", "exponent = 4.0 * lead ** 2"),
        ("borda_evidence", "votes * tau / (votes + tau)", "votes"),
        ("_radius", "len(_TAU) * arms", "arms"),
    ),
    *killed_by(
        SETTLING,
        ("_Prospect.proved", "PAIRS_SHARE * self.delta", "10 * PAIRS_SHARE * self.delta"),
        ("_Prospect.proved", "COPELAND_SHARE * self.delta", "10 * COPELAND_SHARE * self.delta"),
    ),
    *killed_by(
        PREFLIB,
        ("_Prospect.__init__", "wins = votes.proving_wins", "wins = votes.wins"),
    ),
    *killed_by(
        BLOCK_MIXTURE,
        ("BlockMixture.__init__", "np.log(weights / weights.sum())", "np.log(weights)"),
        ("BlockMixture.least_sums", "(value - needed) / slope", "1.1 * (value - needed) / slope"),
    ),
    *killed_by(
        MATCHING_TRACKING,
        ("BlockProof.add", "scale ** 2 / (4.0 * duels)", "scale ** 2 / (8.0 * duels)"),
        ("log_weight", "-math.log(number * (number + 1.0))", "-math.log(number)"),
        ("BlockProof.__init__", "weights / weights.sum())", "weights)"),
        ("certificate", "excess.at_most(0.0) <= 0.0", "excess.at_most(0.0) > 0.0"),
        ("BlockProof.boundary", "shares @ (self._rho ** 2 / 2.0)", "shares @ self._rho ** 2"),
        ("Rivals.proves", "if self.evidence(proof) < level or self.complete:", "if True:"),
    ),
    *killed_by(
        ANY_LOG,
        ("AnyLog.__init__", "volumes + math.log(len(LAMBDAS))", "volumes"),
        ("AnyLog.__init__", ".sum(axis=1) / 2.0", ".sum(axis=1) / 4.0"),
        ("AnyLog.lower_with", "each = needed + math.log(3.0)", "each = needed"),
        ("AnyLog.lower_with", "paid - math.log(count)", "paid"),
        (
            "AnyLog.lower_with",
            "np.stack([paid, of_log, paid + of_log])",
            "np.stack([paid, of_log, paid])",
        ),
    ),
    *killed_by(
        NOISE_BOUND,
        ("largest_sigma", "-math.log(error) if", "-math.log(2.0 * error) if"),
        ("largest_sigma", "planned_mixture(lines - len(sizes)) if", "planned_mixture(lines) if"),
        ("any_mixture", "logs + math.log(weight) - volumes", "logs + math.log(weight)"),
        ("any_mixture", "/ 2.0", "/ 4.0"),
        ("any_mixture", "weight = 2.0 / 3.0 /", "weight = 1.0 /"),
        ("planned_mixture", "- (place + 1.0) * math.log(2.0)", "- place * math.log(2.0)"),
        ("exact_rank", "* pivot - product)", "* pivot + product)"),
        ("largest_sigma", "math.ceil(limit / unit)", "math.floor(limit / unit)"),
    ),
    *killed_by(
        TEAM_EVIDENCE,
        ("team_evidence", "(1.0 - SIGMA_SHARE) * delta", "delta"),
        (
            "team_evidence",
            "largest_sigma(scores, SIGMA_SHARE * delta",
            "largest_sigma(scores, delta",
        ),
        ("team_evidence", "delta, planned=planned", "delta, planned=True"),
        ("team_evidence", "]) / sigma", "])"),
    ),
    *killed_by(
        BLOCK_BOUNDS,
        ("Rivals.__init__", "max(1, len(self._listed) - 1)", "max(1, len(self._listed) // 2)"),
        ("Rivals.__init__", "max(1, len(some) * (decisions.size - len(some)))", "len(some)"),
        ("BlockBounds.__init__", "math.log(rivals.count) - math", "-math"),
        ("BlockBounds.lower", "self.needed - math.log(self._count)", "self.needed"),
        (
            "BlockBounds.lower",
            "- _ROUNDING * (np.abs(sums) + least)",
            "+ _ROUNDING * (np.abs(sums) + least)",
        ),
    ),
    *killed_by(
        SINGLE_THRESHOLD,
        (
            "SingleThreshold._constant",
            "size * deviation_constant(self._log / size)",
            "deviation_constant(self._log)",
        ),
        ("element_costs", "2.0 * np.log(4.0 + np.log(pulls))", "np.log(4.0 + np.log(pulls))"),
    ),
    *killed_by(
        EXCESS,
        (
            "ThresholdRadius.radii",
            "np.sqrt(sums[:, 0] * self._thresholds(sums))",
            "np.sqrt(self._thresholds(sums) / 2)",
        ),
        ("Excess._most", "optimum.bound + same + lost", "optimum.value + same + lost"),
        (
            "Excess.at_most",
            "bound), _Part(part.include, (*part.exclude, between), bound)",
            "bound)",
        ),
        ("Excess.at_most", "worst = max(worst, bound)", "worst = bound"),
    ),
    *killed_by(
        BLOCK_SUMS,
        (
            "BlockSums.add",
            "self._variances[elements] += weight ** 2 / times",
            "self._variances[elements] += weight",
        ),
        ("BlockSums.precisions", "self.weight ** 2 / (different", "self.weight / (different"),
        ("BlockSums._share", "return (1.0 + _ROUNDING) / self.weight", "return 0.5 / self.weight"),
    ),
    *killed_by(
        SUBSET_TRACKING,
        ("BlockTracker._needs", "level = 2.0 * (self._bounds", "level = 1.5 * (self._bounds"),
        ("BlockTracker._needs", "level += 2.0 * math.log(3.0)", "level += 20.0"),
        ("BlockTracker._add", "if proves:", "if True:"),
        ("subset_tracking", "sums / scale, planned=planned)", "sums / scale, planned=True)"),
    ),
    *killed_by(
        f"{SINGLE_EVIDENCE} {UNPROVED_ANSWERS}",
        ("SingleEvidence.distances", "gaps ** 2 / (2.0 *", "gaps ** 2 / (4.0 *"),
        (
            "SingleEvidence.enough",
            "(distances > self.thresholds()).all()",
            "(distances > self.thresholds()).any()",
        ),
        (
            "SingleEvidence.__init__",
            "log = math.log(rivals.count) - math.log(delta)",
            "log = -math.log(delta)",
        ),
        ("customary", "1.0 + math.log(pulls)", "math.log(pulls)"),
    ),
    *killed_by(
        HUGE_CLASSES,
        ("PacedProof.proves", ".at_most(epsilon) <= epsilon", ".at_most(epsilon) < np.inf"),
        ("ElementTracker.__init__", "self._log_count - math.log(delta))", "-math.log(delta))"),
        ("ElementTracker.recall", "1.0, self._delta / 2, allowance", "1.0, self._delta, allowance"),
        (
            "ElementTracker._add",
            "excess.at_most(self._epsilon) <= self._epsilon",
            "excess.of_found() <= self._epsilon",
        ),
    ),
]
