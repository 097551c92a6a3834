"""Horovod's timeline, in a file as rank 0 of two writes it, beside what Python saw of the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corro.trace import timeline
from corro.trace.chrome import document
from corro.trace.clocks import aligned
from corro.trace.run import with_timeline
from corro.trace.spans import BACKWARD, EXCHANGE, WAITING, Foreign, Rank, Span
from corro.trace.summary import summarised
from corro.trace.timeline import CYCLES, NEGOTIATION, WORK, Noted, Timeline, alignment, buckets, events, read

RECORDED = """\
[
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros":1795860506773913}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"ph": "i", "name": "CYCLE_START", "ts": 2233, "s": "g"},{"name": "process_name", "ph": "M", "pid": 1, "args": \
{"name": "allreduce.fc.weight"}},
{"name": "process_sort_index", "ph": "M", "pid": 1, "args": {"sort_index": 1}},
{"ph": "B", "name": "NEGOTIATE_ALLREDUCE", "ts": 10000, "pid": 1},{"ph": "X", "name": "0", "ts": 10001, "pid": 1, \
"dur": 0},{"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "allreduce.fc.bias"}},
{"ph": "B", "name": "NEGOTIATE_ALLREDUCE", "ts": 10002, "pid": 2},{"ph": "X", "name": "0", "ts": 10002, "pid": 2, \
"dur": 0},{"ph": "i", "name": "CYCLE_START", "ts": 11733, "s": "g"},{"ph": "X", "name": "1", "ts": 12000, "pid": 1, \
"dur": 0},{"ph": "E", "ts": 12000, "pid": 1},{"ph": "X", "name": "1", "ts": 12001, "pid": 2, "dur": 0},\
{"ph": "E", "ts": 12001, "pid": 2},{"ph": "B", "name": "ALLREDUCE", "ts": 12010, "pid": 1},\
{"ph": "B", "name": "ALLREDUCE", "ts": 12011, "pid": 2},{"ph": "B", "name": "MEMCPY_IN_FUSION_BUFFER", "ts": 12012, \
"pid": 1},{"ph": "B", "name": "MEMCPY_IN_FUSION_BUFFER", "ts": 12012, "pid": 2},{"ph": "E", "ts": 12020, "pid": 1},\
{"ph": "E", "ts": 12021, "pid": 2},{"ph": "B", "name": "GLOO_ALLREDUCE", "ts": 12021, "pid": 1},\
{"ph": "B", "name": "GLOO_ALLREDUCE", "ts": 12022, "pid": 2},{"ph": "E", "ts": 13000, "pid": 1},\
{"ph": "E", "ts": 13001, "pid": 2},{"ph": "E", "ts": 13010, "pid": 1, "args": {"dtype": "float32", "shape": \
"[10, 64]"}},{"ph": "E", "ts": 13012, "pid": 2, "args": {"dtype": "float32", "shape": "[10]"}},\
{"ph": "B", "name": "ALLREDUCE", "ts": 20010, "pid": 1},{"ph": "E", "ts": 20500, "pid": 1, "args": {"dtype": \
"float32", "shape": "[10, 64]"}},{"ph": "B", "name": "ALLREDUCE", "ts": 20510, "pid": 2},{"ph": "E", "ts": 20900, \
"pid": 2, "args": {"dtype": "float32", "shape": "[10]"}},{"ph": "i", "name": "CYCLE_START", "ts": 21233, "s": "g"},"""
"""Of two steps: in the first both tensors are fused, in the second they are not; it ends while an event is written."""
WEIGHT, BIAS = "allreduce.fc.weight", "allreduce.fc.bias"
NOTED = Noted(
    given={WEIGHT: [100.0095, 100.0190], BIAS: [100.0096, 100.0200]},
    done={WEIGHT: [100.0131, 100.0206], BIAS: [100.0132, 100.0210]},
)
"""By our clock, which is 100 seconds further."""


@pytest.fixture
def recorded() -> Timeline:
    return read(RECORDED + '{"ph": "i", "na')


def test_what_is_fused_is_one_group(recorded: Timeline) -> None:
    assert [[tensor.name for tensor in group] for group in recorded.groups] == [[WEIGHT, BIAS], [WEIGHT], [BIAS]]
    assert [sum(tensor.bytes for tensor in group) for group in recorded.groups] == [2600, 2560, 40]
    assert recorded.cycles == pytest.approx((0.002233, 0.011733, 0.021233))
    assert recorded.begun == pytest.approx(1795860506.773913)


@pytest.mark.parametrize(
    ("told", "size"),
    [
        ({"dtype": "float64", "shape": "[]"}, 8),
        ({"dtype": "bfloat16", "shape": "[3]"}, 6),
        ({"dtype": "bool", "shape": "[3]"}, 3),
        ({"dtype": "uint8", "shape": "[3, 0]"}, 0),
        ({}, 0),
    ],
)
def test_the_bytes_of_a_tensor(told: dict[str, Any], size: int) -> None:
    whole = [
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "a"}},
        {"ph": "B", "name": "BROADCAST", "ts": 1, "pid": 1},
        {"ph": "E", "ts": 2, "pid": 1, "args": told},
    ]
    assert read(json.dumps(whole)).groups[0][0].bytes == size


def test_what_has_not_ended_is_left_out() -> None:
    assert read(RECORDED[: RECORDED.index('{"ph": "E", "ts": 20900')]).groups[-1][0].name == WEIGHT
    assert read("") == Timeline((), (), None)


def test_the_clocks_are_compared_by_what_both_have_seen(recorded: Timeline) -> None:
    """It lies between 99.9995 (the bias was given, then summed) and 100.00009, when the weight was waited for."""
    found = alignment(recorded, NOTED)
    assert found is not None
    low, high = 100.0200 - 0.020510, 100.0131 - 0.013010
    assert found.offset == pytest.approx((low + high) / 2)
    assert found.error == pytest.approx((high - low) / 2)


def test_the_time_of_day_is_believed_where_both_have_seen_nothing_against_it(recorded: Timeline) -> None:
    assert recorded.begun is not None
    for midnight, offset in ((recorded.begun - 100.00001, 100.00001), (recorded.begun - 7.0, None)):
        found = alignment(recorded, Noted(NOTED.given, NOTED.done, midnight))
        assert found is not None
        if offset is not None:
            assert found.offset == pytest.approx(offset)
        else:
            assert found.offset == pytest.approx(100, abs=0.001)


def test_where_nothing_was_seen_by_both_the_clocks_cannot_be_compared(recorded: Timeline) -> None:
    assert alignment(recorded, Noted({}, {}, 0.0)) is None
    assert aligned([(1.0, 2.0)], []) is None


def test_bounds_that_contradict_each_other_tell_by_how_much() -> None:
    found = aligned(after=[(0.0, 10.0)], before=[(1.0, 10.9)])
    assert found is not None
    assert (found.offset, found.error) == pytest.approx((9.95, 0.05))


def test_a_bucket_goes_from_when_it_is_full_until_it_is_summed(recorded: Timeline) -> None:
    found = buckets(recorded, NOTED, 100.0, ends=[100.0150])
    assert [(each.kind, each.step, each.bytes) for each in found] == [
        (EXCHANGE, 0, 2600),
        (EXCHANGE, 1, 2560),
        (EXCHANGE, 1, 40),
    ]
    assert [each.start for each in found] == [100.0096, 100.0190, 100.0200]
    assert [each.end for each in found] == pytest.approx([100.013012, 100.0205, 100.0209])


def test_the_activities_of_fused_tensors_lie_within_their_exchange(recorded: Timeline) -> None:
    found = list(events(recorded, 100.0, since=100.0))
    first = [each for each in found if each.start < 100.015]
    assert [(each.track, each.name) for each in first if each.track != CYCLES] == [
        (NEGOTIATION, "NEGOTIATE_ALLREDUCE"),
        (WORK, "ALLREDUCE"),
        (WORK, "MEMCPY_IN_FUSION_BUFFER"),
        (WORK, "GLOO_ALLREDUCE"),
    ]
    whole, copied, summed = (each for each in first if each.track == WORK)
    assert whole.start <= copied.start <= copied.end <= summed.start <= summed.end <= whole.end
    assert first[0].told == {"tensors": [WEIGHT, BIAS], "bytes": 2600, "last rank": "1"}
    assert len([each for each in found if each.track == CYCLES]) == 3
    assert not [each for each in events(recorded, 100.0, since=100.02) if each.end < 100.02]


def rank(**changes: Any) -> Rank:
    """Two steps that give gradients to Horovod in the backward pass, and wait for them in the optimizer."""
    spans = [
        Span(kind, 100 + begin, 100 + end, "train.py:7", step)
        for step, kind, begin, end in (
            (0, BACKWARD, 0.005, 0.0106),
            (0, WAITING, 0.0106, 0.0132),
            (1, BACKWARD, 0.0150, 0.0195),
            (1, WAITING, 0.0195, 0.0210),
        )
    ]
    return Rank(0, tuple(spans), (100.0, 100.0140, 100.0215), 0.0, **changes)


def test_rank_0_with_its_timeline(tmp_path: Path) -> None:
    file = tmp_path / "horovod.json"
    file.write_text(RECORDED, encoding="utf-8")
    noted = {"given": NOTED.given, "done": NOTED.done, "midnight": 0.0, "writer_share": 0.25, "steps": 0}
    merged = with_timeline(rank(), noted, file)
    assert len([span for span in merged.spans if span.kind == EXCHANGE]) == 3
    summary = summarised([merged], warm_up=1)
    # nothing of the backward pass is a wait: Horovod's goes on beside the exchange
    assert summary.seconds[BACKWARD][0] == pytest.approx((0.0056 + 0.0045) / 2, rel=0.6)
    assert summary.hidden is not None
    assert 0 < summary.hidden < 1
    assert summary.notes[0].startswith(
        "Horovod's own timeline is merged into rank 0, the only one that writes it: to within 0"
    )
    assert summary.notes[0].endswith("looks for tensors every 9.5 ms. Its writer took 25% of a core.")
    trace = document([merged], {})["traceEvents"]
    names = {event["args"]["name"] for event in trace if event["name"] == "thread_name"}
    assert {NEGOTIATION, WORK, CYCLES} <= names
    assert {event["ph"] for event in trace if event["name"] == "cycle"} == {"i"}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "Horovod's timeline is left out: nothing in it could be compared."),
        ({WEIGHT: [107.0], BIAS: []}, "Horovod's timeline is left out: its clock is known to 3.49 s only."),
    ],
)
def test_a_timeline_whose_clock_is_not_known_is_left_out(tmp_path: Path, given: dict[str, Any], why: str) -> None:
    file = tmp_path / "horovod.json"
    file.write_text(RECORDED, encoding="utf-8")
    noted = {"given": given, "done": NOTED.done, "midnight": 0.0, "writer_share": 0.0, "steps": 0}
    merged = with_timeline(rank(), noted, file)
    assert (merged.foreign, merged.spans) == ((), rank().spans)
    assert merged.said == (why,)
    assert with_timeline(rank(), noted, tmp_path / "none").said == ("Horovod wrote no timeline.",)


def test_what_overlaps_without_lying_within_has_a_track_of_its_own() -> None:
    seen = [Foreign("a", name, *times) for name, times in {"1": (0, 4), "2": (1, 2), "3": (3, 5), "4": (4, 6)}.items()]
    trace = document([rank(foreign=tuple(seen))], {})["traceEvents"]
    tracks = {event["name"]: event["tid"] for event in trace if event.get("cat") == "a"}
    assert tracks["1"] == tracks["2"] == tracks["4"]
    assert tracks["3"] == tracks["1"] + 1


def test_variables_are_those_of_horovod() -> None:
    assert (timeline.VARIABLE, timeline.MARKS) == ("HOROVOD_TIMELINE", "HOROVOD_TIMELINE_MARK_CYCLES")
