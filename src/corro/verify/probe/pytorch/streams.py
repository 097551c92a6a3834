"""Iterable data sets: what they give has no numbers, so samples are known by checksums, and batches are kept.

A reference is handed the batches of all processes, one behind the other, from the files that these left.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import dataloader

from corro.verify.probe.pytorch.loaders import Given, Training
from corro.verify.probe.pytorch.state import checksum
from corro.verify.probe.session import Session

_save = torch.save  # as it is before the script's own calls are watched


def install(session: Session, training: Training) -> None:
    """Watch loaders over iterable data sets."""
    next_batch = dataloader._BaseDataLoaderIter.__next__

    def give(self: Any) -> Any:
        batch = next_batch(self)
        opened = self.__dict__.get("_probe_pass")
        if opened is None or not opened.stream:
            return batch
        natural, given = rows(batch), self._probe_given - 1
        batch, parts = _replayed(session, len(session.record.passes) - 1, given, batch)
        if session.replay is None and session.settings.comparable:
            _keep(session, given, batch)
        training.fetched(self, Given(opened, natural, rows(batch), parts))
        return batch

    dataloader._BaseDataLoaderIter.__next__ = give


def _keep(session: Session, given: int, batch: Any) -> None:
    _save(batch, session.folder / f"batch.{len(session.record.passes) - 1}.{given}")


def _replayed(session: Session, number: int, given: int, natural: Any) -> tuple[Any, list[int]]:
    """In a reference, the batch that the processes had together."""
    replay = session.replay
    recorded = replay.recorded(number) if replay is not None else []
    if replay is None or not session.settings.comparable or not recorded or not recorded[0].training:
        return natural, []
    files = [Path(each.folder, f"batch.{number}.{given}") for each in replay.ranks]
    present = [torch.load(path, weights_only=False) for path in files if path.exists()]
    if not present:
        raise StopIteration
    return joined(present), [len(rows(each)) for each in present]


def rows(batch: Any) -> list[int]:
    """A checksum for each sample of a batch of tensors."""
    tensors = list(_tensors(batch))
    if not tensors:
        return [zlib.crc32(repr(batch).encode())]
    size = len(tensors[0])
    aligned = [tensor for tensor in tensors if tensor.dim() and len(tensor) == size]
    return [zlib.crc32(b"".join(checksum(tensor[row]).to_bytes(4, "big") for tensor in aligned)) for row in range(size)]


def joined(batches: list[Any]) -> Any:
    """Batches of the same structure, one behind the other."""
    first = batches[0]
    if isinstance(first, torch.Tensor):
        return torch.cat(batches)
    if isinstance(first, dict):
        return {key: joined([each[key] for each in batches]) for key in first}
    if isinstance(first, (list, tuple)):
        parts = [joined(list(each)) for each in zip(*batches, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    return first


def _tensors(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _tensors(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)
