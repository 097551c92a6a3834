"""Batches of tensors, whatever holds them: their samples by checksums, and several put together."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import Any

import torch

from corro.verify.probe.pytorch.state import checksum

_save = torch.save  # as it is before the script's own calls are watched


def packed(batch: Any) -> bytes:
    """A batch as bytes."""
    file = io.BytesIO()
    _save(batch, file)
    return file.getvalue()


def unpacked(content: bytes) -> Any:
    """The batch that was packed."""
    return torch.load(io.BytesIO(content), weights_only=False)


def rows(batch: Any) -> list[int]:
    """A checksum for each sample of a batch of tensors."""
    found = list(tensors(batch))
    if not found:
        return [zlib.crc32(repr(batch).encode())]
    size = len(found[0])
    aligned = [tensor for tensor in found if tensor.dim() and len(tensor) == size]
    return [zlib.crc32(b"".join(checksum(tensor[row]).to_bytes(4, "big") for tensor in aligned)) for row in range(size)]


def joined(batches: list[Any]) -> Any:
    """Batches of the same structure, one after the other."""
    first = batches[0]
    if isinstance(first, torch.Tensor):
        return torch.cat(batches)
    if isinstance(first, dict):
        return {key: joined([each[key] for each in batches]) for key in first}
    if isinstance(first, (list, tuple)):
        parts = [joined(list(each)) for each in zip(*batches, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    return first


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors in a batch, in the order in which it has them."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors(each)
