"""The order of a set of strings: another one in each process, so what shows it is given a sorted one."""

from __future__ import annotations

import ast
from itertools import takewhile
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.python import MAKING_SETS, ON_SETS
from corro.flow.state import UNORDERED
from corro.rules import texts
from corro.rules.places import blocks
from corro.rules.reached import is_mentioned
from corro.source import replace_node, walk, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.values import Value
    from corro.names import Names
    from corro.rules.base import Answer, Job
    from corro.source import Edit

_ORDERED = frozenset({"list", "tuple", "enumerate", "iter", "zip", "map", "filter", "join", "choice", "sample",
                      "choices", "array", "asarray", "Series", "DataFrame", "extend", "fromkeys", "deque", "chain",
                      "cycle", "islice", "tqdm"})  # fmt: skip
_TAKING_SETS = frozenset({"pop", "array", "asarray", "Series", "DataFrame"})
"""What takes an item out of the set itself, or takes the set as one object."""
_LISTING = frozenset({"list", "tuple", "iter", "map", "filter"})
_ORDERLESS = frozenset({"sum", "len", "max", "min", "any", "all", "sorted", "set", "frozenset", "print"})
_MAYBE = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""What may leave out, or put off, what stands in it."""
_TELLING = frozenset({"int", "float", "str"})
"""Functions that give something else for each word."""
_OF_TEXTS = frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "split", "startswith", "endswith", "title"})
"""Methods that texts have, and no number."""
_MAY_LEAVE_OUT = (ast.IfExp, ast.BoolOp, ast.Compare, ast.Lambda, ast.comprehension, ast.ListComp, ast.SetComp,
                  ast.DictComp, ast.GeneratorExp)  # fmt: skip
"""Expressions that may not evaluate each of their parts."""
_ORDERLESS_METHODS = frozenset({"drop", "isin", "update", "union", "intersection", "difference", "issubset"})
"""Methods to which it is all one in which order they are given something."""


def answers(job: Job, rule: str) -> Iterator[Answer]:
    """Sets that are taken item by item are sorted, in the name of a rule; a refusal where they may not be sortable."""
    found = [(node, part) for node in job.nodes.of(*TAKES_IN_ORDER) for part in taken_in_order(job, node)]
    for node, part in found:
        if not _is_set_of_words(job, part):
            continue
        edits = _sorted(job, node, part)
        made = _made_of_words(job, node, part) if edits is None else None
        if made is not None:
            yield from _as_they_come(job, rule, made, part)
            continue
        if edits is None:
            yield job.refuse(
                rule,
                "the order of a set of strings differs between processes.",
                part,
                "Use sorted(...) instead.",
                effort="one line",
            )
            return
        yield job.change(rule, "a set of strings has another order in each process", part, edits)
        yield job.review(
            rule,
            "this set is sorted: its order is another one in each run of the script, and has to be the same on all "
            "processes.",
            part,
            differs=("alone", "coverage", "gradient", "metrics"),
        )


def _sorted(job: Job, user: ast.AST, node: ast.expr) -> list[Edit] | None:
    """The edits that sort a set; none where it is not known that its items can be sorted, or it has to stay a set."""
    items = job.facts.elements.get(node)
    name = called(user)
    shadowed = "sorted" in job.names_of(node).module.values
    known = (items is not None and _is_sortable(items)) or texts.are_items(job, node)
    if not (known or _is_of_joined_tuples(job, user, node)) or name in _TAKING_SETS or shadowed:
        return None
    if isinstance(user, ast.Call) and isinstance(user.func, ast.Name) and name == "list" and user.args == [node]:
        return list(replace_node(job.file_of(user), user.func, "sorted"))
    return list(wrap(job.file_of(node), node, "sorted(", ")"))


def _as_they_come(job: Job, rule: str, made: ast.Call, part: ast.expr) -> Iterator[Answer]:
    """A set that is gone through once becomes the keys of a dict: no item comes twice, and each where it came first."""
    edits = replace_node(job.file_of(made), made.func, "dict.fromkeys")
    yield job.change(rule, "a set of strings has another order in each process", made, edits)
    yield job.review(
        rule,
        "the items of this set are taken in the order in which they first come: that of a set is another one in each "
        "run of the script, and has to be the same on all processes.",
        part,
        differs=("alone", "coverage", "gradient", "metrics"),
    )


def _made_of_words(job: Job, loop: ast.AST, node: ast.expr) -> ast.Call | None:
    """The call that makes a set of words, which nothing but a loop uses, of something that has an order."""
    names, made = job.names_of(node), node
    if isinstance(node, ast.Name):
        scope = names.binding(node)
        values = scope.values[node.id] if scope is not None else ()
        uses = [use for use in names.uses(node.id, scope) if isinstance(use.ctx, ast.Load)]
        inside = scope is not None and not isinstance(scope.node, (ast.Module, ast.ClassDef))
        own = inside or (scope is names.module and job.file_of(node) is job.script)  # no other file can use it
        if not own or len(values) != 1 or not isinstance(values[0], ast.Call) or uses != [node]:
            return None
        made = values[0]
    if not isinstance(made, ast.Call) or len(made.args) != 1 or made.keywords or not _is_built_in(names, made.func):
        return None
    given = job.facts.values.get(made.args[0])
    ordered = given is not None and UNORDERED not in given.tags and given.placement.is_equal
    return made if ordered and isinstance(loop, ast.For) and _shows_words(job, loop) else None


def _is_built_in(names: Names, function: ast.expr) -> bool:
    """Whether ``set`` is Python's own, and so is ``dict`` there."""
    plain = isinstance(function, ast.Name) and function.id == "set" and names.binding(function) is None
    return plain and names.lookup("dict", names.scope(function)) is None


def _shows_words(job: Job, loop: ast.For) -> bool:
    """Whether what a loop does first with each item, under no condition, is done with texts or tuples of them only."""
    plain = takewhile(lambda each: isinstance(each, (ast.Expr, ast.Assign, ast.AugAssign)), loop.body)
    calls = (part for each in plain for part in walk(each) if isinstance(part, ast.Call))
    return any(_is_of_words(call, loop.target) and _is_always_made(job, call) for call in calls)


def _is_of_words(call: ast.Call, item: ast.expr) -> bool:
    """``" ".join(item)``, or a method of texts."""
    if not isinstance(call.func, ast.Attribute) or not isinstance(item, ast.Name):
        return False
    owner = call.func.value
    if isinstance(owner, ast.Constant) and isinstance(owner.value, str):
        return call.func.attr == "join" and [ast.dump(given) for given in call.args] == [_read(item)]
    return call.func.attr in _OF_TEXTS and ast.dump(owner) == _read(item)


def _read(name: ast.Name) -> str:
    return ast.dump(ast.Name(id=name.id, ctx=ast.Load()))


def _is_always_made(job: Job, call: ast.Call) -> bool:
    """Whether a statement makes a call whenever it is run."""
    around = takewhile(lambda each: not isinstance(each, ast.stmt), job.ancestors(call))
    return not any(isinstance(each, _MAY_LEAVE_OUT) for each in around)


def _is_sortable(item: Value) -> bool:
    """Whether items are texts, or tuples of texts and numbers, of which each comes before or after each other."""
    if item.kind is Kind.TUPLE:
        return all(_is_sortable(part) or part.kind is Kind.NUMBER for part in item.items)
    return item.kind is Kind.TEXT and not item.may_be_none


def _is_of_joined_tuples(job: Job, user: ast.AST, node: ast.expr) -> bool:
    """Whether ``zip`` makes the items of a set, and each is joined to a text at once: they are tuples of texts."""
    target, first = _item_and_use(user, node)
    if not isinstance(target, ast.Name) or first is None or not _is_set_of_zipped(job, node):
        return False
    calls = (part for part in walk(first) if isinstance(part, ast.Call) and called(part) == "join")
    joining = (c for c in calls if isinstance(c.func, ast.Attribute) and isinstance(c.func.value, ast.Constant))
    joined = (call for call in joining if isinstance(call.func.value.value, str))  # type: ignore[attr-defined]
    return any(isinstance(given, ast.Name) and given.id == target.id for call in joined for given in call.args)


def _item_and_use(user: ast.AST, node: ast.expr) -> tuple[ast.expr | None, ast.AST | None]:
    """The item that a loop takes of a set, and what is surely done with each before anything else."""
    if isinstance(user, ast.For):
        done = user.body[0]
        plain = isinstance(done, (ast.Expr, ast.Assign)) and not any(isinstance(p, _MAYBE) for p in walk(done))
        return user.target, done if plain else None
    if isinstance(user, (ast.ListComp, ast.GeneratorExp)) and len(user.generators) == 1:
        made = user.generators[0]
        plain = made.iter is node and not made.ifs and not any(isinstance(p, _MAYBE) for p in walk(user.elt))
        return made.target, user.elt if plain else None
    return None, None


def _is_set_of_zipped(job: Job, node: ast.expr) -> bool:
    """``set(zip(...))``, or a name that nothing else is given to."""
    if isinstance(node, ast.Name):
        names = job.names_of(node)
        binding = names.binding(node)
        given = binding.values.get(node.id, ()) if binding is not None else ()
        stored = [use for use in names.uses(node.id, binding) if not isinstance(use.ctx, ast.Load)] if binding else []
        only = given[0] if len(given) == len(stored) == 1 else None
        return isinstance(only, ast.Call) and _is_set_of_zipped(job, only)
    if not isinstance(node, ast.Call) or called(node) not in ("set", "frozenset") or len(node.args) != 1:
        return False
    inner = node.args[0]
    plain = all(isinstance(call.func, ast.Name) for call in (node, inner) if isinstance(call, ast.Call))
    shadowed = {"set", "frozenset", "zip"} & set(job.names_of(node).module.values)
    return isinstance(inner, ast.Call) and called(inner) == "zip" and plain and not shadowed


_MADE = (ast.ListComp, ast.GeneratorExp, ast.DictComp)
TAKES_IN_ORDER = (ast.For, ast.AsyncFor, *_MADE, ast.Starred, ast.Assign, ast.Call)
"""The nodes of which some take something so."""


def taken_in_order(job: Job, node: ast.AST) -> Iterator[ast.expr]:
    """What a statement or an expression takes one after the other, so that the order shows in what it makes."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        if not _only_fills_places(node):
            yield node.iter
    elif isinstance(node, _MADE):
        if not _is_order_lost(job, node):
            yield from (generator.iter for generator in node.generators)
    elif isinstance(node, ast.Starred):
        if not isinstance(job.parent(node), ast.Set) and not _is_order_lost(job, node):
            yield node.value
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
        yield node.value
    elif isinstance(node, ast.Call):
        name = called(node)
        if name == "sorted" and _leaves_ties(node):
            yield from node.args
        elif name == "pop" and isinstance(node.func, ast.Attribute) and not node.args:
            yield node.func.value
        elif name in _ORDERED and not (name in _LISTING and _is_order_lost(job, node)):
            yield from node.args


def _only_fills_places(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop puts one number into the places of an array that its items say: ``a[:, item] = 3.0``."""
    if not isinstance(loop.target, ast.Name) or loop.orelse:
        return False
    parts = [part for statement in loop.body for part in walk(statement)]
    stores = [part for part in parts if isinstance(part, ast.stmt) and not isinstance(part, ast.If)]
    numbers = {ast.dump(each.value) for each in stores if isinstance(each, ast.Assign)}
    asks = any(isinstance(part, (ast.Call, ast.NamedExpr)) or _is_read(part) for part in parts)
    return len(numbers) == 1 and not asks and all(_is_place(each, loop.target.id) for each in stores)


def _is_read(part: ast.AST) -> bool:
    """Whether an item of a variable is read."""
    return isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and isinstance(part.value, ast.Name)


def _is_place(store: ast.stmt, item: str) -> bool:
    """Whether a statement puts a number into a row, or a column, of an array."""
    match store:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(), slice=ast.Tuple(elts=places))], value=ast.Constant()):
            return any(isinstance(each, ast.Slice) for each in places) and any(
                isinstance(each, ast.Name) and each.id == item for each in places
            )
    return False


def called(node: ast.AST | None) -> str:
    """The last part of the name that a call calls; empty for anything else."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_order_lost(job: Job, node: ast.expr) -> bool:
    """Whether what is made goes straight into something that has no order, or one of its own: ``sorted(list(s))``."""
    file = job.file_of(node)
    user = file.parent(node)
    if isinstance(user, ast.Assign) and len(user.targets) == 1 and user.value is node:
        return _is_sorted_next(job, user)
    user = file.parent(user) if isinstance(user, ast.keyword) else user
    if not isinstance(user, ast.Call) or _leaves_ties(user):
        return False
    return called(user) in (_ORDERLESS_METHODS if isinstance(user.func, ast.Attribute) else _ORDERLESS)


def _is_sorted_next(job: Job, made: ast.Assign) -> bool:
    """``words = list(s)``, and ``words.sort()`` right after it."""
    file = job.file_of(made)
    block = next((block for block in blocks(file.parent(made)) if made in block), [made])
    following = block[block.index(made) + 1] if made is not block[-1] else None
    call = following.value if isinstance(following, (ast.Expr, ast.Assign)) else None
    if not isinstance(call, ast.Call) or _leaves_ties(call):
        return False
    target = ast.dump(made.targets[0]).replace("Store()", "Load()")
    if isinstance(call.func, ast.Attribute):
        return call.func.attr == "sort" and ast.dump(call.func.value) == target
    again = isinstance(following, ast.Assign) and ast.dump(following.targets[0]) == ast.dump(made.targets[0])
    return again and called(call) == "sorted" and [ast.dump(given) for given in call.args] == [target]


def _leaves_ties(call: ast.Call) -> bool:
    """Whether things may be equal to what sorts them, so that they stay in the order that they had."""
    key = next((keyword.value for keyword in call.keywords if keyword.arg == "key"), None)
    if key is None or (isinstance(key, ast.Constant) and key.value is None):
        return False
    if isinstance(key, ast.Attribute) and key.attr == "index":
        return False
    if isinstance(key, ast.Lambda):
        item = key.args.args[0].arg if key.args.args else ""
        parts = key.body.elts if isinstance(key.body, ast.Tuple) else [key.body]
        whole = [p.args[0] if isinstance(p, ast.Call) and called(p) in _TELLING and p.args else p for p in parts]
        return not any(isinstance(part, ast.Name) and part.id == item for part in whole)
    return not (isinstance(key, ast.Name) and key.id in _TELLING)


def _is_set_of_words(job: Job, node: ast.expr) -> bool:
    if node not in job.facts.values:
        return _is_written_as_set(node, _handed_on(job, node))
    items = job.facts.elements.get(node)
    return UNORDERED in job.value(node).tags and not (items is not None and _is_of_numbers(items))


def _is_of_numbers(item: Value) -> bool:
    """Whether items are numbers, or tuples of them: their order in a set is the same in each process."""
    if item.kind is Kind.TUPLE:
        return bool(item.items) and all(map(_is_of_numbers, item.items))
    return item.kind is Kind.NUMBER


def _handed_on(job: Job, node: ast.expr) -> ast.Lambda | ast.FunctionDef | None:
    """The function around code that nobody was seen to call, where it is given to somebody who may."""
    around = (a for a in job.ancestors(node) if isinstance(a, (ast.Lambda, ast.FunctionDef)))
    function = next(around, None)
    called = isinstance(function, ast.FunctionDef) and not is_mentioned(job, function)
    return None if called else function


def _is_written_as_set(node: ast.expr, within: ast.AST | None, asked: frozenset[str] = frozenset()) -> bool:
    """Whether an expression in a function that is not followed is a set, by what is written there.

    ``asked``: the variables whose values it is part of, which may be made of themselves.
    """
    if within is None:
        return False
    if isinstance(node, ast.Name):
        made = (part for part in walk(within) if isinstance(part, ast.Assign) and node.id not in asked)
        values = [m.value for m in made if any(isinstance(t, ast.Name) and t.id == node.id for t in m.targets)]
        return any(_is_written_as_set(value, within, asked | {node.id}) for value in values)
    if isinstance(node, ast.BinOp):
        both = (node.left, node.right)
        return isinstance(node.op, ON_SETS) and any(_is_written_as_set(side, within, asked) for side in both)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in MAKING_SETS and _is_written_as_set(node.func.value, within, asked)
    if isinstance(node, ast.Set):
        return not all(isinstance(item, ast.Constant) and isinstance(item.value, (int, float)) for item in node.elts)
    numbers = isinstance(node, ast.Call) and bool(node.args) and called(node.args[0]) == "range"
    return isinstance(node, ast.SetComp) or (called(node) in ("set", "frozenset") and not numbers)
