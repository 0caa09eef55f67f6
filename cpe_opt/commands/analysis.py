"""What a problem asks of any algorithm, and what votes or scores of teams prove."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import FOR_VOTES, Reading, command
from cpe_opt.commands.console import print_analysis
from cpe_opt.errors import InputError
from cpe_opt.files import check_output
from cpe_opt.progress_line import progress_line

app = typer.Typer()
_THINKS = "computing what is proved"


@dataclass(frozen=True, kw_only=True)
class VoteOptions:
    """What is asked of votes.

    :param margin: For votes: say also of which arms nothing is ahead by more than that, such as
        0.03; from 0 (not said) to below 0.5.
    :param K top: For votes: say also which arms are proved to be of the K best.
    :param plot_ranks: For votes: a .png, .pdf or .svg to draw, the ranks of all arms as bars.
    """

    margin: float | None = None
    top: int | None = None
    prices: Path | None = None
    solver: str | None = None
    plot: Path | None = None
    plot_ranks: Path | None = None


@dataclass(frozen=True, kw_only=True)
class TeamOptions:
    """What is asked of a log of teams.

    :param k: For a log of teams: how many members to choose, if sizes differ.
    :param problem: For a log of teams: which teams may be chosen, such as script.py:name; by
        default all with as many members as those in the log.
    :param sigma: For a log of teams: the standard deviation of a score; by default an upper
        confidence bound from the scores.
    :param planned: For a log of teams: they were chosen before any score was seen; proves more.
    """

    k: int | None = None
    problem: str | None = None
    sigma: float | None = None
    planned: bool = False


@dataclass(frozen=True, kw_only=True)
class Output:
    """How what is proved is said.

    :param report: An .html file to write: one page, with the picture in it.
    :param markdown: Print Markdown, ready for a README: table and sentences.
    """

    report: Path | None = None
    force: bool = False
    json: bool = False
    markdown: bool = False

    def check(self, path: Path | None, suffixes: tuple[str, ...], *sources: Any) -> None:
        """Refuse a path that cannot be written to, where one is given."""
        if path is not None:
            check_output(path, suffixes, force=self.force, sources=sources)

    def write(self, found: Any, *pictures: Path | None) -> None:
        """The page, and what was written, after what is proved has been printed."""
        if self.report is not None:
            from cpe_opt.reports.decision import write_evidence_page

            write_evidence_page(found, self.report)
        for path in (*pictures, self.report):
            if path is not None and not (self.json or self.markdown):
                typer.echo(f"wrote {path}")


@command(app, "cpe-opt evidence votes.csv --plot votes.png --report votes.html", FOR_VOTES)
def evidence(
    votes: list[str],
    *,
    delta: float = 0.05,
    reading: Reading,
    cluster: str | None = None,
    by: str | None = None,
    unranked: str | None = None,
    of_votes: VoteOptions,
    of_teams: TeamOptions,
    output: Output,
) -> None:
    """What votes prove: who beats whom, which arms win or may, and what would settle it.

    For votes at positions: the best assignment, and who is proved where.

    For a log of teams: the best team, who is in it, and which team to try next.

    :param votes: A file of votes: a log with the columns winner,loser[,count] or
        model_a,model_b,winner[,count], as CSV, Parquet or JSON objects (battles.jsonl, or one
        array); PrefLib .soc .soi .toc .toi; or a square matrix of wins. Or a log of teams,
        team,score[,count]. Several logs of votes with the same columns are read as one.
    :param delta: The largest probability that anything stated is wrong.
    :param cluster: For a log of votes: the column of prompts, raters or games by which votes depend
        on each other; their mean on a pair is one outcome. Which pairs one votes on may not depend
        on its own votes.
    :param by: For a log of votes: a column such as language; one board for each of its values, all
        of them right at once: each has an equal part of delta.
    :param unranked: For a PrefLib file: what an incomplete ranking says of what it leaves out: last
        (they come last, tied; the default), or ignore (nothing; proves nothing of such pairs).
    """
    if output.json and output.markdown:
        raise InputError("--json and --markdown are two forms of one output, expected one of them")
    options = reading.options(cluster=cluster)
    no_teams = f"{votes[0]} is no log of teams, which has the columns team and score"
    if by is not None:
        _refuse({"unranked": unranked}, "rankings have no columns, which --by names")
        groups = cpe.read_votes_by(votes, by, **options)
        _refuse(vars(of_teams), no_teams)
        drawn = {"plot": of_votes.plot, "plot-ranks": of_votes.plot_ranks}
        _refuse(drawn, "--by has a board for each group; --report has their pictures")
        _votes_prove(groups, delta, of_votes, output, votes, by)
        return
    seen = cpe.read_observations(votes, unranked=unranked, **options)  # type: ignore[arg-type]
    if isinstance(seen, cpe.TeamScores):
        others = vars(of_votes) | {"report": output.report}
        _refuse(others, f"{votes[0]} is a log of teams")
        _teams_prove(seen, delta, of_teams, output)
        return
    _refuse(vars(of_teams), no_teams)
    if isinstance(seen, cpe.Votes):
        _votes_prove(seen, delta, of_votes, output, votes)
    else:
        _refuse(vars(replace(of_votes, prices=None)), f"{votes[0]} has votes at positions")
        _panel_proves(seen, delta, of_votes.prices, output)


@command(app, "cpe-opt analyse duels.csv", FOR_VOTES)
def analyse(instance: str, *, k: int | None = None, json: bool = False) -> None:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem."""
    print_analysis(cpe.analyse(cpe.load_problem(instance, k)), as_json=json)


def _votes_prove(
    seen: cpe.Votes | dict[str, cpe.Votes],
    delta: float,
    options: VoteOptions,
    output: Output,
    files: list[str],
    by: str | None = None,
) -> None:
    """Of duels, and of those of each group; its prices have labels, by which groups find theirs."""
    import pandas as pd

    from cpe_opt.reports.drawing import PICTURES

    sources = (*files, options.prices)
    output.check(options.plot, PICTURES, *sources)
    output.check(options.plot_ranks, PICTURES, *sources)
    output.check(output.report, (".html",), *sources)
    asked: dict[str, Any] = {"delta": delta, "margin": options.margin or 0.0, "top": options.top}
    if options.prices is not None:
        priced = next(iter(seen.values())) if isinstance(seen, dict) else seen
        labels = list(priced.labels)
        asked["prices"] = pd.DataFrame(cpe.read_prices(options.prices, priced), labels, labels)
    if options.solver is not None:
        asked["solver"] = options.solver
    if isinstance(seen, dict):
        with progress_line(_THINKS):
            boards = cpe.evidence_by(seen, by=str(by), **asked)
        print_analysis(boards, as_json=output.json, as_markdown=output.markdown)
        output.write(boards)
        return
    with progress_line(_THINKS):
        found = cpe.evidence(seen, **asked)
    print_analysis(found, as_json=output.json, as_markdown=output.markdown)
    if options.plot is not None:
        cpe.plot_evidence(found, options.plot)
    if options.plot_ranks is not None:
        cpe.plot_ranks(found, options.plot_ranks)
    output.write(found, options.plot, options.plot_ranks)


def _panel_proves(
    duels: cpe.MatchingDuels, delta: float, prices: Path | None, output: Output
) -> None:
    output.check(output.report, (".html",), prices)
    with progress_line(_THINKS):
        costs = None if prices is None else cpe.read_prices(prices, duels)
        found = cpe.panel_evidence(duels, delta=delta, prices=costs)
    print_analysis(found, as_json=output.json, as_markdown=output.markdown)
    output.write(found)


def _teams_prove(
    scores: cpe.TeamScores, delta: float, options: TeamOptions, output: Output
) -> None:
    with progress_line(_THINKS):
        if options.problem is None:
            decisions = scores.decisions(options.k)
        else:
            known = cpe.load_problem(options.problem, options.k)
            if known.family != "subsets":
                raise InputError(
                    f"--problem {options.problem}: expected sets of elements, as teams are"
                )
            decisions = known.known
        found = cpe.team_evidence(
            scores, decisions, delta=delta, sigma=options.sigma, planned=options.planned
        )
    print_analysis(found, as_json=output.json, as_markdown=output.markdown)


def _refuse(options: dict[str, Any], why: str) -> None:
    """Raise :class:`cpe_opt.errors.InputError` if an option is given that has no effect."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise InputError(f"--{name.replace('_', '-')} has no effect here: {why}")
