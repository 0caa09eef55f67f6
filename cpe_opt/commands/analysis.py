"""What a problem asks of any algorithm, and what votes or scores of teams prove."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import FOR_VOTES, Reading, TwoMeans, command, given, refuse
from cpe_opt.commands.console import check_outputs, parse_count, print_analysis, print_written
from cpe_opt.errors import InputError
from cpe_opt.files import PICTURES
from cpe_opt.progress_line import progress_line

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class VoteOptions:
    """What is asked of votes.

    :param margin: For votes: say also of which arms nothing is ahead by more than that, such as
        0.03; from 0 (not said) to below 0.5.
    :param K top: For votes: say also which arms are proved to be of the K best.
    :param anchor: For votes: the arm that has 1,000 points on Elo's scale, under a model of
        strengths; by default arms have them on average. With --elo0: the old one of two arms.
    :param plot_ranks: For votes: a .png, .pdf or .svg to draw, the ranks of all arms as bars; with
        --by those of each group.
    """

    margin: float | None = None
    top: int | None = None
    anchor: str | None = None
    prices: Path | None = None
    plot: Path | None = None
    plot_ranks: Path | None = None


@dataclass(frozen=True, kw_only=True)
class TeamOptions:
    """What is asked of a log of teams.

    :param k: For a log of teams: how many members to choose, if sizes differ.
    :param sigma: For a log of teams: the standard deviation of a score; by default an upper
        confidence bound from the scores.
    :param planned: For a log of teams: they were chosen before any score was seen; proves more.
    """

    k: int | None = None
    sigma: float | None = None
    planned: bool = False


@dataclass(frozen=True, kw_only=True)
class Output:
    """How what is proved is said.

    :param report: An .html file to write: one page, with the picture in it.
    :param markdown: Print Markdown, ready for a README: table and sentences.
    :param check: Prove nothing: say what cannot be read, and what would make a proof false. Of a
        session, too. Exit status 0 where nothing was found, 1 where something was, 2 where rows
        cannot be read.
    """

    report: Path | None = None
    force: bool = False
    json: bool = False
    markdown: bool = False
    check: bool = False


@command(app, "cpe-opt evidence votes.csv --plot votes.png --report votes.html", FOR_VOTES)
def evidence(
    votes: list[str] | None = None,
    *,
    delta: float = 0.05,
    reading: Reading,
    cluster: str | None = None,
    by: str | None = None,
    unranked: str | None = None,
    of_votes: VoteOptions,
    of_teams: TeamOptions,
    pentanomial: str | None = None,
    of_two: TwoMeans,
    output: Output,
) -> None:
    """What votes prove: who beats whom, which arms win or may, and what would settle it.

    For votes at positions: the best assignment, and who is proved where.

    For a log of teams: the best team, who is in it, and which team to try next.

    For a table of scores: by how much the means differ on new items, and which arm is the best.

    :param votes: A file of votes: a log with the columns winner,loser[,count] or
        model_a,model_b,winner[,count], or outcome, from 0 to 1, in place of winner, as CSV, Parquet
        or JSON objects (battles.jsonl, or one array); PrefLib .soc .soi .toc .toi; or a square
        matrix of wins. Or a log of teams, team,score[,count]; or a table of scores from 0 to 1,
        arm,item,score. Several logs of votes with the same columns are read as one.
    :param delta: The largest probability that anything stated is wrong.
    :param cluster: For a log of votes: the column of prompts, raters or games by which votes depend
        on each other; their mean on a pair is one outcome. Which pairs one votes on may not depend
        on its own votes. For scores: the column by which items belong together.
    :param by: For a log of votes: a column such as language; one board for each of its values, all
        of them right at once: each has an equal part of delta.
    :param pentanomial: Instead of a file, with --elo0 and --elo1: in how many pairs of games the
        first of two arms got 0, ½, 1, 1½ and 2 points, such as 260,1900,4200,2150,330; of single
        games losses,0,draws,0,wins.
    :param unranked: For a PrefLib file: what an incomplete ranking says of what it leaves out: last
        (they come last, tied; the default), or ignore (nothing; proves nothing of such pairs).
    """
    from cpe_opt.formats.tables import Format, format_of

    if output.json and output.markdown:
        raise InputError("--json and --markdown are two forms of one output, expected one of them")
    asked = vars(reading) | {"by": by, "unranked": unranked} | vars(of_votes) | vars(of_teams)
    if not votes or pentanomial is not None or given(vars(of_two)):
        others = {"cluster": cluster, "report": output.report, "check": output.check}
        refuse({**asked, **others, "anchor": None}, "on a test of two arms")
        pairs, anchor = _pairs(votes or [], pentanomial), of_votes.anchor
        games = cpe.two_arms(pairs, anchor=anchor, alpha=delta, beta=delta, **vars(of_two))
        print_analysis(games, as_json=output.json, as_markdown=output.markdown)
        return
    if output.check:
        refuse({**asked, "report": output.report}, "with --check, which proves nothing")
        _check(votes, cluster, as_json=output.json, as_markdown=output.markdown)
        return
    pictures = {"plot": of_votes.plot, "plot-ranks": of_votes.plot_ranks}
    outputs = {of_votes.plot: PICTURES, of_votes.plot_ranks: PICTURES, output.report: (".html",)}
    check_outputs(outputs, force=output.force, sources=(*votes, of_votes.prices))
    if len(votes) == 1 and format_of(votes[0]) is Format.ITEM_SCORES:
        refuse({**vars(reading), "by": by, "unranked": unranked}, "on a table of scores")
        seen: Any = cpe.read_item_scores(votes[0])
    elif by is not None:
        refuse({"unranked": unranked}, "here: rankings have no columns, which --by names")
        refuse({"plot": of_votes.plot}, "here: with --by, --report has a picture of each group")
        seen = cpe.read_votes_by(votes, by, **reading.options(cluster=cluster))
    else:
        options = reading.options(cluster=cluster)
        seen = cpe.read_observations(votes, unranked=unranked, **options)  # type: ignore[arg-type]
    prove = _prover(seen, of_votes, of_teams, votes[0], {"by": by, "cluster": cluster})
    with progress_line("computing what is proved"):
        found = prove(delta)
    print_analysis(found, as_json=output.json, as_markdown=output.markdown)
    if of_votes.plot is not None:
        cpe.plot_evidence(found, of_votes.plot)
    if of_votes.plot_ranks is not None:
        from cpe_opt.reports.evidence_plot import plot_ranks_by

        draw = cpe.plot_ranks if by is None else plot_ranks_by
        draw(found, of_votes.plot_ranks)
    if output.report is not None:
        from cpe_opt.reports.decision import write_evidence_page

        write_evidence_page(found, output.report)
    if not (output.json or output.markdown):
        print_written(*pictures.values(), output.report)


@command(app, "cpe-opt analyse duels.csv", FOR_VOTES)
def analyse(instance: str, *, k: int | None = None, json: bool = False) -> None:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem."""
    print_analysis(cpe.analyse(cpe.load_problem(instance, k)), as_json=json)


def _pairs(votes: list[str], counts: str | None) -> Any:
    """Of two arms that are tested: counts, or the rows of a file."""
    if len(votes) != (counts is None):
        raise InputError("expected files of votes, or --pentanomial; of two arms one file")
    if counts is not None:
        return [parse_count(each, "pentanomial") for each in counts.split(",")]
    return cpe.read_answer_rows(votes[0])


def _prover(
    seen: Any,
    of_votes: VoteOptions,
    of_teams: TeamOptions,
    path: str,
    columns: dict[str, str | None],
) -> Callable[[float], Any]:
    """What proves something of what was read, by delta; options without an effect are refused."""
    if isinstance(seen, cpe.TeamScores):
        refuse(vars(of_votes), f"here: {path} is a log of teams")
        return partial(_teams_prove, seen, of_teams)
    refuse(vars(of_teams), f"here: {path} is no log of teams, which has the columns team and score")
    if isinstance(seen, cpe.ItemScores):
        unused = vars(replace(of_votes, margin=None))
        refuse(unused, f"here: {path} is a table of scores")
        return partial(_scores_prove, seen, of_votes, path, columns["cluster"])
    if isinstance(seen, cpe.MatchingDuels):
        refuse(vars(replace(of_votes, prices=None)), f"here: {path} has votes at positions")
        return partial(_panel_proves, seen, of_votes)
    return partial(_votes_prove, seen, of_votes, columns["by"])


def _check(paths: list[str], cluster: str | None, *, as_json: bool, as_markdown: bool) -> None:
    """Print what checks find in each file, and exit with the worst status."""
    from cpe_opt.formats.tables import header_of

    status = 0
    for path in paths:
        if "cpe_opt_session" in header_of(path):
            rows = cpe.Session.read_answers(path).answer_rows()
        else:
            rows = cpe.read_answer_rows(path)
        with progress_line("checking answers"):
            found = cpe.check_answers(rows, cluster=cluster)
        print_analysis(found, as_json=as_json, as_markdown=as_markdown)
        status = max(status, found.status)
    if status:
        raise typer.Exit(status)


def _votes_prove(
    seen: cpe.Votes | dict[str, cpe.Votes], options: VoteOptions, by: str | None, delta: float
) -> Any:
    """Of duels, and of those of each group; its prices have labels, by which groups find theirs."""
    asked: dict[str, Any] = {"delta": delta, "margin": options.margin or 0.0, "top": options.top}
    if options.prices is not None:
        import pandas as pd

        priced = next(iter(seen.values())) if isinstance(seen, dict) else seen
        labels = list(priced.labels)
        asked["prices"] = pd.DataFrame(cpe.read_prices(options.prices, priced), labels, labels)
    if isinstance(seen, dict):
        return cpe.evidence_by(seen, by=str(by), anchor=options.anchor, **asked)
    return cpe.evidence(seen, anchor=options.anchor, **asked)


def _scores_prove(
    seen: cpe.ItemScores, options: VoteOptions, path: str, cluster: str | None, delta: float
) -> Any:
    """Of new items, with what checks find in the file."""
    clusters = None if cluster is None else cpe.read_item_clusters(path, cluster, seen.items)
    checks = cpe.check_answers(cpe.read_answer_rows(path), cluster=cluster)
    margin = options.margin or 0.0
    found = cpe.evidence(seen, delta=delta, margin=margin, clusters=clusters)
    warnings = [each.warning for each in checks.findings if each.level == "false"]
    return replace(found, warnings=tuple(warnings))


def _panel_proves(seen: cpe.MatchingDuels, options: VoteOptions, delta: float) -> Any:
    prices = None if options.prices is None else cpe.read_prices(options.prices, seen)
    return cpe.panel_evidence(seen, delta=delta, prices=prices)


def _teams_prove(seen: cpe.TeamScores, options: TeamOptions, delta: float) -> Any:
    decisions, planned = seen.decisions(options.k), options.planned
    return cpe.team_evidence(seen, decisions, delta=delta, sigma=options.sigma, planned=planned)
