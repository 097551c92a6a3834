"""Batches that no loop hands out: taken by ``next()``, cut from arrays, or made by functions of the script's own.

A first interpretation tells that a gradient is computed outside all loops that hand batches out. A second one, the
survey, takes whatever may be a batch for one, and tells which of these the losses come from and in which loop they are
taken. In the third those are batches, and nothing else is: so every operation on them, and what becomes of the loss, is
judged as in any loop over a loader or a pipeline. Of a framework it has to be known which calls compute gradients of
which loss (``Framework``).
"""

from __future__ import annotations

import ast
from enum import Enum
from functools import cached_property
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, sharded
from corro.anatomy.steps import PASS_LOOPS, Batches, BatchSource
from corro.classes import dataclass, field
from corro.flow import depths
from corro.flow.facts import BatchFact
from corro.flow.semantics import Iteration
from corro.flow.values import ARRAYS, MIXED, UNKNOWN, Value
from corro.frontends.tensors import IN_PARTS, NUMPY, PICKED, ROW, SOME_ROWS, is_row

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from corro.anatomy.steps import PassLoop
    from corro.flow.facts import CallFact, Context, Facts, Place, Unit
    from corro.flow.semantics import BatchSources
    from corro.flow.state import Flow
    from corro.names import Scope
    from corro.source import SourceFile

_ARRAYS = frozenset({Kind.TENSOR, Kind.TABLE})
_REDUCTIONS = frozenset({"mean", "std", "var", "min", "max", "sum", "median", "reduce_mean", "reduce_std",
                         "reduce_max", "reduce_min", "reduce_sum", "reduce_variance", "ptp", "average"})  # fmt: skip
_DEPTH = 2
"""How many assignments a number is followed through."""
_COMPUTING = frozenset({Kind.MODULE, Kind.LAYER, Kind.OPTIMIZER, Kind.PARAMETERS})
_OF_ONE = frozenset({Kind.NUMBER, Kind.TEXT})
"""What is made of samples and has no rows of them."""
_OF_ARRAYS = frozenset({Batches.CUT, Batches.WHOLE})
_MODELS = frozenset({Kind.MODULE, Kind.LAYER})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_ORDERS = ("permutation", "randperm")
"""How the names of functions end that draw an order: it says which rows a batch has, and is none of it."""
_OF_PARTS = frozenset({Kind.TUPLE, Kind.SHAPE})
_OTHER_ROWS = frozenset({"view", "reshape", "unsqueeze", "flatten", "t"})
_SAME_ROWS = _OTHER_ROWS | {"to", "cuda", "cpu", "float", "double", "requires_grad_", "clone", "detach"}
"""Methods after which an array has the rows that it had, and those after which one number is still one row."""
_OF_LISTS = frozenset({"tensor", "Tensor", "FloatTensor", "array", "constant"})
_OF_SIZES = frozenset({"zeros", "ones", "rand", "randn", "full"})
_MAKING = _OF_LISTS | _OF_SIZES | {"linspace", "logspace", "arange", "from_numpy"}
"""Functions that make an array of numbers, or copy one: no gradient goes through them."""
_LIBRARIES = ("torch.", "numpy.", "tensorflow.")
TAKING = frozenset({"next", "builtins.next", "get_next", "__next__"})
"""The names of what takes a batch from an iterator."""


_GIVING = frozenset({"__next__", "__iter__", "__getitem__"})
"""The methods by which a loop asks an object for one item after the other."""


class Asked(Enum):
    """What may be a batch, in the order in which it is asked.

    Rows of arrays, and what functions and loops give; all data; what functions give of which nothing is known, that is
    assumed to be tensors.
    """

    ROWS = "rows"
    WHOLE = "whole"
    UNKNOWN = "unknown"


ASSUMED = "assumed to be a tensor of rows"
"""The tag of a part of a batch of which the text does not show that it has the samples in its first dimension."""
ITERATORS = -3
"""The owner of what iterators were made of, by the number of the call of ``iter``."""
ROWS = "rows"
"""The name of an iterator whose items are batches."""


@dataclass(frozen=True)
class Loss:
    """A call that computes gradients for parameters, and the loss that they are of.

    Args:
        call: the call.
        value: the loss, or several.
        node: the expression of it, where that is an argument.
        is_of_one: the gradients are for one tensor: an image, or one number, may be what is optimised.
    """

    call: CallFact
    value: Value
    node: ast.expr | None = None
    is_of_one: bool = False


@dataclass(frozen=True)
class Framework:
    """What has to be known of a framework to tell where its losses' batches are taken.

    Args:
        losses: the calls that compute gradients for parameters.
        hands_out: whether ``next()`` takes a batch from an iterator over something that is shared out by itself.
        parameter: the tag of what is trained.
        gathers: functions that take rows of an array by their numbers.
        random: how the names of functions begin that draw an array of random numbers.
        name: the one name of a library function that has several.
        made_once: what is shared out is known by the place where it was made, whichever iterator goes over it.
        updates: the calls that change parameters by gradients that may be those of several batches.
        is_stepped: whether a tensor may be a parameter that is trained, told whether gradients are asked for of it; if
            it is none, these are those of data that a model is derived by.
        at_loop: what an attribute of an object of the script's own is called in front of a loop, if it lasts through
            it.
        assumes: whether parts of a batch of which nothing is known may be assumed to be tensors.
        nests: whether a batch may be one of several tuples of arrays, that each process takes its rows of.
        makes: whether a loop over this gets batches that a library makes, as long as each process asks it alone.
    """

    losses: Callable[[Facts], Iterable[Loss]]
    hands_out: Callable[[Value], bool]
    parameter: str
    gathers: frozenset[str]
    random: tuple[str, ...]
    name: Callable[[str], str] = str
    made_once: bool = False
    updates: Callable[[Facts], Iterable[CallFact]] = lambda _: ()
    is_stepped: Callable[[Facts, ast.Name | ast.Attribute, bool], bool] = lambda facts, node, asked: asked
    at_loop: Callable[[Facts, ast.Attribute, Context, ast.AST], str | None] = lambda facts, node, context, loop: None
    assumes: bool = False
    nests: bool = False
    makes: Callable[[Value], bool] = lambda _: False


def _computed(facts: Facts) -> frozenset[ast.AST]:
    """The calls by which models give tensors in loops, but not what they compute on the way from other data.

    Nor what they give of a single number.
    """
    made = [fact for fact in facts.calls if fact.receiver is not None and fact.receiver.kind in _MODELS]
    calls = {fact.node for fact in made}
    return frozenset(
        fact.node
        for fact in made
        if fact.context.loops
        and not (fact.args and all(value.scalar for value in (*fact.args, *fact.keywords.values())))
        and any(map(_may_be_rows, (fact.result, *fact.result.items)))
        and not any(frame.call in calls for frame in fact.context.frame.path())
    )


class Standing(Enum):
    """What a candidate is: it gives batches, it was no batch after all, or it is a part of one that was lost."""

    SOURCE = "source"
    ASIDE = "aside"
    LOST = "lost"


@dataclass(frozen=True, eq=False)
class Chosen:
    """The places where batches are taken.

    Args:
        rows: expressions that give batches of which each process takes its rows, with how, and the loops they are in:
            several where these call the same function.
        iterators: for each loop, the calls of ``iter`` that made the iterators whose batches ``next()`` gives there.
        places: for each loop, where that was made of which ``next()`` gives a batch there, if it is known by its place.
        asked: what was asked last.
        nests: whether a batch may be one of several tuples.
    """

    rows: Mapping[ast.AST, tuple[Batches, tuple[PassLoop, ...]]]
    iterators: Mapping[ast.AST, tuple[ast.AST, ...]]
    places: Mapping[ast.AST, frozenset[Place]]
    asked: Asked = Asked.ROWS
    nests: bool = False

    @cached_property
    def nodes(self) -> Collection[ast.AST]:
        """The expressions, and the loops."""
        return frozenset(self.rows) | frozenset(self.iterators) | frozenset(self.places)

    def batch(self, flow: Flow, node: ast.expr, value: Value) -> Value:
        """A batch of the loop."""
        how, loops = self.rows[node]
        inside = any(running.node in loops for running in flow.context.loops)
        if not inside and how is not Batches.HEAD:
            flow.facts.batches_outside.setdefault(node, flow.context)
            return value
        number = flow.facts.number(node)
        asked = self.asked is Asked.UNKNOWN
        given = _batch(flow, value, how, frozenset({number}), assumes=asked, nests=self.nests)
        by_library = any(each.kind is Kind.BATCH and each.name != ARRAYS for each in (given, *given.items))
        source = BatchSource(node, how, loops, number, by_library=by_library)
        flow.facts.batches.setdefault(node, BatchFact(source, flow.context))
        return given

    def passed(self, flow: Flow, loop: ast.stmt) -> Iteration | None:
        """The pipelines that ``next()`` takes from, and the places where batches are cut."""
        made = flow.fields(ITERATORS)
        found = [made.get(str(flow.facts.number(node))) for node in self.iterators.get(loop, ())]
        data = tuple(dict.fromkeys(value for value in found if value is not None))
        loaders = frozenset(flow.facts.number(node) for node, (_, loops) in self.rows.items() if loop in loops)
        loaders |= flow.facts.numbered(self.places.get(loop, ()))
        return Iteration(Value(Kind.ITERATOR, name=ROWS, items=data), loaders.union(*(each.sites for each in data)))

    def are_alike(self, flow: Flow) -> bool:
        """Whether a loop is running whose batches are made by every process, from equal seeds."""
        loops = {loop for _, loops in self.rows.values() for loop in loops}
        return any(running.node in loops for running in flow.context.loops)


NOTHING = Chosen({}, {}, {})
"""No batches are taken."""


def taken(sources: BatchSources | None) -> BatchSources | None:
    """The places where batches are taken; ``None`` also where none has been found."""
    return None if isinstance(sources, Chosen) and not sources.nodes else sources


@dataclass(frozen=True, eq=False)
class Survey:
    """All that may be a batch is one; where each was seen is noted in ``seen``. What is ``known`` already stays.

    What models make of other data than batches is followed, too: rows that are cut from it are no batch.
    """

    framework: Framework
    candidates: Mapping[ast.AST, Batches]
    known: Chosen = NOTHING
    asked: Asked = Asked.ROWS
    computed: frozenset[ast.AST] = frozenset()
    seen: dict[ast.AST, list[Context]] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> Collection[ast.AST]:
        """The candidates."""
        return self.candidates.keys() | self.known.nodes | self.computed

    def batch(self, flow: Flow, node: ast.expr, value: Value) -> Value:
        """A batch that comes from this place alone."""
        if node in self.known.rows:
            return self.known.batch(flow, node, value)
        if node not in self.candidates:
            numbers = frozenset({flow.facts.number(node)})
            return value if value.sources else _batch(flow, value, Batches.CALL, numbers, nests=self.framework.nests)
        how = self.candidates[node]
        if not flow.context.loops and how is not Batches.HEAD:
            return value
        if how is Batches.WHOLE and not (_may_be_rows(value) and value.placement.is_equal):
            return value
        self.seen.setdefault(node, []).append(flow.context)
        again = how is not Batches.CUT or flow.facts.values.get(_cut_up(node), value).sources
        numbers = frozenset({flow.facts.number(node)}) | (value.sources if again else frozenset())
        assumes, nests = self.asked is Asked.UNKNOWN, self.framework.nests
        return _batch(flow, value, how, numbers, assumes=assumes, nests=nests)

    def passed(self, flow: Flow, loop: ast.stmt) -> Iteration | None:
        """Of other loops nothing is known yet."""
        return self.known.passed(flow, loop)

    def are_alike(self, flow: Flow) -> bool:
        """Of other seeds nothing is known yet."""
        return self.known.are_alike(flow)


def _batch(
    flow: Flow, value: Value, how: Batches, numbers: frozenset[int], *, assumes: bool = False, nests: bool = False
) -> Value:
    if how is Batches.HEAD:
        given = flow.iterate(value).element
        known = assumes and given.kind is Kind.TUPLE
        element = _batch(flow, given, Batches.CALL, numbers, assumes=known, nests=nests)
        return Value(Kind.ITERATOR, name=ROWS, items=(element,))
    if how is Batches.CALL and value.kind is Kind.TUPLE:
        parts = (_batch(flow, part, how, numbers, assumes=assumes, nests=nests) for part in value.items)
        return value.but(items=tuple(parts))
    if value.kind is Kind.BATCH and value.placement.is_equal:
        return value.but(placement=sharded(numbers))
    if nests and value.name == ARRAYS and how is Batches.CALL and value.placement.is_equal and ROW not in value.tags:
        return Value(Kind.BATCH, sharded(numbers), batch_dim=0, name=ARRAYS, tags=value.tags & {MIXED, NUMPY})
    if assumes and _is_unknown(value):
        return Value(Kind.TENSOR, sharded(numbers), batch_dim=0, tags=frozenset({ASSUMED, MIXED}))
    if not _may_be_rows(value):
        return value
    placement = sharded(numbers | (value.sources if how is Batches.CALL else frozenset()))
    tags = value.tags - {"random", depths.APART} - (PICKED if value.placement.is_array else frozenset())
    return Value(Kind.TENSOR, placement, sites=value.sites, batch_dim=0, depth=value.depth, tags=tags)


def _cut_up(node: ast.AST) -> ast.AST:
    """The array of which rows are taken."""
    if isinstance(node, ast.Subscript):
        return node.value
    return node.args[0] if isinstance(node, ast.Call) and node.args else node


def leaves(value: Value) -> tuple[Value, ...]:
    """The parts of a batch, also of tuples in it; what is no tuple is its only part."""
    if value.kind is not Kind.TUPLE:
        return (value,)
    return tuple(part for item in value.items for part in leaves(item))


def _may_be_alike(value: Value) -> bool:
    """Whether all processes can have the same: what differs by chance alone is equal with equal seeds."""
    return value.placement.is_equal or value.form is Form.LOCAL or not value.sources


def _may_be_rows(value: Value) -> bool:
    return value.kind in _ARRAYS and not value.scalar and ROW not in value.tags


def _is_unknown(value: Value) -> bool:
    """Whether nothing is known of a value but that all processes have the same, with equal seeds."""
    return value.kind is Kind.UNKNOWN and not (value.obj or value.name or value.scalar) and _may_be_alike(value)


def learned(facts: Facts, framework: Framework, known: BatchSources | None) -> BatchSources | None:
    """What to read a script again with; ``None`` where nothing is left to ask."""
    if known is None:
        return survey(facts, framework)
    if isinstance(known, Survey):
        return chosen(facts, known)
    if not isinstance(known, Chosen) or known.asked is Asked.UNKNOWN or not any(_alone(facts, framework)):
        return None
    return (whole_survey if known.asked is Asked.ROWS else unknown_survey)(facts, framework, known)


# ---------------------------------------------------------------------- the survey


def survey(facts: Facts, framework: Framework) -> Survey | None:
    """What may be a batch; ``None`` where all gradients are computed in passes over batches that are handed out."""
    if not any(_alone(facts, framework)):
        return Survey(framework, {}) if any(_beside(facts, framework)) else None
    found: dict[ast.AST, Batches] = {}
    for node, value in facts.values.items():
        cuts = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Subscript) and cuts and _cuts(facts, framework, node, value):
            found[node] = Batches.CUT
    for loop in facts.loops:
        head = _head(facts, loop, framework) if isinstance(loop, ast.For) else None
        if head is not None:
            found[head] = Batches.HEAD
    computed = _computed(facts)
    for fact in facts.calls:
        how = _how(facts, framework, fact)
        within = how is Batches.CALL and any(frame.call in computed for frame in fact.context.frame.path())
        if how is not None and fact.context.loops and fact.node not in found and not within:
            found[fact.node] = how
    return Survey(framework, found, computed=computed - found.keys())


def whole_survey(facts: Facts, framework: Framework, known: Chosen) -> Survey | None:
    """Arrays that may be the whole data: in a loop that takes no batches, each step may train on all of them.

    Or on rows that it draws; of arrays that meet others nothing is drawn anew but noise.
    """
    found: dict[ast.AST, Batches] = {}
    for node, value in facts.values.items():
        loaded = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
        fixed = value.placement.is_equal and framework.parameter not in value.tags
        if loaded and fixed and _may_be_rows(value) and not _is_trained(facts, framework, node):
            found[node] = Batches.WHOLE
    for fact in facts.calls:
        if fact.context.loops and _how(facts, framework, fact) is Batches.NOISE:
            found[fact.node] = Batches.NOISE
    return Survey(framework, found, known, Asked.WHOLE, _computed(facts))


def unknown_survey(facts: Facts, framework: Framework, known: Chosen) -> Survey | None:
    """Functions of the script's own, and objects that loops are over, that give tuples of which nothing else is known.

    Nothing else may be the batch there, as in a script that has read its data from a file of unknown content.
    """
    found: dict[ast.AST, Batches] = {}
    for loop in facts.loops if framework.assumes else ():
        head = _head(facts, loop, framework) if isinstance(loop, ast.For) else None
        if head is not None:
            found[head] = Batches.HEAD
    for fact in facts.calls if framework.assumes else ():
        followed = facts.values.get(fact.node.func, UNKNOWN).kind is Kind.FUNCTION
        parts = leaves(fact.result) if fact.result.kind is Kind.TUPLE else ()
        known_or_not = all(_may_be_rows(part) or _is_unknown(part) for part in parts)
        alike = followed and parts and known_or_not and all(map(_may_be_alike, parts))
        if alike and fact.context.loops and _is_assigned(facts, fact.node):
            found[fact.node] = Batches.CALL
    return Survey(framework, found, known, Asked.UNKNOWN, _computed(facts)) if found else None


def _alone(facts: Facts, framework: Framework) -> Iterator[Loss]:
    """Losses in loops none of which hands batches out."""
    for loss in framework.losses(facts):
        if loss.call.context.loops and not loss.call.context.passes:
            yield loss


def _beside(facts: Facts, framework: Framework) -> Iterator[Loss]:
    """Losses in a loop that hands batches out, which ``next()`` takes others for besides."""
    for loss in framework.losses(facts) if framework.made_once else ():
        handed = frozenset().union(*(loop.loaders for loop in loss.call.context.loops))
        if handed and _sources(facts, loss) - handed:
            yield loss


def _sources(facts: Facts, loss: Loss) -> frozenset[int]:
    """The places that the batches of a loss come from."""
    inner = facts.elements.get(loss.node) if loss.node is not None else None
    parts = [loss.value, *loss.value.items, *((inner,) if inner is not None else ())]
    return frozenset().union(*(part.sources for part in parts))


def _cuts(facts: Facts, framework: Framework, node: ast.Subscript, value: Value) -> bool:
    """Whether a subscript takes some rows of an array, and not always the same."""
    owner = facts.values.get(node.value)
    if owner is None or owner.kind not in _ARRAYS or framework.parameter in owner.tags or not _may_be_alike(value):
        return False
    return _is_cut(facts, node, owner) and not _is_trained(facts, framework, node.value)


def _is_cut(facts: Facts, node: ast.Subscript, owner: Value) -> bool:
    """Whether a subscript takes some rows, and not always the same."""
    first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
    if isinstance(first, ast.Slice):
        bounds = [bound for bound in (first.lower, first.upper) if bound is not None]
        return any(any(isinstance(n, ast.Name) for n in ast.walk(bound)) for bound in bounds)
    index = facts.values.get(first)
    several = index is not None and index.kind in (Kind.TENSOR, Kind.LIST) and not index.scalar
    return index is not None and several and not is_row(owner, index)


def _is_trained(facts: Facts, framework: Framework, node: ast.AST) -> bool:
    """Whether the tensor that a name or an attribute stands for may be a parameter."""
    known = node if isinstance(node, (ast.Name, ast.Attribute)) else None
    return known is not None and framework.is_stepped(facts, known, _is_derived_by(facts, known))


def _is_derived_by(facts: Facts, node: ast.Name | ast.Attribute) -> bool:
    """Whether gradients are asked for of the tensor that a name or an attribute stands for."""
    known = [value for _, value in _made(facts, node) if isinstance(value, ast.expr)]
    asked = (getattr(each, "arg", getattr(each, "attr", None)) for value in known for each in ast.walk(value))
    return any(isinstance(each, str) and each.startswith("requires_grad") for each in asked) or any(
        isinstance(parent := unit.source.parent(use), ast.Attribute) and parent.attr.startswith("requires_grad")
        for unit, use in uses_of(facts, node)
    )


def _made(facts: Facts, node: ast.Name | ast.Attribute) -> list[tuple[Unit, object]]:
    """What a name, or an attribute of any object, is given, and where."""
    if isinstance(node, ast.Attribute):
        uses = uses_of(facts, node)
        return [(unit, _assigned(unit, use)) for unit, use in uses if not isinstance(use.ctx, ast.Load)]
    unit = facts.units.get(node)
    binding = unit.names.binding(node) if unit is not None else None
    return [(unit, value) for value in binding.values.get(node.id, ())] if unit is not None and binding else []


def _assigned(unit: Unit, target: ast.expr) -> object:
    """What is assigned to a target by itself."""
    parent = unit.source.parent(target)
    return parent.value if isinstance(parent, (ast.Assign, ast.AnnAssign)) else None


def uses_of(facts: Facts, node: ast.Name | ast.Attribute) -> list[tuple[Unit, ast.Name | ast.Attribute]]:
    """Where a name is used, or attributes of this name are, in all files that were read."""
    if isinstance(node, ast.Name):
        unit = facts.units.get(node)
        return [(unit, use) for use in unit.names.uses(node.id, unit.names.binding(node))] if unit is not None else []
    return [(unit, each) for unit in facts.files for each in unit.source.attributes.get(node.attr, ())]


def is_leaf(facts: Facts, node: ast.Name | ast.Attribute) -> bool:
    """Whether a name stands for a tensor that is made as one that gradients are asked for, and of no other."""
    made = _made(facts, node)
    return bool(made) and all(_is_made_as_leaf(unit, value) for unit, value in made)


def _is_made_as_leaf(unit: Unit, value: object) -> bool:
    base, methods = _made_by(unit, value)
    if base is None:
        return False
    if not methods:
        return any(each.arg == "requires_grad" and _is_true(each.value) for each in base.keywords)
    given = [*methods[0].args, *(each.value for each in methods[0].keywords)]
    return getattr(methods[0].func, "attr", "") == "requires_grad_" and all(map(_is_true, given))


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _made_by(unit: Unit, value: object) -> tuple[ast.Call | None, list[ast.Call]]:
    """The function that makes an array of numbers, and the methods by which it is laid out anew, the last one first."""
    methods: list[ast.Call] = []
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _SAME_ROWS:
        methods.append(value)
        value = value.func.value
    if not isinstance(value, ast.Call):
        return None, methods
    names = unit.names.qualified(value.func)
    known = any(name.startswith(_LIBRARIES) and name.rpartition(".")[2] in _MAKING for name in names)
    return value if known else None, methods


def outermost(source: SourceFile, loop: ast.AST) -> ast.AST:
    """The outermost loop around a loop in its function, or in the module."""
    around = takewhile(lambda above: not isinstance(above, _SCOPES), source.ancestors(loop))
    return [loop, *(above for above in around if isinstance(above, (ast.For, ast.While)))][-1]


def _is_kept(unit: Unit, name: ast.Name, loop: ast.AST) -> bool:
    """Whether a loop in a function uses a name of what is around the function, and nothing but that changes it."""
    names = unit.names
    binding = names.binding(name)
    changed = (n for n in names.uses(name.id, binding) if _is_changed(unit, n))
    return names.scope(name) is names.scope(loop) and all(names.scope(n) is binding for n in changed)


def _takes_part(facts: Facts, unit: Unit, name: ast.expr) -> bool:
    """Whether rows are taken of an array here, or it says which are taken of another one, or a loop is over it."""
    inner: ast.AST = name
    for above in unit.source.ancestors(name):
        if isinstance(above, (ast.For, ast.comprehension)):
            return inner is above.iter
        if isinstance(above, ast.stmt):
            return False
        of_several = isinstance(above, ast.Subscript) and inner is above.value is not name
        if isinstance(above, ast.Subscript) and not (of_several and facts.values[inner].kind in _OF_PARTS):
            first = above.slice.elts[0] if isinstance(above.slice, ast.Tuple) and above.slice.elts else above.slice
            whole = isinstance(first, ast.Slice) and first.lower is first.upper is first.step is None
            new = isinstance(first, ast.Constant) and first.value in (None, Ellipsis)
            return not (inner is above.value and (whole or new))
        inner = above
    return False


def _setting(unit: Unit, name: str, binding: Scope) -> Iterator[ast.AST]:
    """The functions that give another value to a name that is not their own."""
    for use in unit.names.uses(name, binding):
        scope = unit.names.scope(use)
        if scope is not binding and _is_changed(unit, use):
            yield scope.node


def _is_changed(unit: Unit, name: ast.Name) -> bool:
    """Whether a name gets another value here, or some rows of its array do."""
    parent = unit.source.parent(name)
    rows = isinstance(parent, ast.Subscript) and parent.value is name and not isinstance(parent.ctx, ast.Load)
    return rows or not isinstance(name.ctx, ast.Load)


def _head(facts: Facts, loop: ast.For, framework: Framework) -> ast.expr | None:
    """The expression in the head of a loop that is a generator or an object of the script's own, or gives batches."""
    for node in ast.walk(loop.iter):
        value = facts.values.get(node)
        if value is None or not isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            continue
        if framework.makes(value):
            return node
        if isinstance(node, ast.Subscript):
            continue
        generates = value.kind is Kind.ITERATOR and value.name == "generator"
        gives = _gives_items(facts, value) or _is_list_of_rows(facts, node) or _goes_over_parts(value)
        if generates or value.kind is Kind.LOADER or (gives and node in _looped(facts, loop.iter)):
            return node
    return None


def _goes_over_parts(value: Value) -> bool:
    """Whether a loop goes over the parts of several arrays at once, which were split alike."""
    zipped = value.kind is Kind.ITERATOR and value.name == "zip"
    return zipped and all(IN_PARTS in item.tags and item.placement.is_array for item in value.items)


def _is_list_of_rows(facts: Facts, node: ast.expr) -> bool:
    """Whether a list has batches: rows that were cut from arrays."""
    element = facts.elements.get(node) if facts.values[node].kind is Kind.LIST else None
    parts = leaves(element) if element is not None else ()
    return bool(parts) and all(_may_be_rows(part) and SOME_ROWS in part.tags for part in parts)


def _looped(facts: Facts, node: ast.expr) -> Iterator[ast.expr]:
    """An expression, and those whose items it hands on: what it counts, or shows in a progress bar."""
    yield node
    if isinstance(node, ast.Call) and facts.values.get(node, UNKNOWN).kind in (Kind.ITERATOR, Kind.PROGRESS):
        for part in node.args:
            yield from _looped(facts, part)


def _gives_items(facts: Facts, value: Value) -> bool:
    """Whether this is an object of a class of the script's own, or of several, that gives one item after the other."""
    made = ({value.obj} if value.obj else value.locations) if value.kind is Kind.INSTANCE else frozenset()
    nodes = [facts.classes.get(each) for each in made]
    return bool(nodes) and all(node is not None and _has_any(node, _GIVING) for node in nodes)


def _has_any(class_: ast.ClassDef, names: Collection[str]) -> bool:
    return any(getattr(part, "name", "") in names for part in class_.body)


def _how(facts: Facts, framework: Framework, fact: CallFact) -> Batches | None:
    """How a call may give a batch."""
    name = framework.name(fact.name) if fact.receiver is None else ""
    if name in framework.gathers:
        return Batches.CUT if fact.args and fact.args[0].placement.is_equal else None
    if name.startswith(framework.random) and not name.endswith(_ORDERS):
        return Batches.NOISE if fact.result.kind is Kind.TENSOR and head_of(fact) is not None else None
    if name in TAKING:
        known = framework.hands_out(fact.args[0]) or (framework.made_once and fact.result.sources)
        return None if known or not _is_assigned(facts, fact.node) else Batches.CALL
    followed = (facts.values.get(fact.node.func) or Value()).kind is Kind.FUNCTION
    parts = leaves(fact.result)
    arrays = [part for part in parts if _may_be_rows(part)]
    alike = all(map(_may_be_alike, parts))
    if followed and arrays and len(arrays) == len(parts) and alike and _is_assigned(facts, fact.node):
        return Batches.CALL
    return None


def _is_assigned(facts: Facts, node: ast.Call) -> bool:
    unit = facts.units.get(node)
    parent = unit.source.parent(node) if unit is not None else None
    return isinstance(parent, ast.Assign)


def head_of(fact: CallFact) -> ast.expr | None:
    """The expression for the first dimension of the shape that a call is given."""
    keywords = {k.arg: k.value for k in fact.node.keywords}
    shape = keywords.get("shape", keywords.get("size"))
    if shape is None and fact.name.startswith("tensorflow.") and fact.node.args:
        shape = fact.node.args[0]
    if shape is None:
        last = fact.name.rpartition(".")[2]
        position = {"normal": 2, "uniform": 2, "randint": 2, "choice": 1}.get(last, 0)
        args = fact.node.args
        shape = args[position] if len(args) > position else None
    if isinstance(shape, (ast.List, ast.Tuple)):
        return shape.elts[0] if shape.elts else None
    return shape


# ---------------------------------------------------------------------- the choice


def chosen(facts: Facts, seen: Survey) -> Chosen:
    """Where the batches are taken that losses come from."""
    rows = dict(seen.known.rows)
    iterators = dict(seen.known.iterators)
    places = dict(seen.known.places)
    groups: dict[ast.AST, list[Loss]] = {}
    for loss in _alone(facts, seen.framework):
        groups.setdefault(loss.call.context.loops[0].node, []).append(loss)
    for group in groups.values():
        if seen.asked is Asked.WHOLE and any(loss.is_of_one for loss in group):
            continue
        found = _Group(facts, seen, group, frozenset(groups))
        loop = found.loop
        if isinstance(loop, PASS_LOOPS):
            for node in (*found.taken, *found.met()):
                others = rows[node][1] if node in rows else ()
                rows[node] = seen.candidates[node], (*others, *(() if loop in others else (loop,)))
            iterators[loop] = tuple(dict.fromkeys(found.iterators))
            places[loop] = found.places
    for loss in () if seen.asked is not Asked.ROWS else _beside(facts, seen.framework):
        found = _Group(facts, seen, [loss])
        if isinstance(found.pass_, PASS_LOOPS) and found.places:
            places[found.pass_] = places.get(found.pass_, frozenset()) | found.places
    return Chosen(rows, iterators, places, seen.asked, seen.framework.nests)


class _Group:
    """Gradients that are computed in one loop, and what their losses come from."""

    def __init__(
        self, facts: Facts, seen: Survey, losses: Sequence[Loss], trainings: frozenset[ast.AST] = frozenset()
    ) -> None:
        self._facts, self._seen, self._trainings = facts, seen, trainings
        gradients = [loss.call for loss in losses]
        self._calls = {frame.call for fact in gradients for frame in fact.context.frame.path()}
        self._common = _common([[loop.node for loop in fact.context.loops] for fact in gradients])
        self._loops = {loop.node for fact in gradients for loop in fact.context.loops}
        self._sources = frozenset().union(*(_sources(facts, loss) for loss in losses))
        self._numbers = {facts.numbers[node]: node for node in seen.seen if node in facts.numbers}
        nexts = [f for f in facts.calls if f.name in TAKING and f.result.sources & self._sources]
        self._nexts = [f for f in nexts if self._level([f.context]) >= 0]
        self.taken = self._taken()
        levels = [self._level(self._contexts(node), self._headed(node)) for node in self.taken]
        levels += [self._level([fact.context]) for fact in self._nexts]
        self.loop = self._common[self._updated(min(levels))] if levels and self._common else None
        of_places = seen.framework.made_once
        self.pass_ = next((loop.node for loop in gradients[0].context.passes[-1:]), None)
        self.iterators = [facts.nodes[n] for f in self._nexts for n in _iterator(f).sites if not of_places]
        handed = frozenset().union(*(f.result.sources for f in self._nexts if of_places))
        self.places = facts.places(handed & self._sources - self._numbers.keys())

    def _updated(self, level: int) -> int:
        """The loop of a step: that which takes batches, or the one around it that makes an update of several."""
        found = [self._level([fact.context]) for fact in self._seen.framework.updates(self._facts)]
        return level if any(each >= level for each in found) else max((e for e in found if e >= 0), default=level)

    def _contexts(self, node: ast.AST) -> list[Context]:
        """Where a candidate was seen; of all data, but for other trainings that call the same functions."""
        contexts = self._seen.seen[node]
        if self._seen.candidates[node] is not Batches.WHOLE:
            return contexts
        others = self._trainings - self._loops
        return [each for each in contexts if not each.loops or each.loops[0].node not in others]

    def _level(self, contexts: Sequence[Context], inside: ast.AST | None = None) -> int:
        """The innermost common loop, by its position, in which something is always done; -1 for none."""
        level = len(self._common)
        for context in contexts:
            nodes = [loop.node for loop in context.loops]
            if inside is not None:
                nodes.append(inside)  # type: ignore[arg-type]
            level = min(level, max((i for i, node in enumerate(self._common) if node in nodes), default=-1))
        return level

    def _taken(self) -> list[ast.AST]:
        """Where batches are taken: as far out as each can be followed. None where one part of them was lost."""
        given = [self._numbers[n] for n in sorted(self._sources) if n in self._numbers]
        nodes = [node for node in given if not any(self._hides(other, node) for other in given)]
        standings = {node: self._standing(node) for node in nodes}
        found = [node for node in nodes if standings[node] is Standing.SOURCE]
        headed = {n for node in found if self._headed(node) is not None for n in ast.walk(node) if n is not node}
        kept = [node for node in found if node not in headed and not self._reached_by(node) & set(found)]
        lost = [n for n in nodes if standings[n] is Standing.LOST and self._facts.numbers[n] not in self._held(found)]
        inside = [n for n in lost if not self._reached_by(n) & set(found)]
        beside = any(self._facts.nodes[n] in self._seen.computed for n in self._sources)
        has_head = any(self._seen.candidates[n] is Batches.HEAD for n in kept)
        several = any(self._seen.candidates[n] is not Batches.CALL and len(self._paths(n)) > 1 for n in kept)
        if inside or beside or several or (has_head and any(self._is_asked_for(node) for node in kept)):
            return []
        data = [node for node in kept if self._seen.candidates[node] is not Batches.NOISE]
        if self._seen.asked is Asked.WHOLE:
            return [*data, *self._drawn(kept, data)]
        sizes = Sizes(self._facts, data)
        noise = [n for n in kept if n not in data and any(sizes.has(h) for h in self._heads(n))]
        of_another_size = any(sizes.is_fixed(h) for n in kept if n not in (*data, *noise) for h in self._heads(n))
        return [] if of_another_size else [n for n in kept if n in data or (data and n in noise)]

    def _drawn(self, kept: Sequence[ast.AST], data: Sequence[ast.AST]) -> Iterator[ast.AST]:
        """What is drawn by itself for each step, and is given to a model: all that meets is of one size."""
        facts = self._facts
        given = frozenset[int]().union(*(_given_to_models(fact) for fact in facts.calls))
        for group in meeting(facts, kept):
            heads = [head for node in group for head in self._heads(node)]
            alike = len(heads) == len(group) and all(Sizes(facts, [node]).has(h) for node in group for h in heads)
            numbers = {facts.numbers[node] for node in group}
            if alike and not numbers.isdisjoint(given) and not any(node in data for node in group):
                yield from group

    def _held(self, found: Iterable[ast.AST]) -> frozenset[int]:
        """Where the parts of batches were cut that are in the lists that loops are over."""
        heads = (self._facts.values[node] for node in found if self._seen.candidates[node] is Batches.HEAD)
        elements = [item for head in heads for item in head.items]
        return frozenset().union(*(part.sources for each in elements for part in (each, *leaves(each))))

    def met(self) -> Iterator[ast.AST]:
        """What else the loop takes rows of, because it meets the rows that were taken: labels in a metric, say."""
        inside = set(ast.walk(self.loop)) if self.loop is not None else set()
        rows = {n: node for n, node in self._numbers.items() if self._seen.candidates[node] in _OF_ARRAYS}
        apart = {n: node for n, node in rows.items() if node in inside and node not in self.taken}
        others = {n: node for n, node in apart.items() if not any(self._hides(one, node) for one in self.taken)}
        numbers = {self._facts.numbers[node] for node in self.taken}
        joint = [sources for sources in self._together(inside) if sources & others.keys()]
        while reached := {n for sources in joint if sources & numbers for n in sources & others.keys()} - numbers:
            numbers |= reached
        yield from (others[n] for n in numbers & others.keys() if self._standing(others[n]) is Standing.SOURCE)

    def _together(self, inside: set[ast.AST]) -> Iterator[frozenset[int]]:
        """The sources of tensors that are computed in a loop, or given to a function together."""
        yield from (
            value.sources for node, value in self._facts.values.items() if node in inside and _may_be_rows(value)
        )
        for fact in self._facts.calls:
            given = [v for v in (*fact.args, *fact.keywords.values()) if _may_be_rows(v) and v.sources]
            if len(given) > 1:
                yield frozenset().union(*(value.sources for value in given))

    def _heads(self, node: ast.AST) -> Iterator[ast.expr]:
        for fact in self._facts.calls:
            head = head_of(fact) if fact.node is node else None
            if head is not None:
                yield head

    def _standing(self, node: ast.AST) -> Standing:
        """What a candidate is that the losses come from."""
        how = self._seen.candidates[node]
        loop = self._headed(node)
        contexts = self._contexts(node)
        if how is Batches.CALL and (node in self._calls or not all(self._makes(f) for f in self._facts_of(node))):
            return Standing.ASIDE
        if self._level(contexts, loop) < 0 or (how is Batches.HEAD and loop not in self._common):
            return Standing.ASIDE if how in (Batches.CALL, Batches.NOISE) else Standing.LOST
        if how is Batches.WHOLE:
            return self._standing_of_data(node)
        lost = how is Batches.CUT and self._is_one_of_many(node)
        return Standing.LOST if lost else Standing.SOURCE

    def _hides(self, node: ast.AST, other: ast.AST) -> bool:
        """Whether the batch is taken at a place, and not at another one, where rows of the same tensor are taken.

        Of rows that are taken of what is made anew for each step they are a part; of other rows they are the batch.
        """
        outer, inner = self._is_cut_of(other, node), self._is_cut_of(node, other)
        if outer == inner:
            return False
        level, others = (self._level(self._contexts(n), self._headed(n)) for n in (node, other))
        return level >= others if outer else level > others

    def _is_cut_of(self, node: ast.AST, other: ast.AST) -> bool:
        """Whether rows are taken at a place of what was made of those of another one."""
        owner = _cut_up(node)
        cut = self._seen.candidates[node] is Batches.CUT and node is not other
        return cut and self._facts.numbers[other] in self._facts.values.get(owner, UNKNOWN).sources

    def _is_one_of_many(self, node: ast.AST) -> bool:
        """Whether several are cut for one step, in a loop or a comprehension: they may be samples, or parts of them."""
        if any(loop.node not in self._loops for context in self._contexts(node) for loop in context.loops):
            return True
        unit = self._facts.units.get(node)
        for above in unit.source.ancestors(node) if unit is not None else ():
            if isinstance(above, ast.stmt):
                return False
            if isinstance(above, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
                parent = unit.source.parent(above) if unit is not None else None
                return not (isinstance(parent, ast.For) and parent.iter is above)
        return False

    def _facts_of(self, node: ast.AST) -> Iterator[CallFact]:
        return (fact for fact in self._facts.calls if fact.node is node)

    def _paths(self, node: ast.AST) -> set[tuple[ast.AST | None, ...]]:
        """The paths of calls on which a candidate was seen, as far as they lead away from the gradients."""
        if self._seen.candidates[node] is Batches.WHOLE:
            return set()
        contexts = self._contexts(node)
        paths = (tuple(frame.call for frame in context.frame.path()) for context in contexts)
        return {path for path in paths if any(call is not None and call not in self._calls for call in path)}

    def _reached_by(self, node: ast.AST) -> set[ast.AST]:
        """The calls in a frame of the gradients through which a candidate is reached."""
        outer = (next(call for call in path if call and call not in self._calls) for path in self._paths(node))
        return {self._stands_for(call) for call in outer if call is not None}

    def _is_asked_for(self, node: ast.AST) -> bool:
        """Whether a candidate is reached through a special method of an object, which a loop may be over."""
        calls = (call for path in self._paths(node) for call in path if isinstance(call, ast.Call))
        return any(isinstance(call.func, ast.Name) and call.func.id in ("__iter__", "__next__") for call in calls)

    def _stands_for(self, call: ast.AST) -> ast.AST:
        """A call, or the head of the loop that makes it, as an object is asked there for one batch after the other."""
        for node, how in self._seen.candidates.items():
            loop = self._headed(node) if how is Batches.HEAD and node in self._seen.seen else None
            above = self._facts.units[node].source.ancestors(call) if isinstance(loop, ast.For) else ()
            if isinstance(loop, ast.For) and call not in ast.walk(loop) and any(each is loop.iter for each in above):
                return node
        return call

    def _standing_of_data(self, node: ast.AST) -> Standing:
        """What is known by a name, or as an attribute, through all rounds of the loop."""
        loop = self._common[self._level(self._contexts(node))]
        unit = self._facts.units.get(node)
        if unit is None or self._facts.units.get(loop) is not unit:
            return Standing.LOST
        if isinstance(node, ast.Attribute):
            return self._standing_of_attribute(node, unit, loop)
        return self._standing_of_name(node, unit, loop) if isinstance(node, ast.Name) else Standing.LOST

    def _standing_of_attribute(self, node: ast.Attribute, unit: Unit, loop: ast.AST) -> Standing:
        """An attribute of an object that is known at the loop by one name, and that nothing changes in it."""
        facts, around = self._facts, outermost(unit.source, loop)
        texts = {self._seen.framework.at_loop(facts, node, context, around) for context in self._contexts(node)}
        if None in texts or len(texts) > 1:
            return Standing.LOST
        if self._weighs(unit.source.parent(node), node) or _takes_part(facts, unit, node):
            return Standing.LOST
        return Standing.ASIDE if _is_range(facts, node) or _has_no_rows(_made(facts, node)) else Standing.SOURCE

    def _standing_of_name(self, node: ast.Name, unit: Unit, loop: ast.AST) -> Standing:
        """A name that the loop's function, or what is around it, binds, and that no loop around the step changes."""
        names = unit.names
        binding = names.binding(node)
        same = (n for n in ast.walk(outermost(unit.source, loop)) if isinstance(n, ast.Name) and n.id == node.id)
        changed = any(_is_changed(unit, n) and names.binding(n) is binding for n in same)
        changed |= binding is not None and any(map(self._is_set_in_step, _setting(unit, node.id, binding)))
        if binding is None or changed or not (binding is names.scope(loop) or _is_kept(unit, node, loop)):
            return Standing.LOST
        if self._weighs(unit.source.parent(node), node) or _takes_part(self._facts, unit, node):
            return Standing.LOST  # features or samples: which of them, nothing tells
        facts = self._facts
        return Standing.ASIDE if _is_range(facts, node) or _has_no_rows(_made(facts, node)) else Standing.SOURCE

    def _is_set_in_step(self, function: ast.AST) -> bool:
        """Whether a function that gives a name another value is called in the loop."""
        facts = self._facts
        calls = (f for f in facts.calls if facts.functions.get(facts.values.get(f.node.func, UNKNOWN).obj) is function)
        return any(loop.node in self._loops for fact in calls for loop in fact.context.loops)

    def _weighs(self, user: ast.AST | None, node: ast.AST) -> bool:
        """Whether an array is multiplied with what is no variable."""
        if not isinstance(user, ast.BinOp) or not isinstance(user.op, (ast.Mult, ast.Div)):
            return False
        other = user.left if user.right is node else user.right
        value = self._facts.values.get(other, UNKNOWN)
        return self._seen.framework.parameter not in value.tags and value.kind is not Kind.NUMBER

    def _headed(self, node: ast.AST) -> ast.AST | None:
        """The loop in whose head a candidate is."""
        if self._seen.candidates[node] is not Batches.HEAD:
            return None
        unit = self._facts.units[node]
        return next((a for a in unit.source.ancestors(node) if isinstance(a, ast.For)), None)

    def _makes(self, fact: CallFact) -> bool:
        """Whether a call makes a batch: of no other batch, with no model, and rows of something or several arrays."""
        given = (*fact.args, *fact.keywords.values())
        takes = any(value.sources & self._numbers.keys() for value in given)
        parameter = self._seen.framework.parameter
        computes_with = any(value.kind in _COMPUTING or parameter in value.tags for value in given)
        unknown = self._seen.asked is not Asked.UNKNOWN and any(value.kind is Kind.UNKNOWN for value in given)
        computes_with |= unknown and fact.name not in TAKING
        if takes or computes_with or fact.context.modes & {"tape"}:
            return False
        inside = any(
            frame.call is fact.node
            for how, contexts in ((self._seen.candidates[n], c) for n, c in self._seen.seen.items())
            if how in (Batches.CUT, Batches.NOISE)
            for context in contexts
            for frame in context.frame.path()
        )
        return fact.name in TAKING or inside or len(fact.result.items) > 1


def meeting(facts: Facts, nodes: Iterable[ast.AST]) -> list[list[ast.AST]]:
    """Places where batches are taken, put together where the rows of one may meet those of another."""
    groups = [({facts.numbers[node]}, [node]) for node in nodes]
    joint = [*facts.met, *(_given_together(facts, fact) for fact in facts.calls)]
    for sources in joint:
        touched = [group for group in groups if group[0] & sources]
        if len(touched) > 1:
            groups = [group for group in groups if group not in touched]
            groups.append((set().union(*(each[0] for each in touched)), [n for each in touched for n in each[1]]))
    return [members for _, members in groups]


def _given_together(facts: Facts, fact: CallFact) -> frozenset[int]:
    """The sources of what a call is given, unless it is one of a function that is followed."""
    if facts.values.get(fact.node.func, UNKNOWN).kind is Kind.FUNCTION:
        return frozenset()
    given = (*fact.args, *fact.keywords.values(), *((fact.receiver,) if fact.receiver is not None else ()))
    return frozenset().union(*(each.sources for each in given if not each.scalar and each.kind not in _OF_ONE))


def _given_to_models(fact: CallFact) -> frozenset[int]:
    if fact.receiver is None or fact.receiver.kind not in _MODELS:
        return frozenset()
    return frozenset().union(*(value.sources for value in (*fact.args, *fact.keywords.values())))


def _is_range(facts: Facts, node: ast.Name | ast.Attribute) -> bool:
    """Whether an array is one end of what others are scaled to, as in ``(x - low) / (high - low)``."""
    return any(_ends_range(facts, unit, use) for unit, use in uses_of(facts, node))


def _ends_range(facts: Facts, unit: Unit, use: ast.AST) -> bool:
    between = unit.source.parent(use)
    if not isinstance(between, ast.BinOp) or not isinstance(between.op, ast.Sub):
        return False
    divided = unit.source.parent(between)
    scales = isinstance(divided, ast.BinOp) and isinstance(divided.op, ast.Div) and divided.right is between
    ends = (between.left, between.right)
    return scales and all(
        isinstance(e, (ast.Name, ast.Attribute)) and _may_be_rows(facts.values.get(e, UNKNOWN)) for e in ends
    )


def _has_no_rows(made: Sequence[tuple[Unit, object]]) -> bool:
    """Whether an array has no rows that could be shared out: it is one number for each feature, or a single row."""
    features = any(_is_of_features(each) for _, each in made)
    return features or (bool(made) and all(_has_one_row(unit, each) for unit, each in made))


def _is_of_features(value: object) -> bool:
    """``x.mean(axis=0)``: one number for each feature, and none for a sample."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    along = [k.value for k in value.keywords if k.arg == "axis"] + value.args[:2]
    return value.func.attr in _REDUCTIONS and any(isinstance(n, ast.Constant) and n.value == 0 for n in along)


def _has_one_row(unit: Unit, value: object) -> bool:
    """Whether an array is written with a single row: ``tensor([[0.0]])``, ``zeros(1, 1)``; all processes have it."""
    base, methods = _made_by(unit, value)
    if base is None or not base.args:
        return False
    first, name = base.args[0], next(iter(unit.names.qualified(base.func))).rpartition(".")[2]
    single = any(getattr(method.func, "attr", "") in _OTHER_ROWS for method in methods)
    if name in _OF_LISTS:
        return _is_single(first) if single else _is_single_row(first)
    sizes = first.elts if isinstance(first, (ast.Tuple, ast.List)) else base.args
    ones = [isinstance(each, ast.Constant) and each.value == 1 for each in sizes]
    return name in _OF_SIZES and bool(ones) and (all(ones) if single else ones[0])


def _is_single(node: ast.expr) -> bool:
    while isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == 1:
        node = node.elts[0]
    return isinstance(node, (ast.Constant, ast.UnaryOp))


def _is_single_row(node: ast.expr) -> bool:
    return len(node.elts) == 1 if isinstance(node, (ast.List, ast.Tuple)) else _is_single(node)


def _iterator(fact: CallFact) -> Value:
    return fact.receiver if fact.receiver is not None else fact.args[0]


def _common(paths: list[list[ast.AST]]) -> list[ast.AST]:
    """What several paths have in common from the beginning."""
    common = paths[0]
    for path in paths[1:]:
        same = [a is b for a, b in zip(common, path, strict=False)]
        common = common[: same.index(False) if False in same else len(same)]
    return common


class Sizes:
    """The numbers that some batches are taken with, of which one is the size of a batch."""

    def __init__(self, facts: Facts, batches: Collection[ast.AST]) -> None:
        self._facts = facts
        parts = chain((part for batch in batches for part in self._parts(batch, 0)), self._drawn(batches))
        values = (facts.values.get(part) for part in parts)
        self._values = [value for value in values if value is not None and _is_number(value)]

    def _drawn(self, batches: Collection[ast.AST]) -> Iterator[ast.AST]:
        """How much is drawn at random in functions that make batches."""
        for fact in self._facts.calls:
            head = head_of(fact) if "random" in fact.result.tags else None
            if head is not None and any(frame.call in batches for frame in fact.context.frame.path()):
                yield head

    def _parts(self, node: ast.AST, depth: int) -> Iterator[ast.AST]:
        """An expression with all parts, and what the names of numbers and rows in it were assigned."""
        for part in ast.walk(node):
            yield part
            unit = self._facts.units.get(part)
            if isinstance(part, ast.Name) and unit is not None and depth < _DEPTH:
                binding = unit.names.binding(part)
                for value in binding.values.get(part.id, ()) if binding is not None else ():
                    if isinstance(value, ast.expr):
                        yield from self._parts(value, depth + 1)

    def is_fixed(self, node: ast.AST) -> bool:
        """Whether a number other than 0 and 1 is the same whatever a process has of a batch."""
        given = self._facts.values.get(node, UNKNOWN)
        return _is_number(given) and not (given.is_const and given.const in (0, 1))

    def has(self, node: ast.AST) -> bool:
        """Whether a number is one of them: copied from the same place, or written as the same number."""
        given = self._facts.values.get(node, UNKNOWN)
        if given.kind is not Kind.NUMBER or (given.is_const and given.const in (0, 1)):
            return False
        return any(
            given.origins & value.origins or (given.is_const and value.is_const and given.const == value.const)
            for value in self._values
        )


def _is_number(value: Value) -> bool:
    return value.kind is Kind.NUMBER and value.form is Form.REPLICATED
