"""Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): table 1 and figures 4 to 6, random submatrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.drawing import save
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.formulations.dueling.voting import (
    von_neumann_winner,
)
from cpe_opt.hardness.dueling import copeland_hardness
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.page import Claim, Page, Section
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.zoghi2015 import PAPER

if TYPE_CHECKING:
    import pandas as pd

_NOTIONS = ("Copeland", "von Neumann", "Borda", "Random Walk")
_PUBLISHED_OVERLAP = {
    ("Copeland", "von Neumann"): 99.94,
    ("Copeland", "Borda"): 51.49,
    ("Copeland", "Random Walk"): 56.15,
    ("von Neumann", "Borda"): 77.66,
    ("von Neumann", "Random Walk"): 82.11,
    ("Borda", "Random Walk"): 94.81,
}
_CONTAINED = 94.2
_POINTS = 5.0
_TENS = (10_000, 100_000)
_SETTING = (
    "The paper's matrix has 136 rankers and is not published; {name} has {arms}. Sizes {sizes}, "
    "{count:,} submatrices of each, arms drawn uniformly."
)


def table_1(settings: Settings) -> Page:
    """How often the winners by different definitions overlap."""
    matrix, sizes, count = _sampling(settings, np.linspace, quick=40)
    frame = _sampled(matrix, sizes, count, settings, overlaps=True)
    write_parquet(frame, settings.file(".parquet"))
    share = {pair: 100 * frame["/".join(pair)].mean() for pair in _PUBLISHED_OVERLAP}
    contained = 100 * frame["contained"].mean()
    order = sorted(share, key=lambda pair: -share[pair])
    return Page(
        settings.name,
        "Overlap of the notions of winners: table 1",
        f"{PAPER}, table 1",
        settings.command,
        _SETTING.format(name=matrix.name, arms=matrix.arms, sizes=_span(sizes), count=count),
        [
            Claim(
                "Copeland and von Neumann winners nearly always overlap (99.94 %)",
                "more than 99 %",
                f"{share['Copeland', 'von Neumann']:.2f} %",
                bool(share["Copeland", "von Neumann"] > 99),
            ),
            Claim(
                "Borda and Random Walk winners mostly overlap (94.81 %)",
                f"within {_POINTS:g} points of the published share",
                f"{share['Borda', 'Random Walk']:.2f} %",
                bool(abs(share["Borda", "Random Walk"] - 94.81) <= _POINTS),
            ),
            Claim(
                "the first two and the last two are less compatible (51 to 82 %)",
                "the two pairs above overlap most often",
                ", ".join(f"{a} and {b} {share[a, b]:.1f} %" for a, b in order[2:]),
                {("Copeland", "von Neumann"), ("Borda", "Random Walk")} == set(order[:2]),
            ),
            Claim(
                "in 94.2 % all Copeland winners are in the support of the von Neumann winner",
                f"within {_POINTS:g} points of the published share",
                f"{contained:.1f} %",
                bool(abs(contained - _CONTAINED) <= _POINTS),
            ),
        ],
        [
            Section(
                "Overlaps",
                "",
                ("", "published %", "here %"),
                [
                    [f"{a}, {b}", published, f"{share[a, b]:.2f}"]
                    for (a, b), published in _PUBLISHED_OVERLAP.items()
                ],
            )
        ],
        settings.quick,
    )


def figures_4_to_6(settings: Settings) -> Page:
    """Condorcet winners, numbers of winners and losses, and gaps of random submatrices."""
    matrix, sizes, count = _sampling(settings, np.geomspace, quick=400)
    frame = _sampled(matrix, sizes, count, settings, overlaps=False)
    write_parquet(frame, settings.file(".parquet"))
    by_size = frame.groupby("arms")
    condorcet = by_size["condorcet"].mean()
    finite = frame[np.isfinite(frame["gap ratio"])]
    ratio = finite.groupby("arms")["gap ratio"].mean()
    whole = copeland_hardness(matrix)
    whole_ratio = (whole.gap / whole.smallest_gap) ** 2
    large = frame[frame["arms"] == max(sizes)]
    return Page(
        settings.name,
        "Random submatrices: figures 4, 5 and 6",
        f"{PAPER}, figures 4 to 6",
        settings.command,
        _SETTING.format(name=matrix.name, arms=matrix.arms, sizes=_span(sizes), count=count),
        [
            Claim(
                "the probability of a Condorcet winner decreases rapidly with the number of arms",
                "with the most arms it is less than half of that with the fewest",
                ", ".join(f"{arms} arms {p:.2f}" for arms, p in condorcet.items())
                + f"; the whole matrix has {'no' if matrix.condorcet_winner is None else 'a'} "
                "Condorcet winner (the paper's has none)",
                bool(condorcet.iloc[-1] < 0.5 * condorcet.iloc[0]),
            ),
            Claim(
                "C and L_C are generally much lower than K",
                "both means at most a tenth of the largest K",
                f"at {max(sizes)} arms: mean C {large['winners'].mean():.1f}, mean L_C "
                f"{large['losses'].mean():.1f}",
                bool(max(large["winners"].mean(), large["losses"].mean()) < 0.1 * max(sizes)),
            ),
            Claim(
                "the bound with Delta is tighter than with Delta_min by a factor of the order of "
                "tens of thousands on average; 1,419 for the whole matrix",
                f"tens of thousands: the largest average is between {_TENS[0]:,} and {_TENS[1]:,}",
                f"up to {ratio.max():,.0f} on average ({int(ratio.idxmax())} arms); "
                f"{whole_ratio:,.0f} for the whole matrix",
                bool(_TENS[0] <= ratio.max() <= _TENS[1]),
            ),
        ],
        [
            Section(
                "Figure 4: probability of a Condorcet winner, and figure 6: average of "
                "Delta²/Delta_min²",
                picture=_lines(condorcet, ratio, settings),
            ),
            Section("Figure 5: C and L_C", picture=_circles(frame, settings)),
            Section(
                "By size",
                "Submatrices with a tied pair have no ratio and are left out of its average.",
                ("arms", "Condorcet", "mean C", "mean L_C", "mean ratio", "median ratio"),
                [
                    [
                        arms,
                        f"{group['condorcet'].mean():.3f}",
                        f"{group['winners'].mean():.2f}",
                        f"{group['losses'].mean():.2f}",
                        f"{ratio.get(arms, np.nan):,.0f}",
                        f"{group['gap ratio'].median():,.0f}",
                    ]
                    for arms, group in by_size
                ],
            ),
        ],
        settings.quick,
    )


def _sampling(
    settings: Settings, spaced: Callable[[int, int, int], FloatArray], *, quick: int
) -> tuple[PreferenceMatrix, list[int], int]:
    """The matrix, the sizes of submatrices, and how many of each."""
    matrix = settings.needed_matrix()
    if matrix.arms < 3:
        raise InputError(f"{matrix.name} has {matrix.arms} arms, expected at least 3")
    every = range(2, matrix.arms)
    few = np.unique(spaced(2, matrix.arms - 1, 16).astype(int)).tolist()
    return matrix, settings.choose(few, list(every)), settings.choose(quick, 10_000)


def _span(sizes: list[int]) -> str:
    every = len(sizes) == sizes[-1] - sizes[0] + 1
    return f"{sizes[0]} to {sizes[-1]}" if every else ", ".join(map(str, sizes))


def _sampled(
    matrix: PreferenceMatrix, sizes: list[int], count: int, settings: Settings, *, overlaps: bool
) -> pd.DataFrame:
    import pandas as pd

    seeds = np.random.SeedSequence(settings.seed).spawn(len(sizes))
    tasks = [(matrix, arms, count, seed, overlaps) for arms, seed in zip(sizes, seeds, strict=True)]
    rows: list[dict[str, Any]] = []
    # The largest first, so that no worker is left with one at the end.
    for done, part in enumerate(in_parallel(_sample, tasks[::-1], jobs=settings.jobs), 1):
        rows += part
        if settings.progress is not None:
            settings.progress(done, len(tasks))
    return pd.DataFrame(rows).sort_values(["arms", "number"], ignore_index=True)


def _sample(
    matrix: PreferenceMatrix, arms: int, count: int, seed: np.random.SeedSequence, overlaps: bool
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    describe = _overlaps if overlaps else _quantities
    return [
        {
            "arms": arms,
            "number": number,
            **describe(matrix.submatrix(rng.choice(matrix.arms, arms, replace=False).tolist())),
        }
        for number in range(count)
    ]


def _quantities(drawn: PreferenceMatrix) -> dict[str, Any]:
    hard = copeland_hardness(drawn)
    tied = hard.smallest_gap == 0
    return {
        "condorcet": drawn.condorcet_winner is not None,
        "winners": hard.winners,
        "losses": hard.losses_of_winner,
        "gap ratio": np.inf if tied else (hard.gap / hard.smallest_gap) ** 2,
    }


def _overlaps(drawn: PreferenceMatrix) -> dict[str, Any]:
    sets = dict(
        zip(
            _NOTIONS,
            (
                set(drawn.copeland_winners),
                set(von_neumann_winner(drawn).support),
                set(drawn.borda_winners),
                set(drawn.random_walk_winners),
            ),
            strict=True,
        )
    )
    return {
        **{"/".join(pair): bool(sets[pair[0]] & sets[pair[1]]) for pair in _PUBLISHED_OVERLAP},
        "contained": sets["Copeland"] <= sets["von Neumann"],
    }


def _lines(condorcet: pd.Series, ratio: pd.Series, settings: Settings) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 3.6), layout="constrained", dpi=130)
    for place, series, label, scale in (
        (1, condorcet, "probability of a Condorcet winner", "linear"),
        (2, ratio, r"average of $\Delta^2/\Delta_{\min}^2$", "log"),
    ):
        axes = figure.add_subplot(1, 2, place)
        axes.plot(series.index, series.to_numpy(), marker="o", markersize=3)
        axes.set_yscale(scale)
        axes.set_xlabel("arms $K$")
        axes.set_ylabel(label)
        axes.grid(visible=True, alpha=0.3)
    return save(figure, settings.file(".png"))


def _circles(frame: pd.DataFrame, settings: Settings) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(9.2, 3.6), layout="constrained", dpi=130)
    for place, (column, label) in enumerate(
        (("winners", "Copeland winners $C$"), ("losses", "losses $L_C$ of a winner")), 1
    ):
        axes = figure.add_subplot(1, 2, place)
        shares = frame.groupby("arms")[column].value_counts(normalize=True)
        arms, values = zip(*shares.index, strict=True)
        axes.scatter(arms, values, s=120 * shares.to_numpy(), alpha=0.6)
        axes.set_title("area of a circle: its share of the submatrices", fontsize="small")
        axes.set_xlabel("arms $K$")
        axes.set_ylabel(label)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(visible=True, alpha=0.3)
    return save(figure, settings.file("-figure5.png"))
