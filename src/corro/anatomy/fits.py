"""The sites of a script that trains with ``fit``: what was recognised, and how it is tied together."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from corro.classes import dataclass

if TYPE_CHECKING:
    import ast


class FitData(Enum):
    """What a model is fitted to.

    ``ARRAYS``: anything with rows, or lists and dicts of such. ``PIPELINE``: a ``tf.data.Dataset``. ``BATCHES``: an
    object that makes batches itself. ``UNKNOWN``: none of these for sure.
    """

    ARRAYS = "arrays"
    PIPELINE = "pipeline"
    BATCHES = "batches"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class FitSite:
    """A call that trains a model: ``model.fit(...)``.

    Args:
        node: the call.
        data: what kind of data it is given.
        old: spelt ``fit_generator``, whose arguments stand in another order.
    """

    node: ast.Call
    data: FitData
    old: bool = False


@dataclass(frozen=True, eq=False)
class Anatomy:
    """All sites of a script that trains with ``fit``.

    Args:
        fits: the calls that train.
        compiles: the calls that give a model its optimizer.
        others: calls that train in another way: ``train_on_batch``.
        loops: places of training loops written by hand: gradient tapes, sessions, estimators.
        builds: calls that make variables: models, layers, optimizers, metrics, and ``compile``.
        uses: calls that run a model: ``fit``, ``evaluate``, ``predict``.
    """

    fits: tuple[FitSite, ...]
    compiles: tuple[ast.Call, ...]
    others: tuple[ast.Call, ...]
    loops: tuple[ast.AST, ...]
    builds: frozenset[ast.Call]
    uses: frozenset[ast.Call]
