"""Preference matrices printed in a paper: Komiyama, Honda, Nakagawa (ICML 2016).

Of each its arms, and what is above the diagonal: in row i the probabilities that arm i beats the
arms after it. The rest follows, for the two probabilities of a pair add up to 1.

Misprint: Table 3(e) has 0.727 for (2, 4) and 0.276 for (4, 2), which do not add up to 1. The entry
above the diagonal is kept, (4, 2) is 0.273: on the log-odds scale arms 4 and 5 then differ by 0.056
against arm 2, next to 0.044 and 0.045 against arms 1 and 3 (0.071 with the other reading).
"""

from __future__ import annotations

# fmt: off
SUSHI = (
    "mildly fatty tuna", "fatty tuna", "salmon", "tuna",
    "salmon roe", "sea bream", "sea eel", "scallop",
    "squid", "horse mackerel", "eel", "abalone",
    "mackerel", "squid feet", "Tori clam", "squilla",
)

NUMBERS: dict[str, list[list[float]]] = {
    "sushi": [
        [.512, .622, .655, .698, .726, .711, .708, .749, .8, .741, .783, .847, .817, .854, .868],
        [.602, .683, .652, .776, .663, .683, .738, .709, .786, .802, .83, .85, .871, .873],
        [.528, .554, .533, .534, .591, .573, .593, .661, .705, .734, .672, .787, .822],
        [.553, .619, .566, .641, .675, .687, .665, .696, .803, .823, .796, .844],
        [.513, .524, .518, .608, .538, .643, .61, .695, .672, .681, .775],
        [.513, .559, .575, .621, .591, .701, .702, .787, .829, .811],
        [.559, .553, .613, .564, .607, .703, .735, .736, .801],
        [.556, .527, .562, .58, .668, .805, .777, .767],
        [.512, .548, .542, .612, .786, .71, .685],
        [.543, .579, .613, .718, .685, .747],
        [.564, .625, .618, .702, .684],
        [.542, .644, .7, .733],
        [.577, .607, .596],
        [.578, .637],
        [.586],
    ],
    "gap": [
        [.8, .8, .51, .2],
        [.8, .2, .8],
        [.8, .8],
        [.2],
    ],
    "multisol": [
        [.2, .8, .8, .8],
        [.2, .8, .8],
        [.8, .8],
        [.6],
    ],
    "arxiv": [
        [.55, .55, .54, .61, .61],
        [.55, .55, .58, .6],
        [.54, .51, .56],
        [.54, .5],
        [.51],
    ],
    "mslr5-condorcet": [
        [.535, .613, .757, .765],
        [.58, .727, .738],
        [.659, .669],
        [.51],
    ],
    "mslr5-cycle": [
        [.484, .519, .529, .518],
        [.481, .53, .539],
        [.504, .512],
        [.503],
    ],
    "cyclic": [
        [.6, .6, .6],
        [.9, .1],
        [.9],
    ],
}
# fmt: on
