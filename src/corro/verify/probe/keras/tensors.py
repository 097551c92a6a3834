"""Tensors as bits and numbers, and batches as rows: what is known of them in records."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from corro.verify.probe.fitting import arrays
from corro.verify.probe.fitting.arrays import Array


def array(value: Any) -> Array:
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
    return arrays.checksum(array(value))


def norm(value: Any) -> float:
    """The Euclidean norm, in double precision."""
    return arrays.norm(array(value))


def rows(batch: Any) -> list[int]:
    """A checksum for each sample of a batch: of its inputs, targets and weight together."""
    return arrays.rows(array(each) for each in tf.nest.flatten(batch) if each is not None)


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
    """Batches of the same structure, one after the other; each turned round if asked for."""

    def join(*parts: Any) -> Any:
        return None if parts[0] is None else tf.constant(arrays.joined(parts, reverse=reverse))

    return tf.nest.map_structure(join, *batches)
