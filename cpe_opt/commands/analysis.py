"""What a problem asks of any algorithm, and what votes or scores of teams prove."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import (
    FOR_VOTES,
    ForceOption,
    InstanceArgument,
    JsonOption,
    KOption,
    PlotOption,
    PricesOption,
    SinceOption,
    SolverOption,
    TimeOption,
    UniqueOption,
    UntilOption,
    WhereOption,
    read_options,
)
from cpe_opt.commands.console import print_analysis
from cpe_opt.errors import InputError
from cpe_opt.files import check_output
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.matchings.duels import MatchingDuels
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.reports.evidence import Evidence
    from cpe_opt.reports.team_evidence import TeamEvidence

app = typer.Typer()
_THINKS = "computing what is proved"


@app.command(
    epilog="Example: cpe-opt evidence votes.csv --plot votes.png --report votes.html",
    rich_help_panel=FOR_VOTES,
)
def evidence(
    votes: Annotated[
        list[str],
        typer.Argument(
            help="A file of votes: a log with the columns winner,loser[,count], "
            "model_a,model_b,winner, left,right,winner or chosen_model,rejected_model, as CSV, "
            "Parquet or JSON objects (battles.jsonl, or one array); pairs of numbers; PrefLib "
            ".soc .soi .toc .toi .pwg; or a square matrix of wins. Or a log of teams, "
            "team,score[,count]. Several logs of votes are read as one."
        ),
    ],
    delta: Annotated[
        float, typer.Option(help="The largest probability that anything stated is wrong.")
    ] = 0.05,
    where: WhereOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    time: TimeOption = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="For a log of votes: the column of prompts, raters or games by which votes depend "
            "on each other; their mean on a pair is one outcome. Which pairs one votes on may not "
            "depend on its own votes."
        ),
    ] = None,
    unique: UniqueOption = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="For a log of votes: a column such as language; one board for each of its "
            "values, all of them right at once: each has an equal part of delta."
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            help="For votes: say also of which arms nothing is ahead by more than that, such as "
            "0.03; from 0 (not said) to below 0.5."
        ),
    ] = 0.0,
    top: Annotated[
        int | None,
        typer.Option(
            metavar="K", help="For votes: say also which arms are proved to be of the K best."
        ),
    ] = None,
    prices: PricesOption = None,
    solver: SolverOption = None,
    k: Annotated[
        int | None,
        typer.Option(help="For a log of teams: how many members to choose, if sizes differ."),
    ] = None,
    problem: Annotated[
        str | None,
        typer.Option(
            help="For a log of teams: which teams may be chosen, such as script.py:name; by "
            "default all with as many members as those in the log."
        ),
    ] = None,
    sigma: Annotated[
        float | None,
        typer.Option(
            help="For a log of teams: the standard deviation of a score; by default an upper "
            "confidence bound from the scores."
        ),
    ] = None,
    planned: Annotated[
        bool,
        typer.Option(
            "--planned",
            help="For a log of teams: they were chosen before any score was seen; proves more.",
        ),
    ] = False,
    unranked: Annotated[
        str | None,
        typer.Option(
            help="For a PrefLib file: what an incomplete ranking says of what it leaves out: last "
            "(they come last, tied; the default), or ignore (nothing; proves nothing of such "
            "pairs)."
        ),
    ] = None,
    plot: PlotOption = None,
    plot_ranks: Annotated[
        Path | None,
        typer.Option(
            help="For votes: a .png, .pdf or .svg to draw, the ranks of all arms as bars."
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="An .html file to write: one page, with the picture in it.")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
    as_markdown: Annotated[
        bool,
        typer.Option("--markdown", help="Print Markdown, ready for a README: table and sentences."),
    ] = False,
) -> None:
    """What votes prove: who beats whom, which arms win or may, and what would settle it.

    For votes at positions: the best assignment, and who is proved where.

    For a log of teams: the best team, who is in it, and which team to try next.
    """
    if as_json and as_markdown:
        raise InputError("--json and --markdown are two forms of one output, expected one of them")
    from cpe_opt.formats.observations import read_observations
    from cpe_opt.formats.votes import read_votes_by
    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.reports.evidence import Evidence, evidence
    from cpe_opt.reports.evidence_by import EvidenceByGroup, evidence_by
    from cpe_opt.solvers.options import solver_option

    reading = read_options(
        where=where, since=since, until=until, time=time, cluster=cluster, unique=unique
    )
    groups = None
    if by is None:
        seen = read_observations(votes, unranked=unranked, **reading)  # type: ignore[arg-type]
    else:
        _refuse({"unranked": unranked}, "rankings have no columns, which --by names")
        groups = read_votes_by(votes, by, **reading)
        seen = next(iter(groups.values()))
    of_teams = {"k": k, "problem": problem, "sigma": sigma, "planned": planned or None}
    if isinstance(seen, TeamScores):
        of_votes = {
            "margin": margin or None,
            "top": top,
            "prices": prices,
            "solver": solver,
            "plot": plot,
            "plot-ranks": plot_ranks,
            "report": report,
        }
        _refuse(of_votes, f"{votes[0]} is a log of teams")
        with progress_line(_THINKS):
            teams = _team_evidence(seen, delta, of_teams)
        print_analysis(teams, as_json=as_json, as_markdown=as_markdown)
        return
    _refuse(of_teams, f"{votes[0]} is no log of teams, which has the columns team and score")
    if not isinstance(seen, Votes):
        of_arms = {"margin": margin or None, "solver": solver, "plot": plot, "top": top}
        of_arms["plot-ranks"] = plot_ranks
        _refuse(of_arms, f"{votes[0]} has votes at positions")
        _print_panel(seen, delta, prices, report, force, as_json, as_markdown)
        return
    if groups is not None:
        _refuse(
            {"plot": plot, "plot-ranks": plot_ranks},
            "--by has a board for each group; --report has their pictures",
        )
    pictures = [path for path in (plot, plot_ranks) if path is not None]
    _check_pictures(pictures, force=force, sources=(*votes, prices))
    if report is not None:
        check_output(report, (".html",), force=force, sources=(*votes, prices))
    asked: dict[str, Any] = {
        "delta": delta,
        "margin": margin,
        "top": top,
        "prices": _prices_by_name(prices, seen),
    }
    asked |= solver_option(solver)
    found: Evidence | EvidenceByGroup
    with progress_line(_THINKS):
        found = (
            evidence(seen, **asked) if groups is None else evidence_by(groups, by=str(by), **asked)
        )
    print_analysis(found, as_json=as_json, as_markdown=as_markdown)
    if isinstance(found, Evidence):
        _draw(found, plot, plot_ranks)
    if report is not None:
        from cpe_opt.reports.decision import write_evidence_page

        write_evidence_page(found, report)
    if not (as_json or as_markdown):
        for path in (*pictures, *([report] if report is not None else [])):
            typer.echo(f"wrote {path}")


@app.command(epilog="Example: cpe-opt analyse duels.csv", rich_help_panel=FOR_VOTES)
def analyse(instance: InstanceArgument, k: KOption = None, as_json: JsonOption = False) -> None:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem."""
    from cpe_opt.formats.problems import load_problem
    from cpe_opt.reports.analysis import analyse

    print_analysis(analyse(load_problem(instance, k)), as_json=as_json)


def _check_pictures(
    paths: list[Path], *, force: bool, sources: tuple[str | Path | None, ...]
) -> None:
    """Refuse paths that no picture can be written to."""
    for path in paths:
        from cpe_opt.reports.drawing import PICTURES

        check_output(path, PICTURES, force=force, sources=sources)


def _draw(found: Evidence, plot: Path | None, plot_ranks: Path | None) -> None:
    """Write the pictures that are asked for."""
    if plot is not None:
        from cpe_opt.reports.evidence_plot import plot_evidence

        plot_evidence(found, plot)
    if plot_ranks is not None:
        from cpe_opt.reports import rank_plot

        rank_plot.plot_ranks(found, plot_ranks)


def _print_panel(
    duels: MatchingDuels,
    delta: float,
    prices: Path | None,
    report: Path | None,
    force: bool,
    as_json: bool,
    as_markdown: bool,
) -> None:
    """What votes at positions prove, and its page where that is wanted."""
    from cpe_opt.formats.prices import read_prices
    from cpe_opt.reports.decision import write_evidence_page
    from cpe_opt.reports.panel_evidence import panel_evidence

    if report is not None:
        check_output(report, (".html",), force=force, sources=(prices,))
    with progress_line(_THINKS):
        found = panel_evidence(
            duels, delta=delta, prices=None if prices is None else read_prices(prices, duels)
        )
    print_analysis(found, as_json=as_json, as_markdown=as_markdown)
    if report is not None:
        write_evidence_page(found, report)
        if not (as_json or as_markdown):
            typer.echo(f"wrote {report}")


def _prices_by_name(path: Path | None, votes: Votes) -> pd.DataFrame | None:
    """Prices with the labels of arms, by which the votes of each group find theirs."""
    import pandas as pd

    from cpe_opt.formats.prices import read_prices

    if path is None:
        return None
    return pd.DataFrame(read_prices(path, votes), list(votes.labels), list(votes.labels))


def _refuse(options: dict[str, Any], why: str) -> None:
    """Raise :class:`cpe_opt.errors.InputError` if an option is given that has no effect."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"--{name} has no effect here: {why}")


def _team_evidence(scores: TeamScores, delta: float, options: dict[str, Any]) -> TeamEvidence:
    from cpe_opt.formats.problems import load_problem
    from cpe_opt.reports.team_evidence import team_evidence

    k, problem = options["k"], options["problem"]
    if problem is None:
        decisions = scores.decisions(k)
    else:
        known = load_problem(problem, k)
        if known.family != "subsets":
            raise InputError(f"--problem {problem}: expected sets of elements, as teams are")
        decisions = known.known
    return team_evidence(
        scores, decisions, delta=delta, sigma=options["sigma"], planned=bool(options["planned"])
    )
