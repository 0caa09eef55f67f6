from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import cpe_opt as cpe
from cpe_opt.experiments.results import RegretCurve
from cpe_opt.reports.curves import COLUMN, Panel, panels_figure, plot_regret
from cpe_opt.reports.drawing import picture_style, save_figure, spread, styles


@pytest.fixture
def curves():
    time = np.array([1, 10, 100, 1000])
    mean = np.array([0.0, 2.0, 5.0, 9.0])
    return {
        "one": RegretCurve(time, mean, mean - 1, mean + 1, 5),
        "two": RegretCurve(time, 2 * mean, mean, 3 * mean, 1),
    }


@pytest.fixture
def drawn(monkeypatch):
    """The axes that a plot was drawn on."""
    kept = []
    save = Figure.savefig

    def savefig(self, *args, **kwargs):
        kept.append(self.axes[0])
        return save(self, *args, **kwargs)

    monkeypatch.setattr(Figure, "savefig", savefig)
    return kept


def labels_at_ends(axes):
    return {text.get_text() for text in axes.texts if text.get_position()[0] > 1.0}


def test_curves_bands_and_bounds_are_drawn(curves, drawn, tmp_path):
    path = tmp_path / "p.png"
    assert plot_regret(curves, path, title="t", bounds={"LB": 2.0, "ECWB": 3.0}) is drawn[0]
    assert path.read_bytes().startswith(b"\x89PNG")
    (axes,) = drawn
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_title() == "t"
    assert labels_at_ends(axes) == {"one", "two", r"$C^{*}$ $\ln T$", r"$C^{E*}$ $\ln T$"}
    (legend,) = axes.figure.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert words[0].startswith("no algorithm can do better, for large $T$")
    assert words[1].startswith("what ECW-RMED is proved to reach")
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines[words[0]].get_ydata()[-1] == pytest.approx(2 * np.log(1000))
    assert len(axes.collections) == 1  # one band: a single run has none
    assert "mean loss of Copeland score" in axes.get_ylabel()
    note = axes.texts[0].get_text()
    assert "means of 1 to 5 runs; bands: 10–90 %" in note
    assert "$C^{*}$ = 2, $C^{E*}$ = 3" in note


def test_more_than_three_curves_have_bars_in_place_of_bands(curves, drawn, tmp_path):
    many = {
        f"learner {k}": replace(curves["one"], mean=(k + 1) * curves["one"].mean) for k in range(4)
    }
    plot_regret(many, tmp_path / "p.png")
    (axes,) = drawn
    bars = [part.get_segments()[0] for part in axes.collections]
    assert [bar[:, 1].tolist() for bar in bars] == [[8.0, 10.0]] * 4
    places = [bar[0, 0] for bar in bars]
    assert 1000 < places[0] < places[1] < places[2] < places[3] < axes.get_xlim()[1]
    assert "bars at the end" in axes.texts[0].get_text()


def test_no_curve_is_hidden_without_a_word(curves, drawn, tmp_path):
    """One line under another, one without regret, and two bounds in one place."""
    one = curves["one"]
    shown = {
        "one": one,
        "under": replace(one, mean=1.005 * one.mean),
        "near": replace(one, mean=1.02 * one.mean),
        "none": replace(one, mean=0 * one.mean, low=0 * one.mean, high=0 * one.mean),
    }
    plot_regret(shown, tmp_path / "p.png", bounds={"LB": 2.0, "ECWB": 2.01})
    (axes,) = drawn
    ends = {"one,\nunder (same line)", "near", r"$C^{*}$ $\ln T$"}
    assert labels_at_ends(axes) == ends
    assert {"one", "near"} < {line.get_label() for line in axes.get_lines()}
    assert "under" not in {line.get_label() for line in axes.get_lines()}
    assert "none: no regret, so no line" in axes.texts[0].get_text()
    assert "$C^{*}$ = 2, $C^{E*}$ = 2.01 (one line)" in axes.texts[0].get_text()
    (legend,) = axes.figure.legends
    assert len(legend.get_texts()) == 1


def test_no_decade_is_empty(drawn, tmp_path):
    """Regret from 10 to 1000 in 10^8 rounds, under a bound of 5000."""
    time = np.geomspace(1, 10**8, 50).astype(int)
    mean = np.geomspace(0.1, 1000, 50)
    curve = RegretCurve(time, mean, mean, mean, 1)
    bounds = {"LB": 5000 / np.log(10**8), "ECWB": 20_000 / np.log(10**8)}
    plot_regret({"one": curve}, tmp_path / "p.png", bounds=bounds)
    (axes,) = drawn
    low, high = axes.get_ylim()
    visible = mean[time >= 10**4]
    assert visible[0] / 2 < low < visible[0]
    assert 5000 < high < 10000
    assert "$C^{E*}$ = 1,086 (above)" in axes.texts[0].get_text()
    assert axes.get_xlim() == (10**4, 10**8)


def test_labels_keep_apart_and_near_their_ends():
    wanted, heights = np.array([0.1, 0.5, 0.51, 0.52, 0.9]), np.full(5, 0.1)
    places = spread(wanted, heights)
    assert places == pytest.approx([0.1, 0.41, 0.51, 0.61, 0.9])
    assert spread(np.array([0.2, 0.2]), np.array([0.1, 0.3])) == pytest.approx([0.1, 0.3])
    near_the_top = np.array([0.1, 0.98, 0.99])
    places = spread(near_the_top, np.full(3, 0.1), 0.0, 1.0)
    assert places == pytest.approx([0.1, 0.85, 0.95])  # where titles begin, labels end
    assert spread(np.zeros(3), np.full(3, 0.5), 0.0, 1.0) == pytest.approx([-0.25, 0.25, 0.75])
    assert spread(np.zeros(2), np.full(2, 0.1), 0.0, 1.0) == pytest.approx([0.05, 0.15])


def test_styles_differ_in_grey_between_neighbours():
    found = list(styles(map(str, range(18))).values())
    assert len({(style.color, str(style.linestyle)) for style in found}) == 18
    assert all(a.linestyle != b.linestyle for a, b in pairwise(found))


def test_panels_share_styles_and_one_legend(curves, drawn, tmp_path):
    panels = [
        Panel("left", curves, {"LB": 2.0}),
        Panel("right", {"two": curves["two"]}, {"LB": 3.0}),
    ]
    path = save_figure(panels_figure(panels, units="sum"), tmp_path / "p.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    (left,) = drawn
    right = left.figure.axes[1]
    assert [axes.get_title() for axes in (left, right)] == ["left", "right"]
    colours = {line.get_label(): line.get_color() for line in left.get_lines()}
    line = right.get_lines()[0]
    assert line.get_color() == colours["two"] != colours["one"]
    assert labels_at_ends(right) == {"two", r"$C^{*}$ $\ln T$"}
    (legend,) = left.figure.legends
    assert len(legend.get_texts()) == 1
    assert right.get_yscale() == "log"
    assert "summed loss" in left.get_ylabel()


def test_short_log_axes_have_labels_between_powers_of_ten(tmp_path):
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([17, 108], [1, 1e6])
    axes.set_xscale("log")
    axes.set_yscale("log")
    save_figure(figure, tmp_path / "log.png")
    x, y = (
        [label.get_text() for label in axis.get_ticklabels()] for axis in (axes.xaxis, axes.yaxis)
    )
    assert {"20", "50", "100"} <= set(x)
    assert not {"2", "5"} & set(y)


def test_more_than_six_learners_make_more_panels(curves, tmp_path):
    """Six lines at most each, the first learner in all, no style twice, limits in common."""
    names = ["mine", *(f"learner {k}" for k in range(12))]
    many = {
        name: replace(curves["one"], mean=(k + 1) * curves["one"].mean)
        for k, name in enumerate(names)
    }
    figure = panels_figure([Panel("gap", many, {"LB": 2.0})], width=COLUMN)
    assert figure.get_figwidth() == pytest.approx(8.5 / 2.54)
    shown = [
        [line.get_label() for line in axes.get_lines() if line.get_label() in names]
        for axes in figure.axes
    ]
    assert [len(each) for each in shown] == [5, 5, 5]
    assert all(each[0] == "mine" for each in shown)
    assert sorted(name for each in shown for name in each[1:]) == sorted(names[1:])
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
    assert [axes.get_title() for axes in figure.axes] == [f"gap ({k} of 3)" for k in (1, 2, 3)]
    for axes in figure.axes:
        colours = [line.get_color() for line in axes.get_lines() if line.get_label() in names]
        assert len(set(colours)) == len(colours)


def test_no_label_covers_another(curves, tmp_path):
    """At the width of a column, drawn, with six learners that end at the same regret."""
    many = {
        f"learner {k}": replace(curves["one"], mean=(1 + 0.02 * k) * curves["one"].mean)
        for k in range(6)
    }
    figure = panels_figure([Panel("gap", many, {"LB": 1.4})], width=COLUMN)
    save_figure(figure, tmp_path / "p.png")
    (axes,) = figure.axes
    ends = [text for text in axes.texts if text.get_position()[0] > 1.0]
    boxes = [Text.get_window_extent(text) for text in ends]  # without its line
    assert len(boxes) == 7
    over = [Text.get_window_extent(text) for text in (axes.title, axes.texts[0])]
    assert not any(one.overlaps(two) for one, two in combinations([*boxes, *over], 2))
    assert all(box.x1 <= figure.bbox.x1 for box in boxes)


def test_fonts_are_embedded_and_a_style_sheet_is_on_top(curves, tmp_path):
    path = tmp_path / "p.pdf"
    plot_regret(curves, path)
    content = path.read_bytes()
    assert b"/FontFile2" in content
    assert b"/Type3" not in content
    sheet = tmp_path / "mine.mplstyle"
    sheet.write_text("axes.titlesize: 21\n")
    with picture_style(sheet):
        axes = plot_regret(curves, title="t")
    assert axes.title.get_fontsize() == 21
    assert plot_regret(curves, title="t").title.get_fontsize() == 9
    with pytest.raises(cpe.InputError, match="style 'none"), picture_style("none.mplstyle"):
        pass
