"""The graph of proved comparisons: what is left out, what stands above what, what touches what."""

import itertools
import warnings

import networkx as nx
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.reports.beats_graph import MOST_UNDECIDED, layout, plot_beats


def random_beats(arms, share, seed):
    rng = np.random.default_rng(seed)
    chance = rng.random((arms, arms))
    upper = np.triu(rng.random((arms, arms)) < share, 1)
    turned = chance < 0.1
    return (upper & ~turned) | (upper & turned).T


CASES = [
    (arms, share, seed) for arms in (2, 5, 12, 25) for share in (0.1, 0.5, 0.9) for seed in (0, 1)
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_block_is_above_another_exactly_if_arrows_lead_down_to_it(case):
    beats = random_beats(*case)
    drawn = layout(beats, tuple(range(case[0])), 1.0)
    number = {arm: place for place, block in enumerate(drawn.blocks) for arm in block}
    graph = nx.DiGraph((number[i], number[j]) for i, j in np.argwhere(beats).tolist())
    graph.add_nodes_from(number.values())
    assert all(not nx.descendants(graph, block) - {block} for block in drawn.apart)
    blocks = set(range(len(drawn.blocks)))
    for block in blocks - set(drawn.apart):
        below = nx.descendants(graph, block) - {block}
        assert nx.descendants(drawn.lines, block) & blocks == below
        # An arrow leads there directly, past lanes alone, exactly if no longer path does.
        past_lanes = drawn.lines.subgraph(set(drawn.lines) - blocks | {block} | below)
        for other in below:
            lanes = past_lanes.subgraph(set(past_lanes) - below | {other})
            longer = any(other in nx.descendants(graph, between) for between in below - {other})
            assert nx.has_path(lanes, block, other) != longer


@pytest.mark.parametrize("case", CASES, ids=str)
def test_winners_stand_above_and_nothing_overlaps(case):
    drawn = layout(random_beats(*case), tuple(range(case[0])), 1.0)
    boxes = [(*drawn.places[n], *drawn.sizes[n]) for n in drawn.places]  # and lanes
    for x, y, wide, tall in boxes:
        assert abs(x) + wide / 2 <= drawn.width / 2 + 1e-9
        assert -drawn.height - 1e-9 <= y - tall / 2
        assert y + tall / 2 <= 1e-9
    for (x, y, wide, tall), (u, v, broad, high) in itertools.combinations(boxes, 2):
        assert abs(x - u) >= (wide + broad) / 2 or abs(y - v) >= (tall + high) / 2
    for above, below in drawn.lines.edges:  # an arrow leads from a lower side to an upper one
        start = drawn.places[above][1] - drawn.sizes[above][1] / 2
        assert start > drawn.places[below][1] + drawn.sizes[below][1] / 2
        assert above < len(drawn.blocks) or drawn.sizes[above][1] >= 0.3
    lowest = [drawn.places[number][1] for number in drawn.apart]
    assert all(drawn.places[number][1] > y for number in drawn.lines for y in lowest)


def test_a_circle_is_one_block_in_the_order_of_the_ranking():
    beats = np.zeros((5, 5), dtype=bool)
    for i, j in [(0, 1), (1, 2), (2, 0), (2, 3)]:
        beats[i, j] = True
    drawn = layout(beats, (2, 1, 0, 4, 3), 1.0)
    assert drawn.blocks == [(2, 1, 0), (4,), (3,)]
    assert drawn.apart == [1]
    assert list(drawn.lines.edges) == [(0, 2)]
    xs = [drawn.arms[arm][0] for arm in (2, 1, 0)]
    assert xs[0] + 1.0 < xs[1] < xs[2] - 1.0


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


def test_comparisons_that_are_not_proved_are_drawn_where_they_are_few():
    found = cpe.evidence(votes(4, 8))
    assert not found.beats.any()
    dashed = [each for each in arrows(plot_beats(found).figure) if each.get_linestyle() != "-"]
    assert 0 < len(dashed) <= 6
    many = cpe.evidence(votes(9, 9))  # no pair can be even
    assert 36 - many.beats.sum() > MOST_UNDECIDED
    assert all(each.get_linestyle() in ("-", "solid") for each in arrows(plot_beats(many).figure))


@pytest.mark.parametrize(("arms", "duels"), [(3, 60), (6, 4), (16, 150), (40, 60)])
def test_no_text_is_over_another_nor_under_an_arc(arms, duels):
    labels = [f"a model of some length {k}" for k in range(arms)]
    figure = plot_beats(cpe.evidence(votes(arms, duels, labels=labels))).figure
    figure.canvas.draw()
    texts = [*figure.axes[0].texts, *figure.texts, *figure.legends]
    boxes = [text.get_window_extent() for text in texts]
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
    title = figure.axes[0].texts[arms].get_window_extent()
    for arrow in arrows(figure):
        assert arrow.get_window_extent().y1 < title.y0
    for box in boxes:
        assert figure.bbox.x0 <= box.x0
        assert box.x1 <= figure.bbox.x1


def test_the_picture_names_every_arm_and_says_how_much_is_proved(tmp_path):
    labels = ["a $1 gift", "b_2", "ツナ", "x" * 60]
    found = cpe.evidence(votes(4, 200, labels=labels))
    figure = plot_beats(found).figure
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert {"a $1 gift", "b_2", "ツナ", "x" * 27 + "…"} <= texts
    notes = " ".join(text.get_text() for text in figure.texts)
    assert f"{int(found.beats.sum())} of 6 pairs are proved" in notes
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")
        plot_beats(found, tmp_path / "beats.svg")
    assert (tmp_path / "beats.svg").read_text().count("<svg") == 1
