"""Take the screenshots of the first pages, with Chromium: python docs/screenshots.py [FOLDER]."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

START = Path(__file__).parent / "start"
_COMMAND = (sys.executable, "-m", "cpe_opt")
_FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run")
_ANSWERS = """\
label,markdown
short,"Air scatters **blue** light more than red light."
with reasons,"Sunlight has all colours. Air scatters short waves most: about *ten times* as much
 blue as red. So blue reaches your eye from all over the sky."
in verse,"> Red goes straight, and blue goes wide:
> that is why the sky is dyed."
"""


def main(folder: Path) -> None:
    """Take all of them."""
    with tempfile.TemporaryDirectory() as place:
        evidence_report(Path(place), folder / "report.png")
        raters_page(Path(place), folder / "raters.png")


def evidence_report(place: Path, target: Path) -> None:
    """The report about the votes of the page."""
    page = (START / "votes.md").read_text(encoding="utf-8")
    (votes,) = re.findall(r":caption: votes\.csv\n\n(.*?)```", page, re.S)
    (place / "votes.csv").write_text(votes, encoding="utf-8")
    command = [*_COMMAND, "evidence", "votes.csv", "--report", "report.html"]
    subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
    photograph((place / "report.html").as_uri(), (760, 1255), target)


def raters_page(place: Path, target: Path) -> None:
    """A question to a rater: which of two answers is better."""
    (place / "answers.csv").write_text(_ANSWERS, encoding="utf-8")
    labels = "short,with reasons,in verse"
    command = [*_COMMAND, "session", "new", "answers.jsonl", "--labels", labels]
    subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
    command = [*_COMMAND, "session", "serve", "answers.jsonl", "--content", "answers.csv"]
    command += ["--tokens", "1", "--port", "0"]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None
            photograph(address[0], (560, 450), target)
        finally:
            server.terminate()


def photograph(address: str, size: tuple[int, int], target: Path) -> None:
    """A page in a window of this size, half again as fine, in few colours."""
    with tempfile.TemporaryDirectory() as profile:
        shot = Path(profile, "shot.png")
        command = ["chromium", *_FLAGS, f"--user-data-dir={profile}", f"--screenshot={shot}"]
        command += [f"--window-size={size[0]},{size[1]}", "--force-device-scale-factor=1.5"]
        command += ["--virtual-time-budget=4000", address]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        data = BytesIO(shot.read_bytes())
    with Image.open(data) as image:
        image.convert("RGB").quantize(32).save(target, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else START)
