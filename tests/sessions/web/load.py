"""Many raters at once on a page that is served: how long an answer takes, and whether any is lost.

    python -m tests.sessions.web.load --raters 50 --answers 2000 --pause 1

Each rater has a connection of their own on the loopback, answers, thinks for a while, drawn evenly
from 0 to twice ``--pause`` seconds, and answers the next question. With ``--organiser`` the
organiser's page is open beside, and asks for all that it shows. Afterwards the log is read: it has
to have each acknowledged answer once, as it was given, and no other.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import cpe_opt as cpe
from tests.sessions.web.client import on_page

VALUES = {"first": 1.0, "second": 0.0, "tie": 0.5}
LABELS = [f"arm {number}" for number in range(10)]


@dataclass
class Load:
    """What raters saw.

    ``begun`` counts answers, ``given`` has rater and outcome of each acknowledged one, ``times``
    its seconds; ``waits`` counts how often nothing was open.
    """

    given: dict[str, tuple[str, float]] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    begun: int = 0
    waits: int = 0

    def lost(self, path):
        """Answers that the log has not, or otherwise, or beyond those acknowledged."""
        view = cpe.Session.read(path)
        frame, name = view.answers(), on_page(view)
        rows = frame[["id", "rater", "outcome"]].itertuples(index=False)
        logged = {name(row[0]): (row[1], row[2]) for row in rows}
        assert len(logged) == len(frame)
        return set(logged.items()) ^ set(self.given.items())

    def figures(self):
        """In milliseconds."""
        cuts = statistics.quantiles(self.times, n=100)
        return {
            "answers": len(self.times),
            "median": 1e3 * cuts[49],
            "p99": 1e3 * cuts[98],
            "longest": 1e3 * max(self.times),
            "waits": self.waits,
        }


class Connection:
    """Requests over one connection."""

    def __init__(self, address):
        self._host = urlsplit(address).netloc

    async def open(self):
        host, _, port = self._host.rpartition(":")
        self._reader, self._writer = await asyncio.open_connection(host, int(port))
        return self

    async def request(self, method, path, body=None):
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        self._writer.write(head.encode() + content)
        await self._writer.drain()
        reply = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.search(r"content-length: (\d+)", reply)[1])
        return int(reply.split()[1]), await self._reader.readexactly(length)

    async def post(self, path, **body):
        status, content = await self.request("POST", path, body)
        assert status == 200, content
        return json.loads(content)

    async def close(self):
        self._writer.close()
        await self._writer.wait_closed()


async def rate(address, name, answers, pause, load):
    """One rater, as long as all together have given fewer answers."""
    draw = random.Random(name)
    page = await Connection(address).open()
    await asyncio.sleep(draw.uniform(0.0, 2.0 * pause))
    reply = await page.post("/api/question", rater=name)
    while load.begun < answers and reply["state"] != "finished":
        if reply["state"] == "waiting":
            load.waits += 1
            reply = await page.post("/api/question", rater=name, wait=True)
            continue
        load.begun += 1
        asked, outcome = reply["question"]["id"], draw.choice(list(VALUES))
        start = time.perf_counter()
        reply = await page.post(
            "/api/answer", rater=name, id=asked, outcome=outcome, attempt=f"{name}/{asked}"
        )
        load.times.append(time.perf_counter() - start)
        assert reply["note"] == "", reply["note"]
        load.given[asked] = (name, VALUES[outcome])
        await asyncio.sleep(draw.uniform(0.0, 2.0 * pause))
    await page.close()


async def watch(address):
    """The organiser's page."""
    page = await Connection(address).open()
    try:
        while True:
            _, content = await page.request("GET", "/api/overview")
            for name in json.loads(content)["pictures"]:
                await page.request("GET", f"/api/{name}.svg")
            await asyncio.sleep(3.0)
    finally:
        await page.close()


async def together(address, raters, answers, pause, *, organiser=False):
    """All raters at once; what they saw."""
    load = Load()
    watching = asyncio.create_task(watch(address)) if organiser else None
    names = [f"rater {number}" for number in range(raters)]
    await asyncio.gather(*(rate(address, name, answers, pause, load) for name in names))
    if watching is not None:
        watching.cancel()
        await asyncio.wait([watching])
    return load


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--raters", type=int, default=50)
    parser.add_argument("--answers", type=int, default=2000, help="of all together")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between them, on average")
    parser.add_argument("--learner", default="dkwt")
    parser.add_argument("--parameters", default='{"delta": 0.1}', help="of the learner, as JSON")
    parser.add_argument("--organiser", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.jsonl"
        parameters = json.loads(given.parameters)
        cpe.Session.open(path, given.learner, labels=LABELS, **parameters).close()
        command = [sys.executable, "-m", "cpe_opt", "session", "serve", str(path), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                address = process.stdout.readline().split()[-1].rstrip("/")
                load = asyncio.run(
                    together(
                        address,
                        given.raters,
                        given.answers,
                        given.pause,
                        organiser=given.organiser,
                    )
                )
            finally:
                process.terminate()
                process.communicate()
        lost = load.lost(path)
    figures = load.figures()
    print(
        f"{given.raters} raters, {figures['answers']} answers of {given.learner}: median "
        f"{figures['median']:.1f} ms, 99 % within {figures['p99']:.1f} ms, longest "
        f"{figures['longest']:.1f} ms; nothing open {figures['waits']} times; lost or doubled: "
        f"{len(lost)}"
    )
    return figures, lost


if __name__ == "__main__":
    main()
