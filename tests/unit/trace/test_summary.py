"""What a trace shows, of spans that are made up: where the time goes, who is waited for, how much is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from corro.trace.chrome import document
from corro.trace.spans import (
    BACKWARD,
    EVALUATION,
    EXCHANGE,
    FORWARD,
    KINDS,
    LOADING,
    OPTIMIZER,
    STEP,
    WAITING,
    Rank,
    Span,
    read,
    write,
)
from corro.trace.summary import OTHER, Summary, summarised, watched

STEPS = 10
LINES = {kind: f"train.py:{number}" for number, kind in enumerate(KINDS, 10)}


def rank(number: int, each: Mapping[str, float], bucket: tuple[float, float] | None = None) -> Rank:
    """A process whose steps do these things one after the other, so many seconds each.

    ``bucket``: when the exchange of the gradients begins and ends, from the beginning of the backward pass.
    """
    spans: list[Span] = []
    ends = []
    now = 0.0
    for step in range(STEPS):
        for kind, seconds in each.items():
            if kind == BACKWARD and bucket is not None:
                spans.append(Span(EXCHANGE, now + bucket[0], now + bucket[1], "", step, 4000))
            if kind != OTHER:
                spans.append(Span(kind, now, now + seconds, LINES[kind], step))
            now += seconds
        ends.append(now)
    return Rank(number, tuple(spans), tuple(ends), own_seconds=0.01 * now)


def summary(*ranks: Rank) -> Summary:
    return summarised(ranks, warm_up=2)


PLAIN = {LOADING: 0.001, FORWARD: 0.03, BACKWARD: 0.06, OPTIMIZER: 0.009}


def test_each_kind_of_work_per_step() -> None:
    found = summary(rank(0, PLAIN))
    assert found.step == pytest.approx(0.1)
    assert found.steps == STEPS - 3
    assert {kind: values[0] for kind, values in found.seconds.items() if values[0] > 1e-9} == pytest.approx(PLAIN)
    assert found.overhead == pytest.approx(0.01)
    assert found.said == (
        "99% of the time goes into forward, backward and the optimizer: the processes are well used.",
    )


def test_what_nobody_noted_is_everything_else() -> None:
    found = summary(rank(0, {**PLAIN, OTHER: 0.1}))
    assert found.seconds[OTHER][0] == pytest.approx(0.1)
    assert found.said[0].startswith("Everything else takes 50% of the time.")


def test_data_that_is_waited_for_is_named_with_its_line() -> None:
    found = summary(rank(0, {**PLAIN, LOADING: 0.3}), rank(1, {**PLAIN, LOADING: 0.3}))
    assert found.said[0].startswith(
        f"Data loading ({LINES[LOADING]}) takes 75% of the time. Give the DataLoader workers"
    )


def test_an_exchange_that_is_waited_for() -> None:
    """The bucket is full 0.02 s into a backward pass of 0.06 s, which ends with the exchange."""
    found = summary(*(rank(n, PLAIN, (0.02, 0.06)) for n in range(2)))
    assert found.seconds[WAITING] == pytest.approx((0.04, 0.04))
    assert found.seconds[BACKWARD] == pytest.approx((0.02, 0.02))
    assert found.hidden == pytest.approx(0.0)
    assert found.said[0].startswith(f"Waiting for gradients and other processes ({LINES[BACKWARD]}) takes 40%")


def test_an_exchange_that_is_hidden() -> None:
    """One bucket is exchanged while the next is computed; only that one is waited for."""
    early = rank(0, PLAIN, (0.01, 0.05))
    late = [Span(EXCHANGE, each.start + 0.055, each.start + 0.06) for each in early.of(BACKWARD)]
    both = Rank(0, (*early.spans, *late), early.ends, 0.0)
    assert summary(both).hidden == pytest.approx(0.04 / 0.045)


def test_a_process_that_others_wait_for() -> None:
    slow = rank(1, {**PLAIN, FORWARD: 0.09})
    waiting = rank(0, {**PLAIN, WAITING: 0.06})
    found = summary(waiting, slow)
    assert found.said[0].startswith(f"Rank 1 is waited for: its forward ({LINES[FORWARD]}) takes 60 ms a step longer")
    assert not any(said.startswith("Waiting") for said in found.said)


def test_a_process_that_is_waited_for_may_wait_for_the_network_itself() -> None:
    """What of the waiting is for the other process says nothing of the exchange; the rest does."""
    found = summary(rank(0, {**PLAIN, WAITING: 0.16}), rank(1, {**PLAIN, FORWARD: 0.09, WAITING: 0.1}))
    assert found.said[0].startswith("Rank 1 is waited for")
    assert found.said[1].startswith("Waiting for gradients and other processes")
    assert "takes 38% of the time" in found.said[1]


def test_small_differences_are_no_straggler() -> None:
    found = summary(rank(0, PLAIN), rank(1, {**PLAIN, FORWARD: 0.033}))
    assert not any("waited for" in said for said in found.said)


def test_an_evaluation_that_takes_long() -> None:
    found = summary(*(rank(n, {**PLAIN, EVALUATION: 0.1}) for n in range(2)))
    assert found.said[0].startswith(f"Evaluation ({LINES[EVALUATION]}) takes 50% of the time. Evaluate less often")


def test_what_horovod_waits_for_is_not_the_optimizers_work() -> None:
    plain = rank(0, {**PLAIN, OPTIMIZER: 0.05})
    waits = [Span(WAITING, each.start + 0.001, each.end - 0.001) for each in plain.of(OPTIMIZER)]
    found = summary(Rank(0, (*plain.spans, *waits), plain.ends, 0.0))
    assert found.seconds[OPTIMIZER][0] == pytest.approx(0.002)
    assert found.seconds[WAITING][0] == pytest.approx(0.048)


def test_what_other_tracers_slow_down_tells_of_parts_only() -> None:
    """Ten compiled steps that a profiler sees, with three parts, and ten after it ended, in a third of the time."""
    spans: list[Span] = []
    ends = []
    now = 0.0
    for step in range(20):
        seconds = 0.3 if step < 10 else 0.1
        if step < 10:
            spans += [Span(FORWARD, now, now + 0.09), Span(BACKWARD, now + 0.09, now + 0.27)]
            spans.append(Span(EXCHANGE, now + 0.1, now + 0.2, "", step, 4000))
        spans.append(Span(STEP, now, now + seconds, "train.py:9", step))
        now += seconds
        ends.append(now)
    found = summary(Rank(0, tuple(spans), tuple(ends), 0.0, watched=10, beside=True))
    assert found.step == pytest.approx(0.1)
    assert found.steps == 9
    parts = {kind: values[0] for kind, values in found.seconds.items() if kind != OTHER}
    assert parts == pytest.approx({FORWARD: 0.03, BACKWARD: 0.06, STEP: 0.01})
    assert found.hidden == pytest.approx(1.0)
    assert found.notes == ("While that was written a step took 300 ms; the times above are of the steps after it.",)


def test_other_tracers_see_half_of_the_steps_that_are_counted() -> None:
    assert watched(40, 5) == 23
    assert watched(6, 2) == 0


def test_a_short_run_counts_what_there_is() -> None:
    one = rank(0, PLAIN)
    assert summarised([Rank(0, one.spans, one.ends[:3], 0.0)], warm_up=5).steps == 1


def test_the_file_has_a_process_for_each_rank_and_a_track_for_each_kind() -> None:
    trace = document([rank(0, PLAIN, (0.02, 0.06)), rank(1, PLAIN, (0.02, 0.06))], {"script": "train.py"})
    assert trace["otherData"] == {"script": "train.py"}
    events = trace["traceEvents"]
    assert {event["args"]["name"] for event in events if event["name"] == "process_name"} == {"rank 0", "rank 1"}
    named = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    spans = [event for event in events if event["ph"] == "X"]
    assert all(named[span["pid"], span["tid"]] == span["name"] for span in spans)
    assert min(span["ts"] for span in spans) == 0
    bucket = next(span for span in spans if span["name"] == EXCHANGE)
    assert bucket["args"] == {"step": 0, "bytes": 4000}
    assert bucket["dur"] == pytest.approx(40_000)


def test_buckets_that_are_under_way_together_have_a_track_each() -> None:
    spans = (Span(EXCHANGE, 0.0, 0.3), Span(EXCHANGE, 0.1, 0.4), Span(EXCHANGE, 0.35, 0.5))
    events = document([Rank(0, spans, (1.0, 2.0, 3.0), 0.0)], {})["traceEvents"]
    tracks = [event["tid"] for event in events if event["ph"] == "X"]
    first, second = KINDS.index(EXCHANGE), len(KINDS)
    assert [track - 1000 for track in tracks] == [first, second, first]


def test_spans_are_read_with_the_lines_of_the_script(tmp_path: Path) -> None:
    write(tmp_path, [Span(FORWARD, 1.0, 2.0, "train.py:30", 3)], 0.5)
    found = read(1, tmp_path, [2.5], {"train.py:30": "train.py:12"})
    assert (found.number, found.ends, found.own_seconds) == (1, (2.5,), 0.5)
    assert found.spans == (Span(FORWARD, 1.0, 2.0, "train.py:12", 3),)
