"""What a problem asks of any algorithm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from cpe_opt.commands import InstanceArgument, JsonOption, KOption
from cpe_opt.commands.console import print_json, print_table
from cpe_opt.commands.separable import show_separable
from cpe_opt.commands.subsets import show_subsets

if TYPE_CHECKING:
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.matchings.duels import MatchingDuels
    from cpe_opt.problems.pairs import VoteSummary

_LISTED = 10

app = typer.Typer()


@app.command(epilog="Example: cpe-opt analyse duels.csv")
def analyse(instance: InstanceArgument, k: KOption = None, as_json: JsonOption = False) -> None:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem."""
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.files import load_problem
    from cpe_opt.problems.matchings.duels import MatchingDuels
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.subsets.bandit import SubsetBandit

    problem = load_problem(instance, k)
    if isinstance(problem, PreferenceMatrix):
        _analyse_preferences(problem, as_json)
    elif isinstance(problem, SubsetBandit):
        show_subsets(problem, as_json)
    elif isinstance(problem, SeparableProblem):
        show_separable(problem, as_json)
    elif isinstance(problem, MatchingDuels):
        _analyse_matchings(problem, as_json)


def _analyse_preferences(problem: PreferenceMatrix, as_json: bool) -> None:
    from cpe_opt.analysis.problems import analyse_preferences

    analysis = analyse_preferences(problem)
    if as_json:
        print_json(analysis.as_dict())
        return
    labels = problem.labels
    print_table(
        ["arm", "label", "beats", "beaten by", "Borda", "Copeland winner"],
        [
            [
                arm,
                labels[arm],
                problem.copeland_scores[arm],
                problem.losses[arm],
                f"{problem.borda_scores[arm]:.4f}",
                "yes" if arm in problem.copeland_winners else "",
            ]
            for arm in analysis.ranking
        ],
        title=f"{problem.name}: {problem.arms} arms",
    )
    condorcet = problem.condorcet_winner
    typer.echo(f"Condorcet winner: {'none' if condorcet is None else labels[condorcet]}")
    never_met: tuple[tuple[int, int], ...] = ()
    if problem.vote_summary is not None:
        never_met = problem.vote_summary.never_met
        _show_votes(problem.vote_summary, labels)
    apart = set(never_met)
    typer.echo(f"ties: {_pairs([pair for pair in problem.ties if pair not in apart], labels)}")
    i, j = analysis.closest_pair
    typer.echo(f"closest pair: {labels[i]} and {labels[j]}, gap {analysis.smallest_gap:.4g}")
    weights = analysis.lottery.weights
    lottery = ", ".join(f"{labels[arm]} {weights[arm]:.3f}" for arm in analysis.lottery.support)
    typer.echo(f"Borda winner: {', '.join(labels[arm] for arm in analysis.borda)}")
    walk = ", ".join(labels[arm] for arm in analysis.random_walk)
    typer.echo(f"random walk winner: {walk or 'none'}")
    typer.echo(f"von Neumann winner: {lottery}")
    hard = analysis.hardness
    typer.echo(f"hardness: H_inf {hard.largest_hardness:.4g}, Delta {hard.gap:.4g}")
    typer.echo(f"C*   (regret of any algorithm, CW-RMED): {analysis.lower.value:.4f} ln T")
    typer.echo(f"C^E* (regret of ECW-RMED):               {analysis.ecw.value:.4f} ln T")
    if math.isinf(analysis.lower.value):
        typer.echo("(no regret grows as ln T: a tie of every winner may cost it its rank)")
    # the regret "sum" is twice the regret "mean".
    typer.echo(f"CCB  (its theorem's bound):              {hard.ccb_constant / 2:.4f} ln T")
    print_table(
        ["horizon", "C* ln T", "C^E* ln T", "duels of C*"],
        [
            [f"{horizon:.0e}", f"{lower:,.0f}", f"{ecw:,.0f}", f"{duels:,.0f}"]
            for horizon, lower, ecw, duels in analysis.needs
        ],
    )
    print_table(
        ["pair", "gap", "duels per ln T"],
        [
            [f"{labels[a]} – {labels[b]}", f"{problem.gaps[a, b]:.4f}", f"{q:.4g}"]
            for a, b, q in analysis.busiest_pairs
        ],
        title="where C* spends its duels",
    )


def _show_votes(summary: VoteSummary, labels: Sequence[str]) -> None:
    """How much a log knows: what the winners and bounds above and below rest on."""
    met = summary.pairs - len(summary.never_met)
    typer.echo(
        f"votes: {summary.duels:,} on {met:,} of {summary.pairs:,} pairs, {summary.fewest:,} to "
        f"{summary.most:,} a pair (median {summary.median:,g}); {summary.tied:,} were ties, half a "
        "win for each"
    )
    if summary.never_met:
        typer.echo(f"never met, taken for tied: {_pairs(summary.never_met, labels)}")
    if summary.unused:
        typer.echo(f"columns not read: {', '.join(summary.unused)}")


def _pairs(pairs: Sequence[tuple[int, int]], labels: Sequence[str]) -> str:
    shown = ", ".join(f"{labels[i]} – {labels[j]}" for i, j in pairs[:_LISTED])
    return f"{shown}, … ({len(pairs):,} pairs)" if len(pairs) > _LISTED else shown or "none"


def _analyse_matchings(problem: MatchingDuels, as_json: bool) -> None:
    from cpe_opt.analysis.problems import analyse_matchings

    analysis = analyse_matchings(problem)
    if as_json:
        print_json(analysis.as_dict())
        return
    graph, borda, condorcet = problem.graph, analysis.borda, analysis.condorcet
    print_table(
        ["edge", "position: candidate", "Borda weight", "Borda gap", "Condorcet gap", "winner of"],
        [
            [
                edge,
                graph.label(edge),
                f"{problem.borda_weights[edge]:.4f}",
                f"{borda.gap[edge]:.4f}",
                "" if condorcet is None else f"{condorcet.gap[edge]:.4f}",
                ", ".join(
                    name
                    for name, winner in (
                        ("Borda", borda.winner),
                        ("Condorcet", condorcet.winner if condorcet else ()),
                    )
                    if edge in winner
                ),
            ]
            for edge in range(graph.size)
        ],
        title=f"{problem.name}: {graph.candidates} candidates, {graph.positions} positions, "
        f"{analysis.matchings:,} matchings, {graph.n_pairs} pairs of edges that duel",
    )
    for name, matching in (("Borda", borda.winner), ("Condorcet", analysis.condorcet_winner)):
        if matching is None:
            typer.echo(f"{name} winner: none")
        else:
            labels = ", ".join(graph.label(edge) for edge in matching)
            score = problem.borda_score(matching)
            typer.echo(f"{name} winner: {labels} (Borda score {score:.4f})")
    if problem.vote_summary is not None:
        _show_votes(problem.vote_summary, [graph.label(edge) for edge in range(graph.size)])
    typer.echo(f"width: {analysis.width or 'not known (too many matchings to enumerate)'}")
    rows = [
        [what, f"{value:,.0f}" if math.isfinite(value) else "inf"]
        for what, value in analysis.needs.items()
    ]
    print_table(["samples at delta = 0.05, up to a constant factor", ""], rows)
