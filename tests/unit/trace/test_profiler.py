"""Profiles of TensorFlow and JAX: read as they are written, and told as the parts of a compiled step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from corro.trace.inside_keras import ANCHOR
from corro.trace.profiler import merged
from corro.trace.spans import (
    BACKWARD,
    EXCHANGE,
    FORWARD,
    KINDS,
    LOADING,
    OPTIMIZER,
    STEP,
    WAITING,
    Rank,
    Span,
)
from corro.trace.summary import summarised
from corro.trace.xplane import read

MS = 10**9
"""Picoseconds of a millisecond."""
MADE_FOR = {
    "dot.1": "jit(train_step)/jvp(dense)/dot_general",
    "dot.2": "jit(train_step)/transpose(jvp(dense))/dot_general",
    "add.3": "jit(train_step)/adam/add",
    "copy.4": "",
}


def number(value: int) -> bytes:
    """A varint."""
    found = b""
    while value > 0x7F:
        found, value = found + bytes([value & 0x7F | 0x80]), value >> 7
    return found + bytes([value])


def field(tag: int, value: int | str | bytes) -> bytes:
    """A field of a message."""
    if isinstance(value, int):
        return number(tag << 3) + number(value)
    data = value.encode() if isinstance(value, str) else value
    return number(tag << 3 | 2) + number(len(data)) + data


def named(tag: int, key: int, name: str, more: bytes = b"") -> bytes:
    """An entry of a plane's names of events, or of what is told of them."""
    return field(tag, field(1, key) + field(2, field(1, key) + field(2, name) + more))


def plane(lines: dict[str, Iterable[tuple[str, int, int]]], told: dict[str, str] | None = None) -> bytes:
    """A plane of a host; times in picoseconds, a line begins a microsecond after the profile."""
    events = [event for own in lines.values() for event in own]
    keys = {name: key for key, name in enumerate(dict.fromkeys(name for name, _, _ in events), 1)}
    written = field(2, "/host:CPU")
    for title, own in lines.items():
        line = field(2, title) + field(3, 1000)
        for name, offset, lasts in own:
            stats = b"".join(
                field(4, field(1, key) + field(5, value))
                for key, value in ((1, name), (2, "jit_train_step"))
                if told and name in told
            )
            line += field(4, field(1, keys[name]) + field(2, offset) + field(3, lasts) + stats)
        written += field(3, line)
    written += b"".join(named(4, key, name) for name, key in keys.items())
    return field(1, written + named(5, 1, "hlo_op") + named(5, 2, "hlo_module"))


def module(made_for: dict[str, str]) -> bytes:
    """The plane in which a compiled module stands."""
    instructions = b"".join(field(2, field(1, name) + field(7, field(2, why))) for name, why in made_for.items())
    proto = field(1, field(1, "jit_train_step") + field(3, instructions))
    stat = field(5, field(1, 1) + field(6, proto))
    return field(1, field(2, "/host:metadata") + named(4, 1, "jit_train_step(1)", stat) + named(5, 1, "Hlo Proto"))


def rank(*steps: tuple[float, float]) -> Rank:
    """A process with compiled steps."""
    spans = tuple(Span(STEP, *each, "train.py:9", place) for place, each in enumerate(steps))
    return Rank(0, spans, tuple(end for _, end in steps), 0.0)


def noted(**changes: Any) -> dict[str, Any]:
    """What is noted beside a profile: an anchor that began a second after our clock, and lies at 1 ms in it."""
    return {
        "library": "TensorFlow",
        "anchors": [(1.001, 1.001003)],
        "optimizers": ["Adam"],
        "why": "",
        "unseen": False,
        "steps": 0,
        **changes,
    }


ANCHORED = ("python", [(ANCHOR, 1 * MS, MS // 1000)])


def seconds(found: Rank) -> dict[str, float]:
    """How long each kind of work takes, in milliseconds."""
    told = {kind: sum(span.seconds for span in found.of(kind)) * 1000 for kind in KINDS}
    return {kind: value for kind, value in told.items() if value}


def test_a_profile_is_read_as_it_is_written() -> None:
    data = plane({"a thread": [("dot.1", 5 * MS, 2 * MS)]}, MADE_FOR) + module(MADE_FOR)
    found = read(data)
    (event,) = found.events
    assert (event.line, event.name) == ("a thread", "dot.1")
    assert (event.start, event.end) == pytest.approx((0.005001, 0.007001))
    assert event.told == {"hlo_op": "dot.1", "hlo_module": "jit_train_step"}
    assert found.instructions["jit_train_step", "dot.2"] == MADE_FOR["dot.2"]


def test_the_parts_of_a_step_of_tensorflow() -> None:
    """Two threads compute; of what is done at the same time the backward pass counts, and waiting the least."""
    own = {
        "tf_data_iterator_get_next/1": [("IteratorGetNextOp::DoCompute", 10 * MS, 1 * MS)],
        "tf_data_private_threadpool/2": [("map/Decode:DecodeJpeg", 10 * MS, 30 * MS)],
        "tf_Compute/3": [
            ("ExecutorState::Process", 10 * MS, 50 * MS),
            ("model/dense/MatMul:MatMul", 11 * MS, 4 * MS),
            ("gradient_tape/model/dense/MatMul:MatMul", 16 * MS, 6 * MS),
            ("Adam/AssignAddVariableOp_1:AssignAddVariableOp", 40 * MS, 2 * MS),
        ],
        "tf_Compute/4": [("model/loss/value:DivNoNan", 14 * MS, 3 * MS)],
        "collective_ops/5": [("CollectiveReduceV2_1:CollectiveReduceV2", 20 * MS, 10 * MS)],
    }
    found = merged(rank((1.008, 1.050)), read(plane({**dict([ANCHORED]), **own})), noted())
    assert seconds(found) == pytest.approx(
        {LOADING: 1, FORWARD: 5, BACKWARD: 6, OPTIMIZER: 2, WAITING: 8, EXCHANGE: 10, STEP: 42}, abs=0.01
    )
    assert all(span.line == "train.py:9" for span in found.spans if span.kind != EXCHANGE)
    assert found.said == (
        "The profile of TensorFlow is merged, to within 1 µs: it tells the parts of a compiled step.",
    )
    assert {each.track for each in found.foreign} >= {"TensorFlow: tf_Compute/3", "TensorFlow: collective_ops/5"}


def test_an_exchange_that_is_not_seen_is_waited_for_while_nothing_is_computed() -> None:
    own = [
        ("gradient_tape/model/dense/MatMul:MatMul", 10 * MS, 4 * MS),
        ("Adam/Square:Square", 20 * MS, 1 * MS),
        ("Adam/Sqrt:Sqrt", 21 * MS + MS // 20, 1 * MS),
    ]
    found = merged(rank((1.010, 1.023)), read(plane(dict([ANCHORED, ("tf_Compute/1", own)]))), noted(unseen=True))
    assert seconds(found) == pytest.approx({BACKWARD: 4, OPTIMIZER: 2, WAITING: 6, STEP: 13}, abs=0.06)


def test_something_short_counts_to_what_is_done_before_and_after_it_and_is_a_part_elsewhere() -> None:
    """A small model is updated within some microseconds, which are not lost."""
    own = [
        ("gradient_tape/model/dense/MatMul:MatMul", 10 * MS, MS),
        ("model/loss/value:DivNoNan", 11 * MS, MS // 500),
        ("gradient_tape/model/dense_1/MatMul:MatMul", 11 * MS + MS // 500, MS),
        ("Adam/Square:Square", 12 * MS + MS // 500, MS // 1000),
        ("Adam/Sqrt:Sqrt", 12 * MS + MS // 250, MS // 1000),
    ]
    found = merged(rank((1.010, 1.023)), read(plane(dict([ANCHORED, ("tf_Compute/1", own)]))), noted())
    assert [span.kind for span in found.spans] == [BACKWARD, OPTIMIZER, STEP]
    assert seconds(found) == pytest.approx({BACKWARD: 2.002, OPTIMIZER: 0.003, STEP: 13}, abs=0.0005)


def test_the_parts_of_a_step_of_jax() -> None:
    own = [
        ("dot.1", 10 * MS, 2 * MS),
        ("dot.2", 12 * MS, 3 * MS),
        ("all-reduce.5", 15 * MS, 4 * MS),
        ("add.3", 19 * MS, 1 * MS),
        ("copy.4", 20 * MS, 1 * MS),
    ]
    told = {**MADE_FOR, "all-reduce.5": "jit(train_step)/transpose(jvp(dense))/dot_general"}
    data = plane(dict([ANCHORED, ("tf_XLAEigen/1", own)]), told) + module(told)
    found = merged(rank((1.010, 1.022)), read(data), noted(library="JAX", optimizers=["adam"]))
    assert seconds(found) == pytest.approx(
        {FORWARD: 2, BACKWARD: 3, WAITING: 4, EXCHANGE: 4, OPTIMIZER: 1, STEP: 12}, abs=0.01
    )


def test_what_is_within_a_step_is_counted_once() -> None:
    own = [("model/dense/MatMul:MatMul", 14 * MS, 4 * MS), ("model/dense/MatMul:MatMul", 24 * MS, 4 * MS)]
    steps = rank((1.000, 1.010), (1.010, 1.020), (1.020, 1.030))
    summary = summarised([merged(steps, read(plane(dict([ANCHORED, ("tf_Compute/1", own)]))), noted())], warm_up=1)
    assert summary.seconds[FORWARD][0] == pytest.approx(0.004)
    assert summary.seconds[STEP][0] == pytest.approx(0.006)
    assert summary.step == pytest.approx(0.010)


@pytest.mark.parametrize(
    ("data", "changes", "why"),
    [
        (b"", {"why": "the script profiles itself"}, "the script profiles itself"),
        (b"", {}, "there is none of these steps"),
        (plane({"tf_Compute/1": [("a/b:MatMul", 1, 1)]}), {}, "there is none of these steps"),
        (plane(dict([ANCHORED])), {"anchors": []}, "there is none of these steps"),
    ],
)
def test_without_a_profile_a_step_is_one_piece(data: bytes, changes: dict[str, Any], why: str) -> None:
    found = merged(rank((1.0, 1.01)), read(data), noted(**changes))
    assert found.spans == rank((1.0, 1.01)).spans
    assert found.said == (f"No profile of TensorFlow is merged: {why}.",)
