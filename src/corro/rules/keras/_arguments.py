"""Shared by the rules for Keras: read and change the arguments of ``fit``, ``compile`` and the like."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.source import Edit, Replace, add_keyword, parenthesised, replace_node

if TYPE_CHECKING:
    from corro.anatomy.fits import FitSite
    from corro.flow.values import Value
    from corro.rules.keras._job import Job

FIT = ("x", "y", "batch_size", "epochs", "verbose", "callbacks", "validation_split", "validation_data", "shuffle",
       "class_weight", "sample_weight", "initial_epoch", "steps_per_epoch", "validation_steps", "validation_batch_size",
       "validation_freq", "max_queue_size", "workers", "use_multiprocessing")  # fmt: skip
FIT_GENERATOR = ("generator", "steps_per_epoch", "epochs", "verbose", "callbacks", "validation_data",
                 "validation_steps", "validation_freq", "class_weight", "max_queue_size", "workers",
                 "use_multiprocessing", "shuffle", "initial_epoch")  # fmt: skip
EVALUATE = ("x", "y", "batch_size", "verbose", "sample_weight", "steps", "callbacks")
PREDICT = ("x", "batch_size", "verbose", "steps", "callbacks")
COMPILE = ("optimizer", "loss", "metrics", "loss_weights", "weighted_metrics")


@dataclass(frozen=True, eq=False)
class Given:
    """What a call is given, by position or by keyword.

    Args:
        job: the script.
        call: the call.
        names: its parameters in their order.
    """

    job: Job
    call: ast.Call
    names: tuple[str, ...]

    @classmethod
    def of_fit(cls, job: Job, site: FitSite) -> Given:
        """The arguments of a call of fit."""
        return cls(job, site.node, FIT_GENERATOR if site.old else FIT)

    @property
    def data(self) -> ast.expr | None:
        """What comes first, however it is called: what a model is fitted to, of a call of fit."""
        return self.node(self.names[0])

    @property
    def is_open(self) -> bool:
        """Whether arguments are given by ``*`` or ``**``, so that what is there is not known."""
        return any(isinstance(a, ast.Starred) for a in self.call.args) or any(k.arg is None for k in self.call.keywords)

    def keyword(self, name: str) -> ast.keyword | None:
        """The argument, if it is given by keyword."""
        return next((k for k in self.call.keywords if k.arg == name), None)

    def node(self, name: str) -> ast.expr | None:
        """The expression given for a parameter; ``None`` when it is absent or written as ``None``."""
        keyword = self.keyword(name)
        node = keyword.value if keyword is not None else None
        if node is None and name in self.names and self.names.index(name) < len(self.call.args):
            node = self.call.args[self.names.index(name)]
        return None if isinstance(node, ast.Constant) and node.value is None else node

    def value(self, name: str) -> Value | None:
        """What is known of an argument; ``None`` when it is absent."""
        node = self.node(name)
        return self.job.value(node) if node is not None else None

    def text(self, name: str) -> str | None:
        """The expression as text that can be part of a larger one."""
        node = self.node(name)
        return parenthesised(self.job.file_of(node), node) if node is not None else None

    def set(self, name: str, text: str) -> tuple[Edit, ...]:
        """Edits that give a parameter another value."""
        keyword = self.keyword(name)
        if keyword is not None:
            return replace_node(self.job.file_of(keyword.value), keyword.value, text)
        if name in self.names and self.names.index(name) < len(self.call.args):
            return replace_node(self.job.file_of(self.call), self.call.args[self.names.index(name)], text)
        return add_keyword(self.job.file_of(self.call), self.call, name, text)

    def turn(self, old: str, name: str, text: str) -> tuple[Edit, ...]:
        """Edits that put another argument in the place of one that is there."""
        keyword = self.keyword(old)
        if keyword is not None and self.keyword(name) is None:
            return (Replace(self.job.span(keyword), f"{name}={text}"),)
        return (*self.set(old, "None"), *self.set(name, text))
