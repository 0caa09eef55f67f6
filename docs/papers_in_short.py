"""What the papers say that have no page of their own: title, and two or three sentences."""

from __future__ import annotations

OURS = "ours"
IN_SHORT = {
    "Bengs, Haddenhorst, Hüllermeier (AISTATS 2024)": (
        "Identifying Copeland Winners in Dueling Bandits with Indifferences",
        "A Copeland winner is to be identified where a duel may also end in indifference. The arm "
        "that may still reach the largest score meets the strongest arm that it has not met, until "
        "one is decided about as the better, and nobody can overtake the leader any more. The "
        "number of duels nearly meets a lower bound of the paper.",
    ),
    "Busa-Fekete, Szörényi, Hüllermeier (AAAI 2014)": (
        "PAC Rank Elicitation through Adaptive Sampling of Stochastic Pairwise Preferences",
        "Not one winner is wanted but a ranking of all arms that is nearly right with high "
        "probability. Confidence intervals of all pairs bound how far a ranking may be from the "
        "true one, by pairs in the wrong order or by places; pairs are duelled as long as they "
        "matter for that bound.",
    ),
    "Busa-Fekete, Szörényi, Weng, Cheng, Hüllermeier (ICML 2013)": (
        "Top-k Selection Based on Adaptive Sampling of Noisy Preferences",
        "The best k arms are selected in a race: all pairs that are open are duelled once, arms "
        "that are surely among the best are selected and those that surely are not are discarded, "
        "and their pairs leave. What *best* means is one of three rankings; here it is that by "
        "Copeland scores, for k = 1.",
    ),
    "Chen, Lin, King, Lyu, Chen (NIPS 2014)": (
        "Combinatorial Pure Exploration of Multi-Armed Bandits",
        "The paper that began the subject: from samples of single elements the best set of a class "
        "is to be found, be it k elements, a matching or a spanning tree. CLUCB solves the class's "
        "linear problem twice a round, for the means and for pessimistic weights, and samples the "
        "most uncertain element in which the two answers differ. Its samples are bounded by gaps "
        "of elements and by how far the exchanges between the sets of the class reach.",
    ),
    "Du, Kuroki, Chen (AAAI 2021)": (
        "Combinatorial Pure Exploration with Full-Bandit or Partial Linear Feedback",
        "Only the sum of a set's rewards is seen, in a class too large to be listed. PolyALBA "
        "first pulls a few sets that span the class until a list as short as its dimension surely "
        "has the best set, and then eliminates on that list, all in polynomial time. The gaps that "
        "its bound depends on are those of the best few sets, not the least one of all.",
    ),
    "Haddenhorst, Bengs, Brandt, Hüllermeier (UAI 2021)": (
        "Testification of Condorcet Winners in Dueling Bandits",
        "Two questions at once: is there a Condorcet winner, and which arm is it? If all "
        "probabilities are at least a known distance from one half, a tournament with a "
        "sequential test for each pair answers both with fewer than 2K pairs. The paper also says "
        "how many duels any such test needs.",
    ),
    "Haddenhorst, Bengs, Hüllermeier (NeurIPS 2021)": (
        "Identification of the Generalized Condorcet Winner in Multi-Dueling Bandits",
        "In the paper k arms meet at a time and one of them wins. Its tournament DKWT lets the "
        "winner of each match stay on, and decides a match by the inequality of Dvoretzky, Kiefer "
        "and Wolfowitz on how the winners are distributed. Here k is 2, a duel.",
    ),
    "Heckel, Shah, Ramchandran, Wainwright (AoS 2019)": (
        "Active Ranking from Pairwise Comparisons and When Parametric Assumptions Do Not Help",
        "Arms are ranked by their probability of beating a random other one, as far as sets of "
        "given sizes, such as the k best. Every arm that is not decided about meets a random "
        "opponent in each round, until confidence intervals tell its set. Models of strengths, "
        "such as that of Bradley and Terry, would save little: the paper has bounds from below.",
    ),
    "Jourdan, Degenne, Kaufmann (NeurIPS 2023)": (
        "An ε-Best-Arm Identification Algorithm for Fixed-Confidence and Beyond",
        "Of many arms one is wanted that is within a margin of the best. In every round EB-TCε "
        "takes the arm with the largest mean and the one that is told from it worst, with a slack "
        "that keeps it from trusting few pulls, and pulls one of the two. It is optimal in the "
        "limit of a small error where the slack is the margin, and has bounds on its error after "
        "any number of pulls. Here it also finds the best k arms.",
    ),
    "Jourdan, Mutný, Kirschner, Krause (ALT 2021)": (
        "Efficient Pure Exploration for Combinatorial Bandits with Semi-Bandit Feedback",
        "The least number of pulls is the value of a game between shares of pulls and alternative "
        "instances. CombGame lets a learner of regret play the shares against best responses "
        "while the means are learned, and is optimal in the limit of a small error. The game is "
        "never solved to its end: a round needs the best set and the nearest alternative alone.",
    ),
    "Komiyama, Honda, Kashima, Nakagawa (COLT 2015)": (
        "Regret Lower Bound and Optimal Algorithm in Dueling Bandit Problem",
        "With a Condorcet winner, every other arm has to be beaten by some arm often enough to be "
        "told from a winner: this is the least regret, with its constant. RMED keeps the "
        "likelihood of each arm's being the winner and duels those that are likely; RMED1 has the "
        "right order, and RMED2, which also seeks each arm's cheapest opponent, the constant.",
    ),
    OURS: (
        "After Garivier, Kaufmann, Optimal Best Arm Identification with Fixed Confidence, COLT "
        "2016; Degenne, Koolen, Pure Exploration with Multiple Correct Answers, NeurIPS 2019; "
        "Degenne, Ménard, Shang, Valko, Gamification of Pure Exploration for Linear Bandits, "
        "ICML 2020",
        "Track and stop: to be sure of an answer one has to rule out every instance in which "
        "another one is right, and how often to ask what for that is an optimisation problem; its "
        "value is T*. The learner solves it at its estimates, asks in the shares that it says, "
        "and stops when the evidence against the most credible alternative is enough, after "
        "T* ln(1/δ) questions in the limit of a small δ. Where several answers are right, the one "
        "that is the cheapest to prove counts. What is proved, when, and why, are "
        "[ideas of this package](../ideas/least-number.md). [Regret tracking]"
        "(../ideas/regret-tracking.md) plays the game whose value is the inverse of the bound on "
        "regret of Komiyama, Honda, Nakagawa, ICML 2016.",
    ),
    "Saha, Gaillard (ICML 2022)": (
        "Versatile Dueling Bandits: Best-of-Both World Analyses for Learning from Relative "
        "Preferences",
        "A dueling bandit can be played by two ordinary bandit algorithms against each other, one "
        "for each side of the duel. If both are good against an adversary and in a fixed world, "
        "as Tsallis-INF is, so is the pair: regret grows with √(KT) whatever the preferences do, "
        "and with ln T where they have a Condorcet winner and stay.",
    ),
    "Urvoy, Clerot, Féraud, Naamane (ICML 2013)": (
        "Generic Exploration and K-Armed Voting Bandits",
        "A function of many unknown means is to be found out, such as which arm wins an election. "
        "SAVAGE samples them evenly, and leaves out each one as soon as no value within its "
        "confidence interval can change the answer any more. Dueling bandits with a Copeland, "
        "Borda or Condorcet winner are its examples.",
    ),
    "Wang, Tzeng, Proutiere (NeurIPS 2021)": (
        "Fast Pure Exploration via Frank-Wolfe",
        "The shares in which to pull are the maximum of a concave function with kinks. Instead of "
        "maximising it at every estimate, FWS takes one step of the Frank–Wolfe method a round, "
        "towards the solution of a small matrix game between the pieces that meet near the "
        "present shares. It is optimal in the limit of a small error, for many kinds of pure "
        "exploration.",
    ),
    "Wu, Liu (NIPS 2016)": (
        "Double Thompson Sampling for Dueling Bandits",
        "Both arms of a duel are drawn by Thompson sampling: the first one from samples of the "
        "whole matrix, among those that may be Copeland winners, the second one from new samples "
        "against the first, among those that have not surely lost to it. Regret is of the order "
        "K² ln T in general. D-TS+ breaks ties by the regret that they would cost.",
    ),
    "Zoghi, Whiteson, Munos, de Rijke (ICML 2014)": (
        "Relative Upper Confidence Bound for the K-Armed Dueling Bandit Problem",
        "Optimism for pairs: an arm that may still beat all others by the upper confidence bounds "
        "is tried against the arm that is the likeliest to beat it. Once the Condorcet winner is "
        "known it meets itself. Regret of the order ln T is shown at all times, also on average, "
        "and without a horizon.",
    ),
}
