"""Pages that are made when the site is built: learners, models, reference, reproduced figures."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, get_origin

from attribute_entries import classes, public_attributes, public_methods
from commands_page import commands_page
from learners_page import learners_page
from markdown_parts import head, row, toctree
from papers_page import papers_page
from reproduced_pages import write_reproduced

import cpe_opt
from cpe_opt.formulations.models import MODELS
from cpe_opt.learners.registry import LEARNERS

ROOT = Path(__file__).parents[1]
LINES = 110  # of a program that is shown
_MEMBERS = ["   :members:", "   :inherited-members: Exception"]
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")
LAYERS = {
    "problems": "Problems",
    "formats": "Files",
    "text": "Large files",
    "formulations": "Oracles: what is optimised",
    "hardness": "How hard a problem is",
    "modelling": "Programs as values",
    "solvers": "Solving and exporting",
    "learners": "Learners",
    "simulation": "Simulated runs",
    "sessions": "Real answers",
    "experiments": "Many runs",
    "reports": "Reports and pictures",
    "errors": "Errors",
}


def setup(app: Any) -> dict[str, bool]:
    """Sphinx's entry: make the pages before it reads any."""
    app.connect("config-inited", lambda app, _: write_pages(Path(app.srcdir) / "generated"))
    return {"parallel_read_safe": True}


def write_pages(folder: Path) -> None:
    """All of them, anew."""
    for part in ("models", "reference"):
        shutil.rmtree(folder / part, ignore_errors=True)
    pages = {
        "learners.md": learners_page(),
        "commands.md": commands_page(),
        "papers.md": papers_page(),
        "models/index.md": models_index(),
        **{f"models/{name}.md": model_page(name) for name in MODELS},
        "reference/index.md": reference_index(),
        **dict(public_pages()),
        **dict(module_pages()),
    }
    for name, text in pages.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    write_reproduced(folder / "reproduced")
    shutil.copyfile(ROOT / "examples" / "leaderboard.png", folder / "leaderboard.png")


# Models


def models_index() -> str:
    """The list of the models by family."""
    parts = ["# The models", "", _MODELS]
    for family in dict.fromkeys(model.family for model in MODELS.values()):
        parts += ["", f"## {family.capitalize()}", "", *head(("model", "answers"))]
        parts += [
            row((f"[`{name}`]({name}.md)", model.about))
            for name, model in MODELS.items()
            if model.family == family
        ]
    parts += ["", toctree(MODELS)]
    return "\n".join(parts) + "\n"


_MODELS = """\
These pages describe all models. Every oracle is a noun: the same word in Python
(`cpe_opt.copeland_bound`), on the command line (`cpe-opt solve copeland-bound sushi`) and for its
files. Each page has sets, variables, objective and rows, the stored instances with their certified
optima, and the program of the smallest one. In MPS files a maximisation is a minimisation of
the row `negated_objective`, because MPS has no sense that all readers know."""


def idea(noun: str, top: str) -> list[str]:
    """A paragraph with a link to the page that explains the idea of an oracle, if there is one."""
    if noun not in _IDEAS:
        return []
    page, about = _IDEAS[noun]
    return ["", f"Explained: [{about}]({top}/ideas/{page}.md)."]


_DESIGNS = ("designs", "designs, and what their gap means")
_LEAST = ("least-number", "the least number of observations")
_IDEAS = {
    "g_design": _DESIGNS,
    "xy_design": _DESIGNS,
    "copeland_bound": ("separation", "an exponential program, and its separation oracle"),
    "ecw_bound": ("idle-stretches", "what the two bounds cost, and when they differ"),
    "copeland_time": _LEAST,
    "condorcet_time": _LEAST,
    "borda_time": _LEAST,
    "matching_time": _LEAST,
    "subset_time": _LEAST,
    "cheapest_flips": ("e-values", "e-values, and flips as explanations"),
    "evidence": ("e-values", "e-values, and what votes prove"),
}


def model_page(name: str) -> str:
    """The catalogue's page of a model, its instances, and the program of the smallest one."""
    folder = ROOT / "models" / name
    page = (folder / "README.md").read_text(encoding="utf-8")
    page = _LINK.sub(_plain_link, page)
    noun = MODELS[name].noun
    parts = [page.rstrip(), "", "## Stored instances", ""]
    columns = ("instance", "columns", "rows", "optimum", "certificate", "source")
    parts += head(columns)
    for file in sorted(folder.glob("*.toml")):
        facts = tomllib.loads(file.read_text(encoding="utf-8"))
        cells = [file.stem, *(facts.get(key, "") for key in columns[1:])]
        parts.append(row(str(cell) for cell in cells))
    parts += [
        "",
        f"In Python: {{py:func}}`cpe_opt.{noun}` and {{py:func}}`cpe_opt.{noun}_program`.",
        *answer_lines(MODELS[name].answers),
        *idea(noun, "../.."),
    ]
    by_size = sorted(folder.glob("*.lp"), key=lambda file: (file.stat().st_size, file.name))
    piece = by_size[0] if by_size else None
    if piece is not None:
        lines = piece.read_text(encoding="utf-8").splitlines()
        whole = len(lines) <= LINES
        title = "The whole program" if whole else "The beginning of the program"
        more = [] if whole else [r"\ …"]
        parts += ["", f"## {title} of `{piece.name}`", "", "```text", *lines[:LINES], *more, "```"]
    return "\n".join(parts) + "\n"


def _plain_link(found: re.Match[str]) -> str:
    """A link from page to page of the catalogue stays; one to a file is named, not linked."""
    words, target = found.groups()
    other = re.fullmatch(r"\.\./(?:([\w-]+)/)?README\.md", target)
    return f"[{words}]({other[1] or 'index'}.md)" if other else f"{words} (`{target}`)"


# Reference


def public_names() -> dict[str, str]:
    """Every public name and the module that it is from, in the order of the list."""
    tree = ast.parse((ROOT / "cpe_opt" / "__init__.pyi").read_text(encoding="utf-8"))
    return {
        each.name: statement.module
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module
        for each in statement.names
    }


def reference_index() -> str:
    """All public names by layer, and all modules."""
    names = public_names()
    parts = ["# Reference", "", _REFERENCE]
    for layer, title in LAYERS.items():
        if layer == "learners":
            listed = [f"learners.{name.replace('-', '_')}" for name in LEARNERS]
        else:
            listed = [name for name, module in names.items() if module.split(".")[0] == layer]
        if listed:
            parts += ["", f"## {title}", "", *head(("name", ""))]
            parts += [
                row((f"[`{name}`](cpe_opt.{name}.md)", _summary(name)))
                for name in sorted(listed, key=str.lower)
            ]
    parts += ["", "## Modules", "", _MODULES, "", toctree(("modules/index",))]
    return "\n".join(parts) + "\n"


_REFERENCE = """\
This page lists every public name, as you find it after `import cpe_opt as cpe`."""
# Hundreds of names would fill the sidebar of every page, and rendering them most of the time of a
# build: the pages of names are found by the index, by links, and by the search.
_ALONE = "---\norphan: true\n---\n"
_MODULES = """\
The mathematics is at the top of the modules, before the code: [all modules](modules/index.md)."""


def public_pages() -> Iterator[tuple[str, str]]:
    """A page for each public name and each learner."""
    everything = [*public_names(), *(f"learners.{name.replace('-', '_')}" for name in LEARNERS)]
    for name in everything:
        each = _resolve(name)
        kind = "class" if isinstance(each, type) else "function" if callable(each) else "data"
        if isinstance(each, type) and issubclass(each, BaseException):
            kind = "exception"
        options = _MEMBERS if kind in ("class", "exception") else []
        directive = [f".. auto{kind}:: cpe_opt.{name}", *options]
        page = _rst_page(name.split(".")[-1], directive)
        answer = answer_lines(each) if kind == "function" else []
        shared = ["", _SHARED] if name.startswith("learners.") else []
        more = "\n".join([*answer, *shared, *idea(name, "../.."), ""])
        yield f"reference/cpe_opt.{name}.md", page + more


_SHARED = "What learners share, such as `delta`: {py:mod}`cpe_opt.learners.declaration`."


def answer_lines(function: Callable[..., Any]) -> list[str]:
    """What a function returns: links to its class and, of an answer, to what that has."""
    annotation = str(inspect.unwrap(function).__annotations__.get("return", ""))
    kinds = [re.match(r"\w*", part)[0] for part in annotation.split(" | ")]
    links = [_class_links()[kind] for kind in kinds if kind in _class_links()]
    if not links:
        return []
    members = links[0][1:] if len(links) == 1 else ()
    ending = f", with {', '.join(members)}" if members else ""
    return ["", f"Returns {' or '.join(link[0] for link in links)}{ending}."]


@cache
def _class_links() -> dict[str, tuple[str, ...]]:
    """By names of classes with attributes: a link to the class, and to members of answers.

    Classes with a page of their own, such as programs and problems, are no answers.
    """
    public = {id(_resolve(name)): f"cpe_opt.{name}" for name in public_names()}

    def place(cls: type) -> str:
        return public.get(id(cls), f"{cls.__module__}.{cls.__qualname__}")

    found = {}
    for cls in classes(name for name, _ in modules()):
        owners = {
            name: place(base) for base in reversed(cls.__mro__) for name in public_attributes(base)
        }
        if owners:
            links = [f"{{py:attr}}`{name} <{owner}.{name}>`" for name, owner in owners.items()]
            methods = [name for name in public_methods(cls) if name not in owners]
            links += [f"{{py:meth}}`{name}() <{place(cls)}.{name}>`" for name in methods]
            answer = () if id(cls) in public else links
            found[cls.__name__] = (f"{{py:class}}`{cls.__name__} <{place(cls)}>`", *answer)
    return found


def module_pages() -> Iterator[tuple[str, str]]:
    """A page for each folder: its modules, with what of them has no page of its own."""
    own_page = {id(_resolve(name)) for name in public_names() if callable(_resolve(name))}
    own_page |= {id(_resolve(f"learners.{name.replace('-', '_')}")) for name in LEARNERS}
    folders: dict[str, list[str]] = {}
    for name, is_folder in sorted(modules()):
        folders.setdefault(name if is_folder else name.rpartition(".")[0], []).append(name)
    for folder, names in folders.items():
        parts = [_ALONE, f"# {folder}"]
        for name in names:
            module = importlib.import_module(name)
            left_out = [
                key
                for key, each in vars(module).items()
                if id(each) in own_page
                or isinstance(each, GenericAlias)
                or get_origin(each) is Annotated
            ]
            options = ["   :members:"] if name != "cpe_opt" else []
            if left_out and options:
                options.append(f"   :exclude-members: {', '.join(sorted(left_out))}")
            title = [] if name == folder else ["", f"## {name.rpartition('.')[2]}"]
            parts += [*title, "", "```{eval-rst}", f".. automodule:: {name}", *options, "```"]
        yield f"reference/modules/{folder}.md", "\n".join(parts) + "\n"
    lines = (f"- [`{folder}`]({folder}.md)" for folder in folders)
    yield "reference/modules/index.md", "\n".join(["# Modules", "", *lines, ""])


def modules() -> Iterator[tuple[str, bool]]:
    """Those of the package, and whether they are folders, without the ones that only start it."""
    yield "cpe_opt", True
    for each in pkgutil.walk_packages(cpe_opt.__path__, "cpe_opt."):
        if not each.name.endswith(("__main__", "web.static")):
            yield each.name, each.ispkg


def _resolve(name: str) -> Any:
    value: Any = cpe_opt
    for part in name.split("."):
        value = getattr(value, part)
    return value


def _summary(name: str) -> str:
    words = (getattr(_resolve(name), "__doc__", "") or "").strip().split("\n\n")[0]
    line = re.sub(r":math:`([^`]+)`", r"$\1$", " ".join(words.split()))
    plain = re.sub(r":[\w:]+:`~?([^`]+)`", r"`\1`", line).replace("``", "`")
    return plain if callable(_resolve(name)) else ""


def _rst_page(title: str, directive: list[str]) -> str:
    return "\n".join([_ALONE, f"# {title}", "", "```{eval-rst}", *directive, "```", ""])
