"""Who may do what: raters by name or by token, and the organiser of the session.

Without tokens raters say their name, which is only for one's own machine. With tokens each rater
and the organiser has one. A token is compared with all of them, each in constant time, so that the
time of a reply says nothing about them.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from cpe_opt.errors import InputError
from cpe_opt.sessions.questions import checked_name

_TOKEN = re.compile(r"[A-Za-z0-9._~-]{12,200}")
_SCHEME = "bearer "


class Refused(Exception):
    """A request that is refused: an HTTP status, and why in a sentence."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


@dataclass(frozen=True)
class Access:
    """The tokens of raters and of the organiser."""

    # The token of each rater by name; empty where raters say their name.
    raters: Mapping[str, str] = field(default_factory=dict)
    organiser: str = ""  # empty if no token is needed

    def __post_init__(self) -> None:
        tokens = [*self.raters.values(), *([self.organiser] if self.organiser else [])]
        for token in tokens:
            if not _TOKEN.fullmatch(token):
                raise InputError(
                    "a token has to have 12 to 200 letters, digits or . _ ~ -, for it is in an "
                    "address and must not be guessed"
                )
        if len(set(tokens)) < len(tokens):
            raise InputError("two tokens are the same, expected one for each")
        for name in self.raters:
            checked_name(name)

    def rater(self, authorization: str | None, name: object) -> str:
        """The name of who asks; :class:`Refused` where the token is not known."""
        if not self.raters:
            try:
                return checked_name(name)
            except InputError as error:
                raise Refused(400, str(error)) from None
        token, found = _token(authorization), ""
        for rater, expected in self.raters.items():
            if _same(token, expected):
                found = rater
        if not found:
            raise Refused(401, "This link is not valid: open the one that you were given.")
        return found

    def check_organiser(self, authorization: str | None) -> None:
        """Raise :class:`Refused` unless the organiser asks."""
        if self.organiser and not _same(_token(authorization), self.organiser):
            raise Refused(401, "This link is not valid: open the one that the command printed.")


def new_token() -> str:
    """A token of 128 bits."""
    return secrets.token_urlsafe(16)


def _token(authorization: str | None) -> str:
    text = authorization or ""
    return text[len(_SCHEME) :].strip() if text[: len(_SCHEME)].lower() == _SCHEME else ""


def _same(one: str, two: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), two.encode())
