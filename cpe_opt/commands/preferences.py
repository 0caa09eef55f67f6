"""What a preference matrix asks of any algorithm."""

from __future__ import annotations

import typer

from cpe_opt.commands import InstanceArgument, JsonOption, load_problem
from cpe_opt.console import print_json, print_table

app = typer.Typer()


@app.command(epilog="Example: cpe-opt analyse duels.csv")
def analyse(instance: InstanceArgument, as_json: JsonOption = False) -> None:
    """Winners, ties, gaps, and what any algorithm, CW-RMED and ECW-RMED need on a problem."""
    from cpe_opt.experiments.analysis import analyse_preferences

    problem = load_problem(instance)
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
    ties = [f"{labels[i]} = {labels[j]}" for i, j in problem.ties]
    typer.echo(f"ties: {', '.join(ties[:10]) or 'none'}{' …' if len(ties) > 10 else ''}")
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
    # ZKWR's regret is twice KHN's.
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
