"""Tables and figures of the papers, reproduced."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cpe_opt.commands import FOR_RESEARCH, ForceOption, JobsOption, JsonOption, SeedOption
from cpe_opt.commands.console import interruptible, print_json, print_table, progress
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
    """A table or figure of a paper: Parquet, picture, and a page of claims and measurements."""
    from cpe_opt.errors import UnknownName
    from cpe_opt.reproductions.registry import REPRODUCTIONS, reproduce as make

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
