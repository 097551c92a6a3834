"""A profile: what one process does in a step of training, measured or published. All times are seconds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from corro.classes import dataclass, replace
from corro.errors import UsageError

FORMAT = 1


@dataclass(frozen=True)
class Gradient:
    """What a layer's parameter gives to be exchanged.

    Args:
        name: of the parameter.
        bytes: of its gradient.
    """

    name: str
    bytes: int


@dataclass(frozen=True)
class Share:
    """What a process does with its share of a batch; medians over the measured steps.

    Args:
        batch: samples in its share.
        processes: how many processes it was one of; 1 also for what no engine was a part of.
        copies: so many did the same on the machine at the same time.
        forward: from the batch on until the backward pass.
        backward: of each gradient, from when the one before it was there; then what comes after the last.
        loading: the batch is waited for.
        optimizer: its step.
        other: the rest of a step.
        steps: each measured step as a whole.
        passes: what a pass over the data takes besides its steps, an evaluation above all; without checkpoints.
        checkpoint: what is saved, for each pass.
        messages: collectives of a step besides the gradients.
        message_bytes: of these together.
        engine: whether the engine's own work was a part of it.
    """

    batch: int
    forward: float
    backward: tuple[float, ...]
    processes: int = 1
    copies: int = 1
    loading: float = 0.0
    optimizer: float = 0.0
    other: float = 0.0
    steps: tuple[float, ...] = ()
    passes: float = 0.0
    checkpoint: float = 0.0
    messages: float = 0.0
    message_bytes: float = 0.0
    engine: bool = False

    @property
    def before(self) -> float:
        """From the end of the step before it to the backward pass."""
        return self.other + self.loading + self.forward

    @property
    def seconds(self) -> float:
        """The whole step, where nobody else is waited for."""
        return self.before + sum(self.backward) + self.optimizer


@dataclass(frozen=True)
class Exchange:
    """What an all-reduce between processes of this machine takes.

    Args:
        latency: as of a link, in seconds.
        bandwidth: likewise, in bytes a second.
        spread: by which part of itself a measured time is off, typically.
        cpu_latency: processor time of a process for each of the 2 (N - 1) messages of a ring, in seconds.
        cpu_per_byte: processor time for each byte that it sends, in seconds.
        copy_per_byte: likewise for each byte that is copied within memory.
    """

    latency: float
    bandwidth: float
    spread: float = 0.0
    cpu_latency: float = 0.0
    cpu_per_byte: float = 0.0
    copy_per_byte: float = 0.0


@dataclass(frozen=True)
class Profile:
    """What is known of a training.

    Args:
        name: of the script, or the model.
        gradients: in the order in which they are there.
        shares: of one process, and of several with less of a batch each.
        sources: where the numbers are from.
        samples: in a pass over the data; 0 where that is not known.
        epochs: how many passes there are; 0 where that is not known.
        buffer_bytes: what rank 0 sends to all in front of each forward pass.
        startup: from launch to the end of the first step.
        threads: of each process.
        cores: of the machine; 0 where the processes do not compete for them.
        device: ``cpu``, or the name of the accelerator.
        exchange: between processes of the machine, where it was measured.
        text: a checksum of the script.
    """

    name: str
    gradients: tuple[Gradient, ...]
    shares: tuple[Share, ...]
    sources: tuple[str, ...] = ()
    samples: int = 0
    epochs: int = 0
    buffer_bytes: int = 0
    startup: float = 0.0
    threads: int = 1
    cores: int = 0
    device: str = ""
    exchange: Exchange | None = None
    text: str = ""

    @property
    def alone(self) -> Share:
        """What one process does that has nobody to exchange with."""
        return next((each for each in self.shares if not each.engine and each.copies == 1), self.shares[0])

    @property
    def gradient_bytes(self) -> int:
        """Of all gradients."""
        return sum(each.bytes for each in self.gradients)

    def between(self, processes: int) -> float:
        """What so many processes do between two passes, evaluations above all: a + b / N, by what was measured."""
        known = [each for each in self.shares if each.engine] or list(self.shares)
        ends = [(1 / each.processes, each.passes) for each in (known[0], max(known, key=lambda own: own.processes))]
        (first, slow), (last, quick) = ends
        slope = (slow - quick) / (first - last) if first != last else 0.0
        return max(0.0, quick + slope * (1 / processes - last))

    def share(self, processes: int, batch: float, copies: int = 1) -> Share:
        """What each of several processes does with so many samples.

        As it was measured, where it was. Between two measured sizes all times are on a straight line, below the
        smallest on that of the two smallest; from one size alone nothing is known but that it cannot take longer for
        fewer samples.

        Args:
            processes: how many there are.
            batch: samples of each.
            copies: how many of them are on one machine.
        """
        known = self._beside(processes, copies)
        exact = [each for each in known if each.batch == batch]
        if exact:
            return min(exact, key=lambda each: abs(each.processes - processes))
        sizes = sorted({each.batch: each for each in known}.values(), key=lambda each: each.batch)
        if len(sizes) == 1:
            return _scaled(sizes[0], min(1.0, batch / sizes[0].batch), batch)
        at = next((n for n, each in enumerate(sizes[1:-1], 1) if batch < each.batch), len(sizes) - 1)
        return _between(sizes[at - 1], sizes[at], batch)

    def _beside(self, processes: int, copies: int) -> list[Share]:
        """The shares that are nearest to how so many processes work."""
        own = [each for each in self.shares if each.engine == (processes > 1)] or list(self.shares)
        nearest = min((each.copies for each in own), key=lambda each: abs(each - copies))
        return [each for each in own if each.copies == nearest]


def _scaled(share: Share, part: float, batch: float) -> Share:
    backward = tuple(each * part for each in share.backward)
    found = replace(
        share, batch=round(batch), forward=share.forward * part, backward=backward, loading=share.loading * part
    )
    return replace(found, steps=tuple(each * found.seconds / share.seconds for each in share.steps))


def _between(low: Share, high: Share, batch: float) -> Share:
    """On the straight line through two shares; fewer samples take no less than in proportion."""
    part = (batch - low.batch) / (high.batch - low.batch)

    def at(first: float, second: float) -> float:
        return max(first * min(1.0, batch / low.batch), first + part * (second - first))

    near = low if part < 0.5 else high
    found = replace(
        near,
        batch=round(batch),
        forward=at(low.forward, high.forward),
        backward=tuple(map(at, low.backward, high.backward)),
        loading=at(low.loading, high.loading),
        optimizer=at(low.optimizer, high.optimizer),
        other=at(low.other, high.other),
        passes=at(low.passes, high.passes),
        checkpoint=at(low.checkpoint, high.checkpoint),
    )
    return replace(found, steps=tuple(each * found.seconds / near.seconds for each in near.steps))


# ---------------------------------------------------------------------- as a file


def text_of(profile: Profile) -> str:
    """A profile as JSON, a line for each of its parts."""
    told = {"format": FORMAT, **asdict(profile)}
    told["gradients"] = [[each.name, each.bytes] for each in profile.gradients]
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {_lines(value)}" for key, value in told.items()) + "\n}\n"


def _lines(value: Any) -> str:
    if isinstance(value, (list, tuple)) and value and not isinstance(value[0], (int, float)):
        return "[\n" + ",\n".join(f"    {json.dumps(each, ensure_ascii=False)}" for each in value) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)


def read(path: Path) -> Profile:
    """Read a profile.

    Raises:
        UsageError: the file cannot be read, or is no profile.
    """
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return _of(told)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path} is no profile of a training ({error}).", advice="corro forecast SCRIPT writes one."
        ) from error


def _of(told: dict[str, Any]) -> Profile:
    if told.pop("format") != FORMAT:
        raise ValueError("another format")
    exchange = told.pop("exchange", None)
    gradients = tuple(Gradient(str(name), int(size)) for name, size in told.pop("gradients"))
    parts: dict[str, Any] = {
        "gradients": gradients,
        "shares": tuple(_share(each, len(gradients)) for each in told.pop("shares")),
        "sources": tuple(told.pop("sources", ())),
        "exchange": Exchange(**exchange) if exchange else None,
    }
    numbers = [value for key, value in told.items() if key not in {"name", "text", "device"}]
    if not parts["shares"] or not all(isinstance(each, (int, float)) and each >= 0 for each in numbers):
        raise ValueError("it has no shares, or a number that cannot be")
    return Profile(**parts, **told)


def _share(told: dict[str, Any], gradients: int) -> Share:
    backward, steps = tuple(map(float, told.pop("backward"))), tuple(map(float, told.pop("steps", ())))
    if len(backward) != gradients + 1:
        raise ValueError(f"{len(backward)} times of a backward pass with {gradients} gradients")
    share = Share(backward=backward, steps=steps, **told)
    if share.batch < 1 or share.seconds <= 0 or min(_times(share)) < 0:
        raise ValueError("a time or a batch that cannot be")
    return share


def _times(share: Share) -> Sequence[float]:
    return (share.forward, share.loading, share.optimizer, share.other, *share.backward, *share.steps)
