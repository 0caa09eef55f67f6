"""The graph of proved comparisons: what is left out, what stands above what, what touches what."""

import itertools
import warnings

import networkx as nx
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.reports.beats_graph import FEW, Sizes, blocks_of, layout, plot_beats, reduced_arcs

SIZES = Sizes(width=1.0)


def random_beats(arms, share, seed):
    rng = np.random.default_rng(seed)
    chance = rng.random((arms, arms))
    upper = np.triu(rng.random((arms, arms)) < share, 1)
    turned = chance < 0.1
    return (upper & ~turned) | (upper & turned).T


CASES = [
    (arms, share, seed) for arms in (2, 5, 12, 25) for share in (0.1, 0.5, 0.9) for seed in (0, 1)
]


def closure(arcs, size):
    graph = nx.DiGraph(arcs)
    graph.add_nodes_from(range(size))
    return set(nx.transitive_closure(graph, reflexive=False).edges)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_ways_lead_where_they_did_and_no_line_can_be_spared(case):
    beats = random_beats(*case)
    blocks = blocks_of(beats, tuple(range(case[0])))
    arcs = reduced_arcs(beats, blocks)
    number = {arm: place for place, block in enumerate(blocks) for arm in block}
    there = {
        (number[i], number[j]) for i, j in np.argwhere(beats).tolist() if number[i] != number[j]
    }
    assert closure(arcs, len(blocks)) == closure(there, len(blocks))
    assert set(arcs) <= there
    for arc in arcs:
        assert arc not in closure(set(arcs) - {arc}, len(blocks))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_winners_stand_above_and_nothing_overlaps(case):
    beats = random_beats(*case)
    drawn = layout(beats, tuple(range(case[0])), SIZES)
    boxes = [
        (*centre, *SIZES.of_block(len(b)))
        for b, centre in zip(drawn.blocks, drawn.centres, strict=True)
    ]
    for x, y, wide, tall in boxes:
        assert wide / 2 - 1e-9 <= x <= drawn.width - wide / 2 + 1e-9
        assert tall / 2 - 1e-9 <= y <= drawn.height - tall / 2 + 1e-9
    for (x, y, wide, tall), (u, v, broad, high) in itertools.combinations(boxes, 2):
        assert abs(x - u) >= (wide + broad) / 2 or abs(y - v) >= (tall + high) / 2
    for line in drawn.lines:
        heights = [y for _, y in line.points]
        assert heights == sorted(heights, reverse=True)
        assert len(set(heights)) == len(heights)
        for u, v in line.points[1:-1]:  # lanes are beside boxes
            assert not any(
                abs(u - x) < wide / 2 and abs(v - y) < tall / 2 for x, y, wide, tall in boxes
            )
    joined = {end for line in drawn.lines for end in (line.above, line.below)}
    lowest = [drawn.centres[number][1] for number in drawn.apart]
    assert joined.isdisjoint(drawn.apart)
    assert all(drawn.centres[number][1] > y for number in joined for y in lowest)


def test_a_circle_is_one_block_in_the_order_of_the_ranking():
    beats = np.zeros((5, 5), dtype=bool)
    for i, j in [(0, 1), (1, 2), (2, 0), (2, 3)]:
        beats[i, j] = True
    drawn = layout(beats, (2, 1, 0, 4, 3), SIZES)
    assert drawn.blocks == ((2, 1, 0), (4,), (3,))
    assert drawn.apart == (1,)
    assert [(line.above, line.below) for line in drawn.lines] == [(0, 2)]
    xs = [drawn.place(arm, SIZES)[0] for arm in (2, 1, 0)]
    assert xs == sorted(xs)
    assert np.isclose(xs[1] - xs[0], SIZES.width + 2 * SIZES.gap)


def votes(arms, duels, seed=0, labels=None):
    rng = np.random.default_rng(seed)
    strength = np.linspace(3, 0, arms)
    wins = np.zeros((arms, arms))
    for i, j in itertools.combinations(range(arms), 2):
        won = rng.binomial(duels, 1 / (1 + np.exp(strength[j] - strength[i])))
        wins[i, j], wins[j, i] = won, duels - won
    return cpe.Votes(wins, labels)


def arrows(figure):
    from matplotlib.patches import FancyArrowPatch

    return [each for each in figure.axes[0].patches if isinstance(each, FancyArrowPatch)]


def test_guesses_are_drawn_where_they_are_few():
    found = cpe.evidence(votes(4, 8))
    assert not found.beats.any()
    dashed = [each for each in arrows(plot_beats(found)) if each.get_linestyle() != "-"]
    assert 0 < len(dashed) <= 6
    many = cpe.evidence(votes(9, 9))  # no pair can be even
    assert 36 - many.beats.sum() > FEW
    assert all(each.get_linestyle() in ("-", "solid") for each in arrows(plot_beats(many)))


def test_the_picture_names_every_arm_and_says_how_much_is_proved(tmp_path):
    labels = ["a $1 gift", "b_2", "ツナ", "x" * 60]
    found = cpe.evidence(votes(4, 200, labels=labels))
    figure = plot_beats(found)
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert {"a $1 gift", "b_2", "ツナ", "x" * 27 + "…"} <= texts
    notes = " ".join(text.get_text() for text in figure.texts)
    assert f"{int(found.beats.sum())} of 6 pairs are proved" in notes
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")
        plot_beats(found, tmp_path / "beats.svg")
    assert (tmp_path / "beats.svg").read_text().count("<svg") == 1
