"""Profiles: as files, and what they say of shares that were not measured."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corro.classes import replace
from corro.errors import UsageError
from corro.forecast.profile import Exchange, Gradient, Profile, Share, read, text_of

GRADIENTS = (Gradient("head.weight", 4000), Gradient("body.weight", 80_000))
WHOLE = Share(batch=64, forward=0.064, backward=(0.032, 0.064, 0.0), optimizer=0.01, other=0.002, steps=(0.172, 0.18))


def share(batch: int, processes: int, copies: int = 1) -> Share:
    """0.5 ms a sample forward, 1 ms of it backward, and 8 ms that hang on nothing."""
    backward = (0.0005 * batch, 0.0005 * batch, 0.001)
    taken = Share(batch, 0.0005 * batch + 0.003, backward, processes, copies, optimizer=0.004, engine=True)
    return replace(taken, steps=(taken.seconds,))


PROFILE = Profile("train.py", GRADIENTS, (WHOLE, share(64, 1), share(32, 2), share(16, 4)), samples=1000)

POSITIVE = st.floats(1e-6, 1e3)


@given(st.lists(POSITIVE, min_size=3, max_size=3), POSITIVE, st.lists(POSITIVE, max_size=5), st.integers(1, 10**6))
def test_a_profile_is_read_as_it_was_written(
    backward: list[float], forward: float, steps: list[float], batch: int
) -> None:
    own = Share(batch, forward, tuple(backward), steps=tuple(steps), engine=True)
    profile = replace(PROFILE, shares=(own, WHOLE), sources=("a book",), exchange=Exchange(1e-4, 1e9, 0.1, 1e-5, 1e-9))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "profile.json")
        file.write_text(text_of(profile), encoding="utf-8")
        assert read(file) == profile


def changed(**parts: object) -> str:
    return json.dumps(json.loads(text_of(PROFILE)) | parts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "1",
        "{}",
        "not JSON",
        changed(format=2),
        changed(shares=[]),
        changed(shares=[{"batch": 1}]),
        changed(gradients=[["one", 4]]),
        changed(gradients=[4]),
        changed(samples=-1),
        changed(epochs="many"),
        changed(unknown=1),
        changed(shares=[{"batch": 0, "forward": 1, "backward": [1, 1, 1]}]),
        changed(shares=[{"batch": 1, "forward": -1, "backward": [1, 1, 1]}]),
        changed(shares=[{"batch": 1, "forward": "x", "backward": [1, 1, 1]}]),
        changed(exchange={"latency": 1}),
    ],
)
def test_what_is_no_profile(text: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="is no profile of a training"):
        read(tmp_path / "bad.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read(tmp_path / "none.json")


def test_the_lines_of_the_file_are_few() -> None:
    assert text_of(PROFILE).count("\n") < 40


def test_a_share_that_was_measured() -> None:
    assert PROFILE.share(2, 32) == share(32, 2)
    assert PROFILE.share(1, 64) == WHOLE


@pytest.mark.parametrize("batch", [48, 24, 20])
def test_a_share_between_two_is_on_their_line(batch: int) -> None:
    found, known = PROFILE.share(3, batch), share(batch, 3)
    assert found.seconds == pytest.approx(known.seconds)
    assert found.backward == pytest.approx(known.backward)
    assert found.steps == pytest.approx((known.seconds,))


def test_a_smaller_share_is_on_the_line_of_the_smallest_two() -> None:
    assert PROFILE.share(16, 4).seconds == pytest.approx(share(4, 16).seconds)


def test_fewer_samples_take_no_less_than_in_proportion() -> None:
    """Where the machine was slow meanwhile, the line would go below zero."""
    odd = replace(PROFILE, shares=(WHOLE, share(64, 1), replace(share(32, 2), forward=0.001, steps=(0.03,))))
    assert odd.share(16, 4).forward == pytest.approx(0.000125)


def test_of_one_size_alone() -> None:
    alone = replace(PROFILE, shares=(WHOLE,))
    assert alone.share(2, 32).forward == pytest.approx(WHOLE.forward / 2)
    assert alone.share(2, 32).optimizer == WHOLE.optimizer
    assert alone.share(512, 64) == WHOLE


def test_as_many_at_once_as_there_are_on_a_machine() -> None:
    crowded = replace(PROFILE, shares=(*PROFILE.shares, share(32, 2, copies=2)))
    assert crowded.share(2, 32, copies=2).copies == 2
    assert crowded.share(2, 32, copies=1).copies == 1
    assert crowded.share(4, 16, copies=4).copies == 2


def test_between_passes_there_is_less_to_do_for_each_of_several() -> None:
    """0.1 s that all have to do, and 0.8 s that are shared out."""
    shares = (WHOLE, *(replace(share(64 // n, n), passes=0.1 + 0.8 / n) for n in (1, 2, 4)))
    profile = replace(PROFILE, shares=shares)
    assert profile.between(1) == pytest.approx(0.9)
    assert profile.between(8) == pytest.approx(0.2)
