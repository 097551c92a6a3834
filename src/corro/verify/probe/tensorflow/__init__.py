"""TensorFlow's own loops, with gradient tapes: optimizers and layers are Keras', and so are the hooks."""

from __future__ import annotations

from corro.verify.probe.keras import install

__all__ = ["install"]
