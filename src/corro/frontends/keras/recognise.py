"""Fill the anatomy of a Keras script from the facts of the analysis. Recognises; never edits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.fits import Anatomy, FitData, FitSite
from corro.anatomy.kinds import Kind
from corro.frontends.keras.data import SYMBOLIC
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import applies
from corro.frontends.keras.stepping import FitSemantics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts
    from corro.flow.semantics import Semantics
    from corro.flow.values import Value

_FITS = frozenset({"fit", "fit_generator"})
_USES = frozenset({"fit", "fit_generator", "evaluate", "predict", "train_on_batch", "test_on_batch",
                   "predict_on_batch", "evaluate_generator", "predict_generator", "predict_classes"})  # fmt: skip
_BUILDING = frozenset({"compile", "add", "build"})
_ROWS = frozenset({Kind.TENSOR, Kind.TABLE, Kind.LIST, Kind.DICT, Kind.TUPLE, Kind.NUMBER})
GENERATORS = frozenset({"generator", "zip"})
"""Iterators that may yield batches."""
_TAPE = "tensorflow.GradientTape"
_SESSIONS = frozenset({"tensorflow.Session", "tensorflow.compat.v1.Session",
                       "tensorflow.train.MonitoredTrainingSession",
                       "tensorflow.compat.v1.train.MonitoredTrainingSession",
                       "tensorflow.InteractiveSession", "tensorflow.compat.v1.InteractiveSession"})  # fmt: skip
_ESTIMATORS = ("tensorflow.estimator.", "tensorflow.contrib.learn.", "tensorflow.compat.v1.estimator.",
               "keras.estimator.")  # fmt: skip


def semantics() -> FitSemantics:
    """What calls of Keras mean."""
    return FitSemantics()


def again(semantics: Semantics, facts: Facts) -> Semantics | None:
    """One interpretation is enough."""
    return None


def recognise(facts: Facts, *, apart: bool = True) -> Anatomy:
    """The anatomy of the script, which is the same for all targets."""
    calls = list(facts.calls)
    fits: dict[ast.AST, FitSite] = {}
    for fact in calls:
        if is_fit(fact):
            data = _fit_data(fact, facts)
            known = fits.get(fact.node)
            if known is not None and known.data is not data:
                data = FitData.UNKNOWN
            fits[fact.node] = FitSite(fact.node, data, fact.name == "fit_generator")
    return Anatomy(
        fits=tuple(fits.values()),
        compiles=_nodes(f for f in calls if _on_model(f) and f.name == "compile"),
        others=_nodes(f for f in calls if _on_model(f) and f.name == "train_on_batch"),
        loops=tuple(_loops(calls, fitted=bool(fits))),
        builds=frozenset(f.node for f in calls if _builds(f)),
        uses=frozenset(f.node for f in calls if _on_model(f) and f.name in _USES),
    )


def is_fit(fact: CallFact) -> bool:
    """Whether a call trains a model."""
    return _on_model(fact) and fact.name in _FITS


def _nodes(facts: Iterator[CallFact]) -> tuple[ast.Call, ...]:
    return tuple(dict.fromkeys(fact.node for fact in facts))


def _on_model(fact: CallFact) -> bool:
    return fact.receiver is not None and fact.receiver.kind is Kind.MODULE


def _fit_data(fact: CallFact, facts: Facts) -> FitData:
    data = fact.argument(0, "generator" if fact.name == "fit_generator" else "x")
    targets = fact.argument(1, "y") if fact.name == "fit" else None
    if data is None or isinstance(facts.made.get(data.obj), ast.GeneratorExp):
        return FitData.UNKNOWN
    if data.kind is Kind.DATASET:
        return FitData.PIPELINE
    if data.kind is Kind.LOADER or (data.kind is Kind.ITERATOR and data.name in GENERATORS):
        return FitData.BATCHES
    given = targets is not None and targets.kind is not Kind.NONE
    return FitData.ARRAYS if given or data.kind in _ROWS else FitData.UNKNOWN


def _loops(calls: list[CallFact], *, fitted: bool) -> Iterator[ast.AST]:
    """Training written by hand. A tape whose gradients nothing applies trains nothing: every process looks at them."""
    applied = any(applies(fact.name.rpartition(".")[2]) and not in_step(fact) for fact in calls)
    for fact in calls:
        name = canonical(fact.name)
        trains = name == _TAPE and applied
        trains |= name in _SESSIONS and not fitted  # else made to set options of Keras' own
        if (trains or name.startswith(_ESTIMATORS)) and not in_step(fact):
            yield fact.node


def in_step(fact: CallFact) -> bool:
    """Whether a call is made in a model's own ``train_step``, which ``fit`` calls."""
    steps = (frame for frame in fact.context.frame.path() if getattr(frame.scope.node, "name", "") == "train_step")
    called = (step.call.func for step in steps if step.call is not None)
    return any(isinstance(function, ast.Attribute) and function.attr in _FITS for function in called)


def in_layer(fact: CallFact) -> bool:
    """Whether a call is made in the ``call`` of a layer or model of the script's own, which runs in training."""
    return any(getattr(frame.scope.node, "name", "") == "call" for frame in fact.context.frame.path()[1:])


def _builds(fact: CallFact) -> bool:
    """Whether a call makes variables, or belongs to the making of a model."""
    kind = fact.result.kind
    made = fact.result.sites and kind in (Kind.MODULE, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.SCHEDULER)
    if fact.receiver is None:
        return bool(made) or _is_symbolic(fact.result)
    if _on_model(fact):
        return fact.name in _BUILDING or (not fact.name and _is_symbolic(fact.result))
    return fact.receiver.kind is Kind.LAYER and not fact.name and _is_symbolic(fact.result)


def _is_symbolic(value: Value) -> bool:
    return SYMBOLIC in value.tags
