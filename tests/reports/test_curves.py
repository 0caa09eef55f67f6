"""Pictures of runs, the styles of lines, and what all pictures share: axes, files, style sheets."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

import cpe_opt as cpe
from cpe_opt.experiments.results import RegretCurve
from cpe_opt.reports.curves import COLUMN, Panel, panels_figure, samples_figure
from cpe_opt.reports.drawing import picture_style, styles

TIME, MEAN = np.array([1, 10, 100, 1000]), np.array([0.0, 2.0, 5.0, 9.0])
CURVES = {
    "one": RegretCurve(TIME, MEAN, MEAN - 1, MEAN + 1, 5),
    "two": RegretCurve(TIME, 2 * MEAN, MEAN, 3 * MEAN, 1),
}


def words_of(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_curves_bands_and_bounds_are_drawn():
    axes = cpe.plot_regret(CURVES, title="t", bounds={"LB": 2.0, "ECWB": 3.0})
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_title(loc="left") == "t"
    words = words_of(axes.figure)
    assert words[:2] == ["one", "two"]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["one"].get_ydata().tolist() == [2.0, 5.0, 9.0]  # no regret has no logarithm
    assert lines[words[2]].get_ydata()[-1] == pytest.approx(2 * np.log(1000))
    assert len(axes.collections) == 1  # one band: a single run has none
    assert "$C^{*}$ = 2, $C^{E*}$ = 3" in axes.texts[0].get_text()


def test_styles_differ_in_grey_between_neighbours():
    found = list(styles(map(str, range(18))).values())
    assert len({(style.color, str(style.linestyle)) for style in found}) == 18
    assert all(a.linestyle != b.linestyle for a, b in pairwise(found))


@pytest.mark.parametrize("width", [17.0, COLUMN])
def test_panels_share_styles_and_one_legend_that_covers_nothing(width):
    panels = [
        Panel("left", CURVES, {"LB": 2.0}),
        Panel("right", {"two": CURVES["two"]}, {"LB": 3.0}),
    ]
    figure = panels_figure(panels, units="sum", width=width)
    assert figure.get_figwidth() == pytest.approx(width / 2.54)
    left, right = figure.axes
    colours = {line.get_label(): line.get_color() for line in left.get_lines()}
    assert right.get_lines()[0].get_color() == colours["two"] != colours["one"]
    assert len(words_of(figure)) == 3
    assert "summed loss" in left.get_ylabel()
    figure.draw_without_rendering()
    box = figure.legends[0].get_window_extent()
    assert 0.0 <= box.x0 <= box.x1 <= figure.bbox.x1
    assert all(box.y1 <= axes.get_tightbbox().y0 for axes in figure.axes)


def test_samples_are_a_panel_a_problem_and_a_row_a_learner():
    figure = samples_figure({"gap": {"a": [3, 5], "b": [50]}, "other": {"a": [7]}})
    first, second = figure.axes
    assert [text.get_text() for text in first.get_yticklabels()] == ["a", "b"]
    points, mean = first.get_lines()[:2]
    assert points.get_xdata().tolist() == [3, 5]
    assert mean.get_xdata().tolist() == [4.0]
    assert (second.get_title(), words_of(figure)) == ("other", ["a run", "mean"])


def test_fonts_are_embedded_and_a_style_sheet_is_on_top(tmp_path):
    path = tmp_path / "p.pdf"
    cpe.plot_regret(CURVES, path)
    content = path.read_bytes()
    assert b"/FontFile2" in content
    assert b"/Type3" not in content
    sheet = tmp_path / "mine.mplstyle"
    sheet.write_text("axes.titlesize: 21\n")
    with picture_style(sheet):
        axes = cpe.plot_regret(CURVES, title="t")
    assert axes.title.get_fontsize() == 21
    assert cpe.plot_regret(CURVES, title="t").title.get_fontsize() == 9
    with pytest.raises(cpe.InputError, match="style 'none"), picture_style("none.mplstyle"):
        pass


def evidence():
    return cpe.evidence(cpe.Votes([[0, 60, 9], [20, 0, 30], [6, 8, 0]], ["a", "b", "c"]))


PICTURES = {
    "regret": (cpe.plot_regret, lambda: CURVES),
    "ranks": (cpe.plot_ranks, evidence),
    "evidence": (cpe.plot_evidence, evidence),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_into_axes_that_are_there(name, tmp_path):
    plot, data = PICTURES[name]
    figure = Figure(figsize=(14, 6))
    left, right = figure.subplots(1, 2)
    assert plot(data(), tmp_path / "both.png", ax=right) is right
    assert right.has_data()
    assert right.get_legend() is not None
    assert not left.has_data()
    assert (tmp_path / "both.png").stat().st_size > 5_000
    assert plot(data()).figure is not figure
    with pytest.raises(cpe.InputError, match=r"ends in \.png, \.pdf, \.svg"):
        plot(data(), "p.gif")
