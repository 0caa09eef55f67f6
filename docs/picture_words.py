"""What is seen on the pictures, for those who do not see them: the words of the gallery's."""

from __future__ import annotations

import re

GALLERY = {
    "plot_01_what_votes_prove": """
        A matrix of seven dishes by seven, in each cell the share of duels that the row won.
        Ten cells are in full colour, which means proved: tuna and salmon beat roe and
        cucumber, eel beats roe. Three further columns mark roe as no winner of any kind.""",
    "plot_02_who_beats_whom": """
        A graph. Rock, paper and scissors, in one box, beat one another in a cycle and are
        proved Copeland winners; arrows lead from the box to string and water, between which
        nothing is proved.""",
    "plot_03_which_votes_next": """
        A matrix of 16 kinds of sushi by 16, nearly empty: of 120 pairs 8 need further duels,
        all of them with mildly fatty tuna, and almost all of the 18,746 duels go to its pair
        with fatty tuna.""",
    "plot_04_regret_and_its_bound": """
        Regret over 10 to 100,000 duels, on log scales. CCB grows like a straight line to
        15,000; ECW-RMED stays at a tenth of that, between the dotted line C* ln T and the
        dashed line C^E* ln T.""",
    "plot_05_duels_near_the_least_number": """
        Three falling lines, one for each of gap, cyclic and multisol: the duels divided by T*
        ln(1/delta) go from about 4 at delta 0.1 to between 1.4 and 1.7 at delta 1e-16, above
        a dotted line at 1.""",
    "plot_06_what_a_near_tie_costs": """
        The least number of duels against the advantage in one pair, on log scales. If it is
        the pair of the best and the second, the number rises from 100 to 50,000 as the
        advantage falls to 0.005; if it is that of the last two, it stays at 100.""",
    "plot_07_rows_that_matter": """
        Numbers of rows against numbers of arms, on a log scale: all rows go from 80 for 6
        arms to 4,000 for 18, those that the cutting planes needed from 15 to 70 for 24.""",
    "plot_08_a_design_over_trees": """
        A graph of five nodes and seven edges. Each edge has its share of the measured trees,
        from 0.43 for the thin edges a-c and c-d to 0.64 for the thickest.""",
    "plot_09_teams_from_sums": """
        Results of teams against the gap, on log scales: four falling lines, from the top icb,
        icb with a smaller sigma, subset-tracking, and the least number, which is a third to a
        fifth of subset-tracking's.""",
    "plot_10_a_game_of_matchings": """
        Bars for two players, equal in height: both put weights of 0.44, 0.22 and 0.33 on Ada,
        Ben and Cleo, for editor and for speaker alike.""",
    "plot_11_water_plan": """
        Six units to purify, stacked by source, against a factor of the parameters: as it
        grows, the spring and then the well lose their units, and the lake goes from one to
        four.""",
}


def one_line(words: str) -> str:
    """Without line breaks."""
    return " ".join(words.split())


def join_lines_of_words(page: str) -> str:
    """A page whose pictures have their words on one line: the builder drops breaks among them."""
    return re.sub(r"!\[[^\]]*\](?=\()", lambda found: one_line(found[0]), page)
