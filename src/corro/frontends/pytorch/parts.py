"""Parts of models: which module holds which, and which calls of parts go along with a forward pass of the whole.

DDP averages a gradient when it is complete, whoever computed it: a part that is called by itself, or a weight that is
read, needs no wrapper of its own where the wrapped model is called in the same step. What DDP must know is whether each
parameter gets a gradient in each step.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass, field
from corro.flow.values import UNKNOWN, is_like, likeness
from corro.frontends.pytorch import pretrained, steering
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Context, Facts
    from corro.flow.values import Value

    Owners = Mapping[int, frozenset[int]]

MODULES = (Kind.MODULE, Kind.LAYERS)
_REGISTERING = frozenset({"add_module", "register_module", "append", "extend", "insert"})
_UNKNOWN = frozenset({0})
"""The site of a model that is not known."""
_CHOSEN = "[some of a list]"
"""What stands for the layers that chance leaves out of a list: no attribute is called that."""
_OTHER_PARTS = "[other parts]"
"""What stands for the parts of a library's network that are not asked for where others are."""
_ASKING = frozenset({"isinstance", "hasattr", "getattr", "callable", "len", "bool", "any", "all"})
"""Functions that only ask about what they are given."""


def owners(facts: Facts) -> Owners:
    """The sites of the models that have a module as an attribute, for the sites of that module."""
    found: dict[int, frozenset[int]] = {}
    for store in facts.stores:
        if store.owner.kind is Kind.MODULE and isinstance(store.node, ast.Attribute):
            for number in _held(store.given[0]):
                found[number] = found.get(number, frozenset()) | (store.owner.sites or _UNKNOWN)
    return found


def modules_given(facts: Facts, fact: CallFact) -> frozenset[int]:
    """The sites of the modules that a call makes a module of."""
    if fact.result.kind is not Kind.MODULE or fact.result.obj:
        return frozenset()
    return frozenset().union(*(v.sites for v in given_to(facts, fact) if v.kind in MODULES))


def is_given_more(fact: CallFact) -> bool:
    """Whether a call gives a module, or a list of layers, another one."""
    return fact.receiver is not None and fact.receiver.kind in MODULES and fact.name in _REGISTERING


def given_to(facts: Facts, fact: CallFact) -> Iterator[Value]:
    """What a call is given, and what is in the lists among it."""
    for value in (*fact.args, *fact.keywords.values()):
        yield value
        yield from value.items
    for node in (*fact.node.args, *(k.value for k in fact.node.keywords)):
        listed = facts.elements.get(node.value if isinstance(node, ast.Starred) else node)
        if listed is not None:
            yield listed


def contained(facts: Facts) -> Owners:
    """The owners of modules, and the containers of the library that are made of them or are given them later."""
    found = dict(owners(facts))

    def put(holder: frozenset[int], given: Iterable[Value]) -> None:
        for number in frozenset().union(*(_numbers(value) for value in given if value.kind in MODULES)):
            found[number] = found.get(number, frozenset()) | holder

    for fact in facts.calls:
        if fact.receiver is not None and is_given_more(fact):
            put(_numbers(fact.receiver), given_to(facts, fact))
        elif fact.result.kind is Kind.LAYERS or (fact.result.kind is Kind.MODULE and not fact.result.obj):
            put(_numbers(fact.result), given_to(facts, fact))
    for store in facts.stores:
        if store.owner.kind is Kind.MODULE and isinstance(store.node, ast.Attribute):
            put(store.owner.sites or _UNKNOWN, (value for value in store.given[:1] if value.kind is Kind.LAYERS))
    return found


def _numbers(value: Value) -> frozenset[int]:
    """The sites of a module; those of a list of layers, which has none, are its objects, below zero."""
    objects = value.locations | {value.obj} if value.kind is Kind.LAYERS else ()
    return value.sites | {-number for number in objects if number}


def _held(value: Value) -> Iterator[int]:
    """The sites of a module, and of the layers that a list or a sequence of them holds."""
    if value.kind in MODULES:
        yield from value.sites
        for item in value.items:
            yield from _held(item)


def whole_of(found: Owners, sites: frozenset[int]) -> frozenset[int]:
    """The sites of all models that some modules are parts of, themselves included."""
    seen = sites
    while True:
        above = seen.union(*(found.get(number, frozenset()) for number in seen))
        if above == seen:
            return seen
        seen = above


def go_along(facts: Facts, step: Step, forwards: Sequence[CallFact]) -> frozenset[ast.Call]:
    """Those of some forward passes that are passes of a part, where the whole is called in each step as well."""
    wholes = Wholes(facts, step, forwards)
    return frozenset(fact.node for fact in forwards if fact.receiver is not None and wholes.include(fact.receiver))


def goes_along(facts: Facts, step: Step, forwards: Sequence[CallFact], model: Value) -> bool:
    """Whether a model, or a model that it is a part of, is called in each step."""
    return Wholes(facts, step, forwards).have(model.sites)


class Wholes:
    """The models that are called in each step."""

    def __init__(self, facts: Facts, step: Step, forwards: Iterable[CallFact]) -> None:
        self._facts = facts
        self._owners = owners(facts)
        called = (f.receiver.sites for f in forwards if f.receiver is not None and is_in_each(facts, step, f))
        self._certain = frozenset().union(*called)

    def include(self, part: Value) -> bool:
        """Whether a module is a part of one of them, in all places where it may come from."""
        owned = all(number in self._owners for number in part.sites)
        above = frozenset().union(*(self._owners.get(number, frozenset()) for number in part.sites))
        return owned and self.have(above - part.sites, part.sites)

    def have(self, sites: frozenset[int], below: frozenset[int] = frozenset()) -> bool:
        """Whether each of some models, or what it is a part of, is called in each step; of no models: no."""
        return bool(sites) and all(self._has(number, below) for number in sites)

    def _has(self, number: int, below: frozenset[int]) -> bool:
        if number in below or not _is_one(self._facts, number):
            return False
        return number in self._certain or self.have(self._owners.get(number, frozenset()), below | {number})


def is_forward(fact: CallFact) -> bool:
    """Whether a call of a module is its forward pass."""
    return fact.name in ("", "forward", "__call__")


def in_training(step: Step, context: Context) -> bool:
    """Whether this is a pass of a step over what it trains on: the same loop may evaluate in another call or phase."""
    return any(loop.node is step.loop and loop.loaders & step.loaders for loop in context.loops)


def is_in_each(facts: Facts, step: Step, fact: CallFact) -> bool:
    """Whether a call is made wherever the backward pass is, in front of it and with gradients."""
    backward = _backward(facts, step)
    asked = {test.node for each in backward for test in each.context.tests}
    loops = [loop.node for loop in fact.context.loops]
    certain = bool(loops) and loops[-1] is step.loop and all(test.node in asked for test in fact.context.tests)
    return certain and _counts(backward, fact)


def may_train(facts: Facts, step: Step, fact: CallFact) -> bool:
    """Whether a call is made in the pass, in front of the backward pass and with gradients."""
    backward = _backward(facts, step)
    return in_training(step, fact.context) and _counts(backward, fact)


def _backward(facts: Facts, step: Step) -> list[CallFact]:
    return [fact for site in step.backwards for fact in facts.calls_of(site.node)]


def _counts(backward: Sequence[CallFact], fact: CallFact) -> bool:
    """Whether gradients may go through what a call gives."""
    return any(fact.order <= each.order for each in backward) and "no_grad" not in fact.context.modes


def _is_one(facts: Facts, number: int) -> bool:
    """Whether a site is one model: made once, and never copied."""
    made = [fact for fact in facts.calls if fact.node is facts.nodes[number]]
    copies = (f for f in facts.calls if steering.COPY in f.result.tags and f.result.kind is Kind.MODULE)
    return len(made) == 1 and not made[0].context.loops and not any(number in copy.result.sites for copy in copies)


# ------------------------------------------------------------------ layers that the forward pass leaves out


def unused_layers(facts: Facts, step: Step, model: Value) -> Iterator[tuple[str, frozenset[int]]]:
    """Attributes that hold a layer or a parameter which no forward pass uses; with the sites of what has them."""
    found, whole = contained(facts), frozenset(_held(model))
    classes: dict[ast.ClassDef, frozenset[int]] = {}
    for fact in facts.calls:
        sites = fact.result.sites
        made_here = len(sites) == 1 and facts.nodes[min(sites)] is fact.node
        own = facts.classes_of(fact.result) if made_here else ()
        for class_node in own if whole_of(found, sites) & whole else ():
            classes[class_node] = classes.get(class_node, frozenset()) | sites
    for fact in facts.calls:
        if pretrained.leaves_out(fact.result) and whole_of(found, fact.result.sites) & whole:
            yield pretrained.LEFT_OUT, fact.result.sites
    yield from _added(facts, whole)
    if any(chosen_by_chance(facts)):
        yield _CHOSEN, frozenset()
    conditions, apart = _Conditions(facts), _taken_apart(facts, step) - _called(facts, step)
    for fact in facts.calls:  # of a library's network, such as a backbone
        known = fact.name.startswith("torch.nn.") or bool(facts.classes_of(fact.result))
        sites = fact.result.sites if fact.result.kind is Kind.MODULE and not known else frozenset[int]()
        if sites and sites <= apart and whole_of(found, sites) & whole:
            yield _OTHER_PARTS, sites
    for node, sites in classes.items():
        others = {name for other in classes if other is not node for name in conditions.read_by(other, node)}
        entries = others | (set() if sites <= apart else {"forward"})
        yield from ((name, sites) for name in _made_and_unused(conditions, node, others, entries))


def _called(facts: Facts, step: Step) -> frozenset[int]:
    """The sites of the modules of which a step makes a forward pass."""
    calls = (fact for fact in facts.calls if is_forward(fact) and in_training(step, fact.context))
    forwards = (fact.receiver for fact in calls if fact.receiver is not None and not methods_of(facts, fact))
    return frozenset().union(*(receiver.sites for receiver in forwards))


def _taken_apart(facts: Facts, step: Step) -> frozenset[int]:
    """The sites of the modules that others hold, and of which they ask for a part or call another method."""
    found: frozenset[int] = frozenset()
    for fact in facts.calls:
        if fact.receiver is not None and fact.receiver.kind is Kind.MODULE and in_training(step, fact.context):
            found |= fact.receiver.sites if methods_of(facts, fact) else frozenset()
    for node in facts.values:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            owner = facts.values.get(node.value, UNKNOWN)
            found |= owner.sites if owner.kind is Kind.MODULE else frozenset()
    return found


_KNOWN_PARTS = frozenset(
    {"AuxLogits", "_fc", "avgpool", "bert", "classifier", "conv1", "conv_stem", "features", "fc", "fc1", "fc2", "head",
     "heads", "last_linear", "lm_head", "output", "pre_classifier", "score"}
)  # fmt: skip
"""What models of libraries call their parts that scripts replace."""


def _added(facts: Facts, whole: frozenset[int]) -> Iterator[tuple[str, frozenset[int]]]:
    """Layers that a library's model is given by a name that it may not have: its forward pass need not use them.

    What is asked for before it is replaced is a part (``model.top = Linear(model.top.in_features, 10)``), and a layer
    that the script calls is used. That its parameters are asked for afterwards says nothing.
    """
    added: dict[str, frozenset[int]] = {}
    used = set(_KNOWN_PARTS)
    for node, value in facts.values.items():  # in the order in which they were computed
        if not isinstance(node, ast.Attribute):
            continue
        owner = facts.values.get(node.value, UNKNOWN)
        if owner.kind is not Kind.MODULE or not owner.sites & whole or facts.classes_of(owner):
            continue
        if isinstance(node.ctx, ast.Store):
            added |= {node.attr: owner.sites} if _is_trained(value) else {}
        elif node.attr not in added or _is_called(facts, node):
            used.add(node.attr)
    yield from ((name, sites) for name, sites in added.items() if name not in used)


def _is_called(facts: Facts, node: ast.Attribute) -> bool:
    above = facts.units[node].source.parent(node)
    return isinstance(above, ast.Call) and above.func is node


def chosen_by_chance(facts: Facts) -> Iterator[ast.expr]:
    """Lists of some models, of which each process has chosen others."""
    return (node for node, element in facts.elements.items() if isinstance(node, ast.expr) and _is_drawn(element))


def is_by_chance(facts: Facts, node: ast.expr) -> bool:
    """Whether random numbers say how often a loop is run, which may be never, or over which layers."""
    drawn = any("random" in facts.values.get(part, UNKNOWN).tags for part in walk(node))
    return drawn or any(_is_drawn(facts.elements.get(part, UNKNOWN)) for part in walk(node))


def _is_drawn(element: Value) -> bool:
    """Whether a list holds models that were chosen by chance."""
    return element.kind in MODULES and element.placement.is_chance


def _made_and_unused(conditions: _Conditions, node: ast.ClassDef, others: set[str], entries: set[str]) -> Iterator[str]:
    facts = conditions.facts
    made: dict[str, frozenset[str]] = {}
    asked: list[str] = []
    for part in walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("getattr", "vars"):
            like = likeness(facts.values.get(part.args[1], UNKNOWN)) if part.args[1:] else ""
            if not like:
                return
            asked.append(like)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            value = facts.values.get(part)
            if value is not None and _is_trained(value):
                made[part.attr] = made.get(part.attr, frozenset()) | conditions.deciding(part)
    used = tuple(_reached(node, entries - {"__init__"}))
    read = others.union(*(conditions.read(part).union(conditions.read_if_made(part, made)) for part in used))
    if read & {"children", "modules", "named_children", "_modules", "named_modules"}:
        return
    read |= {name for part in _reached(node, {"__init__"}) for name in conditions.read(part) - _parted(part)}
    yield from (name for name in made if name not in read and not any(is_like(name, like) for like in asked))


def _parted(node: ast.AST) -> set[str]:
    """Attributes of which only parts are asked for: ``self.base[0]``, ``self.base.children()``."""
    read = [part for part in walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load)]
    inner = {part.value for part in walk(node) if isinstance(part, (ast.Attribute, ast.Subscript))}
    return {part.attr for part in read if part in inner} - {part.attr for part in read if part not in inner}


def _is_trained(value: Value) -> bool:
    """Whether an attribute holds layers or a parameter."""
    tensor = value.kind is Kind.TENSOR and steering.PARAMETER in value.tags and steering.BUFFER not in value.tags
    return tensor or value.kind in MODULES


def _reached(node: ast.ClassDef, entries: set[str]) -> Iterator[ast.stmt]:
    """What a class has beside methods that a forward pass does not come to."""
    methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
    if "forward" not in methods:
        yield from node.body
        return
    yield from (part for part in node.body if part not in methods.values())
    yield from _closure(methods, entries)


def _closure(methods: Mapping[str, ast.FunctionDef], entries: Iterable[str]) -> Iterator[ast.FunctionDef]:
    """Methods, and those that they mention."""
    waiting = [name for name in entries if name in methods]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            yield methods[name]
            waiting += mentioned(methods[name]) & set(methods)


def methods_of(facts: Facts, fact: CallFact) -> tuple[ast.stmt, ...]:
    """The method of a model's class that is called, past the forward pass, with what it may call of that class."""
    name = getattr(fact.node.func, "attr", "")
    classes = facts.classes_of(fact.receiver) if fact.receiver is not None else []
    if name in ("forward", "__call__", "__init__"):
        return ()
    methods = ({part.name: part for part in node.body if isinstance(part, ast.FunctionDef)} for node in classes)
    return tuple(part for each in methods for part in _closure(each, [name]))


def mentioned(node: ast.AST) -> set[str]:
    """The attributes that are mentioned."""
    return {part.attr for part in walk(node) if isinstance(part, ast.Attribute)}


def _read_of_others(node: ast.ClassDef) -> set[str]:
    """The attributes that a class reads of other objects than itself."""
    itself = {arg.arg for part in walk(node) if isinstance(part, ast.FunctionDef) for arg in part.args.args[:1]}
    read = (part for part in walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load))
    return {part.attr for part in read if getattr(part.value, "id", "") not in itself}


def _arms(node: ast.If | ast.IfExp) -> list[ast.AST]:
    return [*node.body, *node.orelse] if isinstance(node, ast.If) else [node.body, node.orelse]


def _goes_on(node: ast.stmt) -> bool:
    """Whether a statement may go on with the next round of a loop, or leave it."""
    return any(isinstance(part, (ast.Continue, ast.Break)) for part in walk(node))


@dataclass(frozen=True, eq=False)
class _Conditions:
    """The conditions in the classes of models: those that are decided as a model is made, and others."""

    facts: Facts
    _known: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    _known_foreign: dict[ast.AST, frozenset[str]] = field(default_factory=dict)

    def read(self, node: ast.AST) -> frozenset[str]:
        """The attributes that are read, whatever is decided on the way."""
        if node not in self._known:
            optional = {p for branch in walk(node) if isinstance(branch, (ast.If, ast.IfExp)) for p in walk(branch)}
            optional |= set(self.changing(node))
            read = (part for part in walk(node) if isinstance(part, ast.Attribute) and part not in optional)
            self._known[node] = frozenset(part.attr for part in read if isinstance(part.ctx, ast.Load))
        return self._known[node]

    def read_if_made(self, node: ast.AST, made: Mapping[str, frozenset[str]]) -> Iterator[str]:
        """The attributes that are read where the object has them: what decides on it has decided if they are made."""
        changing = set(self.changing(node))
        for part in walk(node):
            if not isinstance(part, ast.Attribute) or part.attr not in made or part in changing:
                continue
            if part.value in self.facts.units and self.deciding(part) <= made[part.attr] | {part.attr}:
                yield part.attr

    def deciding(self, part: ast.Attribute) -> frozenset[str]:
        """What conditions around a part of a function, or in what an attribute is given, mention."""
        source = self.facts.units[part.value].source
        above, tests = source.parent(part), list[ast.expr]()
        if isinstance(above, ast.Assign):
            chosen = (each for each in walk(above.value) if isinstance(each, (ast.IfExp, ast.BoolOp)))
            tests += [each.test if isinstance(each, ast.IfExp) else each for each in chosen]
        while above is not None and not isinstance(above, ast.FunctionDef):
            tests += [above.test] if isinstance(above, (ast.If, ast.IfExp)) else []
            above = source.parent(above)
        named = (part for test in tests for part in walk(test) if isinstance(part, ast.Name) and part.id != "self")
        return frozenset().union(*map(mentioned, tests), (name.id for name in named))

    def read_by(self, other: ast.ClassDef, node: ast.ClassDef) -> frozenset[str]:
        """What another class may read of a class: what it reads of itself is its own, where neither is derived."""
        if not all(map(self._is_of_a_library, (*other.bases, *node.bases))):
            return self.read(other)
        if other not in self._known_foreign:
            self._known_foreign[other] = self.read(other) & _read_of_others(other)
        return self._known_foreign[other]

    def _is_of_a_library(self, base: ast.expr) -> bool:
        return self.facts.values.get(base, UNKNOWN).kind is Kind.LIBRARY

    def changing(self, node: ast.AST) -> Iterator[ast.AST]:
        """What another forward pass may leave out: by a condition, a return under one, or a loop that is not run."""
        for part in walk(node):
            optional = isinstance(part, (ast.If, ast.IfExp)) and not self._is_settled(part.test)
            if optional or (isinstance(part, ast.For) and is_by_chance(self.facts, part.iter)):
                yield from walk(part)
            elif isinstance(part, ast.For) and self._may_leave_out(part):
                yield from walk(part.iter)
            for _, body in ast.iter_fields(part):
                statements = body if isinstance(body, list) else []
                returns = (at for at, each in enumerate(statements) if self._may_return(each))
                for each in statements[next(returns, len(statements)) :]:
                    yield from walk(each)

    def _may_leave_out(self, loop: ast.For) -> bool:
        """Whether a loop uses what it goes over under conditions alone that differ between processes: by chance."""
        names = {part.id for part in walk(loop.target) if isinstance(part, ast.Name)}
        mentions = (part for each in loop.body for part in walk(each) if isinstance(part, ast.Name))
        tested = [part for part in walk(loop) if isinstance(part, (ast.If, ast.IfExp)) and self._differs(part.test)]
        optional = {part for test in tested for arm in _arms(test) for part in walk(arm)}
        left = next((at for at, each in enumerate(loop.body) if each in tested and _goes_on(each)), len(loop.body))
        optional.update(part for each in loop.body[left:] for part in walk(each))
        used = [part for part in mentions if part.id in names]
        return bool(tested) and bool(used) and optional.issuperset(used)

    def _differs(self, test: ast.expr) -> bool:
        return not self.facts.values.get(test, UNKNOWN).placement.is_equal

    def _may_return(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.If):
            return False
        returns = any(isinstance(part, ast.Return) for part in walk(node)) and not self._is_settled(node.test)
        return returns or (_goes_on(node) and self._differs(node.test))

    def _is_settled(self, test: ast.expr) -> bool:
        """Whether a condition is decided as a model is made: by attributes that nothing else sets, or constants."""
        for part in walk(test):
            if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in _ASKING):
                return False
            if isinstance(part, ast.Attribute) and part.attr in self._set_later:
                return False
            if isinstance(part, ast.Name) and part.id not in ("self", *_ASKING) and not self._is_global(part):
                return False
        return True

    def _is_global(self, name: ast.Name) -> bool:
        """Whether a name has one value, given at the top of a module."""
        unit = self.facts.units.get(name)
        binding = unit.names.binding(name) if unit is not None else None
        if unit is None or binding is None or binding is not unit.names.module:
            return False
        return len(binding.values.get(name.id, ())) == 1

    @cached_property
    def _set_later(self) -> frozenset[str]:
        """The attributes that are set elsewhere than where an object is made."""
        made = {
            part
            for node in self.facts.classes.values()
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name == "__init__"
            for part in walk(method)
        }
        sources = {id(unit.source): unit.source for unit in self.facts.units.values()}.values()
        nodes = (part for source in sources for part in source.nodes.of(ast.Attribute))
        return frozenset(part.attr for part in nodes if isinstance(part.ctx, ast.Store) and part not in made)
