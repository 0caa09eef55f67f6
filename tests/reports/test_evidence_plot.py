"""The picture of what votes prove."""

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
    return cpe.evidence(cpe.Votes(WINS, LABELS, name="<votes> & co"))


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


def test_statuses_stand_beside_the_pairs_in_the_order_of_the_rows(found):
    grid, marks = cpe.plot_evidence(found).figure.axes
    labels = [text.get_text() for text in grid.get_yticklabels()]
    ranked = [LABELS[arm] for arm in found.ranking]
    assert labels == [label if len(label) <= 28 else f"{label[:27]}…" for label in ranked]
    assert not any(text.get_parse_math() for text in grid.get_yticklabels())
    (image,) = marks.get_images()
    shade = {"proved": "#00734F", "possible": "#BFE3D6", "ruled out": "#FFFFFF"}
    for row, label in enumerate(ranked):
        for column, statuses in enumerate((found.copeland, found.condorcet, found.borda)):
            shown = image.get_array()[row, column].tolist()
            assert shown == pytest.approx(to_rgb(shade[statuses[label]]))
    shares = {text.get_text() for text in grid.texts}
    assert "64 %\nof 55" in shares


@pytest.mark.parametrize("arms", [2, 50])
def test_labels_fit_on_the_picture_and_do_not_overlap(arms):
    rng = np.random.default_rng(0)
    votes = cpe.Votes(
        np.triu(rng.integers(0, 9, (arms, arms)), 1).astype(float),
        [f"a model of some length {k}" for k in range(arms)],
    )
    figure = cpe.plot_evidence(cpe.evidence(votes)).figure
    figure.canvas.draw()
    page = figure.bbox
    grid = figure.axes[0]
    (title,) = figure.texts
    (legend,) = figure.legends
    top = max(text.get_window_extent().y1 for text in grid.get_xticklabels())
    assert top < title.get_window_extent().y0
    assert legend.get_window_extent().y1 < grid.get_window_extent().y0
    rows = [text.get_window_extent() for text in grid.get_yticklabels()]
    assert min(box.x0 for box in rows) >= page.x0
    ends = sorted((box.y0, box.y1) for box in rows)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(ends))
    assert figure.axes[1].get_window_extent().x1 <= page.x1
    cell = grid.get_window_extent().width / arms
    for text in grid.texts[:50]:
        box = text.get_window_extent()
        assert box.width < cell
        assert box.height < cell


def test_a_margin_has_a_column_of_its_own():
    wins = [[0, 500, 800], [510, 0, 790], [200, 210, 0]]
    margin = cpe.evidence(cpe.Votes(wins, ["a", "b", "c"]), margin=0.1)
    marks = cpe.plot_evidence(margin).figure.axes[1]
    headings = [text.get_text() for text in marks.get_xticklabels()]
    assert headings == ["Copeland", "Condorcet", "Borda", "within 0.1"]
    shown = marks.images[0].get_array()[:, 3]
    for place, arm in enumerate(margin.ranking):
        status = margin.within_margin[margin.votes.labels[arm]]
        assert tuple(shown[place]) == pytest.approx(to_rgb(STATUS_COLOURS[status]))
    colours, green = pair_colours(margin), to_rgb("#009E73")
    assert tuple(colours[0, 1]) == tuple(colours[1, 0]) == pytest.approx(green)
    assert not any(tuple(colours[place, 2]) == pytest.approx(green) for place in range(3))
    legend = {text.get_text() for text in cpe.plot_evidence(margin).figure.legends[0].get_texts()}
    assert "equal within 0.1: proved" in legend
