import numpy as np
import pytest
from matplotlib.figure import Figure

import cpe_opt as cpe
from cpe_opt.experiments.plots import Panel, plot_panels, plot_regret, save
from cpe_opt.experiments.runs import RegretCurve


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


def test_curves_bands_and_bounds_are_drawn(curves, drawn, tmp_path):
    path = plot_regret(curves, tmp_path / "p.png", title="t", bounds={"LB": 2.0, "ECWB": 3.0})
    assert path.read_bytes().startswith(b"\x89PNG")
    (axes,) = drawn
    assert axes.get_xscale() == "log"
    assert axes.get_title() == "t"
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert set(lines) == {
        "one (mean of 5 runs, band 10–90 %)",
        "two (1 run)",
        "LB = 2 ln T",
        "ECWB = 3 ln T",
    }
    bound = lines["LB = 2 ln T"]
    assert bound.get_ydata()[-1] == pytest.approx(2 * np.log(1000))
    assert len(axes.collections) == 1  # one band: a single run has none
    assert "2(K−1)" in axes.get_ylabel()


@pytest.mark.parametrize("suffix", [".pdf", ".svg"])
def test_other_formats(curves, tmp_path, suffix):
    path = plot_regret(curves, tmp_path / f"p{suffix}", units="zkwr")
    assert path.stat().st_size > 1000
    assert list(tmp_path.iterdir()) == [path]


def test_other_suffixes_are_refused(curves, tmp_path):
    with pytest.raises(cpe.InputError, match=r"cannot draw 'p.txt': expected one of .png"):
        plot_regret(curves, tmp_path / "p.txt")
    assert list(tmp_path.iterdir()) == []


def test_panels_share_colours_and_one_legend(curves, drawn, tmp_path):
    panels = [
        Panel("left", curves, {"LB": 2.0}),
        Panel("right", {"two": curves["two"]}, separate=("two",)),
    ]
    path = plot_panels(panels, tmp_path / "p.png", units="zkwr")
    assert path.read_bytes().startswith(b"\x89PNG")
    (left,) = drawn
    right = left.figure.axes[1]
    assert [axes.get_title() for axes in (left, right)] == ["left", "right"]
    colours = {line.get_label(): line.get_color() for line in left.get_lines()}
    (line,) = right.get_lines()
    assert line.get_color() == colours["two"] != colours["one"]
    assert line.get_marker() == "o"
    (legend,) = left.figure.legends
    assert {text.get_text() for text in legend.get_texts()} == {"one", "two", "LB ln T"}
    assert right.get_yscale() == "log"
    assert "ZKWR" in right.get_ylabel()


def test_many_curves_have_colours_of_their_own(curves, drawn, tmp_path):
    many = {f"learner {k}": curves["one"] for k in range(14)}
    plot_panels([Panel("many", many)], tmp_path / "p.png")
    colours = [line.get_color() for line in drawn[0].get_lines()]
    assert len(set(colours)) == 14


def test_short_log_axes_have_labels_between_powers_of_ten(tmp_path):
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([17, 108], [1, 1e6])
    axes.set_xscale("log")
    axes.set_yscale("log")
    save(figure, tmp_path / "log.png")
    x, y = (
        [label.get_text() for label in axis.get_ticklabels()] for axis in (axes.xaxis, axes.yaxis)
    )
    assert {"20", "50", "100"} <= set(x)
    assert not {"2", "5"} & set(y)
