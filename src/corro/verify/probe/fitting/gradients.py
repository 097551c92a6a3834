"""Gradients in scratch space: written by rank 0 and by a reference, read by whoever compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from corro.verify.probe.fitting.arrays import Array, norm
from corro.verify.probe.session import Session
from corro.verify.records import GRADIENTS, Difference, Record, Step


class Gradients:
    """The gradients of one process, and those that it is compared with."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept = 0
        self._others: dict[str, Record] = {}
        self._file = (session.folder / GRADIENTS).open("wb")
        session.at_end.append(self._file.close)

    def keep(self, step: Step, layout: list[int], flat: Iterable[Array]) -> None:
        """Write the own ones of rank 0, or of a reference that others are compared with, as far as there is space.

        Args:
            step: the step.
            layout: their sizes.
            flat: the gradients, made one by one where they are written.
        """
        step.layout = layout
        if self._session.record.rank or not self.has_room(layout):
            return
        step.offset, self._kept = self._kept, self._kept + sum(layout)
        for each in flat:
            self._file.write(each.tobytes())
        self._file.flush()

    def has_room(self, layout: Iterable[int]) -> bool:
        """Whether there is space for gradients of these sizes."""
        return self._kept + sum(layout) <= self._session.settings.kept

    def aligned(self, own: Sequence[Array], other: Sequence[Array]) -> tuple[Sequence[Array], Sequence[Array]]:
        """The gradients of two runs as they are compared."""
        return own, other

    def fit(self, own: Sequence[Array], other: Sequence[Array]) -> bool:
        """Whether gradients of another run may take the place of the own ones."""
        return [each.size for each in own] == [each.size for each in other]

    def imposed(self, own: Sequence[Array], number: int) -> tuple[list[Array] | None, Difference | None]:
        """In a reference, the recorded gradients that take the place of its own, and how far these were apart."""
        replay = self._session.replay
        recorded = replay.step(number) if replay is not None else None
        if replay is None or recorded is None or not replay.following.force:
            return None, None
        other = kept_gradients(replay.ranks[0], recorded)
        compared = self._compared(other, replay.following.compare_with, number)
        difference = None if compared is None else Difference.between(*self.aligned(own, compared), norm)
        return (other if other is not None and self.fit(own, other) else None), difference

    def _compared(self, other: list[Array] | None, folder: str, number: int) -> list[Array] | None:
        """Rank 0's gradient, or another record's where one is named."""
        if not folder:
            return other
        if folder not in self._others:
            self._others[folder] = Record.read(Path(folder))
        record = self._others[folder]
        return kept_gradients(record, record.steps[number]) if number < len(record.steps) else None


def kept_gradients(record: Record, step: Step) -> list[Array] | None:
    """The reduced gradients of a recorded step, flat, empty where a tensor has none; None when they were not kept."""
    if step.offset < 0:
        return None
    numbers = np.fromfile(
        Path(record.folder, GRADIENTS), dtype=np.float32, count=sum(step.layout), offset=4 * step.offset
    )
    return np.split(numbers, np.cumsum(step.layout)[:-1])


def note_precision(record: Record, spacing: float) -> None:
    """Note that numbers with this spacing near 1 take part."""
    record.epsilon = max(record.epsilon, spacing)
