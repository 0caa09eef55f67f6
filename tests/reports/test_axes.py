"""Every picture can be drawn without a file, into axes that are there, which are returned."""

import pytest
from matplotlib.figure import Figure

import cpe_opt as cpe
from cpe_opt.experiments.results import regret_curve
from cpe_opt.reports.beats_graph import plot_beats
from cpe_opt.reports.curves import plot_samples


def evidence():
    return cpe.evidence(cpe.Votes([[0, 60, 9], [20, 0, 30], [6, 8, 0]], ["a", "b", "c"]))


def curves():
    trace = cpe.simulate("ecw-rmed", cpe.load_instance("cyclic"), horizon=500)
    return {"ecw-rmed": regret_curve([trace])}


PICTURES = {
    "regret": (cpe.plot_regret, curves),
    "samples": (plot_samples, lambda: {"a": [3, 4], "b": [50]}),
    "ranks": (cpe.plot_ranks, evidence),
    "evidence": (cpe.plot_evidence, evidence),
    "beats": (plot_beats, evidence),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_in_a_grid_leaves_its_neighbour_alone(name, tmp_path):
    plot, data = PICTURES[name]
    figure = Figure(figsize=(14, 6))
    left, right = figure.subplots(1, 2)
    left.plot([1, 2], [3, 4])
    before = left.get_position().bounds
    drawn = plot(data(), tmp_path / "both.png", ax=right)
    assert drawn.get_figure(root=True) is figure
    assert len(left.get_lines()) == 1
    assert left.get_position().bounds == pytest.approx(before)
    figure.canvas.draw()
    box = drawn.get_window_extent()
    assert figure.bbox.width / 2 - 1 <= box.x0 < box.x1 <= figure.bbox.x1 + 1
    assert (tmp_path / "both.png").stat().st_size > 5_000


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_without_a_file_is_a_new_figure(name):
    plot, data = PICTURES[name]
    one, other = plot(data()), plot(data())
    assert one.get_figure(root=True) is not other.get_figure(root=True)
    with pytest.raises(cpe.InputError, match=r"cannot draw 'p.gif'"):
        plot(data(), "p.gif")


@pytest.mark.parametrize("name", ["evidence", "beats"])
def test_axes_without_a_place_in_a_grid_are_refused(name):
    plot, data = PICTURES[name]
    loose = Figure().add_axes((0.1, 0.1, 0.8, 0.8))
    with pytest.raises(cpe.InputError, match=r"ax has no place in a grid, expected axes of plt"):
        plot(data(), ax=loose)
