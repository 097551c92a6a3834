"""What a loss needs of the global batch: the samples that it compares with each other, all of them.

A contrastive loss sets each sample against all others of the batch, so that of a shard has fewer negatives. With the
features of all processes, in the order of the sequential batch, each process computes what the sequential script does.
So where a loss could not be followed, the place is looked for where samples meet first, and what meets there is traced
back to where it has one row a sample. Read again as what all processes have, it shows what else meets it: labels, masks
and numbers of samples, which are those of the global batch then, too. What does not come out equal is refused.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import GLOBAL_BATCH, Form
from corro.anatomy.steps import Batches
from corro.flow import depths
from corro.flow.semantics import Call
from corro.flow.values import UNSET, Value, number
from corro.frontends import tensors, views
from corro.frontends.purity import DRAWN_WEIGHTS
from corro.frontends.pytorch import batch_sizes, losses
from corro.frontends.pytorch.partial_sums import is_training
from corro.source import arguments_of, position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.flow.facts import CallFact, Context, Facts, Unit

_EQUAL = frozenset({Form.REPLICATED, Form.STEP})
_MEETING = _EQUAL | {Form.SHARDED, Form.COUNT, Form.LOCAL}
_ROWWISE = frozenset({tensors.DOUBLE, depths.TRUTH, tensors.IN_A_ROW, tensors.NUMPY, tensors.NORMALISED})
"""Tags that tell nothing of where samples are."""
_FURTHER = frozenset({"cat", "stack", "concatenate", "concat", "vstack", "hstack", "eye", "linspace"})
"""Functions that the operations on tensors do not name."""
_LIBRARIES = ("torch.", "numpy.")
_WITH_WEIGHTS = (*DRAWN_WEIGHTS, "BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm")
"""How the names of layers begin that have weights."""
_BY_CHANCE = ("torch.rand", "torch.normal", "numpy.random.")
_KEEPING = frozenset({"append", "extend", "add"})
_CHANGING = "_"
_MOST = 12
"""How many steps an expression is traced back."""


def needed(facts: Facts, chosen: frozenset[ast.AST], *, lost: bool) -> frozenset[ast.expr]:
    """The expressions to gather besides those that are chosen already: first samples, then numbers of samples.

    Args:
        facts: the facts of the script.
        chosen: what is gathered already.
        lost: whether a loss could not be followed; else what meets something gathered is gathered, too.
    """
    if any(fact.source.how is Batches.WHOLE for fact in facts.batches.values()):
        return frozenset()
    tracing = _Tracing(facts)
    for form in (Form.SHARDED, Form.COUNT):
        meeting = _meeting(facts) if lost else mixing(facts)
        found = frozenset(root for node in meeting for root in tracing.roots_of(node, form)) - chosen
        if found:
            return found.union(fact.node for fact in facts.calls if _is_made_whole(facts, fact))
    return frozenset()


def mixing(facts: Facts) -> Iterator[ast.expr]:
    """The operations in which rows of the global batch meet rows of a shard."""
    followed = {frame.call for fact in facts.calls for frame in fact.context.frame.path()}
    for node in facts.values:
        if isinstance(node, (ast.BinOp, ast.Compare, ast.Call, ast.Subscript)) and node not in followed:
            given = [facts.values[part] for part in _operands(node) if part in facts.values]
            sized = isinstance(node, ast.Call) and any(map(is_count, given))  # whole.expand(x.size(0), …)
            if any(value.placement.whole for value in given) and (sized or any(map(_is_of_shard, given))):
                yield node
    yield from _kept_beside(facts)


def _kept_beside(facts: Facts) -> Iterator[ast.expr]:
    """Where rows of the global batch are put into a list, while a list beside it gets rows of a shard."""
    kept = [fact for fact in facts.calls if fact.name in _KEEPING and fact.context.passes and is_training(fact.context)]
    given = [(fact, v) for fact in kept for v in fact.args if not v.scalar and v.kind is not Kind.NUMBER]
    if any(value.form is Form.SHARDED for _, value in given):
        yield from dict.fromkeys(fact.node for fact, value in given if value.placement.whole)


def _is_of_shard(value: Value) -> bool:
    """Whether a value has rows of a shard, or is made of them in a way that is not known."""
    return is_rows(value) or (value.kind is Kind.TENSOR and value.form is Form.UNKNOWN and bool(value.sources))


def is_in_vain(facts: Facts) -> bool:
    """Whether a layer with weights is given the global batch: each process would make the forward pass of all."""
    for fact in facts.calls:
        layer = fact.receiver is not None and fact.receiver.kind is Kind.MODULE
        name = fact.receiver.name.removeprefix("torch.nn.") if layer and fact.receiver is not None else ""
        if name.startswith(_WITH_WEIGHTS) and any(value.placement.whole for value in fact.args):
            return True
    return False


def gathered(facts: Facts, context: Context, node: ast.expr, value: Value) -> Value | None:
    """What all processes have of a value in training; ``None`` for what is not gathered."""
    if not is_training(context) or not (is_rows(value) or is_count(value) or is_of_batch_size(facts, node)):
        return None
    if value.kind is Kind.NUMBER:
        return number(GLOBAL_BATCH, integer=True)
    return value.but(
        kind=Kind.TENSOR, placement=GLOBAL_BATCH, batch_dim=None, depth=depths.UNKNOWN, width=frozenset(), const=UNSET,
        pending=frozenset(), carry=frozenset(), locations=frozenset(), tags=value.tags & _ROWWISE,
    )  # fmt: skip


def is_rows(value: Value) -> bool:
    """Whether a value has one row for each sample of a shard, in their order."""
    rows = value.kind is Kind.TENSOR and value.form is Form.SHARDED and value.batch_dim == 0 and bool(value.sources)
    known = _ROWWISE | ({depths.APART} if depths.BLOCKS in value.tags else set())
    return rows and not value.tags & (tensors.KEPT_TAGS | {tensors.IN_PARTS, "flat", "reshaped"}) - known


def is_count(value: Value) -> bool:
    """Whether a value is the number of samples of a shard."""
    return value.kind is Kind.NUMBER and value.form is Form.COUNT and bool(value.sources)


def is_of_batch_size(facts: Facts, node: ast.expr) -> bool:
    """Whether a tensor is made with the batch size as the script has it: for the global batch it stays as it is."""
    return isinstance(node, ast.Call) and any(_is_made_whole(facts, fact) for fact in facts.calls_of(node))


def _is_made_whole(facts: Facts, fact: CallFact) -> bool:
    made = batch_sizes.is_shaping(fact) and fact.receiver is None and not fact.name.startswith(_BY_CHANCE)
    if not made or not is_training(fact.context):
        return False
    trained = frozenset().union(*(loop.loaders for loop in fact.context.passes))
    given = [part for value in (*fact.args, *fact.keywords.values()) for part in (value, *value.items)]
    origins = batch_sizes.of_loaders(facts, trained)
    return not any(value.placement.sources for value in given) and any(value.origins & origins for value in given)


# ---------------------------------------------------------------------- where samples meet


def _meeting(facts: Facts) -> Iterator[ast.expr]:
    """The first operations after which samples cannot be told apart."""
    for node, value in facts.values.items():
        if value.form is not Form.UNKNOWN or not isinstance(node, (ast.BinOp, ast.Compare, ast.Subscript, ast.Call)):
            continue
        given = [facts.values.get(part) for part in _operands(node)]
        known = [each for each in given if each is not None]
        if len(known) < len(given) or not all(each.form in _MEETING for each in known) or _is_mistaken(known):
            continue
        if not isinstance(node, ast.Call) or any(map(_is_known, facts.calls_of(node))):
            yield node


def _operands(node: ast.expr) -> list[ast.expr]:
    """What an operation is given."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Subscript):
        return [node.value, *_each(node.slice)]
    assert isinstance(node, ast.Call)
    owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return [*owner, *(each for part in arguments_of(node) for each in _each(part))]


def _each(node: ast.expr) -> list[ast.expr]:
    """An expression, or those of a list or a slice."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [part for each in node.elts for part in _each(each)]
    if isinstance(node, ast.Slice):
        return [each for each in (node.lower, node.upper, node.step) if each is not None]
    return [node]


def _is_known(fact: CallFact) -> bool:
    """Whether it is known what a call computes, so that it does the same with equal operands."""
    if not is_training(fact.context):
        return False
    last = fact.name.rpartition(".")[2]
    if fact.receiver is None and not fact.name.startswith(_LIBRARIES):
        return False
    if fact.receiver is not None and fact.receiver.kind is Kind.LOSS:
        reductions = {each.reduction for each in losses.variants(fact.receiver)}
        return len(reductions) == 1 and "unknown" not in reductions
    if fact.receiver is not None and fact.receiver.kind is not Kind.TENSOR:
        return False
    if last == "einsum":
        return _is_of_pairs(fact)
    if last in losses.FUNCTIONAL_LOSSES:
        return losses.reduction(last, Call(fact.node, fact.args, dict(fact.keywords))) != "unknown"
    return tensors.is_operation(last) or last in _FURTHER


def _is_of_pairs(fact: CallFact) -> bool:
    """Whether an ``einsum`` gives something for each pair of rows: ``bi,ci->bc``."""
    equation = fact.args[0].const if fact.args and isinstance(fact.args[0].const, str) else ""
    inputs, _, output = equation.replace(" ", "").partition("->")
    rows = {term[:1] for term in inputs.split(",")}
    return len(rows) > 1 and rows <= set(output)


def _is_mistaken(given: list[Value]) -> bool:
    """Whether ``[B]`` meets ``[B, 1]``, which seldom is meant: nothing shows that samples are to be compared."""
    shards = [each for each in given if each.form is Form.SHARDED and each.kind is Kind.TENSOR]
    turned = any(each.batch_dim != 0 or each.tags & {tensors.ROWS, tensors.CUT} for each in shards)
    return not turned and depths.cross(shards) and not any(each.placement.whole for each in given)


# ---------------------------------------------------------------------- where they come from


class _Tracing:
    """Traces what meets back to expressions with one row a sample, or to numbers of samples."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._called: dict[ast.AST, dict[ast.Call, None]] = {}
        self._inputs: set[ast.AST] = set()
        for fact in facts.calls:
            for frame in fact.context.frame.path():
                if frame.call is not None:
                    self._called.setdefault(frame.scope.node, {})[frame.call] = None
            if fact.receiver is not None and fact.receiver.kind is Kind.MODULE:
                self._inputs.update(fact.node.args)

    def roots_of(self, node: ast.expr, form: Form) -> frozenset[ast.expr]:
        """The expressions to gather, so that an operation is given values of the global batch only."""
        found: set[ast.expr] = set()
        for part in _operands(node):
            value = self._facts.values.get(part)
            if value is None or value.form is not form:
                continue
            roots = self._roots(part, form, _MOST)
            if roots is None:
                return frozenset()
            found |= roots
        return frozenset(found)

    def _roots(self, node: ast.expr, form: Form, left: int) -> frozenset[ast.expr] | None:
        """The expressions from which one comes; ``None`` where it cannot be traced back."""
        value = self._facts.values.get(node)
        if value is None or not left:
            return None
        if value.form is not form:
            behind = value.form is Form.COUNT and form is Form.SHARDED
            return frozenset() if value.form in _EQUAL else self._roots(node, Form.COUNT, left) if behind else None
        if form is Form.COUNT:
            return self._counts(node)
        if is_rows(value) and tensors.NUMPY not in value.tags:  # arrays are not gathered, tensors are
            parts = self._together(self._sources(node), form, left) if views.is_ordered(value) else None
            return self._rows(node, left) if parts is None else parts
        if is_of_batch_size(self._facts, node):
            return frozenset({node})
        return self._together(self._sources(node), form, left)

    def _together(self, nodes: Iterable[ast.expr] | None, form: Form, left: int) -> frozenset[ast.expr] | None:
        found: set[ast.expr] = set()
        for each in nodes if nodes is not None else ():
            roots = self._roots(each, form, left - 1)
            if roots is None:
                return None
            found |= roots
        return frozenset(found) or None

    def _sources(self, node: ast.expr) -> list[ast.expr] | None:
        """What an expression is computed from."""
        if isinstance(node, ast.Name):
            return self._assigned(node)
        if isinstance(node, ast.Attribute):
            return [node.value]
        if isinstance(node, ast.Call) and not self._is_operation(node):
            return None
        if isinstance(node, (ast.BinOp, ast.Compare, ast.Subscript, ast.Call)):
            return [each for each in _operands(node) if each in self._facts.values]
        return [node.operand] if isinstance(node, ast.UnaryOp) else None

    def _is_operation(self, node: ast.Call) -> bool:
        return any(map(_is_known, self._facts.calls_of(node)))

    def _assigned(self, node: ast.Name) -> list[ast.expr] | None:
        """What a variable is set to, or what a function is given for its parameter."""
        names = self._facts.units[node].names
        scope = names.binding(node)
        if scope is None:
            return None
        values = [each for each in scope.values[node.id] if isinstance(each, ast.expr)]
        function = scope.node
        given = self._given(function, node.id) if isinstance(function, ast.FunctionDef) else []
        found = [*values, *given]
        return found if found and len(values) + bool(given) == len(scope.values[node.id]) else None

    def _given(self, function: ast.FunctionDef, name: str) -> list[ast.expr]:
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        found: list[ast.expr] = []
        for call in self._called.get(function, ()):
            behind = names[1:] if names[:1] == ["self"] else names
            bound = dict(zip(behind, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
            if name not in bound or isinstance(bound[name], ast.Starred):
                return []
            found.append(bound[name])
        return found

    def _rows(self, node: ast.expr, left: int) -> frozenset[ast.expr] | None:
        """An expression; of a variable what it is set to, or all its uses where that cannot be seen."""
        unit = self._facts.units[node]
        if not isinstance(node, ast.Name):
            return None if _is_changed(unit.source.ancestors(node), node) else frozenset({node})
        every = unit.names.uses(node.id, unit.names.binding(node))
        alike = uses_beside(unit, node)
        loads = frozenset(use for use in alike if use in self._facts.values)
        if not self._inputs & loads:
            roots = self._together(self._assigned(node), Form.SHARDED, left)
            if roots is not None:
                return roots
        if any(_is_changed(unit.source.ancestors(use), use) for use in every):
            return None
        return frozenset({node}) if self._inputs & loads else loads

    def _counts(self, node: ast.expr) -> frozenset[ast.expr]:
        """A number of samples: where a variable is set to it, if that is in one place."""
        values = self._values(node) if isinstance(node, ast.Name) else []
        one = values[0] if len(values) == 1 else None
        counted = isinstance(one, ast.expr) and one in self._facts.values and is_count(self._facts.values[one])
        return frozenset({one if counted and isinstance(one, ast.expr) else node})

    def _values(self, node: ast.Name) -> Sequence[object]:
        """What a variable is set to."""
        scope = self._facts.units[node].names.binding(node)
        return scope.values[node.id] if scope is not None else ()


def set_at(unit: Unit, name: ast.Name) -> ast.For | ast.Assign | None:
    """The loop or the statement that sets what is read here, if it is the only one that may have set it."""
    uses = unit.names.uses(name.id, unit.names.binding(name))
    setting = {use: _statement_of(unit, use) for use in uses if not isinstance(use.ctx, ast.Load)}
    if len(setting) == 1:
        (one,) = setting.values()
        return one if isinstance(one, (ast.For, ast.Assign)) else None
    for loop in unit.source.ancestors(name):
        if not isinstance(loop, (ast.For, ast.While)):
            continue
        inside = {setting[each] for each in ast.walk(loop) if each in setting}
        if inside:
            one = inside.pop()
            if not inside and isinstance(one, ast.Assign) and one in loop.body and position(one) < position(name):
                return one
            return loop if not inside and one is loop and isinstance(loop, ast.For) else None
    return None


def _statement_of(unit: Unit, target: ast.expr) -> ast.AST | None:
    """What sets a target: the loop or the statement."""
    above: Iterable[ast.AST] = unit.source.ancestors(target)
    return next((each for each in above if not isinstance(each, (ast.Tuple, ast.List))), None)


def uses_beside(unit: Unit, name: ast.Name) -> frozenset[ast.Name]:
    """Where a variable is read that was set together with this use of it."""
    uses = [use for use in unit.names.uses(name.id, unit.names.binding(name)) if isinstance(use.ctx, ast.Load)]
    where = set_at(unit, name)
    return frozenset(use for use in uses if set_at(unit, use) is where) if where is not None else frozenset({name})


def _is_changed(above: Iterable[ast.AST], use: ast.expr) -> bool:
    """Whether an expression is used to change what it gives: ``x += y``, ``x[i] = y``, ``x.add_(y)``."""
    inner: ast.AST = use
    for each in above:
        if isinstance(each, ast.AugAssign):
            return each.target is inner
        if isinstance(each, ast.Attribute) and each.value is inner and each.attr.endswith(_CHANGING):
            return not each.attr.startswith("_")
        if not isinstance(each, (ast.Subscript, ast.Attribute)) or getattr(each, "value", None) is not inner:
            return False
        if isinstance(each.ctx, ast.Store):
            return True
        inner = each
    return False
