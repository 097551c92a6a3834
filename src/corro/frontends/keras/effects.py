"""Recognise what Keras itself does to the outside world: models that are saved, summaries that are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.effects import Effect, EffectKind, effects
from corro.frontends.keras.data import BATCHED
from corro.frontends.keras.names import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact

_METHODS = {"save": EffectKind.SAVE, "save_weights": EffectKind.SAVE, "export": EffectKind.SAVE,
            "summary": EffectKind.PRINT}  # fmt: skip
_FUNCTIONS = {"keras.models.save_model": EffectKind.SAVE, "keras.utils.plot_model": EffectKind.SAVE,
              "keras.utils.vis_utils.plot_model": EffectKind.SAVE, "tensorflow.saved_model.save": EffectKind.SAVE,
              "keras.utils.save_img": EffectKind.SAVE, "keras.preprocessing.image.save_img": EffectKind.SAVE,
              "keras.models.save_weights": EffectKind.SAVE, "tensorflow.print": EffectKind.PRINT,
              "keras.utils.print_summary": EffectKind.PRINT, "tensorflow.io.gfile.rmtree": EffectKind.DELETE,
              "tensorflow.io.gfile.remove": EffectKind.DELETE, "tensorflow.io.gfile.rename": EffectKind.DELETE,
              "tensorflow.io.gfile.copy": EffectKind.DELETE, "tensorflow.io.write_file": EffectKind.SAVE,
              "tensorflow.io.gfile.mkdir": EffectKind.DIRECTORY,
              "tensorflow.io.write_graph": EffectKind.SAVE}  # fmt: skip
_READS = frozenset({"tensorflow.data.Dataset.list_files", "tensorflow.data.TextLineDataset",
                    "tensorflow.data.TFRecordDataset", "pandas.read_csv", "numpy.load", "open"})  # fmt: skip
_PLOTS = frozenset({"plot", "hist", "boxplot"})


def keras_effects(calls: Iterable[CallFact]) -> Iterator[Effect]:
    """The effects among some calls, in order."""
    for fact in calls:
        kind = _kind(fact)
        if kind is not None:
            yield Effect(kind, fact)
        else:
            yield from effects([fact])


_SAVING = {"keras.models.save_model": ("model", "filepath"), "tensorflow.saved_model.save": ("obj", "export_dir")}
"""Functions that save a model, and what their arguments are called."""


def saving_arguments(effect: Effect) -> tuple[str, ...]:
    """What the arguments of a call that saves a model are called, the path last; empty where it does something else."""
    receiver = effect.fact.receiver
    if effect.kind is not EffectKind.SAVE:
        return ()
    if receiver is None:
        return _SAVING.get(canonical(effect.fact.name), ())
    return ("filepath",) if receiver.kind is Kind.MODULE else ()


def reads_files(fact: CallFact) -> bool:
    """Whether a call reads samples from files, or asks what is on disk."""
    if fact.receiver is not None:
        return fact.name.startswith("flow_from") or "file system" in fact.result.tags
    name = canonical(fact.name)
    return name in BATCHED or name in _READS or "file system" in fact.result.tags


def _kind(fact: CallFact) -> EffectKind | None:
    receiver = fact.receiver
    if receiver is None:
        return _FUNCTIONS.get(canonical(fact.name))
    if receiver.kind is Kind.MODULE:
        return _METHODS.get(fact.name)
    if receiver.kind is Kind.TABLE:
        if fact.name == "to_excel":
            return EffectKind.SAVE
        if fact.name == "info":
            return EffectKind.PRINT
        return EffectKind.PLOT if fact.name in _PLOTS else None
    return None
