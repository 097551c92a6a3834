"""Tensors as bits and numbers, and batches as rows: what is known of them in records."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import tensorflow as tf


def array(value: Any) -> np.ndarray[Any, Any]:
    """A tensor, variable or number as an array; sparse ones made dense."""
    if isinstance(value, tf.IndexedSlices):
        value = tf.convert_to_tensor(value)
    elif isinstance(value, tf.SparseTensor):
        value = tf.sparse.to_dense(value)
    elif isinstance(value, tf.RaggedTensor):
        value = value.to_tensor()
    return np.asarray(value.numpy() if hasattr(value, "numpy") else value)


def checksum(value: Any) -> int:
    """A checksum of the bits; never 0."""
    return zlib.crc32(_bytes(array(value))) or 1


def norm(value: Any) -> float:
    """The Euclidean norm, in double precision."""
    plain = array(value)
    return float(np.linalg.norm(plain.astype(np.float64).ravel())) if plain.dtype.kind != "O" else 0.0


def rows(batch: Any) -> list[int]:
    """A checksum for each sample of a batch: of its inputs, targets and weight together."""
    arrays = [array(each) for each in tf.nest.flatten(batch) if each is not None]
    sized = [each for each in arrays if each.ndim]
    size = len(sized[0]) if sized else 0
    aligned = [each for each in sized if len(each) == size]
    return [zlib.crc32(b"".join(_bytes(each[row]) + b"|" for each in aligned)) for row in range(size)]


def replicas(batch: Any) -> list[Any]:
    """The parts of a batch on the devices of this process; one where no strategy shares it out."""
    flat = [_local(each) for each in tf.nest.flatten(batch)]
    return [tf.nest.pack_sequence_as(batch, list(parts)) for parts in zip(*flat, strict=True)]


def _local(value: Any) -> tuple[Any, ...]:
    """What a value is on the devices of this process, also outside of the scope of its strategy."""
    if isinstance(value, tf.distribute.DistributedValues):
        return tuple(value.values)
    return tuple(tf.distribute.get_strategy().experimental_local_results(value))


def kept(batch: Any) -> Any:
    """A batch as arrays, to be written to a file, or joined."""
    return tf.nest.map_structure(lambda each: None if each is None else array(each), batch)


def joined(batches: list[Any], *, reverse: bool = False) -> Any:
    """Batches of the same structure, one behind the other; each turned round if asked for."""

    def join(*parts: Any) -> Any:
        if parts[0] is None:
            return None
        return tf.constant(np.concatenate([part[::-1] if reverse else part for part in parts]))

    return tf.nest.map_structure(join, *batches)


def _bytes(plain: np.ndarray[Any, Any]) -> bytes:
    if plain.dtype.kind == "O":
        return b"|".join(each if isinstance(each, bytes) else repr(each).encode() for each in plain.ravel())
    return np.ascontiguousarray(plain).tobytes()
