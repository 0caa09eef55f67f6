"""Mutants of learners: radii, splits of δ, lengths of rounds, stopping inequalities."""

from tests.mutants import killed_by

BASELINES = "learners/dueling/test_baselines.py"
BATCHES = "learners/test_batches.py"
COCI = "learners/separable/test_coci.py"
COMB_GAME = "learners/subsets/test_comb_game.py"
CONDORCET_GUESS = "learners/matchings/test_condorcet_guess.py"
CW_RMED = "learners/dueling/test_cw_rmed.py"
ECW_RMED = "learners/dueling/test_ecw_rmed.py"
EDGE_DECISIONS = "learners/matchings/test_edge_decisions.py"
EXPLORATION = "learners/dueling/test_exploration.py"
FIELD = "learners/dueling/test_field.py"
FORMULAS = "learners/test_formulas.py"
FWS = "learners/subsets/test_fws.py"
IDENTIFICATION = "learners/dueling/test_identification.py"
MATCHINGS_LEARNERS = "learners/matchings/test_learners.py"
MATCHING_TRACKING = "learners/matchings/test_matching_tracking.py"
MIN_DIVERGENCE = "learners/dueling/test_min_divergence.py"
PLAIN_PROGRAMS = "learners/test_plain_programs.py"
POLY_ALBA = "learners/subsets/test_poly_alba.py"
RACES = "learners/dueling/test_races.py"
RAGE = "learners/subsets/test_rage.py"
REFERENCES = "learners/test_references.py"
SAFE_PULLS = "learners/separable/test_safe_pulls.py"
SCB = "learners/dueling/test_scb.py"
SHARE_PLAYERS = "learners/subsets/test_share_players.py"
STATIC_ALLOCATION = "learners/subsets/test_static_allocation.py"
THOMPSON = "learners/dueling/test_thompson.py"
UNPROVED_ANSWERS = "learners/test_unproved_answers.py"
UPPER_BOUNDS = "learners/dueling/test_upper_bounds.py"

LEARNERS = [
    *killed_by(
        REFERENCES,
        ("clucb", "scale = 2.0 * noise ** 2", "scale = 0.5 * noise ** 2"),
        ("clucb", "decisions.size * t ** 3)", "decisions.size * t ** 2)"),
        ("clucb", "4.0 * decisions.size * t", "4.0 * t"),
        ("FIRST_STAGE", "FIRST_STAGE = 0.01", "FIRST_STAGE = 0.1"),
    ),
    *killed_by(
        f"{REFERENCES} {STATIC_ALLOCATION}",
        ("first_order_gap_bound", "None, :] - 2.0 * gamma", "None, :] - gamma"),
        ("sa_foa", "gap_bound <= aim.epsilon / 2.0", "gap_bound <= aim.epsilon"),
        ("certified_gap_bound", "np.sqrt(2.0 * swaps * widest)", "np.sqrt(swaps * widest)"),
    ),
    *killed_by(
        f"{REFERENCES} {UNPROVED_ANSWERS}",
        ("_epoch", "math.log(delta)) / 2.0", "math.log(delta)) / 8.0"),
        ("_epoch", "4.0 * pairs * t ** 3", "4.0 * t ** 3"),
        ("_epoch", "extra=epsilon / 4", "extra=epsilon / 8"),
        ("_epoch", "graph.positions * epsilon", "epsilon"),
    ),
    *killed_by(
        f"{REFERENCES} {MATCHINGS_LEARNERS}",
        (
            "accept_and_reject",
            "needed = epsilon if slack == 'paper'",
            "needed = epsilon if slack != 'paper'",
        ),
    ),
    *killed_by(
        f"{REFERENCES} {CONDORCET_GUESS}",
        ("PairBounds.log_term", "math.log(delta)) / 2.0", "math.log(delta)) / 8.0"),
        ("PairBounds.log_term", "4.0 * self._pairs * t ** 3", "4.0 * t ** 3"),
    ),
    *killed_by(
        f"{REFERENCES} {MATCHINGS_LEARNERS} {FORMULAS} {EDGE_DECISIONS}",
        (
            "EdgeDecisions._exceeds",
            "low.at.low > high.at.high + slack",
            "low.at.low > high.at.high",
        ),
        (
            "EdgeDecisions._exceeds",
            "> max(high.at.low + slack, high.at.high)",
            "> high.at.low + slack",
        ),
        ("EdgeDecisions.decision", "max(slack, _EXACT)", "slack"),
    ),
    *killed_by(
        f"{REFERENCES} {BATCHES}",
        ("car_parallel", "delta / 2 ** (k + 1)", "delta / 2 ** k"),
    ),
    *killed_by(
        f"{STATIC_ALLOCATION} {REFERENCES}",
        (
            "Guarantee.ellipsoid_radius",
            "return 2.0 * math.sqrt(2.0) * self.sigma",
            "return math.sqrt(2.0) * self.sigma",
        ),
        ("Guarantee._log", "math.log(6.0 * t ** 2", "math.log(6.0 * t"),
        ("Guarantee.ellipsoid_radius", "+ decisions.log_count_bound()", "+ 0.0"),
        ("checked_aim", "chosen = decisions.rank * noise", "chosen = noise"),
    ),
    *killed_by(
        f"{STATIC_ALLOCATION} {FORMULAS}",
        (
            "LargestNorm.__call__",
            "return norm / math.sqrt(peeling_ratio",
            "return norm * math.sqrt(peeling_ratio",
        ),
    ),
    *killed_by(
        f"{STATIC_ALLOCATION} {FORMULAS} {UNPROVED_ANSWERS}",
        ("_ENOUGH_ELEMENTS", "_ENOUGH_ELEMENTS = 4", "_ENOUGH_ELEMENTS = 3"),
        ("icb", "aim.element_radius(look.t, decisions.size)", "aim.element_radius(look.t, 1)"),
    ),
    *killed_by(
        STATIC_ALLOCATION,
        (
            "Enumeration.largest_gap_bound",
            "leads = differences @ look.theta + radius",
            "leads = differences @ look.theta - radius",
        ),
    ),
    *killed_by(
        f"{FORMULAS} {BASELINES}",
        ("Beliefs._remove", "!= self.losses_of_winner + 1", "!= self.losses_of_winner"),
        ("Beliefs._add", "len(proof) < losses + 1:", "len(proof) < losses:"),
    ),
    *killed_by(
        f"{FORMULAS} {SCB}",
        ("at_any_time", "n ** 2 / 3)", "n ** 2 / 6)"),
        ("up_to", "math.log(2 * max_duels)", "math.log(max_duels)"),
        ("duels_to_a_sign", "while lead + times <= (", "while lead + times < ("),
    ),
    *killed_by(
        POLY_ALBA,
        ("Shortlist.__init__", "(4.0 if design.criterion", "(1.0 if design.criterion"),
        ("Shortlist.complete", "log = math.log(2.0 * self._looks", "log = math.log(self._looks"),
        ("Shortlist.complete", "log += self._oracle.decisions.log_count_bound()", "log += 0.0"),
        (
            "Shortlist.complete",
            "math.sqrt(2.0 * self._spread * log / sure)",
            "math.sqrt(self._spread * log / sure)",
        ),
        ("_round", "split * (len(left) - 1)", "split"),
    ),
    *killed_by(
        RAGE,
        ("rage", "precise = 8.0 *", "precise = 4.0 *"),
        ("rage", "len(vectors) ** 2 * t ** 2)", "len(vectors) ** 2)"),
        ("rage", "aim.sigma * math.sqrt(2.0 * log)", "aim.sigma * math.sqrt(log)"),
    ),
    *killed_by(
        SHARE_PLAYERS,
        ("AdaHedge._weights", "math.log(len(behind)) / self._gap", "1.0 / self._gap"),
        ("OnlineFrankWolfe.gain", "2.0 * step / _DIAMETER", "step / _DIAMETER"),
    ),
    *killed_by(
        COMB_GAME,
        ("optimistic_gains", "np.sqrt(paid) + np.sqrt(bonus", "np.sqrt(paid) - np.sqrt(bonus"),
        ("comb_game", "shares, math.log(t))", "shares, math.log(t) / 2.0)"),
    ),
    *killed_by(
        FWS,
        ("fws", "t ** (-0.9)", "t ** (-0.5)"),
        ("fws", "math.isqrt(t // size) ** 2 == t // size", "math.isqrt(t) ** 2 == t"),
    ),
    *killed_by(
        f"{COCI} {FORMULAS}",
        ("_rounds", "decision if test.proves else", "decision if test.oracle else"),
    ),
    *killed_by(
        f"{COCI} {SAFE_PULLS} {FORMULAS}",
        ("ArmEstimates._root", "t ** 3 / self._tau)", "t ** 3)"),
        ("ArmEstimates._root", "math.log(4.0 * t ** 3", "math.log(4.0 * t ** 2"),
        ("ArmEstimates.add", "math.sqrt(0.5 / count)", "math.sqrt(0.25 / count)"),
    ),
    *killed_by(
        SAFE_PULLS,
        ("SafePulls._is_safe", "return self._box.unchanged(below, boxes)", "return True"),
    ),
    *killed_by(
        f"{MIN_DIVERGENCE} {ECW_RMED} {FORMULAS}",
        ("bernoulli_divergence", "divergence = _LN2", "divergence = 2 * _LN2"),
        ("DuelTally.beaten", "self.estimate < 0.5", "self.estimate <= 0.5"),
        ("DuelTally.add", "evidence = draws * divergence", "evidence = divergence"),
    ),
    *killed_by(
        f"{ECW_RMED} {PLAIN_PROGRAMS}",
        ("ecw_rmed", "rows=partial(ecw_rows,", "rows=partial(copeland_rows,"),
    ),
    *killed_by(
        f"{BASELINES} {FORMULAS} {UPPER_BOUNDS}",
        ("DuelIntervals.add", "4.0 * draws * self._alpha", "2.0 * draws * self._alpha"),
        ("DuelIntervals.advance", "math.sqrt(self._alpha * log_t)", "math.sqrt(log_t)"),
    ),
    *killed_by(
        f"{BASELINES} {ECW_RMED} {FORMULAS}",
        ("first_above", "while increasing(s) <= threshold", "while increasing(s) < threshold"),
    ),
    *killed_by(
        f"{BASELINES}::test_rucb_plays_exactly_what_the_reference_plays",
        ("rucb", "uniforms.next() < 0.5", "uniforms.next() < 0.9"),
    ),
    *killed_by(
        f"{BASELINES} {MIN_DIVERGENCE}",
        ("minimum_divergence", "(log(t) + slack)", "log(t)"),
        ("opponents", "draws[best] * log_log(t) >= draws[rival]", "draws[best] >= draws[rival]"),
    ),
    *killed_by(
        f"{BASELINES}::test_rmed_plays_exactly_what_the_reference_plays",
        ("rmed1", "default_slack(arms) if f is None", "0.0 if f is None"),
    ),
    *killed_by(
        BASELINES,
        ("rmed2fh", "math.ceil(alpha * log_log(horizon))", "math.ceil(log_log(horizon))"),
    ),
    *killed_by(
        f"{BASELINES} {FORMULAS}",
        ("random_pairs", "np.triu_indices(arms, 1)", "np.triu_indices(arms, 2)"),
    ),
    *killed_by(
        THOMPSON,
        ("_eligible", "intervals.sign(arm, c) <= 0", "intervals.sign(arm, c) < 0"),
    ),
    *killed_by(
        FIELD,
        ("merge_dts", "math.log(t + offset)", "math.log(t)"),
        ("safe_offset", "(4 * alpha - 1) * arms ** 2", "(4 * alpha - 1) * arms"),
        ("Batches._has_lost", "4.0 * draws * self._alpha", "2.0 * draws * self._alpha"),
        ("versatile_db", "rate = 2.0 / math.sqrt(t)", "rate = 1.0 / math.sqrt(t)"),
    ),
    *killed_by(
        IDENTIFICATION,
        ("log_posterior_ratio", "draws * _LN2", "draws"),
        ("pocowista", "math.log(arms * (arms - 1) / 2) -", "math.log(arms * (arms - 1)) -"),
        ("dkwt", "checked_delta(delta, None) / arms", "checked_delta(delta, None)"),
        ("trial_size", "8.0 * 4.0 ** (s + 1)", "8.0 * 2.0 ** (s + 1)"),
        ("lead_needed", "(0.5 + h) / (0.5 - h)", "0.5 + h"),
        (
            "noisy_tournament",
            "if leads[candidate][other] < 0:",
            "if leads[candidate][other] < -needed:",
        ),
    ),
    *killed_by(
        f"{SCB} {FORMULAS}",
        ("kl_elimination", "math.log(4 * t * arms)", "math.log(t * arms)"),
        ("kl_elimination", "threshold / t)", "threshold)"),
        ("kl_elimination", "+ 2 * max(0.0, math.log", "+ 0 * max(0.0, math.log"),
        ("scb", "math.log(budget) / budget", "1 / budget"),
    ),
    *killed_by(
        SCB,
        ("copeland_identification", "delta / arms ** 2", "delta"),
    ),
    *killed_by(
        f"{RACES} {FORMULAS}",
        ("PairRace.bears_on_the_winner", "most - losses >= least", "most - losses > least"),
    ),
    *killed_by(
        f"{RACES}::test_savage_explores_exactly_as_the_reference",
        ("savage", "checked_delta(delta, horizon) / pairs", "checked_delta(delta, horizon)"),
    ),
    *killed_by(
        f"{RACES}::test_pbr_explores_exactly_as_the_reference",
        (
            "pbr",
            "checked_delta(delta, horizon) / arms ** 2",
            "checked_delta(delta, horizon) / arms",
        ),
    ),
    *killed_by(
        RACES,
        ("rankel", "checked_delta(delta, horizon) / pairs", "checked_delta(delta, horizon)"),
    ),
    *killed_by(
        EXPLORATION,
        (
            "evidence_of_winners",
            "head(taken - 1) + tail(level + 1)",
            "head(taken - 1) + tail(level)",
        ),
        (
            "SortedLists.lower_bounds",
            "self._without(self._spare + 1)",
            "self._without(self._spare + 3)",
        ),
    ),
    *killed_by(
        f"{EXPLORATION}::test_wanted_pairs_are_those_short_of_their_share",
        ("WantedPairs.look_at", "share * log_t > evidence", "share * log_t > 2.0 * evidence"),
    ),
    *killed_by(
        f"{EXPLORATION} {FORMULAS}",
        ("ForcedPairs.due", "self._beta / math.log(log_t)", "self._beta * math.log(log_t)"),
    ),
    *killed_by(
        f"{EXPLORATION} {ECW_RMED}",
        ("EcwPlan._keeps", "max(self._dearest[worse], cost)", "self._dearest[worse]"),
    ),
    *killed_by(
        f"{CW_RMED}::test_memory_is_in_megabytes_and_for_kept_programs_alone",
        ("cw_rmed", "memory * 2.0 ** 20", "memory"),
    ),
    *killed_by(
        CW_RMED,
        ("CwPlan.settle", "return None if self._compare(place) else codes", "return codes"),
    ),
    *killed_by(
        MATCHING_TRACKING,
        ("matching_tracking", "tracker.start(counts)", "pass"),
    ),
]
