"""Tables and figures of the papers, reproduced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from cpe_opt.commands import FOR_RESEARCH, ForceOption, JobsOption, JsonOption, SeedOption
from cpe_opt.commands.console import interruptible, print_json, print_table, progress
from cpe_opt.errors import CpeOptError, InputError, UnknownName
from cpe_opt.files import check_output

app = typer.Typer()


@app.command(
    epilog="Example: cpe-opt reproduce komiyama2016-figure2 --quick --out reproduced",
    rich_help_panel=FOR_RESEARCH,
)
def reproduce(
    name: Annotated[
        str | None, typer.Argument(help="Such as komiyama2016-figure2; without one, lists all.")
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="All of them, the cheapest first: in full where that fits into --hours, quick "
            "otherwise.",
        ),
    ] = False,
    hours: Annotated[
        float | None, typer.Option(help="With --all: how long it may take, by the clock.")
    ] = None,
    plan: Annotated[
        bool,
        typer.Option("--plan", help="With --all: print what would be made and its cost; run none."),
    ] = False,
    quick: Annotated[bool, typer.Option("--quick/--full", help="Minutes or hours.")] = False,
    matrix: Annotated[
        Path | None, typer.Option(help="A preference matrix of many arms, as for `analyse`.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="A folder of published data, for those that need it.")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder of results; runs finished there are not run again.")
    ] = Path("reproduced"),
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """A table or figure of a paper: Parquet, picture, and a page of claims and measurements.

    `cpe-opt reproduce --all --hours 8 --plan` says which pages fit into a night.

    After an interruption, the same command continues where it stopped.
    """
    from cpe_opt.reproductions.registry import REPRODUCTIONS, reproduce as make

    if every:
        if name is not None or hours is None:
            found = "no --hours" if name is None else f"the page {name!r}"
            raise InputError(f"found {found}, expected --all with --hours, as in --all --hours 8")
        given = {"quick": quick, "out": out, "matrix": matrix, "data": data}
        given |= {"seed": seed, "jobs": jobs, "force": force, "hours": hours}
        _reproduce_all(given, only_plan=plan, as_json=as_json)
        return
    if hours is not None or plan:
        raise InputError(f"{'--plan' if plan else '--hours'} is for --all")
    if name is None:
        rows = [
            [key, study.title, f"--{study.needs}" if study.needs else ""]
            for key, study in REPRODUCTIONS.items()
        ]
        if as_json:
            print_json([dict(zip(("name", "about", "needs"), r, strict=True)) for r in rows])
        else:
            print_table(["name", "what", "needs"], rows)
        return
    if name not in REPRODUCTIONS:
        raise UnknownName("reproduction", name, REPRODUCTIONS)
    page_file = out / f"{name}.md"
    check_output(page_file, force=force)
    advice = f"what is finished is kept in {out}; the same command goes on with the rest"
    with interruptible(advice), progress(name) as advance:
        page = make(
            name,
            quick=quick,
            out=out,
            matrix=matrix,
            data=data,
            seed=seed,
            jobs=jobs,
            progress=advance,
        )
    if as_json:
        print_json(
            [
                {
                    "published": c.published,
                    "criterion": c.criterion,
                    "here": c.ours,
                    "agrees": c.holds,
                }
                for c in page.claims
            ]
        )
        return
    print_table(
        ["published", "agrees if", "here", "outcome"],
        [[c.published, c.criterion, c.ours, page.outcome(c)] for c in page.claims],
        title=page.title,
    )
    typer.echo(f"wrote {page_file}")


def _reproduce_all(given: dict[str, Any], *, only_plan: bool, as_json: bool) -> None:
    """Print the plan, then make it."""
    from joblib import effective_n_jobs

    from cpe_opt.reproductions.study import hours_text
    from cpe_opt.reproductions.within_hours import plan_reproductions, reproduce_all

    planned = plan_reproductions(**given)
    if only_plan and as_json:
        print_json([asdict(page) for page in planned])
        return
    if not as_json:
        rows = [
            [page.name, page.run, hours_text(page.hours) if page.run else "", page.why]
            for page in planned
        ]
        print_table(["page", "run", "processor time", "why not in full"], rows)
        total = sum(page.hours for page in planned if page.run)
        processors = effective_n_jobs(given["jobs"])
        typer.echo(
            f"{sum(bool(page.run) for page in planned)} pages: about {hours_text(total)} of one "
            f"processor, {hours_text(total / processors)} on {processors}"
        )
    if only_plan:
        return
    advice = f"what is finished is kept in {given['out']}; the same command goes on with the rest"
    with interruptible(advice), _progress_by_page() as advance:
        made = reproduce_all(**given, progress=advance)
    if as_json:
        print_json(
            [
                {"name": m.name, "run": m.run, "made": m.page is not None, "result": str(m)}
                for m in made
            ]
        )
    else:
        expected = {page.name for page in planned if page.run}
        shown = [m for m in made if m.run or m.name in expected]
        rows = [[m.name, m.run or "left out", "failed: " * m.failed + str(m)] for m in shown]
        print_table(["page", "run", "result"], rows)
    if failed := [m.name for m in made if m.failed]:
        raise CpeOptError(f"{len(failed)} of the pages failed: {', '.join(failed)}")


@contextmanager
def _progress_by_page() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar for each page, one after another."""
    with ExitStack() as stack:
        shown: dict[str, Callable[[int, int], None]] = {}

        def advance(name: str, finished: int, every: int) -> None:
            if name not in shown:
                stack.close()
                shown[name] = stack.enter_context(progress(name))
            shown[name](finished, every)

        yield advance
