"""Attributes of answers have entries in the reference, and links lead to them."""

import dataclasses
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cpe_opt as cpe

DOCS = Path(__file__).parents[2] / "docs"
LINK = re.compile(r"\{py:(?:attr|meth)\}`(?:[^`<]*<)?(cpe_opt[\w.]*)\.(\w+)>?`", re.S)
SITE = """\
extensions = ["numpydoc", "sphinx.ext.autodoc", "attribute_entries"]
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(?!cpe_opt).*")]
autodoc_typehints = "none"
numpydoc_show_class_members = False
"""
PAGE = """\
A page
======

:py:attr:`cpe_opt.formulations.dueling.lower_bound.CopelandBound.exploration`
:py:attr:`cpe_opt.experiments.significance.PairedTest.low`
:py:attr:`cpe_opt.experiments.significance.PairedTest.lower`

.. autoclass:: cpe_opt.formulations.dueling.lower_bound.CopelandBound
   :members:

.. autoclass:: cpe_opt.experiments.significance.PairedTest
   :members:

.. autoclass:: cpe_opt.modelling.result.SolveResult
   :members:

.. autoclass:: cpe_opt.modelling.certify.DualProof
   :members:
"""


@pytest.fixture
def entries(monkeypatch):
    """The extension of the site; it and the pages are loaded anew."""
    monkeypatch.syspath_prepend(str(DOCS))
    yield importlib.import_module("attribute_entries")
    for name in ("attribute_entries", "generated_pages"):
        sys.modules.pop(name, None)


def class_of(place):
    """The class at a path such as ``cpe_opt.Votes``."""
    module, _, name = place.rpartition(".")
    return getattr(importlib.import_module(module), name)


def has(cls, name):
    """Whether objects of a class have an attribute: declared, a member, or set by its code."""
    annotated = (vars(base).get("__annotations__", {}) for base in cls.__mro__)
    if hasattr(cls, name) or any(name in names for names in annotated):
        return True
    return re.search(rf"self\.{name}\b", inspect.getsource(cls)) is not None


def test_what_classes_list_is_there(entries):
    import generated_pages as pages

    wrong, count = [], 0
    for cls in entries.classes(name for name, _ in pages.modules()):
        names = entries.listed(cls)
        count += len(names)
        wrong += [f"{cls.__name__}.{name}" for name in names if not has(cls, name)]
    assert not wrong
    assert count > 350


def test_answers_of_public_functions_list_all_that_they_hold(entries):
    import generated_pages as pages

    answers = {}
    for name in pages.public_names():
        line = " ".join(pages.answer_lines(each) if callable(each := getattr(cpe, name)) else [])
        found = re.match(r" Returns \{py:class\}`\w+ <([\w.]+)>`, with ", line)
        if found and not isinstance(each, type):
            answers[class_of(found[1])] = line
    assert len(answers) > 25
    for cls, line in answers.items():
        fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
        unlisted = {f.name for f in fields if not f.name.startswith("_")}
        unlisted -= {name for base in cls.__mro__ for name in entries.public_attributes(base)}
        assert not unlisted, cls
        for place, name in LINK.findall(line):
            owner = class_of(place)
            assert name in entries.public_attributes(owner) + entries.public_methods(owner)
    assert "winner <cpe_opt.formulations.dueling.lower_bound.CopelandBound.winner>" in line_of(
        answers, "CopelandBound"
    )
    assert "result <cpe_opt.formulations.answer.Answer.result>" in line_of(answers, "SubsetTime")
    assert "duels() <cpe_opt" in line_of(answers, "CharacteristicTime")


def line_of(answers, name):
    (line,) = [line for cls, line in answers.items() if cls.__name__ == name]
    return line


def test_an_attribute_has_an_anchor_and_a_wrong_link_is_found(tmp_path):
    for name in ("sphinx", "numpydoc"):
        pytest.importorskip(name)
    (tmp_path / "conf.py").write_text(f"import sys\nsys.path.insert(0, {str(DOCS)!r})\n{SITE}")
    (tmp_path / "index.rst").write_text(PAGE, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    warned = [line for line in done.stderr.splitlines() if "PairedTest.low" in line]
    assert len(warned) == 1
    assert "reference target not found: cpe_opt.experiments" in warned[0]
    assert "PairedTest.lower" in warned[0]
    assert "duplicate object" not in done.stderr
    page = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    for place in (
        "cpe_opt.formulations.dueling.lower_bound.CopelandBound.exploration",
        "cpe_opt.experiments.significance.PairedTest.low",
        "cpe_opt.experiments.significance.PairedTest.high",
        "cpe_opt.modelling.result.SolveResult.x",
        "cpe_opt.modelling.result.SolveResult.duals",
        "cpe_opt.modelling.certify.DualProof.terms",
    ):
        assert page.count(f'id="{place}"') == 1
    assert "Of equal means." in page
