"""How a session shares delta among all that it states together.

A status, a page or a report of a session states up to three things, each of which may be wrong: the
learner's answer; what the votes prove of arms that duel, as :func:`cpe_opt.evidence` says it; and,
where earlier scores come without their noise, an upper bound on sigma. With probability at least
1 - delta nothing of this is ever wrong, so each has a part of delta:

- the bound on sigma a tenth, where there is one;
- of arms that duel the evidence a fifth, and the learner four fifths: who answers is paid for the
  learner's proof, which so costs ``ln(1/0.8) = 0.22`` nats more than with all of delta;
- a learner whose goal is regret, or that takes no delta, promises nothing: all is the evidence's;
- over the items of a test set the learner alone proves anything: all is the learner's.

The parts are in the first record of the log, and the learner is led through it with those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self, TypeGuard

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declaration_of, parameters_of

DELTA = 0.05
"""Of a session, where neither the user nor the learner says another."""
EVIDENCE_SHARE = 0.2
"""Of delta, next to the answer of a learner."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """The parts of delta; each is the probability that what it is for is ever wrong."""

    delta: float  # of all together
    learner: float  # of the learner's answer; 0 where it promises nothing
    evidence: float = 0.0  # of what votes prove; 0 where they are not of arms that duel
    sigma: float = 0.0  # of an upper bound on sigma being too small; 0 where none was estimated

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        family: str,
        parameters: Mapping[str, Any],
        *,
        estimates_sigma: bool,
        items: bool = False,
    ) -> Self:
        """Those of a new session, perhaps over the items of a test set."""
        from cpe_opt.proofs.subsets.noise_bound import SIGMA_SHARE

        delta = session_delta(function, parameters)
        promises = promises_answer(function, parameters)
        share = EVIDENCE_SHARE if promises else 1.0
        votes = family == "dueling" and not items
        evidence = share * delta if votes else 0.0
        sigma = SIGMA_SHARE * delta if estimates_sigma else 0.0
        if (votes and not evidence) or (estimates_sigma and not sigma):
            raise InputError(f"delta is {delta!r}, too small a number to be shared")
        learner = delta - evidence - sigma if promises else 0.0
        return cls(delta=delta, learner=learner, evidence=evidence, sigma=sigma)

    @classmethod
    def of_json(cls, content: object) -> Self:
        """Read what :meth:`as_json` made."""
        names = ("delta", "learner", "evidence", "sigma")
        if (
            not isinstance(content, dict)
            or set(content) != set(names)
            or not all(isinstance(content[name], float) for name in names)
        ):
            raise InputError(
                f"the first record says {content!r} of the shares of delta, expected numbers for "
                f"{', '.join(names)}"
            )
        return cls(**content)

    def as_json(self) -> dict[str, float]:
        """Plain values."""
        return asdict(self)

    def in_words(self, learner: str) -> str:
        """With which confidence all holds together, and each part alone."""
        parts = [
            (self.learner, f"the answer of {learner}"),
            (self.evidence, "what the votes prove"),
            (self.sigma, "sigma"),
        ]
        charged = [f"{_confidence(part)} for {what}" for part, what in parts if part]
        whole = f"{_confidence(self.delta)} that all of it is right, however often one looks"
        return f"{whole}: {', '.join(charged)}" if len(charged) > 1 else whole


def session_delta(function: Callable[..., Any], parameters: Mapping[str, Any]) -> float:
    """The probability that anything stated in a session is wrong: as given, or by default."""
    delta = _given(function, parameters)
    return float(delta) if _is_probability(delta) else DELTA


def promises_answer(function: Callable[..., Any], parameters: Mapping[str, Any]) -> bool:
    """Whether a learner's answer is a claim at its delta, which is then to be shared."""
    if "delta" not in parameters_of(function) or declaration_of(function).goal == "regret":
        return False
    delta = _given(function, parameters)
    return delta is None or _is_probability(delta)


def _given(function: Callable[..., Any], parameters: Mapping[str, Any]) -> Any:
    """The learner's delta, or its default."""
    known = parameters_of(function).get("delta")
    return parameters.get("delta", None if known is None else known.default)


def _is_probability(value: Any) -> TypeGuard[float]:
    return isinstance(value, float) and 0.0 < value < 1.0


def _confidence(delta: float) -> str:
    return f"{100.0 * (1.0 - delta):.10g} %"
