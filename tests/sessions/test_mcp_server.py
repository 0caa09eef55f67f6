"""The tools of a session: what they answer and refuse, called by the client of the SDK."""

import asyncio
import sys

import pytest

import cpe_opt as cpe
from cpe_opt.errors import FileInUse
from cpe_opt.sessions import mcp_server
from cpe_opt.sessions.mcp_server import SessionTools

LABELS = ["tuna", "salmon", "squid"]
SCRIPT = """\
import cpe_opt as cpe
print("this is not the protocol")
problem = cpe.PreferenceMatrix([[0.5, 0.9], [0.1, 0.5]], ["tuna", "squid"])
"""


def begun(path, labels=LABELS, **options):
    options = {"delta": 0.2, **options}
    cpe.Session.open(path, "copeland-tracking", labels=labels, **options).close()
    return path


@pytest.fixture
def file(tmp_path):
    return begun(tmp_path / "taste.jsonl")


async def called(client, tool, **arguments):
    """What a call answers, or the sentence of its error."""
    result = await client.call_tool(tool, arguments)
    (said,) = result.content
    return said.text if result.is_error else result.structured_content


@pytest.mark.parametrize("alone", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_client_brings_a_session_to_its_end(tmp_path, alone):
    """Or ``alone``: a process, with a script that prints. Somebody else writes in between."""
    from mcp import Client, StdioServerParameters, stdio_client  # a second of processor time

    file = begun(tmp_path / "pair.jsonl", ["tuna", "squid"], delta=0.5)
    (tmp_path / "pair.py").write_text(SCRIPT)
    start = ["-m", "cpe_opt", "mcp", str(file), "--problem", f"{tmp_path / 'pair.py'}:problem"]

    async def conversation():
        process = StdioServerParameters(command=sys.executable, args=start)
        here = mcp_server.mcp_server(SessionTools(file))
        async with Client(stdio_client(process) if alone else here) as client:
            tools = {each.name: each for each in (await client.list_tools()).tools}
            assert list(tools) == ["ask", "tell", "status", "evidence"]
            assert tools["tell"].input_schema["required"] == ["id", "outcome"]
            asked = await called(client, "ask", rater="first model")
            with cpe.Session.open(file) as session:  # the server has let go of the file
                assert [each.id for each in session.held("first model")] == [
                    each["id"] for each in asked["questions"]
                ]
            while not asked["finished"]:
                for question in asked["questions"]:
                    told = await called(client, "tell", id=question["id"], outcome="tuna")
                    assert told["noted"] == "tuna wins"
                asked = await called(client, "ask")
            assert asked["note"].startswith("finished: tuna, proved")
            assert "was answered already" in await called(client, "tell", id="0-1.1", outcome=1)
            return await called(client, "status"), await called(client, "evidence")

    status, evidence = asyncio.run(asyncio.wait_for(conversation(), 60))
    with cpe.Session.open(file) as session:
        assert session.status().raters == {"assistant": status["answers"] - 1, "first model": 1}
        assert status["answers"] == session.status().answers
    assert evidence["sentences"][0] == f"proved: {status['proved']}"
    assert evidence["votes"]["duels"] == status["answers"]


def test_what_is_wrong_is_said_in_a_sentence_and_ends_nothing(file):
    from mcp import Client

    calls = [
        ("ask", {"n": 51}, "n is 51, expected at most 50"),
        ("ask", {"m": 1}, "unknown argument of ask 'm'"),
        ("tell", {"id": "0-1.1", "outcome": "cod"}, "'cod' is no outcome, expected first"),
    ]

    async def conversation():
        async with Client(mcp_server.mcp_server(SessionTools(file))) as client:
            for tool, arguments, sentence in calls:
                assert (await called(client, tool, **arguments)).startswith(sentence)
            assert len((await called(client, "ask"))["questions"]) == 1

    asyncio.run(asyncio.wait_for(conversation(), 60))


def test_one_writes_at_a_time_and_a_call_waits_for_it(file, monkeypatch):
    tools = SessionTools(file)
    with cpe.Session.open(file) as session:
        assert tools.status()["answers"] == 0
        monkeypatch.setattr(mcp_server, "PATIENCE", 0.0)
        with pytest.raises(FileInUse, match="another process"):
            tools.ask()
        monkeypatch.undo()
        monkeypatch.setattr("time.sleep", lambda seconds: session.close())
        assert len(tools.ask()["questions"]) == 1
    tools.tell(tools.ask()["questions"][0]["id"], "skip")
    assert tools.status()["skips"] == 1


def test_items_and_content(tmp_path):
    table, items = tmp_path / "outputs.csv", [{"item": "q1", "text": "Why?"}]
    file = begun(tmp_path / "prompts.jsonl", ["a", "b"], items=items, orders="random")
    table.write_text("label,item,text\na,q1,Rayleigh\nb,q1,Magic\n")
    tools = SessionTools(file, content=table, rater="judge")
    [question] = tools.ask()["questions"]
    assert question["item"] == {"id": "q1", "text": "Why?"}
    texts = {"a": {"text": "Rayleigh"}, "b": {"text": "Magic"}}
    assert question["content"] == [texts[label] for label in question["labels"]]
    told = tools.tell(question["id"], "a")
    assert told["noted"] == "a wins"
    assert told["answer"].startswith("finished: a, proved")
    assert cpe.Session.read(file).status().raters == {"judge": 1}
