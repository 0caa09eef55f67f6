"""The raters' page in a browser: keys, clicks, reloads, undo, a lost connection."""

import pytest

import cpe_opt as cpe
from tests.browser import browser, errors
from tests.items import round_robin
from tests.sessions.web.client import ACCESS, in_log, served
from tests.support import waited_for as until

pytestmark = pytest.mark.slow  # two browsers

TREES = ["alder", "birch", "cedar"]  # the earlier in the alphabet the better
KEYS = {"first": "1", "second": "2", "tie": "t", "skip": "s", "undo": "u"}


@pytest.fixture(scope="module")
def drivers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("profiles")
    with (
        browser(folder / "wide") as wide,
        browser(folder / "phone", width=390, height=844) as phone,
    ):
        yield wide, phone


class Rater:
    """A person before a page."""

    def __init__(self, driver, *, keys):
        self.driver, self.keys = driver, keys

    def open(self, address, name=None):
        self.driver.get("about:blank")
        errors(self.driver)  # those of the page before
        self.driver.get(address)
        if name is not None:
            self.driver.execute_script("sessionStorage.clear(); location.reload()")
            until(lambda: self.find("name").is_displayed())
            self.find("name").send_keys(f"{name}\n")
        self.settle()

    def find(self, part):
        return self.driver.find_element("id", part)

    def text(self, part):
        return self.find(part).text

    def settle(self):
        """Wait for a question that takes answers at once, or for a message instead of one."""
        state = "ready() || (!busy && state !== null && state.state !== 'question')"
        script = f"settling = 0; return {state}"
        until(lambda: self.driver.execute_script(script))

    def fits(self):
        """Whether the page is as wide as its window."""
        width = "return document.documentElement.scrollWidth <= innerWidth"
        return self.driver.execute_script(width)

    def state(self):
        return self.driver.execute_script("return state.state")

    def question(self):
        duel = self.find("duel")
        shown = [self.text(f"thing-{place}") for place in ("first", "second")]
        return duel.get_attribute("data-question"), *shown

    def do(self, what):
        self.settle()
        if self.keys:
            self.find("title").send_keys(KEYS[what])
        else:
            self.find(what).click()
        self.settle()


def test_two_raters_play_a_session_to_its_end(drivers, tmp_path):
    with served(tmp_path / "s", "pocowista", labels=TREES, delta=0.5, seed=1) as (session, address):
        ann, bea = Rater(drivers[0], keys=True), Rater(drivers[1], keys=False)
        ann.open(f"{address}/", "ann")
        bea.open(f"{address}/", "bea")
        assert ann.question() != bea.question()
        for number in range(200):
            rater = (ann, bea)[number % 2]
            rater.settle()
            if rater.state() != "question":
                if session.finished:
                    break
                continue
            question, first, second = rater.question()
            if number == 3:
                rater.do("skip")
                assert rater.text("status") == "Skipped."
                assert rater.question()[0] != question
                continue
            if number in (4, 5):
                rater.driver.refresh()
                rater.settle()
                assert rater.question() == (question, first, second)
            outcome = "tie" if number == 2 else "first" if first < second else "second"
            if number == 6:  # the wrong one, and taken back
                rater.do("second" if outcome == "first" else "first")
                rater.do("undo")
                assert rater.text("status") == "Your last answer was taken back."
                assert rater.question() == (question, first, second)
            rater.do(outcome)
        for rater in (ann, bea):
            until(lambda page=rater: page.state() == "finished")
            assert rater.text("message") == "That was all: there are enough answers. Thank you!"
            assert rater.fits()
            assert errors(rater.driver) == []
        answers, status = session.answers(), session.status()
    assert {*answers["rater"]} == {"ann", "bea"}
    untied = answers[answers["outcome"] != 0.5]
    assert (untied["outcome"] == (untied["first"] < untied["second"])).all()
    assert (status.answer, status.ties, status.skips, status.withdrawn) == ("alder", 1, 1, 1)


def test_an_answer_waits_for_the_connection(drivers, tmp_path):
    """Also if the page is loaded anew, or the server started again, meanwhile."""
    path = tmp_path / "trees.jsonl"
    ann = Rater(drivers[0], keys=True)
    with served(path, labels=TREES, access=ACCESS) as (session, address):
        ann.open(f"{address}/#secret-of-ann")
        question, *_ = ann.question()
        port = int(address.rpartition(":")[2])
    ann.find("title").send_keys("2")
    until(lambda: "Your answer is kept and sent again" in ann.text("offline"))
    with served(path, access=ACCESS, serving={"port": port}) as (session, address):
        until(lambda: session.status().answers == 1)
        assert session.answer_of(in_log(session, question)).outcome == 0.0
        ann.settle()
        assert not ann.find("offline").is_displayed()
        assert ann.text("status") == "You chose the second."


def shown(driver):
    """The text of the report on the organiser's page."""
    return driver.execute_script("return part('report').contentDocument.body?.innerText || ''")


def test_the_organiser_watches(drivers, tmp_path):
    path, driver = tmp_path / "trees.jsonl", drivers[0]
    with served(path, labels=TREES, access=ACCESS, seed=2) as (session, address):
        for answers in (1, 2):
            [question] = session.ask(rater="ann")
            session.tell(question.id, min(question.labels) == question.labels[0], rater="ann")
            if answers == 1:
                driver.get("about:blank")
                errors(driver)
                driver.get(f"{address}/organise#secret-of-mine")
            until(lambda answers=answers: f"answers\n{answers}" in shown(driver))
        assert driver.title == "trees"
        assert "Who beats whom" in shown(driver)
        assert driver.find_element("id", "answers").is_displayed()
        assert errors(driver) == []


def test_items_stand_above_the_two(drivers, tmp_path):
    """At both widths."""
    items = [{"item": "q1", "markdown": "*Why?*"}, {"item": "q2", "text": "How?"}]
    for place, driver in enumerate(drivers):
        path = tmp_path / f"{place}.jsonl"
        options = {"labels": TREES[:2], "items": items, "orders": "random"}
        with served(path, round_robin, **options) as (session, address):
            ann = Rater(driver, keys=not place)
            ann.open(f"{address}/", "ann")
            for answers in range(2):
                question, _, _ = ann.question()
                asked = session.question(in_log(session, question))
                assert ann.text("item") == asked.item.get("text", "Why?")
                ann.do("tie")
                assert session.status().answers == answers + 1
                assert session.answer_of(asked.id).outcome == 0.5
            until(lambda page=ann: page.state() == "finished")
            assert not ann.find("item").is_displayed()
            assert ann.fits()
            assert errors(driver) == []


def test_scores_of_teams_are_typed_in(drivers, tmp_path):
    """One number after another, by keys alone; what is none is said at once."""
    problem = cpe.TopK(4, 2, ["Ann Lee", "Bob", "Cleo", "Dan"])
    told = {"problem": problem, "delta": 0.1, "feedback": "sums", "noise": 0.5}
    with served(tmp_path / "s", "subset-tracking", **told) as (session, address):
        boss = Rater(drivers[1], keys=True)
        boss.open(address, "boss")
        assert boss.text("title") == "What is the score?"
        first = boss.find("single").get_attribute("data-question")
        members = boss.text("members").split("\n")
        assert members == list(session.question(in_log(session, first)).labels)
        typed = boss.driver.switch_to.active_element
        assert typed.get_attribute("id") == "value"
        for text, said in (("seven", "such as 7.5"), ("1,250", "write 1250 or 1.250")):
            typed.clear()
            typed.send_keys(f"{text}\n")
            assert said in boss.text("wrong")
        assert session.status().answers == 0
        typed.clear()
        typed.send_keys("7,5\n")
        boss.settle()
        assert session.answer_of(in_log(session, first)).outcome == 7.5
        assert boss.text("status") == "Saved: 7.5."
        boss.find("undo").click()
        boss.settle()
        assert session.status().answers == 0
        assert boss.fits()
        assert errors(boss.driver) == []
