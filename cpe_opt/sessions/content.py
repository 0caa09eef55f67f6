"""Files of what a session asks about: labels, the items of a test set, and what raters are shown.

On a page (:class:`Content`) the label is not shown next to its content, and images are served under
random names: raters are to judge the thing and not its name. HTML in Markdown is shown as text,
links lead to http, https and mailto alone, headings begin at the third level, below those of the
page, and images in Markdown are named, not loaded.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, is_dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.formats.tables import json_values, kind_of, read_table
from cpe_opt.formats.text import numbered_lines, require_file
from cpe_opt.sessions.questions import ID, MOST_ITEMS, Question, item_of
from cpe_opt.validation import check_characters

T = TypeVar("T")
Key: TypeAlias = str | tuple[str, str]
"""A label, or a label and the id of an item."""
KINDS = ("text", "markdown", "image")
IMAGES = {f".{kind}": f"image/{kind}" for kind in ("png", "jpeg", "gif", "webp", "avif")}
IMAGES |= {".jpg": "image/jpeg", ".svg": "image/svg+xml"}
_LINKS = ("http://", "https://", "mailto:")
_LOWEST_HEADING = 6


@dataclass(frozen=True)
class Item:
    """What is shown of one thing; empty texts where there is nothing."""

    text: str = ""
    markdown: str = ""
    image: str = ""
    alt: str = ""

    @property
    def words(self) -> str:
        """What there is to read."""
        return self.text or self.markdown or self.alt

    @property
    def kinds(self) -> list[str]:
        """Which of text, Markdown and image there are."""
        return [kind for kind in KINDS if getattr(self, kind).strip()]


def read_content(
    path: str | os.PathLike[str],
    labels: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
) -> dict[Key, Item]:
    """What is shown, by label; or by label and item, where the table has a column ``item``."""
    columns = (*KINDS, "alt")
    table = read_table(path, ["label"], (*columns, "item"), comments=False)
    if not {*KINDS} & set(table.columns):
        raise InputError(f"{table.source}: no column text, markdown or image next to label")
    by_item = "item" in table
    if by_item and labels is not None and items is None:
        raise InputError(f"{table.source}: a column 'item', and the session is about no items")
    pairs = zip(table.names("label"), table.names("item"), strict=True) if by_item else ()
    keys: list[Key] = [*pairs] if by_item else [*table.distinct("label")]
    blank = [""] * table.rows
    cells = [table.texts(name) if name in table else blank for name in columns]
    content: dict[Key, Item] = {}
    for row, texts in enumerate(zip(*cells, strict=True)):
        key, item = keys[row], Item(*texts)
        check_characters(f"{table.source}: what is shown of {_named(key)}", "".join(texts))
        if key in content:
            raise InputError(f"{table.place(row)}: {_named(key)} stands there twice")
        if not item.kinds:
            raise InputError(f"{table.place(row)}: nothing to show of {_named(key)}")
        content[key] = item
    needed: list[Key] = [*(labels or ())]
    if by_item:
        needed = [(label, item) for label in labels or () for item in items or ()]
    absent = next((key for key in needed if key not in content), None)
    if absent is not None:
        raise InputError(f"{table.source}: no row for {_named(absent)}, which is asked about")
    return content


def shown_of(content: Mapping[Key, T], question: Question) -> list[T | None]:
    """What is shown of each label of a question, on its item where that matters."""
    if question.item is None:
        return [content.get(label) for label in question.labels]
    item = question.item_id
    return [content.get((label, item), content.get(label)) for label in question.labels]


def by_label(content: Mapping[Key, Item], folder: Path) -> dict[str, object]:
    """All that is shown of each label, in plain values; of images the digests of their files."""
    found: dict[str, list[tuple[str, object, str]]] = {}
    for key, item in content.items():
        label, about = _label_and_item(key)
        image = ""
        with suppress(OSError):
            image = hashlib.sha256((folder / item.image).read_bytes()).hexdigest()
        found.setdefault(label, []).append((about, asdict(item), image))
    return {label: sorted(shown, key=lambda each: each[0]) for label, shown in found.items()}


@dataclass(frozen=True, eq=False)
class Content:
    """What is shown for each label."""

    # By label, or by label and item: {"text": …}, {"html": …} or {"image": name, "alt": …}.
    things: Mapping[Key, dict[str, str]]
    images: Mapping[str, Path]  # files, by the names under which they are served
    compared: Mapping[str, object]  # what is shown of each label, as a file says it

    @classmethod
    def of_labels(cls, labels: Sequence[str]) -> Self:
        """The labels themselves."""
        return cls({label: {"text": label} for label in labels}, {}, {})

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], labels: Sequence[str], items: Sequence[str] | None = None
    ) -> Self:
        """From a table; by label and item, if it has them."""
        path, things, images = Path(path), dict[Key, dict[str, str]](), dict[str, Path]()
        rows = read_content(path, labels, items).items()
        content = {key: item for key, item in rows if _label_and_item(key)[0] in labels}
        for key, item in content.items():
            if len(item.kinds) > 1:
                raise InputError(
                    f"{path.name}: {_named(key)} has {' and '.join(item.kinds)}, expected one of "
                    f"{', '.join(KINDS)}"
                )
            if item.kinds == ["image"]:
                name, file = secrets.token_urlsafe(12), path.parent / item.image
                if file.suffix.lower() not in IMAGES or not file.is_file():
                    raise InputError(
                        f"{path.name}: {str(file)!r} of {_named(key)} is no file of an image: "
                        f"expected {', '.join(IMAGES)}"
                    )
                images[name], things[key] = file, {"image": name, "alt": item.alt}
            elif item.kinds == ["markdown"]:
                things[key] = {"html": as_html(item.markdown)}
            else:
                things[key] = {"text": item.text}
        return cls(things, images, by_label(content, path.parent))


def shown_item(item: Mapping[str, Any]) -> dict[str, str]:
    """What is shown of an item of a test set: Markdown, a text, all texts it has, or its id."""
    texts = {name: each for name, each in item.items() if isinstance(each, str) and name != "id"}
    if "markdown" in texts:
        return {"html": as_html(texts["markdown"])}
    return {"text": texts.get("text", "\n".join(texts.values())) or item["id"]}


def as_html(text: str) -> str:
    """Markdown as HTML that is safe to show."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: url.strip().lower().startswith(_LINKS)
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LOWEST_HEADING, int(token.tag[1:]) + 2)}"
        for child in token.children or []:
            if child.type == "link_open":
                child.attrs |= {"target": "_blank", "rel": "noopener noreferrer nofollow"}
            elif child.type == "image":
                child.type, child.content = "text", f"[image: {child.content}]"
    return str(parser.renderer.render(tokens, parser.options, {}))


def content_digest(content: object) -> str:
    """A digest of texts, numbers, bytes, and what holds these; anything else is alike."""
    try:
        text = _canonical(content)
    except RecursionError:
        raise InputError("contents: nested too deeply to be compared") from None
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _canonical(value: Any) -> str:
    """A text that is the same for what says the same."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | bytes | int | float):
        return repr(value)
    if is_dataclass(value) and not isinstance(value, type):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, Mapping):
        pairs = sorted((_canonical(key), _canonical(each)) for key, each in value.items())
        return f"{{{', '.join(f'{key}: {each}' for key, each in pairs)}}}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_canonical, value))}]"
    return "?"


def _label_and_item(key: Key) -> tuple[str, str]:
    return (key, "") if isinstance(key, str) else key


def _named(key: Key) -> str:
    """A label, or one on an item."""
    return repr(key) if isinstance(key, str) else f"{key[0]!r} on item {key[1]!r}"


def read_labels(path: str | os.PathLike[str]) -> list[str]:
    """The labels of a file, one a line, or the column ``label`` of a ``.csv``."""
    if str(path).lower().endswith(".csv"):
        return read_table(path, ["label"], others=True, comments=False).distinct("label")
    return _lines(path)


def read_items(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The items of a file, for ``items`` of :meth:`cpe_opt.Session.open`.

    One a line of a text; the column ``item`` of a ``.csv``, whose other columns are content; or
    objects of JSON with the key ``item``.
    """
    path = require_file(path)
    suffix = path.suffix.lower()
    items: list[dict[str, Any]] = []
    if suffix in (".jsonl", ".ndjson", ".json"):
        for place, value in islice(json_values(path), MOST_ITEMS + 1):  # refused later
            if not isinstance(value, dict):
                raise InputError(f"{path.name}, {place}: {kind_of(value)}, expected an object")
            items.append(item_of(f"{path.name}, {place}", value))
    elif suffix == ".csv":
        table = read_table(path, comments=False)
        names = {name.strip().lower(): name for name in table.columns}
        if ID not in names:
            raise InputError(f"{path.name}: no column {ID!r}; found {', '.join(table.columns)}")
        ids = table.distinct(names.pop(ID))
        cells = {name: table.texts(column) for name, column in names.items() if name}
        for row, each in enumerate(ids):
            content = {name: texts[row] for name, texts in cells.items() if texts[row]}
            items.append({ID: each, **content})
    else:
        items = [{ID: name} for name in _lines(path)]
    if not items:
        raise InputError(f"{path.name}: no items, expected one a line")
    return items


def _lines(path: str | os.PathLike[str]) -> list[str]:
    """The lines of a text that are not blank."""
    return [line.strip() for _, line in numbered_lines(path) if line.strip()]
