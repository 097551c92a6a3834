"""Iterable data sets: what they give has no numbers, so samples are known by checksums, and batches are kept.

A reference is handed the batches of all processes, one after the other, from the files that these left.
"""

from __future__ import annotations

from typing import Any

from torch.utils.data import dataloader

from corro.verify.probe.pytorch.loaders import Given, Training
from corro.verify.probe.session import Session


def install(session: Session, training: Training) -> None:
    """Watch loaders over iterable data sets."""
    next_batch = dataloader._BaseDataLoaderIter.__next__

    def give(self: Any) -> Any:
        batch = next_batch(self)
        opened = self.__dict__.get("_probe_pass")
        if opened is None or not opened.stream:
            return batch
        natural, number = training.rows(batch), len(session.record.passes) - 1
        batch, parts = training.exchanged(number, self._probe_given - 1, batch, [batch])
        if parts == []:
            raise StopIteration
        training.fetched(self, Given(opened, natural, training.rows(batch), parts or []))
        return batch

    dataloader._BaseDataLoaderIter.__next__ = give
