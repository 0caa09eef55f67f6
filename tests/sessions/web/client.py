"""A browser's part, without one: requests to a page that is served."""

import http.client
import itertools
import json
from contextlib import contextmanager
from urllib.parse import urlsplit

import cpe_opt as cpe
from cpe_opt.sessions.web import Access, Serving, shown_name
from tests.support import A_HANG

LABELS = ["ant", "bee", "cow", "dog"]
RATERS = ("ann", "bea", "eve", "boss", "bob", "cleo")
ACCESS = Access({"ann": "secret-of-ann", "bea": "secret-of-bea"}, "secret-of-mine")


class Page:
    """What a rater's page does; ``token`` or ``name`` says whose it is."""

    def __init__(self, address, name=None, token=None):
        self.name, self.token = name, token
        self.host = urlsplit(address).netloc
        self.attempts = (f"{name or token}-{number}" for number in itertools.count())

    def request(self, method, path, body=None, **headers):
        """Status, headers and bytes."""
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, timeout=A_HANG)
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read()
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.request("GET", path, **headers)

    def post(self, path, **body):
        """Status and content of the reply."""
        if not self.token:
            body = {"rater": self.name, **body}
        sent = json.dumps(body)
        status, _, content = self.request("POST", path, sent, Content_Type="application/json")
        return status, json.loads(content)

    def ask(self):
        return self.post("/api/question")[1]

    def answer(self, question, outcome="first", attempt=None):
        sent = {"id": question, "outcome": outcome, "attempt": attempt or next(self.attempts)}
        return self.post("/api/answer", **sent)[1]

    def undo(self, question):
        return self.post("/api/undo", id=question)[1]


def on_page(view):
    """What the pages of a session call a question of its log."""
    return lambda question: shown_name(question, view.header.key)


def in_log(session, name):
    """What the log of a session calls a question of its pages, which somebody has or answered."""
    raters = {*session.raters()["rater"], *RATERS}
    known = [*session.answers()["id"], *(q for each in raters for q in session.questions_of(each))]
    return next(each for each in known if on_page(session)(each) == name)


@contextmanager
def served(path, learner="dkwt", *, content=None, access=None, serving=None, **options):
    """A session on the page: the session, and the address."""
    if path.exists():
        learner, options = None, {}
    else:
        delta = {"delta": 0.2} if learner in ("dkwt", "savage") else {}
        options = {"labels": None if "problem" in options else LABELS, **delta, **options}
    with (
        cpe.Session.open(path, learner, **options) as session,
        Serving(session, content, access, **{"port": 0, **(serving or {})}) as page,
    ):
        yield session, page.address
