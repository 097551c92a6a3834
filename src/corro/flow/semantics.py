"""The protocol through which a frontend tells the interpreter what its framework's calls mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from corro.classes import dataclass, field

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterable

    from corro.anatomy.kinds import Kind
    from corro.anatomy.observations import Observation
    from corro.anatomy.placement import Placement
    from corro.flow.facts import Loop
    from corro.flow.state import Flow
    from corro.flow.values import Value


@dataclass(frozen=True, eq=False)
class Call:
    """A call about to be given a meaning."""

    node: ast.Call
    args: tuple[Value, ...]
    keywords: dict[str, Value] = field(default_factory=dict)

    def argument(self, position: int, keyword: str) -> Value | None:
        """The value of an argument that may be given by position or by keyword."""
        if keyword in self.keywords:
            return self.keywords[keyword]
        return self.args[position] if position < len(self.args) else None

    @property
    def values(self) -> tuple[Value, ...]:
        """All arguments."""
        return (*self.args, *self.keywords.values())


@dataclass(frozen=True)
class Iteration:
    """What a loop over a value does: the element, and the loaders it passes over."""

    element: Value
    loaders: frozenset[int] = frozenset()


class BatchSources(Protocol):
    """Where batches come from that no loop hands out: ``next()``, a cut of an array, a function of the script's own."""

    @property
    def nodes(self) -> Collection[ast.AST]:
        """The expressions that give batches, and the loops in whose bodies they stand."""

    def batch(self, flow: Flow, node: ast.expr, value: Value) -> Value:
        """What one of these expressions gives, where ``value`` is what it would be taken for otherwise."""

    def passed(self, flow: Flow, loop: ast.stmt) -> Iteration | None:
        """What one of these loops passes over, and its loaders; ``None`` where that is said by its head."""

    def are_alike(self, flow: Flow) -> bool:
        """Whether all processes draw the same random numbers here, because they make the same batches."""


class Semantics(Protocol):
    """What calls, attributes and loops of a framework mean. ``None`` says: not mine."""

    kept_tags: frozenset[str]
    """Tags that arithmetic hands on."""

    lasting_tags: frozenset[str]
    """Tags that a tensor keeps when it is changed in place."""

    weight_tags: frozenset[str]
    """Tags of what is trained."""

    picked_tags: frozenset[str]
    """Tags of parts of a batch that hold another number of samples than the batch, each process its own."""

    mends: bool
    """Whether rules reduce what a condition in a loop is computed from, so that it is equal on all ranks."""

    hands_on: bool
    """Whether a loop over a generator that gives the batches of a loader is a pass over the loader."""

    tells_apart: bool
    """Whether flags that a function is given, and names that a loop goes over, decide conditions outside of passes."""

    batch_sources: BatchSources | None
    """``None`` where loops hand all batches out."""

    assumed: frozenset[ast.AST]
    """The expressions of which more is taken to hold than the text shows."""

    pooled: frozenset[ast.AST]
    """The sums and means over a batch that are reduced in front of the statements that they are in."""

    of_machine: tuple[str, ...]
    """How names of the framework begin that tell of the machine: whether it has a GPU."""

    def reads_like(self, other: Semantics) -> bool:
        """Whether a script is read with both alike, whatever else the frontend has noted in them for itself."""

    def reads_alike(self, other: Semantics, visited: Collection[ast.AST]) -> bool:
        """Whether some statements and expressions, and the functions that they call, are read with both alike."""

    def prepares(self, flow: Flow, loop: Loop) -> bool:
        """Whether a loop that is running ends before training: all processes draw the same numbers in it."""

    def runs_model(self, flow: Flow) -> bool:
        """Whether a model's own method is running: which of its parameters it uses is looked at by the frontend."""

    def assume(self, flow: Flow, value: Value) -> Value:
        """What one of them gives, where ``value`` is what is known of it."""

    def observed(self, flow: Flow, node: ast.expr, seen: Observation) -> tuple[Value, Collection[str]] | None:
        """An object of a library's class that a run has shown, and by which of its attributes it is known."""

    reduced: frozenset[ast.AST]
    """The expressions in whose place a rule writes what is computed over all processes."""

    def reduce(self, flow: Flow, node: ast.expr, value: Value) -> Value:
        """What one of them gives then, where ``value`` is what a process computes of its shard."""

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling the library function ``name``."""

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""

    def changes(
        self, receiver: Value | None, name: str, call: Call, result: Value
    ) -> Iterable[tuple[ast.expr, Placement]]:
        """The arrays that a library function or method, which gave ``result``, changes in place.

        Each with the placement of what it holds then.
        """

    def shows(self, method: str) -> bool:
        """Whether what a method of an array gives shows the array itself, so that a change of one is seen in both."""

    def invoke(self, flow: Flow, receiver: Value, call: Call) -> Value | None:
        """The result of calling a value that is no function: a module, a loss."""

    def attribute(self, flow: Flow, owner: Value, name: str) -> Value | None:
        """An attribute of a value."""

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""

    def unread(self, flow: Flow, call: Call, given: Iterable[Value]) -> Value | None:
        """What a call gives of which nothing is known; ``None`` where it may depend in any way on what it is given."""

    def product(self, left: Value, right: Value) -> Value | None:
        """A product of matrices, ``left @ right``; ``None`` where it is like other arithmetic."""

    def part(self, flow: Flow, owner: Value, position: int) -> Value | None:
        """What unpacking gives at a position, where positions differ (the dimensions of a shape)."""

    def parts(self, flow: Flow, owner: Value) -> tuple[tuple[Value, Value], ...] | None:
        """All parts of a batch, each with its key or its position, where they are known."""

    def replaced(self, owner: Value, index: Value, value: Value) -> Value | None:
        """A batch that is given another part; ``None`` where its parts are not known."""

    def holding(self, owner: Value, index: Value, value: Value) -> Placement | None:
        """What an array is of which an item was set; ``None`` where samples may meet, or where it is not known."""

    def has_each(self, value: Value) -> bool:
        """Whether a value has something of each sample of a batch, in its place in the first dimension."""

    def with_attribute(self, owner: Value, name: str, value: Value) -> Value | None:
        """A batch of which an attribute is set; ``None`` where its attributes are not known."""

    def iterate(self, flow: Flow, iterable: Value) -> Iteration | None:
        """What looping over a value yields."""

    def entered(self, flow: Flow, loop: ast.For | ast.AsyncFor, iterable: Value) -> Iteration | None:
        """What one loop yields, where its own text makes it differ from others over the same value."""

    def made(self, flow: Flow, instance: Value, call: Call) -> None:
        """An instance of a class of the script is about to be initialised."""

    def finished(self, flow: Flow, instance: Value, call: Call) -> Value:
        """What an instance is, once it is initialised: the constructor may have told what it is made of."""

    def moves(self, function: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool) -> bool:
        """Whether a function of the script gives what it is given first, as it is but for where it is kept."""

    def instance_kind(self, bases: frozenset[str]) -> Kind | None:
        """The kind of instances of a class with these (dotted) library bases."""

    def public(self, name: str) -> str:
        """The dotted name under which something of a library is known, that has another one where it is defined."""

    def choose(self, names: frozenset[str]) -> str:
        """The one of several dotted names (after star imports) that exists; any, when none is known."""

    def modes(self, context: Value) -> frozenset[str]:
        """What a ``with`` statement or a decorator switches on, such as ``no_grad``."""
