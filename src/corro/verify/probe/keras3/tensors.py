"""JAX's arrays as NumPy's, and batches as rows."""

from __future__ import annotations

from typing import Any

import jax
import keras
import numpy as np

from corro.verify.probe.fitting import arrays
from corro.verify.probe.fitting.arrays import Array


def array(value: Any) -> Array:
    """An array, a variable's or a number; of what several processes have together, the rows that this one has."""
    value = value.value if isinstance(value, keras.Variable) else value
    value = value.todense() if hasattr(value, "todense") else value
    if isinstance(value, jax.Array) and not (value.is_fully_addressable or value.is_fully_replicated):
        shards = {_first_row(each): each for each in value.addressable_shards}
        return np.concatenate([np.asarray(shards[row].data) for row in sorted(shards)])
    return np.asarray(value)


def rows(batch: Any) -> list[int]:
    """A checksum for each sample of a batch: of its inputs, targets and weight together, as JAX will take them."""
    return arrays.rows(_taken(array(each)) for each in keras.tree.flatten(batch) if each is not None)


def kept(batch: Any) -> Any:
    """A batch as arrays, to be written to a file, or joined."""
    return keras.tree.map_structure(lambda each: None if each is None else array(each), batch)


def joined(batches: list[Any], *, reverse: bool = False) -> Any:
    """Batches of the same structure, one after the other; each turned round if asked for."""

    def join(*parts: Any) -> Any:
        return None if parts[0] is None else jax.device_put(arrays.joined(parts, reverse=reverse))

    return keras.tree.map_structure(join, *batches)


def _taken(plain: Array) -> Array:
    """In the type that JAX has for it: without a distribution, batches are NumPy's until they are trained on."""
    return plain.astype(jax.dtypes.canonicalize_dtype(plain.dtype)) if plain.dtype.kind in "iuf" else plain


def _first_row(shard: Any) -> int:
    return int(shard.index[0].start or 0) if shard.index else 0
