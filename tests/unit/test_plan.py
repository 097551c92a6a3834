"""A plan is a value: its parts, and its form in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corro
from corro.changes import Change, Finding, Level
from corro.plan import Outcome, Plan
from corro.source import AddArgument, Before, Replace, SourceFile, Span, read_source

EXAMPLE = Path(__file__).parents[2] / "examples" / "pytorch" / "digits_cnn.py"
SOURCE = SourceFile.from_text("é = 1\nb = f(2)\n", "script.py")


def plan() -> Plan:
    first, second = SOURCE.tree.body
    call = second.value  # type: ignore[attr-defined]
    changes = (
        Change("one", "because", SOURCE.span(second), (Before(second, "c = 3"), AddArgument(call, "x=1"))),
        Change("two", "so", SOURCE.span(first), (Replace(Span(4, 5), "10"),)),
    )
    findings = (
        Finding("one", Level.REFUSED, "it is wrong.", SOURCE.span(call), "Mend it."),
        Finding("two", Level.NOTE, "so it is.", Span(0, 1), file="other.py"),
    )
    return Plan("script.py", "pytorch", "ddp", "strong", Outcome.REFUSED, changes, findings)


def test_edits_are_those_of_all_changes_of_a_file() -> None:
    assert [type(edit) for edit in plan().edits_in()] == [Before, AddArgument, Replace]


def test_refusals_are_the_findings_that_forbid() -> None:
    assert [finding.message for finding in plan().refusals] == ["it is wrong."]


def test_json_has_places_in_characters_from_1() -> None:
    told = plan().to_dict(SOURCE)
    assert told["outcome"] == "refused"
    assert told["changes"][0]["at"] == {"line": 2, "column": 1}
    assert told["changes"][0]["edits"][1] == {"kind": "addargument", "call": {"line": 2, "column": 5}, "text": "x=1"}
    assert told["changes"][1]["edits"] == [{"kind": "replace", "span": {"start": 4, "end": 5}, "text": "10"}]
    assert told["findings"][0]["at"] == {"line": 2, "column": 5}
    assert told["findings"][1]["file"] == "other.py"


@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_a_real_plan_survives_json(target: str) -> None:
    source = read_source(EXAMPLE)
    told = corro.plan(source, target).to_dict(source)
    assert json.loads(json.dumps(told)) == told
    assert told["target"] == target
    assert {change["rule"] for change in told["changes"]} >= {"startup", "train-loader", "metrics", "effects"}
