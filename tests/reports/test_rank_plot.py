"""The picture of ranks: its bars and points are what was proved and estimated."""

import pytest

import cpe_opt as cpe

WINS = [[0, 35, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]]
LABELS = ["salmon", "tuna", "squid", "$egg$"]


def bars(axes):
    """The best and the worst rank of each row, from the top."""
    return [(bar.get_x() + 0.5, bar.get_x() + bar.get_width() - 0.5) for bar in axes.patches]


def test_bars_are_the_intervals_and_points_the_estimates():
    found = cpe.evidence(cpe.Votes(WINS, LABELS), top=2)
    for score, ranks in (("borda", found.ranks), ("copeland", found.copeland_ranks)):
        axes = cpe.plot_ranks(found, score=score)
        rows = [text.get_text() for text in axes.get_yticklabels()]
        assert bars(axes) == [ranks[label] for label in rows]
        points = axes.collections[0].get_offsets()
        assert points[:, 1].tolist() == [0, 1, 2, 3]
        assert (points[:, 0] == sorted(points[:, 0])).all()
    legend = {text.get_text() for text in axes.get_legend().get_texts()}
    assert "rank by the votes: estimate, not proved" in legend
    assert "of the 2 best: ruled out" in legend
    with pytest.raises(cpe.InputError, match="unknown score 'elo'"):
        cpe.plot_ranks(found, score="elo")
