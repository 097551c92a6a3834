"""The sites of a script that computes gradients itself, with TensorFlow's tape."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from corro.anatomy import fits
from corro.anatomy.sites import Passes
from corro.classes import dataclass

if TYPE_CHECKING:
    import ast


class Wanted(Enum):
    """What gradients are computed for: ``VARIABLES`` (a flat list of them, or ``ONE``), ``DATA``, or ``UNKNOWN``."""

    VARIABLES = "variables"
    ONE = "one variable"
    DATA = "data"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class GradientSite:
    """A call that computes gradients: ``tape.gradient(loss, variables)``."""

    node: ast.Call
    wanted: Wanted


@dataclass(frozen=True, eq=False)
class TapeAnatomy(Passes, fits.Anatomy):
    """All sites of a script with training loops of TensorFlow.

    Args:
        gradients: the calls that compute gradients.
    """

    gradients: tuple[GradientSite, ...]
