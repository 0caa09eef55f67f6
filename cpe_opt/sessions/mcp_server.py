"""A session as tools that an assistant calls, by the Model Context Protocol (MCP).

Every call opens the file, and lets go of it again, so that raters, programs and other servers work
on the same session. What goes wrong is said to the assistant, and never ends the server.

:class:`SessionTools` needs nothing else; :func:`mcp_server` needs the protocol's Python SDK, the
package ``mcp``.
"""

import importlib.util
import inspect
import math
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt import __version__
from cpe_opt.errors import CpeOptError, FileInUse, InputError, UnknownName
from cpe_opt.formats.text import require_file
from cpe_opt.learners.queries import condition
from cpe_opt.sessions.content import by_label, read_content
from cpe_opt.sessions.judges import question_values
from cpe_opt.sessions.questions import checked_name
from cpe_opt.sessions.session import LEASE, Session, note_answer
from cpe_opt.sessions.status import nothing_open, progress_of, standing

if TYPE_CHECKING:
    from cpe_opt.sessions.status import SessionView

MOST_AT_ONCE = 50
"""Questions that one call hands out at most."""
PATIENCE = 5.0
"""Seconds for which a call waits for another process that has the session open."""
_PAUSE = 0.05  # seconds
_INSTRUCTIONS = """\
Find out which of several things is best from as few comparisons, or scores of single outputs, as \
possible. Call ask, judge each question on its merits alone, call tell with the outcome, and \
repeat until finished is true. What is proved assumes that answers are independent: do not answer \
by what earlier answers were, and say skip where you cannot judge."""


class SessionTools:
    """What an assistant can do with a session, as plain values for JSON; threads may share it.

    Parameters
    ----------
    file : path
        Of a session that was begun.
    problem : optional
        As for :meth:`cpe_opt.Session.open`, where the file does not hold it.
    content : path, optional
        A table of what is shown of each label (:func:`cpe_opt.sessions.content.read_content`).
    rater : str
        Who answers, where a call does not say.

    Raises
    ------
    InputError
        Where the file is not that of a session, or an argument is not valid.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = f"{folder.name}/taste.jsonl"
    >>> cpe.Session.open(path, "copeland-tracking", labels=["tuna", "squid"], delta=0.1).close()
    >>> tools = SessionTools(path)
    >>> [question] = tools.ask()["questions"]
    >>> tools.tell(question["id"], "squid")["noted"]
    'squid wins'
    >>> tools.status()["answers"]
    1
    >>> folder.cleanup()
    """

    def __init__(
        self,
        file: str | os.PathLike[str],
        *,
        problem: object = None,
        content: str | os.PathLike[str] | None = None,
        rater: str = "assistant",
    ) -> None:
        self.file, self._problem, self.rater = Path(file), problem, checked_name(rater)
        self._lock = threading.Lock()
        asked = self._view().question_set
        ids = None if asked.items is None else asked.items.ids
        self._content = None if content is None else read_content(content, asked.things, ids)
        shown = {} if content is None else by_label(self._content or {}, Path(content).parent)
        self._compared = {label: shown[label] for label in asked.things if label in shown}

    def ask(
        self, n: int = 1, *, rater: str | None = None, lease: float = LEASE, repeat: bool = False
    ) -> dict[str, Any]:
        """Up to n open questions, at most 50: which of two is better, or what something scores.

        The session chooses them so that few are needed. For ``lease`` seconds they are this rater's
        alone; ``rater`` is who answers, such as the name of a model. A rater who asks again gets
        the same ones. With ``repeat`` they are questions that another rater has answered already.

        Each of ``questions`` has an ``id``, a ``kind``, and ``labels`` to compare, in the order in
        which they are to be shown, or one to be scored; the ``item`` on which they are compared or
        scored, and ``content``, what there is to see of each label. If there are none, ``note``
        says why, and ``finished`` whether there will be none.

        More than one only where several can be asked at once, as is done from here on.
        """
        if isinstance(n, int) and n > MOST_AT_ONCE:
            raise InputError(f"n is {n:,}, expected at most {MOST_AT_ONCE}")
        with self._session() as session:
            if isinstance(n, int) and n > 1 and not repeat:
                session.ask_at_once(n)
            given = session.ask(n, rater=rater or self.rater, lease=lease, repeat=repeat)
            note = ""
            if not given:
                note = "nothing to repeat" if repeat else nothing_open(session)
            questions = [question_values(each, self._content) for each in given]
            return {"questions": questions, "finished": session.finished, "note": note}

    def tell(
        self,
        id: str,  # noqa: A002
        outcome: str | float,
        *,
        rater: str | None = None,
    ) -> dict[str, Any]:
        """Answer a question; once this returns, the answer is on the disk.

        The outcome of a duel is ``first``, ``second``, ``tie``, or the label of the winner; over a
        test set also a number from 0 to 1, what the first one gets. Of a pull or a set it is a
        number, over a test set from 0 to 1. Or ``skip``; ``leave-out`` for a cell of a test set
        that nobody can answer. Says what was ``noted``, and, where that ``finished`` the session,
        its ``answer``.
        """
        with self._session() as session:
            rater = rater or session.state.holder(id) or self.rater
            noted, finished = note_answer(session, id, outcome, rater=rater), session.finished
            answer = nothing_open(session) if finished else ""
            return {"id": id, "noted": noted, "finished": finished, "answer": answer}

    def status(self) -> dict[str, Any]:
        """How many answers there are, who is ahead, what is proved, and how much may remain.

        The keys are those of ``cpe-opt session status --json``, without the evidence. It works
        while another process has the session open.
        """
        view = self._view()
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in standing(view, progress_of(view)).items()
        }

    def evidence(self) -> dict[str, Any]:
        """What the answers prove of every arm, in ``sentences`` and as values.

        Who beats whom, who may still be which winner, and which further duels would prove one. All
        of it is right at once with probability at least 1 - delta of the session, of which the
        learner has its share.
        """
        progress = progress_of(self._view())
        proved = progress.proved or progress.so_far
        claim = f"proved: {proved}{condition(progress.assumption)}"
        said = [claim if proved else "no winner is proved", progress.confidence, *progress.warnings]
        evidence = progress.evidence
        if evidence is None:
            return {"sentences": said}
        shown = evidence.proof_lines(), evidence.explanation_lines(), evidence.remaining_lines()
        lines = [line for part in shown for line in part]
        said += [each for each in lines if isinstance(each, str) and each not in said]
        values = {name: value for name, value in evidence.as_dict().items() if name != "wins"}
        return {"sentences": said, **values}

    def _view(self) -> "SessionView":
        require_file(self.file)
        return Session.read(self.file, problem=self._problem)

    @contextmanager
    def _session(self) -> Iterator[Session]:
        """The session, open for this call alone."""
        until = time.monotonic() + PATIENCE
        with self._lock:
            while True:
                try:
                    require_file(self.file)
                    session = Session.open(self.file, problem=self._problem)
                    break
                except FileInUse:
                    if time.monotonic() >= until:
                        raise
                    time.sleep(_PAUSE)
            with session:
                session.check_unchanged(self._compared)
                yield session


def check_sdk() -> None:
    """Raise :class:`InputError` with the line that installs the SDK where it is missing or old."""
    if importlib.util.find_spec("mcp") is None:
        here = "not installed here"
    elif (found := version("mcp")).split(".")[0] == "1":
        here = f"version 2 or later; {found} is installed here"
    else:
        return
    raise InputError(f"the server needs the package mcp, {here}: pip install 'cpe-opt[mcp]'")


def mcp_server(tools: SessionTools) -> Any:
    """A server of the SDK with these tools; ``.run()`` serves on standard input and output."""
    check_sdk()
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations

    class Server(MCPServer):  # type: ignore[misc]
        """One that says what is wrong in a sentence."""

        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            known = {each.name: each.input_schema["properties"] for each in await self.list_tools()}
            for argument in arguments:
                if argument not in known.get(name, arguments):
                    what = f"argument of {name}"
                    raise ToolError(str(UnknownName(what, argument, known[name])))
            try:
                return await super().call_tool(name, arguments, context)
            except ToolError as error:
                if isinstance(error.__cause__, CpeOptError):
                    raise ToolError(str(error.__cause__)) from None
                raise

    server = Server(
        "cpe-opt",
        title=f"Comparisons in {tools.file.name}",
        instructions=_INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
    )
    for tool in (tools.ask, tools.tell, tools.status, tools.evidence):
        reads = tool in (tools.status, tools.evidence)
        kind = ToolAnnotations(read_only_hint=reads, destructive_hint=False, open_world_hint=False)
        server.add_tool(tool, description=inspect.getdoc(tool), annotations=kind)
    return server
