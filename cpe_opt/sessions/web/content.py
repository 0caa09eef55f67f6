"""What raters are shown for a label on a page: a text, Markdown, an image, or the label itself.

The content comes from a table (:mod:`cpe_opt.sessions.content`), with one of these in each line and
paths of images relative to its folder, or from a folder with an image for each label, named after
it. The label is not shown next to its content: raters are to judge the thing and not its name.
Images are served under random names, for the same reason.

HTML in Markdown is shown as text, links lead to http, https and mailto alone, headings begin at the
third level, below those of the page, and images in it are named, not loaded.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cpe_opt.errors import InputError
from cpe_opt.sessions.content import KINDS, Item, Key, by_label, read_content

IMAGES = {  # media types, by how the names of files end
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}
_LINKS = ("http://", "https://", "mailto:")
_LOWEST_HEADING = 6


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
        """From a table, or a folder of images; by label and item, if the table has them."""
        path = Path(path)
        if path.is_dir():
            folder, content = path, _images_of(path, labels)
        else:
            folder, content = path.parent, read_content(path, labels, items)
        things, images = {}, {}
        for label, item in content.items():
            if (label if isinstance(label, str) else label[0]) not in labels:
                continue
            if len(item.kinds) > 1:
                raise InputError(
                    f"{path.name}: {label!r} has {' and '.join(item.kinds)}, expected one of "
                    f"{', '.join(KINDS)}"
                )
            if item.kinds == ["image"]:
                name = secrets.token_urlsafe(12)
                images[name] = _image(path, label, folder / item.image)
                things[label] = {"image": name, "alt": item.alt}
            else:
                html = item.markdown and as_html(item.markdown)
                things[label] = {"html": html} if html else {"text": item.text}
        known = {key: item for key, item in content.items() if key in things}
        return cls(things, images, by_label(known, folder))


def shown_item(item: Mapping[str, Any]) -> dict[str, str]:
    """What is shown of an item of a test set: Markdown, a text, all texts it has, or its id."""
    if isinstance(item.get("markdown"), str):
        return {"html": as_html(item["markdown"])}
    texts = [each for name, each in item.items() if name != "id" and isinstance(each, str)]
    text = item["text"] if isinstance(item.get("text"), str) else "\n".join(texts)
    return {"text": text or item["id"]}


def _images_of(folder: Path, labels: Sequence[str]) -> dict[Key, Item]:
    """The images of a folder by label; it may have other files, too."""
    items: dict[Key, Item] = {}
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() in IMAGES and file.stem in labels and file.is_file():
            if file.stem in items:
                raise InputError(f"{str(folder)!r} has two images for {file.stem!r}, expected one")
            items[file.stem] = Item(image=file.name)
    for label in labels:
        if label not in items:
            raise InputError(f"{str(folder)!r} has no image for {label!r}, which is asked about")
    return items


def _image(path: Path, label: Key, file: Path) -> Path:
    """The image of a label, if there is one."""
    if file.suffix.lower() not in IMAGES:
        raise InputError(
            f"{path.name}: {file.name!r} of {label!r} is no image: expected {', '.join(IMAGES)}"
        )
    if not file.is_file():
        raise InputError(f"{path.name}: no file {str(file)!r}, the image of {label!r}")
    return file


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
            _make_safe(child)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _make_safe(token: Any) -> None:
    """Open links apart, and say what an image would be."""
    if token.type == "link_open":
        token.attrSet("target", "_blank")
        token.attrSet("rel", "noopener noreferrer nofollow")
    elif token.type == "image":
        token.type, token.content, token.children = "text", f"[image: {token.content}]", None
