"""What every rule for TensorFlow's training loops is given."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, cast

from corro.anatomy.kinds import Kind
from corro.anatomy.tapes import TapeAnatomy, Wanted
from corro.classes import dataclass
from corro.frontends.effects import EffectKind
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.gradients import computes
from corro.rules.keras import _job as keras
from corro.rules.reducing import ReducingJob
from corro.rules.tensorflow import _wholes
from corro.rules.tensorflow._replicas import Replicated, replicated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.facts import CallFact
    from corro.frontends.effects import Effect
    from corro.rules.reducing import Part
    from corro.targets.base import Code
    from corro.targets.keras._base import KerasTarget
    from corro.targets.tensorflow._base import TapeTarget
    from corro.targets.tensorflow._strategy import LoopStrategy

_SUMMARIES = "tensorflow.summary."


@dataclass(frozen=True, eq=False)
class Job(ReducingJob, keras.Job):
    """One script with training loops around gradient tapes."""

    anatomy: TapeAnatomy
    target: KerasTarget

    @property
    def sharing(self) -> TapeTarget | None:
        """The target, when every process trains on its own shard of the data and makes gradients whole."""
        return cast("TapeTarget | None", super().sharing)

    @property
    def strategy(self) -> LoopStrategy | None:
        """The target, when it runs each step on several replicas."""
        return cast("LoopStrategy", self.target) if self.sharing is None else None

    @cached_property
    def replicated(self) -> Replicated:
        """What the replicas of a strategy make, each with its shard of a batch."""
        return replicated(self)

    @cached_property
    def on_replicas(self) -> frozenset[ast.AST]:
        """What stands in the steps, and in the script's functions that run within them."""
        steps = self.replicated.steps
        functions = (node for step in steps for function in step.functions for node in ast.walk(function))
        return frozenset(functions).union(*(step.nodes for step in steps))

    def whole(self, parts: Sequence[Part]) -> Code:
        """With one collective for each value."""
        return _wholes.reduction(self, parts)

    def reports(self) -> Iterator[CallFact]:
        """TensorFlow's own summaries too, which write where a writer is the default."""
        yield from super().reports()
        yield from (f for f in self.calls if f.receiver is None and canonical(f.name).startswith(_SUMMARIES))

    @cached_property
    def trained_loops(self) -> frozenset[ast.AST]:
        """Loops over batches that gradients are computed in."""
        return frozenset(site.loop for site in self.anatomy.passes if site.trains)

    @cached_property
    def updates(self) -> tuple[CallFact, ...]:
        """The calls that compute gradients for variables, in each context."""
        nodes = {site.node for site in self.anatomy.gradients if site.wanted is not Wanted.DATA}
        return tuple(fact for fact in self.calls if computes(fact) and fact.node in nodes)

    @cached_property
    def first_update(self) -> CallFact | None:
        """The first of them."""
        return min(self.updates, key=lambda fact: fact.order, default=None)

    @property
    def shares(self) -> str:
        """An expression: into how many parts a batch is shared out."""
        if self.strategy is not None:
            return self.strategy.replicas
        return self.sharing.world_size if self.sharing is not None else "1"

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Without checkpoints whose path gets a name, which a rule of its own knows."""
        return tuple(effect for effect in super().effects if effect.node not in self.named_checkpoints)

    @cached_property
    def named_checkpoints(self) -> tuple[ast.Call, ...]:
        """Checkpoints that are saved in an assignment, to a name that is only shown."""
        return tuple(dict.fromkeys(e.node for e in super().effects if self._is_only_shown(e)))

    def _is_only_shown(self, effect: Effect) -> bool:
        statement = self.statement(effect.node)
        if not isinstance(statement, ast.Assign) or statement.value is not effect.node or len(statement.targets) > 1:
            return False
        name = statement.targets[0]
        receiver = effect.fact.receiver
        if not isinstance(name, ast.Name) or receiver is None or receiver.kind is not Kind.UNKNOWN:
            return False
        uses = [n for n in self.file_of(name).nodes.of(ast.Name) if n.id == name.id and n is not name]
        shown = {self.statement(e.node) for e in super().effects if e.kind in (EffectKind.PRINT, EffectKind.LOG)}
        return effect.kind is EffectKind.SAVE and all(self.statement(use) in shown for use in uses)
