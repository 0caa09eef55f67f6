"""``cpe-opt session serve`` as somebody runs it: started, opened in a browser, then Ctrl-C."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from tests import A_HANG

_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\S*")
_PORT = "8000"  # that of the pages; here any that is free, as several tests may run at once


def looked_at(arguments: Sequence[str], folder: Path) -> str:
    """What the command prints, with the port that it has by default.

    Every address that it prints is opened, and the page and its script are there.
    """
    assert "--port" not in arguments
    command = [sys.executable, "-m", "cpe_opt", *arguments, "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, cwd=folder, **pipes) as process:
        try:
            printed = ""
            while "Ctrl-C" not in printed:
                line = process.stdout.readline()
                assert line, printed
                printed += line
            addresses = list(_ADDRESS.finditer(printed))
            assert len(addresses) >= 2
            for each in addresses:
                _open(each[0].partition("#")[0])
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=A_HANG)
        finally:
            process.kill()
    assert process.returncode == 0, rest
    return (printed + rest).replace(f":{addresses[0][1]}/", f":{_PORT}/")


def _open(address: str) -> None:
    with urllib.request.urlopen(address, timeout=A_HANG) as reply:
        page = reply.read().decode()
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
    assert scripts, page
    for each in scripts:
        with urllib.request.urlopen(urllib.request.urljoin(address, each), timeout=A_HANG) as reply:
            assert reply.status == 200
