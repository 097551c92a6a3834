"""What an optimizer steps: its list of parameters, followed to the modules and tensors that it comes from."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.steps import Chosen, Held, Ways
from corro.flow.values import UNKNOWN
from corro.frontends.conditions import are_exhaustive, around, of_test, together, unknown
from corro.frontends.pytorch.forwards import inside_module
from corro.frontends.pytorch.parts import MODULES, contained, given_to, is_given_more, owners, whole_of
from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from corro.anatomy.steps import Condition
    from corro.flow.facts import CallFact, Facts, Unit
    from corro.names import Scope
    from corro.source import SourceFile

_PASSING = frozenset({"list", "tuple", "iter", "set", "sorted", "reversed", "chain", "from_iterable", "dict"})
"""Functions that give on the parameters they are given."""
_ADDING = frozenset({"append", "extend", "insert", "add"})
_READING = frozenset({"index", "count", "copy", "items", "keys", "values", "get"})
"""Methods that leave a list or a dict as it is."""
_EMPTY = frozenset({"list", "set", "dict", "OrderedDict", "defaultdict"})
"""Functions that make a container with nothing in it, or with what is made where it is first asked for."""
_GROUP = "params"
"""The key of a group of parameters that has the parameters."""


def held(facts: Facts, optimizer: ast.Call) -> Held:
    """What the optimizer made by a call steps, groups that are added later included."""
    given = [*optimizer.args[:1], *(k.value for k in optimizer.keywords if k.arg == _GROUP)]
    for call in added(facts, optimizer):
        given += arguments_of(call)
    if not given:  # SGD(**settings)
        return Held(unknown=(optimizer,))
    return _all(_Follower(facts).follow(part) for part in given)


def origins(facts: Facts, node: ast.Name) -> Iterator[tuple[Scope, str]]:
    """The names, each in its scope, of what a name may stand for, or may be a view of: what it was made of."""
    follower, pending = _Follower(facts), [node]
    seen: set[tuple[Scope, str]] = set()
    while pending:
        name = pending.pop()
        unit = facts.units.get(name)
        scope = unit.names.binding(name) if unit is not None else None
        if unit is None or scope is None or (scope, name.id) in seen:
            continue
        seen.add((scope, name.id))
        yield scope, name.id
        for made in follower.made_of(unit, name, scope):
            pending += [part for part in ast.walk(made) if isinstance(part, ast.Name)]


def added(facts: Facts, optimizer: ast.Call) -> Iterator[ast.Call]:
    """The calls that add groups of parameters to an optimizer."""
    number = facts.numbers.get(optimizer)
    for fact in facts.once(_additions):
        if fact.receiver is not None and number in fact.receiver.sites:
            yield fact.node


def _additions(facts: Facts) -> list[CallFact]:
    return [fact for fact in facts.calls if fact.name == "add_param_group"]


def are_all(chosen: Iterable[Chosen], *, frozen: bool) -> bool:
    """Whether these are all parameters of a module between them.

    Args:
        chosen: those that were taken of the module, each under its conditions.
        frozen: a parameter without ``requires_grad`` stays so: it has no gradient, and counts for nothing.
    """
    kept = ((c for c in each.conditions if not (frozen and _is_trainable(c))) for each in chosen)
    return are_exhaustive(kept)


def _is_trainable(condition: Condition) -> bool:
    return condition.holds and condition.text.endswith(".requires_grad")


def is_loose(facts: Facts, module: ast.expr) -> bool:
    """Whether a module is known to stand by itself: it has a name in the script, and no other module is given it."""
    value = facts.values.get(module, UNKNOWN)
    unit = facts.units.get(module)
    if not isinstance(module, ast.Name) or unit is None or not value.sites or "part" in value.tags:
        return False
    made = [fact for fact in facts.calls if fact.result.kind is Kind.MODULE and fact.result.sites & value.sites]
    if any(inside_module(facts, fact.context) or facts.units.get(fact.node) is not unit for fact in made):
        return False
    scope = unit.names.binding(module)
    uses = unit.names.uses(module.id, scope) if scope is not None else ()
    given = any(_is_given_on(facts, unit, use) for use in uses) and _is_registered(facts, value.sites)
    return scope is not None and not given


def may_be_loose(facts: Facts, module: ast.expr, called: frozenset[int]) -> bool:
    """Whether a module may stand by itself: it is no model that is called, and nothing shows that it is a part."""
    value = facts.values.get(module, UNKNOWN)
    if not value.sites or value.sites & called or _is_of_layers(facts, module, called):
        return False
    wholes = whole_of(contained(facts), value.sites)
    if "part" in value.tags or wholes != value.sites:
        return wholes.isdisjoint(called | {0})
    return is_loose(facts, module) or not _is_registered(facts, value.sites)


def _is_of_layers(facts: Facts, module: ast.expr, called: frozenset[int]) -> bool:
    """Whether a module is one of the layers in a list of the library's that a model that is called has."""
    unit = facts.units.get(module)
    loop = _loop_of(unit, module) if unit is not None and isinstance(module, ast.Name) else None
    held = loop.iter if loop is not None else module.value if isinstance(module, ast.Subscript) else None
    if not isinstance(held, ast.Attribute) or facts.values.get(held, UNKNOWN).kind is not Kind.LAYERS:
        return False
    return bool(whole_of(owners(facts), facts.values.get(held.value, UNKNOWN).sites) & called)


def _is_given_on(facts: Facts, unit: Unit, use: ast.Name) -> bool:
    """Whether a name is put into something that may be a module: a call that is no function of the script's own."""
    inner: ast.AST = use
    for above in unit.source.ancestors(use):
        if isinstance(above, ast.Attribute) or (isinstance(above, ast.Call) and inner is above.func):
            return False
        if isinstance(above, ast.Call):
            called = facts.values.get(above.func, UNKNOWN)
            return called.kind is not Kind.FUNCTION or bool(called.items)
        if isinstance(above, ast.stmt):
            return isinstance(above, ast.Assign) and isinstance(use.ctx, ast.Load)
        inner = above
    return True


def _is_registered(facts: Facts, sites: frozenset[int]) -> bool:
    """Whether a module becomes a part of another one: as an attribute, a layer of a library's, or added by a method.

    What a module keeps in a list or a dict, or calls by another name, is no part of it: its wrapper sees none of it.
    """
    for store in facts.stores:
        attribute = store.owner.kind is Kind.MODULE and isinstance(store.node, ast.Attribute)
        if attribute and store.given[0].kind in MODULES and store.given[0].sites & sites:
            return True
    for fact in facts.calls:
        made = fact.result.kind in MODULES and not fact.result.obj
        if (made or is_given_more(fact)) and any(value.sites & sites for value in given_to(facts, fact)):
            return True
    return False


def may_hold(facts: Facts, given: Held, model: frozenset[int], others: frozenset[int]) -> bool:
    """Whether some of what an optimizer holds may be parameters of a model; what is one of others' is not."""
    if given.unknown or not (given.modules or given.tensors):
        return True
    wholes = whole_of(owners(facts), model)
    sites = [(module, facts.values.get(module, UNKNOWN).sites) for module in given.modules]
    return any(made & wholes or not ((made and made <= others) or is_loose(facts, module)) for module, made in sites)


def _taken_from(node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> ast.Subscript | None:
    """What a comprehension takes items of by a key, if that is not what it goes over."""
    item = None if isinstance(node, ast.DictComp) else node.elt
    if not isinstance(item, ast.Subscript) or not isinstance(item.value, ast.Name):
        return None
    targets = (part for each in node.generators for part in ast.walk(each.target))
    return item if all(getattr(part, "id", "") != item.value.id for part in targets) else None


def _all(parts: Iterable[Held]) -> Held:
    found = Held()
    for part in parts:
        found += part
    return found


class _Follower:
    """Follows expressions; each name once, and what refers to itself not again."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[Hashable, Held] = {}

    def _once(self, key: Hashable, follow: Callable[[], Held]) -> Held:
        if key not in self._known:
            self._known[key] = Held()
            self._known[key] = follow()
        return self._known[key]

    def follow(self, node: ast.expr) -> Held:
        """The parameters in an expression."""
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return _all(map(self.follow, node.elts))
        if isinstance(node, ast.Starred):
            return self.follow(node.value)
        if isinstance(node, ast.Dict):
            return self._group(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.follow(node.left) + self.follow(node.right)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            tests = together(of_test(test) for each in node.generators for test in each.ifs)
            taken = _taken_from(node)
            if taken is None:
                return (self._each(node) or self.follow(node.generators[-1].iter)).where(tests)
            return self.follow(taken.value).where(tests if self._is_split(taken) else unknown(taken))
        if isinstance(node, ast.Subscript) and isinstance(node.value, (ast.Name, ast.Subscript)):
            return self.follow(node.value).where(unknown(node))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Attribute) and self._kind(node.value) is Kind.MODULE:
            return Held((Chosen(node.value),)).where(unknown(node))
        if isinstance(node, ast.Attribute) and self._is_tensor(node):
            return Held(tensors=(node,))
        if isinstance(node, ast.Attribute) and self._kind(node.value) is Kind.INSTANCE:
            return self._field(node)
        return self._name(node) if isinstance(node, ast.Name) else Held(unknown=(node,))

    def _each(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> Held | None:
        """What a comprehension makes of each item, lists or groups of parameters; ``None`` where that is not known."""
        item = node.value if isinstance(node, ast.DictComp) else node.elt
        found = self.follow(item) if isinstance(item, (ast.Call, ast.Dict)) else None
        return found if found is not None and not found.unknown else None

    def _is_split(self, taken: ast.Subscript) -> bool:
        """Whether parameters are taken of a dict by several lists of names, which are all names between them.

        That is how weight decay is kept from some; the lists are not followed.
        """
        unit = self._facts.units.get(taken.value)
        if unit is None or not isinstance(taken.value, ast.Name):
            return False
        uses = unit.names.uses(taken.value.id, unit.names.binding(taken.value))
        return sum(isinstance(unit.source.parent(use), ast.Subscript) for use in uses) > 1

    def _kind(self, node: ast.expr) -> Kind:
        return self._facts.values.get(node, UNKNOWN).kind

    def _group(self, node: ast.Dict) -> Held:
        """What is in a group of parameters, or in a dict of such groups."""
        for key, part in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == _GROUP:
                return self.follow(part)
        several = all(isinstance(part, (ast.Dict, ast.List)) for part in node.values)
        return _all(map(self.follow, node.values)) if several else Held(unknown=(node,))

    def _call(self, node: ast.Call) -> Held:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if isinstance(node.func, ast.Attribute) and name in ("parameters", "named_parameters"):
            return Held((Chosen(node.func.value),))
        if name in ("values", "items") and isinstance(node.func, ast.Attribute):
            return self.follow(node.func.value)
        if name == "dict" and node.keywords:
            return _all(self.follow(k.value) for k in node.keywords if k.arg == _GROUP)
        if name in _EMPTY and (not node.args or name == "defaultdict"):
            return Held()
        if name == "filter" and len(node.args) == 2:
            test = node.args[0]
            ways = of_test(test.body) if isinstance(test, ast.Lambda) else unknown(test)
            return self.follow(node.args[1]).where(ways)
        if name in _PASSING and node.args:
            return _all(map(self.follow, node.args))
        function = self._facts.functions.get(self._facts.values.get(node.func, UNKNOWN).obj)
        if not isinstance(function, ast.FunctionDef):
            return Held(unknown=(node,))
        return self._once(function, lambda: self._returned(function) or Held(unknown=(node,)))

    def _returned(self, function: ast.FunctionDef) -> Held | None:
        """What a function of the script's own gives; ``None`` where that is not known."""
        own = [part for part in ast.walk(function) if isinstance(part, (ast.Return, ast.Yield, ast.YieldFrom))]
        inner = any(part is not function and isinstance(part, _FUNCTIONS) for part in ast.walk(function))
        unit = self._facts.units.get(function)
        given = [(part, part.value) for part in own if part.value is not None]
        if unit is None or inner or not given or len(given) < len(own):
            return None
        return _all(self.follow(value).where(around(unit, part, function)) for part, value in given)

    def _field(self, node: ast.Attribute) -> Held:
        """What was given to an attribute of an object of the script's own, where one statement alone sets it."""
        owner = self._facts.values[node.value].obj
        stores = [each for each in self._facts.stores if getattr(each.node, "attr", "") == node.attr]
        maybe = [store for store in stores if store.owner.obj in (0, owner)]
        places = {store.node: store.owner.obj for store in maybe}
        changed = any(_is_changed(unit.source, node.attr) for unit in self._facts.files)
        if not owner or changed or list(places.values()) != [owner]:
            return Held(unknown=(node,))
        (place,) = places
        unit = next((each for each in self._facts.files if each.source.parent(place) is not None), None)
        statement = unit.source.parent(place) if unit is not None else None
        if unit is None or not isinstance(statement, ast.Assign) or place not in statement.targets:
            return Held(unknown=(node,))
        function = next((above for above in unit.source.ancestors(place) if isinstance(above, _FUNCTIONS)), None)
        if function is None:
            return Held(unknown=(node,))
        value = statement.value
        found = self._once((owner, node.attr), lambda: self.follow(value).where(around(unit, place, function)))
        return Held(unknown=(node,)) if found.tensors else found

    def _name(self, node: ast.Name) -> Held:
        unit = self._facts.units.get(node)
        scope = unit.names.binding(node) if unit is not None else None
        if unit is None or scope is None:
            return Held(unknown=(node,))
        loop = _loop_of(unit, node) or _generator_of(unit, node)
        if loop is not None:
            return self.follow(loop.iter)
        return self._once((scope, node.id), lambda: self._bound(unit, node, scope.node))

    def _bound(self, unit: Unit, node: ast.Name, scope: ast.AST) -> Held:
        """What was given to a name, by whatever binds it in its scope."""
        value = self._facts.values.get(node, UNKNOWN)
        uses = unit.names.uses(node.id, unit.names.binding(node))
        put = [*self._put(unit, uses, scope), *self._given(scope, node.id)]
        known = [(each, when) for each, when in put if each is not None]
        of_module = value.kind is Kind.PARAMETERS and value.sites and isinstance(scope, ast.FunctionDef)
        if of_module and len(known) < len(put):
            return Held()  # those of a module, whose forward was followed
        if put and all(each is None or (isinstance(each, ast.Call) and self._is_tensor(each)) for each, _ in put):
            return Held(tensors=(node,)) if known or self._is_tensor(node) else Held(unknown=(node,))
        if not put or len(known) < len(put):
            return Held(unknown=(node,))
        return _all(self.follow(each).where(when) for each, when in known)

    def made_of(self, unit: Unit, node: ast.Name, scope: Scope) -> Iterator[ast.AST]:
        """What is given to a name by whatever binds it: a statement, a loop, the calls of its function."""
        uses = unit.names.uses(node.id, scope)
        loops = (_loop_of(unit, use) for use in uses)
        yield from (loop.iter for loop in loops if loop is not None)
        put = (*self._put(unit, uses, scope.node), *self._given(scope.node, node.id))
        yield from (each for each, _ in put if each is not None)
        yield from (value for value in scope.values.get(node.id, ()) if isinstance(value, ast.expr))

    def _given(self, function: ast.AST, name: str) -> Iterator[_Put]:
        """What a parameter of a function is given where the function is called."""
        parameters = getattr(function, "args", None)
        if not isinstance(parameters, ast.arguments) or name not in {a.arg for a in _every(parameters)}:
            return
        calls = self._facts.once(_calls_of_functions).get(function, {})
        for call in calls:
            yield _argument(call, parameters, name), unknown(call) if len(calls) > 1 else ((),)
        if not calls:
            yield None, ((),)

    def _is_tensor(self, node: ast.expr) -> bool:
        return self._kind(node) is Kind.TENSOR

    def _put(self, unit: Unit, uses: Iterable[ast.Name], scope: ast.AST) -> Iterator[_Put]:
        """What a name is assigned, or is put into the list under it."""
        found = [(use, value) for use in uses for value in _put_at(unit, use)]
        ways = {use: around(unit, use, scope) for use, _ in found}
        for place, (use, value) in enumerate(found):
            later = [each for each, _ in found[place + 1 :] if _is_assigned(unit, each)]
            kept = (_opposite(ways[each]) or unknown(each) for each in later if _is_assigned(unit, use))
            yield value, together((ways[use], *kept))


def _is_changed(source: SourceFile, attribute: str) -> bool:
    """Whether a list under an attribute of this name, of whatever object, is added to or written into."""
    for node in source.attributes.get(attribute, ()):
        above = source.parent(node)
        if isinstance(above, ast.Attribute) and above.attr not in _READING:
            return True
        if isinstance(above, ast.Subscript) and not isinstance(above.ctx, ast.Load):
            return True
        if isinstance(above, (ast.AugAssign, ast.Delete)):
            return True
    return False


def _calls_of_functions(facts: Facts) -> dict[ast.AST, dict[ast.Call, None]]:
    """The calls of each function; those that make an object are calls of its ``__init__``."""
    found: dict[ast.AST, dict[ast.Call, None]] = {}
    for fact in facts.calls:
        called = facts.values.get(fact.node.func, UNKNOWN)
        made = facts.classes.get(fact.result.obj) if called.kind is Kind.CLASS else None
        body: list[ast.AST] = [*made.body] if made is not None else []
        functions = [each for each in body if getattr(each, "name", "") == "__init__"]
        if called.kind is Kind.FUNCTION and called.obj in facts.functions:
            functions = [facts.functions[called.obj]]
        for function in functions:
            found.setdefault(function, {})[fact.node] = None
    return found


_Put = tuple[ast.expr | None, Ways]
"""What a name is given, ``None`` where that is not followed, and how it comes to be that."""


def _opposite(ways: Ways) -> Ways | None:
    """How none of several ways comes about, where that is a single condition."""
    return ((ways[0][0].opposite,),) if [len(way) for way in ways] == [1] else None


def _put_at(unit: Unit, use: ast.Name) -> Iterator[ast.expr | None]:
    """What a name is given at a place where it stands, if anything; ``None`` for what is not followed."""
    item, key = _item_at(unit, use)
    parent = unit.source.parent(item)
    if item is not use and isinstance(parent, ast.Assign) and item in parent.targets:
        yield from () if _is_option(key, parent.value) else (parent.value,)
        return
    if isinstance(parent, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and isinstance(use.ctx, ast.Store):
        yield parent.value
    elif isinstance(parent, ast.Tuple) and isinstance(above := unit.source.parent(parent), ast.Assign):
        items = above.value.elts if isinstance(above.value, ast.Tuple) else []
        if isinstance(use.ctx, ast.Store):
            yield items[parent.elts.index(use)] if len(items) == len(parent.elts) else None
    elif isinstance(parent, ast.Attribute) and parent.attr in _ADDING:
        call = unit.source.parent(parent)
        yield from call.args[-1:] if isinstance(call, ast.Call) else ()
    elif isinstance(use.ctx, ast.Store):
        loop = next((a for a in unit.source.ancestors(use) if isinstance(a, ast.stmt)), None)
        yield loop.iter if isinstance(loop, ast.For) else None


def _item_at(unit: Unit, use: ast.Name) -> tuple[ast.expr, ast.expr | None]:
    """The item of what is under a name that is asked for where it stands, and by which key: of an item, of that."""
    item: ast.expr = use
    key: ast.expr | None = None
    parent = unit.source.parent(item)
    while True:
        above = unit.source.parent(parent) if parent is not None else None
        if isinstance(parent, ast.Subscript) and parent.value is item:
            item, key = parent, parent.slice
        elif isinstance(parent, ast.Attribute) and parent.attr == "setdefault" and isinstance(above, ast.Call):
            item, key = above, next(iter(above.args), None)
        else:
            return item, key
        parent = unit.source.parent(item)


def _is_option(key: ast.expr | None, value: ast.expr) -> bool:
    """Whether an item is an option of a group, such as its rate: no parameters."""
    return isinstance(key, ast.Constant) and key.value != _GROUP and isinstance(value, ast.Constant)


def _is_assigned(unit: Unit, use: ast.Name) -> bool:
    """Whether a name is bound anew at a place, and no longer what it was."""
    return isinstance(use.ctx, ast.Store) and not isinstance(unit.source.parent(use), ast.AugAssign)


def _loop_of(unit: Unit, use: ast.Name) -> ast.For | None:
    """The loop around a place that alone says what a name is in it."""
    for above in unit.source.ancestors(use):
        if isinstance(above, (*_FUNCTIONS, ast.ClassDef)):
            return None
        stored = [n for n in ast.walk(above) if isinstance(n, ast.Name) and n.id == use.id and _is_stored(n)]
        if stored:
            return above if isinstance(above, ast.For) and set(stored) <= set(ast.walk(above.target)) else None
    return None


def _generator_of(unit: Unit, use: ast.Name) -> ast.comprehension | None:
    """The part of a comprehension around a place that says what a name is in it."""
    for above in unit.source.ancestors(use):
        if isinstance(above, ast.stmt):
            return None
        for each in getattr(above, "generators", ()):
            if any(isinstance(part, ast.Name) and part.id == use.id for part in ast.walk(each.target)):
                return each if isinstance(each, ast.comprehension) and use not in set(ast.walk(each.iter)) else None
    return None


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _every(parameters: ast.arguments) -> Iterator[ast.arg]:
    yield from (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
    yield from (each for each in (parameters.vararg, parameters.kwarg) if each is not None)


def _argument(call: ast.Call, parameters: ast.arguments, name: str) -> ast.expr | None:
    """What a parameter is given in a call; ``None`` where that is not written there, or is a default."""
    named = next((k.value for k in call.keywords if k.arg == name), None)
    if named is not None:
        return named
    places = [a.arg for a in (*parameters.posonlyargs, *parameters.args)]
    places = places[1:] if places[:1] == ["self"] else places
    if any(k.arg is None for k in call.keywords) or name not in places:
        return None
    place = places.index(name)
    starred = any(isinstance(each, ast.Starred) for each in call.args[: place + 1])
    return call.args[place] if place < len(call.args) and not starred else None
