"""What every rule for Keras is given."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, cast

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.frontends.keras.effects import keras_effects, reads_files, saving_arguments
from corro.frontends.keras.names import PACKAGES
from corro.frontends.keras.presence import chosen_backend, only_keras_3, uses_tensorflow
from corro.rules import base
from corro.targets.base import Batches

if TYPE_CHECKING:
    from corro.anatomy.fits import Anatomy
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.frontends.effects import Effect
    from corro.targets.keras._base import KerasTarget, SharingTarget

_SETTINGS = ("warnings.", "sys.", "os.path.", "os.environ.", "os.getenv", "logging.", "argparse.", "matplotlib.",
             "seaborn.set", "numpy.set_printoptions", "pandas.set_option", "float", "int", "str", "len", "range",
             "dict", "list", "tuple", "set", "sorted", "zip")  # fmt: skip
"""How functions begin that set something up in Python alone, or compute with what is there."""


@dataclass(frozen=True, eq=False)
class Job(base.Job):
    """One script that trains with ``fit``."""

    anatomy: Anatomy
    target: KerasTarget

    @property
    def sharing(self) -> SharingTarget | None:
        """The target, when every process trains on its own shard of the data."""
        shared = self.target.batches is Batches.SHARED_BY_PROGRAM
        return cast("SharingTarget", self.target) if shared else None

    def takes(self, target: type[KerasTarget]) -> bool:
        """Whether a target can do with the script's version of Keras, and with the backend that it needs."""
        if (target.needs_keras_2 and only_keras_3(self.files)) or (
            target.needs_keras_3 and self.target.flavour != "keras"
        ):
            return False
        bound = "tensorflow" if uses_tensorflow(self.files) is not None else target.backend
        return target.backend == (chosen_backend(self.files) or bound)

    @property
    def updates(self) -> tuple[CallFact, ...]:
        """The calls that compute gradients for variables beside ``fit``, in each context."""
        return ()

    @property
    def on_replicas(self) -> frozenset[ast.AST]:
        """What stands in the steps that each replica of a strategy makes, as far as the script writes them itself."""
        return frozenset()

    @property
    def named_checkpoints(self) -> tuple[ast.Call, ...]:
        """Checkpoints that are saved in an assignment, to a name that is only shown."""
        return ()

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """What the script does to the outside world, Keras' own effects included; a callback's lambdas aside."""
        found = (e for e in keras_effects(self.calls) if not self.callback_of(e.node))
        return tuple(effect for effect in found if not (self.target.saves_together and saving_arguments(effect)))

    @property
    def trained_loops(self) -> frozenset[ast.AST]:
        """Loops over batches that train, beside ``fit``."""
        return frozenset()

    def callback_of(self, node: ast.AST) -> ast.Call | None:
        """The callback that is made with a lambda around a node."""
        for above in self.ancestors(node):
            if isinstance(above, ast.Lambda):
                holder = self.parent(above)
                call = self.parent(holder) if isinstance(holder, ast.keyword) else holder
                if isinstance(call, ast.Call) and self.value(call).kind is Kind.CALLBACK:
                    return call
        return None

    @cached_property
    def saying_callbacks(self) -> frozenset[int]:
        """Numbers of the callbacks whose lambdas print or write, and that therefore belong to rank 0."""
        calls = {self.callback_of(e.node) for e in keras_effects(self.calls)}
        return frozenset(self.facts.number(call) for call in calls if call is not None)

    def is_read_later(self, effect: Effect) -> bool:
        """Folders of samples, and what reads files by name."""
        return any(f.order > effect.fact.order and reads_files(f) for f in self.calls)

    @property
    def packages(self) -> tuple[str, ...]:
        """Those that Keras is imported from."""
        return PACKAGES

    @cached_property
    def joining(self) -> frozenset[ast.AST]:
        """Any call but settings: data may be fetched, shared out or waited for where one is made."""
        return frozenset(f.node for f in self.calls if f.receiver is not None or not f.name.startswith(_SETTINGS))

    @cached_property
    def losses(self) -> tuple[tuple[ast.Call, Value], ...]:
        """What models are compiled with, each loss with the call of ``compile`` that is given it."""
        calls = ((call, fact) for call in self.anatomy.compiles for fact in self.calls_of(call))
        return tuple((call, value) for call, fact in calls for value in fact.result.items)

    @cached_property
    def first_fit(self) -> CallFact | None:
        """The first call that trains."""
        nodes = {site.node for site in self.anatomy.fits}
        return min((f for f in self.calls if f.node in nodes), key=lambda f: f.order, default=None)
