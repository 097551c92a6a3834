"""What every rule for sessions of TensorFlow 1 is given."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement
from corro.anatomy.sessions import SessionAnatomy
from corro.classes import dataclass
from corro.flow.state import join_all
from corro.flow.values import Value
from corro.frontends.effects import Effect, EffectKind
from corro.frontends.tensorflow1.names import plain
from corro.frontends.tensorflow1.semantics import GRAPH_ITERATOR, MONITORED, SAVER
from corro.rules.keras import _job as keras
from corro.rules.tensorflow1._means import Means
from corro.targets.tensorflow1._base import SessionTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.sessions import RunSite
    from corro.flow.facts import CallFact

_EFFECTS = {
    "tensorflow.logging.set_verbosity": EffectKind.LOG,
    "tensorflow.train.write_graph": EffectKind.SAVE,
    "tensorflow.saved_model.simple_save": EffectKind.SAVE,
    "tensorflow.gfile.MakeDirs": EffectKind.DIRECTORY,
    "tensorflow.gfile.MkDir": EffectKind.DIRECTORY,
    "tensorflow.gfile.DeleteRecursively": EffectKind.DELETE,
    "tensorflow.gfile.Remove": EffectKind.DELETE,
}
_OLD = frozenset({"tensorflow.disable_v2_behavior", "tensorflow.disable_eager_execution",
                  "tensorflow.disable_resource_variables"})  # fmt: skip
_MAKES = frozenset({"make_one_shot_iterator", "make_initializable_iterator"})
_TAKES = _MAKES | {"get_next", "make_initializer", "string_handle"}
_LEVELS = frozenset({"info", "warn", "warning", "error", "debug", "fatal", "log"})


@dataclass(frozen=True, eq=False)
class Job(keras.Job):
    """One script that runs graphs in sessions."""

    anatomy: SessionAnatomy
    target: SessionTarget

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Those of TensorFlow 1 too, in order; without savers whose path gets a name, which a rule of its own knows."""
        own = [Effect(kind, fact) for fact in self.calls if (kind := _kind(fact)) is not None]
        found = sorted([*super().effects, *own], key=lambda effect: effect.fact.order)
        return tuple(effect for effect in found if effect.node not in self.named_checkpoints)

    @cached_property
    def named_checkpoints(self) -> tuple[ast.Call, ...]:
        """Calls of ``saver.save`` in an assignment to a name that is only shown."""
        found = dict.fromkeys(f.node for f in self.calls if is_saver(f) and f.name == "save")
        return tuple(node for node in found if self._is_only_shown(node))

    def _is_only_shown(self, node: ast.Call) -> bool:
        statement = self.statement(node)
        target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is node else None
        if not isinstance(target, ast.Name):
            return False
        uses = [n for n in self.file_of(node).nodes.of(ast.Name) if n.id == target.id and n is not target]
        shown = {self.statement(e.node) for e in super().effects if e.kind in (EffectKind.PRINT, EffectKind.LOG)}
        return all(self.statement(use) in shown for use in uses)

    @cached_property
    def heads(self) -> frozenset[ast.stmt]:
        """What makes TensorFlow 2 behave as its first version did."""
        found = (
            f.node
            for f in self.calls
            if f.receiver is None and plain(f.name) in _OLD and self.file_of(f.node) is self.script
        )
        return frozenset(self.statement(node) for node in found)

    @cached_property
    def calls_by_function(self) -> dict[ast.AST, tuple[ast.Call, ...]]:
        """The calls by which each function was reached."""
        found: dict[ast.AST, dict[ast.Call, None]] = {}
        for frame in (frame for fact in self.calls for frame in fact.context.frame.path()):
            if isinstance(frame.call, ast.Call):
                found.setdefault(frame.scope.node, {})[frame.call] = None
        return {function: tuple(calls) for function, calls in found.items()}

    @cached_property
    def means(self) -> Means:
        """The means and sums that are made in the graph."""
        return Means(self)

    def facts_of(self, site: RunSite) -> list[CallFact]:
        """The run in each of its contexts."""
        return self.calls_of(site.node)

    def is_monitored(self, fact: CallFact) -> bool:
        """Whether a run is one of a monitored session, whose graph is finished."""
        return fact.receiver is not None and fact.receiver.name == MONITORED

    def part(self, site: RunSite, node: ast.expr) -> Value:
        """What is known of a part of the graph that is fetched or fed, also by its name; of a list, of its items."""
        text = named(node)
        if text is None:
            value = self.value(node)
            value = self.facts.elements.get(node, value) if value.kind is Kind.LIST else value
            return value if value.kind is not Kind.TEXT else Value(placement=Placement(Form.UNKNOWN))
        made = [fact.result for call in site.named.get(text, ()) for fact in self.calls_of(call)]
        return join_all(made) if made else Value()

    @cached_property
    def iterates(self) -> bool:
        """Whether the graph takes its batches from an iterator: every run may take one, and has a part of it."""
        return any(uses_iterator(fact) for fact in self.calls)

    def of_parts(self) -> Iterator[RunSite]:
        """The runs that each process makes of a part of a batch."""
        return (site for site in self.anatomy.runs if site.trains or self.iterates)

    def steps(self) -> Iterator[RunSite]:
        """The runs that make a training step, and that each process feeds with its shard of the batch."""
        return (site for site in self.anatomy.runs if site.trains)


def named(node: ast.AST) -> str | None:
    """The name by which a part of the graph is fetched or fed."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def uses_iterator(fact: CallFact) -> bool:
    """Whether a call makes an iterator of a pipeline, or takes a batch from one."""
    if fact.receiver is None:
        module, _, last = plain(fact.name).rpartition(".")
        return (module == "tensorflow.data" and last in _TAKES) or module.startswith("tensorflow.data.Iterator")
    of_data = (
        fact.receiver.kind is Kind.DATASET or fact.receiver.name == GRAPH_ITERATOR or "iterator" in fact.receiver.name
    )
    return fact.name in _MAKES or (of_data and fact.name in _TAKES)


def is_saver(fact: CallFact) -> bool:
    """Whether a call is a method of a ``tf.train.Saver``."""
    return fact.receiver is not None and fact.receiver.name == SAVER


def _kind(fact: CallFact) -> EffectKind | None:
    if fact.receiver is not None:
        return None
    name = plain(fact.name)
    if name.startswith("tensorflow.logging.") and name.rpartition(".")[2] in _LEVELS:
        return EffectKind.LOG
    return _EFFECTS.get(name)
