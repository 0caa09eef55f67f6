"""Pictures of what votes prove: colours and bars are what is proved, texts keep apart."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import cpe_opt as cpe
from cpe_opt.reports.drawing import STATUS_COLOURS
from cpe_opt.reports.evidence_plot import pair_colours

WINS = [[0, 35, 30, 70], [20, 0, 60, 0], [28, 20, 0, 62], [10, 0, 18, 0]]
LABELS = ["a <b>&", "x$y$z", "squid", "egg" * 20]


@pytest.fixture(scope="module")
def found():
    return cpe.evidence(cpe.Votes(WINS, LABELS, name="<votes> & $co$"), top=2)


def test_what_is_proved_is_in_full_colour_and_the_rest_pale(found):
    colours = pair_colours(found)
    order = list(found.ranking)
    blue, vermilion, grey = to_rgb("#0072B2"), to_rgb("#D55E00"), to_rgb("#E4E4E4")
    assert found.beats.sum() == 3
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            colour = colours[row, column]
            if i == j:
                assert colour == pytest.approx(to_rgb("#A8A8A8"))
            elif found.beats[i, j]:
                assert colour == pytest.approx(blue)
            elif found.beats[j, i]:
                assert colour == pytest.approx(vermilion)
            elif not found.votes.duels[i, j]:
                assert colour == pytest.approx(grey)
            else:
                assert (colour > 0.65).all()
                assert (colour[2] > colour[0]) == (WINS[i][j] > WINS[j][i])


def test_statuses_are_right_of_the_pairs_in_the_order_of_the_rows(found):
    axes = cpe.plot_evidence(found)
    labels = [text.get_text() for text in axes.get_yticklabels()]
    ranked = [LABELS[arm] for arm in found.ranking]
    assert labels == [label if len(label) <= 28 else f"{label[:27]}…" for label in ranked]
    assert not any(text.get_parse_math() for text in axes.get_yticklabels())
    marks = axes.get_images()[1]
    for row, label in enumerate(ranked):
        for column, statuses in enumerate((found.copeland, found.condorcet, found.borda)):
            shown = marks.get_array()[row, column].tolist()
            assert shown == pytest.approx(to_rgb(STATUS_COLOURS[statuses[label]]))
    assert "64 %\nof 55" in {text.get_text() for text in axes.texts}


def test_a_margin_has_a_column_of_its_own():
    wins = [[0, 500, 800], [510, 0, 790], [200, 210, 0]]
    margin = cpe.evidence(cpe.Votes(wins, ["a", "b", "c"]), margin=0.1)
    axes = cpe.plot_evidence(margin)
    shown = axes.get_images()[1].get_array()[:, 3]
    for place, arm in enumerate(margin.ranking):
        status = margin.within_margin[margin.votes.labels[arm]]
        assert tuple(shown[place]) == pytest.approx(to_rgb(STATUS_COLOURS[status]))
    colours, green = pair_colours(margin), to_rgb("#009E73")
    assert tuple(colours[0, 1]) == tuple(colours[1, 0]) == pytest.approx(green)
    assert not any(tuple(colours[place, 2]) == pytest.approx(green) for place in range(3))


def test_bars_are_the_intervals_of_ranks_and_points_the_estimates(found):
    for score, ranks in (("borda", found.ranks), ("copeland", found.copeland_ranks)):
        axes = cpe.plot_ranks(found, score=score)
        rows = [text.get_text() for text in axes.get_yticklabels()]
        scatter, *bars_of = axes.collections
        boxes = [path.get_extents() for each in bars_of for path in each.get_paths()]
        bars = [(box.x0 + 0.5, box.x1 - 0.5) for box in boxes]
        named = [next(each for each in LABELS if each[:5] == row[:5]) for row in rows]
        [table] = found.model_ranks.tables
        assert bars == [*map(table.ranks.get, named), *map(ranks.get, named)]
        heights = [box.height for box in boxes]
        assert min(heights[:4]) > max(heights[4:])  # what is proved is on top
        points = scatter.get_offsets()
        assert points[:, 1].tolist() == [0, 1, 2, 3]
        assert (points[:, 0] == sorted(points[:, 0])).all()


def votes(arms, duels):
    rng = np.random.default_rng(0)
    strength = np.linspace(3, 0, arms)
    wins = np.zeros((arms, arms))
    for i, j in itertools.combinations(range(arms), 2):
        won = rng.binomial(duels, 1 / (1 + np.exp(strength[j] - strength[i])))
        wins[i, j], wins[j, i] = won, duels - won
    return cpe.Votes(wins, [f"a model of some length {k}" for k in range(arms)])


@pytest.mark.parametrize("plot", [cpe.plot_evidence, cpe.plot_ranks])
@pytest.mark.parametrize(
    ("arms", "duels"),
    [(2, 60), (6, 4), pytest.param(16, 150, marks=pytest.mark.slow), (40, 60)],
)
def test_no_text_is_over_another_nor_outside(plot, arms, duels):
    axes = plot(cpe.evidence(votes(arms, duels)))
    figure = axes.figure
    figure.draw_without_rendering()
    ticks = [*axes.get_xticklabels(), *axes.get_yticklabels()]
    texts = [*axes.texts, figure.legends[0], figure._suptitle, *ticks]
    boxes = [text.get_window_extent() for text in texts]
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1
