"""Fill packed texts up to the length of the whole batch's, where a process has some of its rows.

Why
---
``pad_packed_sequence`` fills texts up to the longest of those that it is given, which is a process's share of them. The
batch that the share was taken from is as long as the longest of all: a mask made of it would be longer than the states,
and a mean over the time would be of fewer steps. So the function is told how long the texts were when they were packed;
PyTorch's documentation does so for a model that is given parts of a batch. A loader of each process's own puts its
share together by itself, which is said.

Before
------
::

    packed = pack_padded_sequence(self.embedding(text), lengths)
    states, _ = pad_packed_sequence(self.rnn(packed)[0])

After
-----
::

    packed = pack_padded_sequence(self.embedding(text), lengths)
    states, _ = pad_packed_sequence(self.rnn(packed)[0], total_length=text.shape[0])

Source
------
PyTorch, "Frequently Asked Questions", "My recurrent network doesn't work with data parallelism".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.steps import Batches
from corro.classes import dataclass
from corro.frontends.pytorch.batches import UNPACKING, total_length
from corro.frontends.pytorch.fields import longest
from corro.frontends.pytorch.partial_sums import is_training
from corro.frontends.tensors import PICKED
from corro.source import AddArgument
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Context
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "padded-texts"

_PACKING = "pack_padded_sequence"
_RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN"})
_STEP_BY_STEP = frozenset({"torch.nn.Embedding", "torch.nn.Dropout", "torch.nn.Linear", "torch.nn.LayerNorm"})
"""Layers that give as many steps as they are given."""
_MOVING = frozenset({"to", "cpu", "cuda", "long", "int"})


@dataclass(frozen=True)
class _Packed:
    """Where texts are packed: the variable that has them, the call that is given it, and the lengths."""

    text: ast.Name
    taken: ast.Call
    lengths: ast.expr
    packing: ast.Call


def apply(job: Job) -> Iterable[Answer]:
    """An argument for each call in training that has none, or what is said of it."""
    found: dict[ast.Call, list[CallFact]] = {}
    for fact in job.calls:
        if fact.name.rpartition(".")[2] == UNPACKING and fact.result.form is Form.SHARDED:
            found.setdefault(fact.node, []).append(fact)
    loaders = {s.number for step in job.anatomy.steps for s in step.sources if s.how is Batches.LOADER}
    for node, facts in found.items():
        told = (fact for fact in facts if is_training(fact.context) and total_length(fact) is None)
        trained = list(told) if _is_read(job.at(node), node) else []
        if trained and all(fact.result.sources <= loaders for fact in trained):
            yield job.review(
                NAME,
                "packed samples are padded to the longest of each process's shard of a batch, not of the global batch.",
                node,
                "Nothing to do where the model and the loss leave the padding out; else give it a total_length.",
                differs=("gradient", "metrics"),
            )
        elif trained:
            yield from _written(job.at(node), node)


def _is_read(job: Job, node: ast.Call) -> bool:
    """Whether the states are used, and not only set to a variable: tutorials go on with the last ones."""
    statement = job.parent(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    states = targets[0].elts[0] if len(targets) == 1 and isinstance(targets[0], ast.Tuple) else None
    if not isinstance(states, ast.Name):
        return True
    names = job.names_of(states)
    scope = names.binding(states)
    local = scope is not None and isinstance(scope.node, ast.FunctionDef)
    return not local or any(isinstance(use.ctx, ast.Load) for use in names.uses(states.id, scope))


def _written(job: Job, node: ast.Call) -> Iterator[Answer]:
    """The length that the texts had when they were packed, or a refusal."""
    packed = _packed(job, node)
    length = None if packed is None else _length(job, packed)
    if length is None or any(keyword.arg is None for keyword in node.keywords):
        message = "packed texts are padded to the longest of this process's rows here, not of the whole batch."
        advice = "Give it the length that all of them have, as in total_length=text.shape[0]."
        yield job.refuse(NAME, message, node, advice, effort="one line")
        return
    edit = AddArgument(node, f"total_length={length}")
    imports = job.target.torch_import if "(" in length else ()
    yield job.change(NAME, "texts are as long as those of the whole batch", node, [edit], Code("", imports))


def _length(job: Job, packed: _Packed) -> str | None:
    """How long the texts of the whole batch are, as it is written: known of all that trains, and of what else is."""
    texts, lengths = _given(job, packed.taken, 0), _lengths(job, packed)
    trained = [(context, value) for context, value in (*texts, *lengths) if is_training(context)]
    kept = {longest(value) for _, value in trained if not value.tags & PICKED}
    places = {value.batch_dim for _, value in texts if longest(value)}
    if len(kept) != 1 or len(*kept) != 1 or any(value.tags & PICKED for _, value in trained) or len(places) != 1:
        return None
    others = [context for context, value in (*texts, *lengths) if {longest(value)} != kept]
    if not all("no_grad" in context.modes for context in others) or not places <= {0, 1}:
        return None
    told = f"{packed.text.id}.shape[{0 if places == {1} else 1}]"
    return f"{told} if {job.target.torch}.is_grad_enabled() else None" if others else told


def _given(job: Job, call: ast.Call, position: int, keyword: str = "") -> list[tuple[Context, Value]]:
    """What a call is given, with where that is."""
    found = ((fact.context, fact.argument(position, keyword)) for fact in job.calls_of(call))
    return [(context, value) for context, value in found if value is not None]


def _lengths(job: Job, packed: _Packed) -> list[tuple[Context, Value]]:
    node = packed.lengths
    if isinstance(node, ast.Call):
        return [(fact.context, fact.receiver) for fact in job.calls_of(node) if fact.receiver is not None]
    return _given(job, packed.packing, 1, "lengths")


# ---------------------------------------------------------------------- where texts come from


def _packed(job: Job, node: ast.Call) -> _Packed | None:
    """Where the texts were packed that a call fills up, and a parameter that has them there and here."""
    states = _first(job, node.args[0] if node.args else None)
    if not (isinstance(states, ast.Call) and job.value(states.func).name in _RECURRENT and states.args):
        return None
    packing = _set_to(job, states.args[0])
    if not (isinstance(packing, ast.Call) and _is_packing(job, packing) and packing.args):
        return None
    named = (keyword.value for keyword in packing.keywords if keyword.arg == "lengths")
    lengths = next(named, packing.args[1] if len(packing.args) > 1 else None)
    taken, text = None, _set_to(job, packing.args[0])
    while isinstance(text, ast.Call) and _is_step_by_step(job, text):
        taken, text = text, _set_to(job, text.args[0])
    if taken is None or lengths is None or not isinstance(text, ast.Name) or not _is_parameter(job, text, node):
        return None
    return _Packed(text, taken, lengths, packing) if _is_moved(lengths) else None


def _is_packing(job: Job, call: ast.Call) -> bool:
    return any(fact.name.rpartition(".")[2] == _PACKING for fact in job.calls_of(call))


def _is_step_by_step(job: Job, call: ast.Call) -> bool:
    layer = job.value(call.func)
    return layer.kind is Kind.MODULE and layer.name in _STEP_BY_STEP and len(call.args) == 1 and not call.keywords


def _is_moved(lengths: ast.expr) -> bool:
    """Whether lengths are those of a variable, at most moved to another device."""
    if isinstance(lengths, ast.Call):
        method = lengths.func
        return isinstance(method, ast.Attribute) and method.attr in _MOVING and isinstance(method.value, ast.Name)
    return isinstance(lengths, ast.Name)


def _first(job: Job, node: ast.expr | None) -> ast.expr | None:
    """The call that gives something first: ``y, _ = call(x)``, ``call(x)[0]``."""
    if isinstance(node, ast.Subscript):
        is_first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
        return _set_to(job, node.value) if is_first else None
    if not isinstance(node, ast.Name):
        return None
    target = _target(job, node)
    around = job.parent(target) if target is not None else None
    statement = job.parent(around) if isinstance(around, ast.Tuple) and around.elts[0] is target else None
    return statement.value if isinstance(statement, ast.Assign) and statement.targets == [around] else None


def _set_to(job: Job, node: ast.expr) -> ast.expr:
    """What a variable was set to, if that is in one place only; else the expression itself."""
    target = _target(job, node) if isinstance(node, ast.Name) else None
    statement = job.parent(target) if target is not None else None
    return statement.value if isinstance(statement, ast.Assign) and statement.targets == [target] else node


def _target(job: Job, name: ast.Name) -> ast.Name | None:
    """Where a variable of a function is set, if that is in one place, and that is no parameter."""
    names = job.names_of(name)
    scope = names.binding(name)
    stores = [use for use in names.uses(name.id, scope) if not isinstance(use.ctx, ast.Load)]
    alone = len(stores) == 1 and scope is names.scope(name) and not _is_argument(name.id, job, name)
    return stores[0] if alone else None


def _is_parameter(job: Job, text: ast.Name, node: ast.Call) -> bool:
    """Whether a variable is a parameter that is never set again, of the function in which a call is."""
    names = job.names_of(text)
    same = names.scope(text) is names.scope(node) is names.binding(text)
    stored = any(not isinstance(use.ctx, ast.Load) for use in names.uses(text.id, names.binding(text)))
    return same and not stored and _is_argument(text.id, job, node)


def _is_argument(name: str, job: Job, node: ast.AST) -> bool:
    function = next((each for each in job.ancestors(node) if isinstance(each, ast.FunctionDef)), None)
    arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs) if function else ()
    return any(each.arg == name for each in arguments)
