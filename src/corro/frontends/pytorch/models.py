"""Find the trained models, and where each is wrapped: in the frame that holds the training loop, just before it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import Evaluating, ModelSite, Unreached
from corro.classes import replace
from corro.flow.values import NONE
from corro.frontends.following import NotFollowed, argument_of, check_object, is_set_within, rooted
from corro.frontends.pytorch import zoo
from corro.frontends.pytorch.forwards import TRANSPARENT, bypassing, called_model, training_forwards
from corro.frontends.pytorch.normalising import normalising
from corro.frontends.pytorch.outside import uses
from corro.frontends.pytorch.parameters import may_hold
from corro.frontends.pytorch.parts import in_training, unused_layers
from corro.frontends.pytorch.side_by_side import goes_through
from corro.frontends.pytorch.steering import COPY
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Context, Facts, Frame
    from corro.flow.values import Value
    from corro.names import Scope


_WITHOUT = frozenset({"no_grad", "maybe_grad"})
"""Modes in which gradients are off, or known to be on or off where the program runs."""


def models(facts: Facts, steps: Sequence[Step]) -> tuple[tuple[ModelSite, ...], tuple[Unreached, ...]]:
    """The trained models that could be followed from the training step to a wrapping place, and where that failed."""
    normalises = bool(normalising(facts, steps))
    seen: set[tuple[ast.AST, tuple[ast.AST | None, ...]]] = set()
    grouped: dict[tuple[frozenset[int], ast.AST, bool], list[ModelSite]] = {}
    unreached: list[Unreached] = []
    wrapped_outside = _given_wrapped(facts, steps)
    for step in steps:
        past = list(bypassing(facts, step))
        for fact in (*training_forwards(facts, step), *past):
            called = called_model(facts, fact.node)
            whole = _whole(facts, called)
            model = (fact.receiver if whole is called else facts.values.get(whole)) or NONE
            try:
                home = _home(fact.context, step, wrapped_outside)
                site = _site(facts, steps, step, fact, whole, model, home)
            except NotFollowed as error:
                named = _by_their_names(facts, step, fact, model, wrapped_outside)
                for each in named:
                    each = replace(each, normalises=normalises and each.batchnorm)
                    grouped.setdefault((each.numbers, each.anchor, False), []).append(each)
                unreached += () if named else (Unreached(fact.node, *error.args),)
                continue
            way = fact.node, tuple(frame.call for frame in fact.context.frame.path())
            if way not in seen:
                seen.add(way)
                beside = fact in past or whole is not called or _trains_itself(facts, fact, home[0])
                site = replace(site, bypassed=beside, normalises=normalises and site.batchnorm)
                grouped.setdefault((site.numbers, site.anchor, COPY in model.tags), []).append(site)
    unreached += (each for (*_, copies), sites in grouped.items() for each in _of_several_names(sites, copies=copies))
    by_name: dict[tuple[str, ast.AST], list[ModelSite]] = {}
    for sites in grouped.values():  # a function that is called with several models wraps each under one name
        by_name.setdefault((sites[0].name, sites[0].anchor), []).extend(sites)
    merged = [_merged(sites) for sites in by_name.values()]
    return tuple(_held(facts, steps, site, merged) for site in merged), tuple(unreached)


def _by_their_names(
    facts: Facts, step: Step, fact: CallFact, model: Value, wrapped_outside: Set[Scope]
) -> tuple[ModelSite, ...]:
    """Several models that a loop within the step goes through, with their optimizers: ``for net, opt in zip(...)``.

    Each has a name of its own where training begins, by which it is made equal; none is wrapped, as what is called in
    the step has no name there. Nothing, where not all of them have one.
    """
    try:
        position, anchor = _home(fact.context, step, wrapped_outside)
    except NotFollowed:
        return ()
    frame = fact.context.frame.path()[position]
    if fact.context.frame != frame or not goes_through(frame, step, fact):
        return ()
    names = [_own_name(facts, frame, number, anchor) for number in sorted(model.sites)]
    if len(names) < 2 or COPY in model.tags or None in names:
        return ()
    made = [(number, facts.values.get(facts.nodes[number], NONE)) for number in sorted(model.sites)]
    return tuple(
        ModelSite(
            frozenset({number}),
            name,
            anchor,
            (),
            (),
            (),
            "batchnorm" in zoo.does(facts, one) or _has_batchnorm(facts, one),
            bypassed=True,
        )
        for name, (number, one) in zip(names, made, strict=True)
        if name is not None
    )


def _trains_itself(facts: Facts, fact: CallFact, home: int) -> bool:
    """Whether a model is called in a method of a model that training calls: a wrapper has no such method."""
    calls = [frame.call for frame in fact.context.frame.path()[home + 1 :] if frame.call is not None]
    methods = (facts.values.get(call.func, NONE) for call in calls)
    return any(each.kind is Kind.FUNCTION and each.items and each.items[0].kind is Kind.MODULE for each in methods)


def _own_name(facts: Facts, frame: Frame, number: int, anchor: ast.stmt) -> str | None:
    """The only name that is given to a model where it is made, in the frame and in front of a statement."""
    source, names, node = frame.unit.source, frame.unit.names, facts.nodes[number]
    made = [fact for fact in facts.calls if fact.node is node]
    if facts.units.get(node) is not frame.unit or len(made) != 1 or made[0].context.frame != frame:
        return None
    statement = source.statement(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    given = facts.values.get(statement.value, NONE) if isinstance(statement, ast.Assign) else NONE
    if not isinstance(target, ast.Name) or given.kind is not Kind.MODULE or given.sites != {number}:
        return None
    stores = [use for use in names.uses(target.id, names.binding(target)) if isinstance(use.ctx, ast.Store)]
    in_front = source.span(statement).end <= source.span(anchor).start and statement not in set(walk(anchor))
    return target.id if len(stores) == 1 and in_front and not made[0].context.loops else None


def _of_several_names(sites: Sequence[ModelSite], *, copies: bool) -> Iterator[Unreached]:
    """A model with several names, where that is not known to be one model, or not to be one attribute."""
    names = {site.name: site for site in sites}
    if len(names) > 1 and copies:
        use = list(names.values())[1].uses[0]
        yield Unreached(use, "several names are those of copies, which may be one copy or several", use)
    elif len(names) > 1 and any("." in name for name in names):
        use = next(site.uses[0] for name, site in names.items() if "." in name)
        yield Unreached(use, "it is reached by several names, and one of them is an attribute", use)


def _held(facts: Facts, steps: Sequence[Step], site: ModelSite, models: Sequence[ModelSite]) -> ModelSite:
    """The model with the optimizers that may hold parameters of it."""
    others = frozenset().union(*(each.numbers for each in models if each.numbers != site.numbers))
    optimizers = {each.number: each for step in steps for update in step.updates for each in update.optimizers}
    held = tuple(each for each in optimizers.values() if may_hold(facts, each.held, site.numbers, others))
    return replace(site, optimizers=held)


def _merged(sites: list[ModelSite]) -> ModelSite:
    first = sites[0]
    called = tuple(dict.fromkeys(n for s in sites for n in s.uses))
    inner = tuple(dict.fromkeys(n for s in sites for n in s.inner))
    evaluating = {each.use: each for site in sites for each in site.evaluating}
    return replace(
        first,
        numbers=frozenset().union(*(site.numbers for site in sites)),
        uses=called,
        inner=inner,
        mixed=frozenset().union(*(site.mixed for site in sites)),
        evaluating=tuple(evaluating.values()),
        batchnorm=any(site.batchnorm for site in sites),
        normalises=any(site.normalises for site in sites),
        unused=tuple(dict.fromkeys(name for site in sites for name in site.unused)),
        beside=tuple(dict.fromkeys(node for site in sites for node in site.beside)),
        bypassed=any(site.bypassed for site in sites),
    )


def _site(
    facts: Facts,
    steps: Sequence[Step],
    step: Step,
    fact: CallFact,
    expression: ast.expr,
    model: Value,
    place: tuple[int, ast.stmt],
) -> ModelSite:
    """Follow a model from a call in the training step outwards to the place where it is wrapped, see ``_home``."""
    written = expression
    frames = fact.context.frame.path()
    home, training = place
    inner: list[ast.Name] = []
    mixed: set[ast.Name] = set()
    position = len(frames) - 1
    keys: list[object] = []
    use: ast.Attribute | None = None
    attributes = ""
    while True:
        frame = frames[position]
        expression = _taken_apart(frame, expression, keys) if use is None else expression
        name, taken = rooted(expression)
        if name is None or (taken and keys):
            raise NotFollowed("the model is not reached through a plain name", expression)
        if isinstance(expression, ast.Attribute):
            use, attributes = use or expression, taken + attributes
        scope = frame.unit.names.binding(name)
        if position <= home or scope is not frame.scope:
            break
        if use is None and not keys:
            found = list(_inner_uses(facts, steps, frame, name))
            inner += found
            mixed.update(found if found and _is_called_apart(facts, steps, frame) else ())
        expression = argument_of(frame, _holder(frame, name, keys) if use is None else name)
        if use is not None and not _are_one(facts, name, expression):
            raise NotFollowed("the object that has the model is not known to be a single object", name)
        position -= 1
    if keys:
        raise NotFollowed("the models are combined before the training loop, not in the call", expression)
    owner = home if position == home else next((i for i, f in enumerate(frames[: home + 1]) if f.scope is scope), None)
    if owner is None:
        raise NotFollowed("the model is local to a function without the training loop", expression)
    anchor = training if owner == home else _leading(frames, owner)
    bound = _is_bound_within(facts, frames[owner], name, anchor, model)
    if use is not None:
        check_object(facts, use)
        bound = bound or is_set_within(facts, attributes, anchor)
    if bound:
        raise NotFollowed("the name of the model is assigned again in the training loop", expression)
    batchnorm = "batchnorm" in zoo.does(facts, model) or _has_batchnorm(facts, model)
    unused, beside = _left_out(facts, step, model)
    replaced = use or name
    evaluating = tuple(_evaluating(facts, steps, fact, replaced)) if replaced is written else ()
    return ModelSite(
        model.sites,
        name.id + attributes,
        anchor,
        (replaced,),
        tuple(inner),
        evaluating,
        batchnorm,
        unused,
        beside,
        frozenset(mixed),
    )


def _whole(facts: Facts, model: ast.expr) -> ast.expr:
    """The model that a called module is written as a part of: ``model`` of ``model.encoder``."""
    above = model.value if isinstance(model, ast.Attribute) else None
    owner = facts.values.get(above, NONE) if above is not None else NONE
    return _whole(facts, above) if above is not None and owner.kind is Kind.MODULE and owner.sites else model


def _evaluating(
    facts: Facts, steps: Sequence[Step], fact: CallFact, use: ast.Name | ast.Attribute
) -> Iterator[Evaluating]:
    """The use, where its call is made in passes that do not train, too."""
    others = [each for each in facts.calls if each.node is fact.node and _is_evaluation(steps, each)]
    if others:
        yield Evaluating(use, any(not each.context.modes & _WITHOUT for each in others))


def _is_evaluation(steps: Sequence[Step], fact: CallFact) -> bool:
    """Whether a call is made in a pass over batches that does not train: processes may have unlike numbers of them."""
    return bool(fact.context.passes) and not any(in_training(step, fact.context) for step in steps)


def _are_one(facts: Facts, name: ast.Name, other: ast.expr) -> bool:
    """Whether two expressions are known to give the same object."""
    one = facts.values.get(name, NONE).obj
    return bool(one) and facts.values.get(other, NONE).obj == one


def _left_out(facts: Facts, step: Step, model: Value) -> tuple[tuple[str, ...], tuple[ast.AST, ...]]:
    """The layers that some steps use in no way, and where the step uses layers that the forward pass leaves out."""
    unused: list[str] = []
    beside: list[ast.AST] = []
    for name, sites in unused_layers(facts, step, model):
        found = dict(uses(facts, step, name, sites))
        beside += found
        unused += [] if any(found.values()) else [name]
    return tuple(dict.fromkeys(unused)), tuple(beside)


def _is_bound_within(facts: Facts, frame: Frame, name: ast.Name, anchor: ast.stmt, model: Value) -> bool:
    """Whether the name gets another value in the training loop; ``model = model.train()`` does not count.

    ``model = other`` does: in front of the loop the name is something else, or not there at all.
    """
    inside = set(walk(anchor))
    for use in frame.unit.names.uses(name.id, frame.scope):
        if isinstance(use.ctx, ast.Store) and use in inside:
            value = facts.values.get(use)
            same = value is not None and value.kind is Kind.MODULE and value.sites == model.sites
            assigned = frame.unit.source.parent(use)
            of_itself = isinstance(assigned, ast.Assign) and _is_of(name.id, assigned.value)
            if not (of_itself and same) or (value is not None and "copy" in value.tags):
                return True
    return False


def _is_of(name: str, value: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(value))


def _home(context: Context, step: Step, wrapped_outside: Set[Scope]) -> tuple[int, ast.stmt]:
    """The position of the frame where the model is wrapped, and the statement in front of which.

    That is the frame that holds the epoch loop, or the pass where there is none, and that loop. A function that is
    given a wrapped model by another call must not wrap it once more: then it is that of the call.
    """
    frames = context.frame.path()
    position, training = _outermost(context, step)
    while frames[position].scope in wrapped_outside and position:
        position -= 1
        training = _leading(frames, position)
    return position, training


def _outermost(context: Context, step: Step) -> tuple[int, ast.stmt]:
    """The position of the frame that holds the outermost loop of a training, and that loop."""
    frames = context.frame.path()
    for loop in context.loops:
        if loop.node in step.trainings and loop.frame in frames and isinstance(loop.node, ast.stmt):
            return frames.index(loop.frame), loop.node
    raise NotFollowed("the training loop is not where the model is used", step.loop)


def _given_wrapped(facts: Facts, steps: Sequence[Step]) -> frozenset[Scope]:
    """The functions that are called within a training, on the way to the call of its model."""
    found: set[Scope] = set()
    for step in steps:
        for fact in (*training_forwards(facts, step), *bypassing(facts, step)):
            try:
                position, _ = _outermost(fact.context, step)
            except NotFollowed:
                continue
            found |= {frame.scope for frame in fact.context.frame.path()[position + 1 :]}
    return frozenset(found)


def _leading(frames: Sequence[Frame], owner: int) -> ast.stmt:
    """The statement of the owner's frame that leads to the training loop."""
    call = frames[owner + 1].call
    assert call is not None
    return frames[owner].unit.source.statement(call)


def _taken_apart(frame: Frame, expression: ast.expr, keys: list[object]) -> ast.expr:
    """What is taken by the last keys of lists, tuples and dicts that are written out; ``pair[0]`` adds a key."""
    while keys and isinstance(expression, (ast.List, ast.Tuple, ast.Dict)):
        found = _item_of(expression, keys[-1])
        if found is None:
            break
        keys.pop()
        expression = found
    if isinstance(expression, ast.Subscript) and isinstance(expression.slice, ast.Constant):
        _check_holder(frame, expression.value)
        keys.append(expression.slice.value)
        return expression.value
    return expression


def _item_of(display: ast.List | ast.Tuple | ast.Dict, key: object) -> ast.expr | None:
    if isinstance(display, ast.Dict):
        items = zip(display.keys, display.values, strict=True)
        return next((v for k, v in items if isinstance(k, ast.Constant) and k.value == key), None)
    known = isinstance(key, int) and not any(isinstance(each, ast.Starred) for each in display.elts)
    return display.elts[key] if known and isinstance(key, int) and key in range(len(display.elts)) else None


def _holder(frame: Frame, name: ast.Name, keys: list[object]) -> ast.Name:
    """The parameter of which a name of the function is a part, or the name itself; adds the key of the part."""
    stores = [use for use in frame.unit.names.uses(name.id, frame.scope) if isinstance(use.ctx, ast.Store)]
    if len(stores) != 1:
        return name
    taken = _taking(frame, stores[0])
    if taken is None:
        return name
    holder, key = taken
    _check_holder(frame, holder)
    keys.append(key)
    return holder


def _taking(frame: Frame, target: ast.Name) -> tuple[ast.Name, object] | None:
    """The name that ``a, b = pair`` or ``a = pair[0]`` takes from, and what."""
    parent = frame.unit.source.parent(target)
    above = frame.unit.source.parent(parent) if isinstance(parent, (ast.Tuple, ast.List)) else parent
    if not isinstance(above, ast.Assign) or len(above.targets) != 1:
        return None
    value = above.value
    if isinstance(parent, (ast.Tuple, ast.List)):
        if isinstance(value, ast.Name) and not any(isinstance(each, ast.Starred) for each in parent.elts):
            return value, parent.elts.index(target)
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(parent.elts):  # a, b = pair[0], pair[1]
            return None
        value = value.elts[parent.elts.index(target)]
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and isinstance(value.slice, ast.Constant):
        return value.value, value.slice.value
    return None


def _check_holder(frame: Frame, holder: ast.expr) -> None:
    """Of a list of models that are wrapped, each is taken under one name, or called: nothing else sees the wrappers."""
    source, names = frame.unit.source, frame.unit.names
    uses = names.uses(holder.id, frame.scope) if isinstance(holder, ast.Name) else ()
    bound: list[object] = []
    called: set[object] = set()
    for use in uses:
        parent = source.parent(use)
        if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant) and parent.value is use:
            user = source.parent(parent)
            plain = isinstance(user, ast.Call) and user.func is parent
            if plain or (isinstance(user, ast.Attribute) and user.attr in TRANSPARENT):
                called.add(parent.slice.value)
                continue
            bound.append(parent.slice.value)
            parent = source.parent(user) if isinstance(user, ast.Tuple) else user
        elif isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            target = parent.targets[0]
            bound += range(len(target.elts)) if isinstance(target, (ast.Tuple, ast.List)) else [None]
        if not isinstance(parent, ast.Assign) or isinstance(use.ctx, ast.Store):
            raise NotFollowed("the list that holds the model is also used in other ways", use)
    if len(bound) != len(set(bound)) or called & set(bound):
        raise NotFollowed("the model is taken twice from the list that holds it", holder)


def _inner_uses(facts: Facts, steps: Sequence[Step], frame: Frame, name: ast.Name) -> Iterator[ast.Name]:
    """Uses of a parameter that is about to hold the wrapped model, where the bare model is needed."""
    source = frame.unit.source
    for use in frame.unit.names.uses(name.id, frame.scope):
        parent = source.parent(use)
        if isinstance(use.ctx, ast.Store):
            continue
        if isinstance(parent, ast.Call) and parent.func is use:
            calls = [fact for fact in facts.calls if fact.node is parent]
            if calls and all(_is_evaluation(steps, fact) for fact in calls):
                yield use
            continue
        if isinstance(parent, ast.Attribute) and parent.attr in TRANSPARENT:
            continue
        if use is name or _is_asked_for(parent):  # it leads on to the training forward
            continue
        yield use


def _is_called_apart(facts: Facts, steps: Sequence[Step], frame: Frame) -> bool:
    """Whether a function through which a model gets to a training step is called where it leads to none, too."""

    def calls(found: Iterable[CallFact]) -> set[ast.AST | None]:
        frames = (each for fact in found for each in fact.context.frame.path())
        return {each.call for each in frames if each.scope is frame.scope}

    training = (fact for step in steps for fact in (*training_forwards(facts, step), *bypassing(facts, step)))
    return not calls(facts.calls) <= calls(training)


def _is_asked_for(node: ast.AST | None) -> bool:
    """Whether something is compared with ``None``, which a wrapper is as little as what it wraps."""
    sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
    return any(isinstance(side, ast.Constant) and side.value is None for side in sides)


def _has_batchnorm(facts: Facts, model: Value) -> bool:
    classes = {c.name for c in _constructions(facts, model)}
    if not classes:
        return "batchnorm" in model.tags
    return any("batchnorm" in f.result.tags for f in facts.calls if f.result.kind in (Kind.MODULE, Kind.LAYERS))


def _constructions(facts: Facts, model: Value) -> list[CallFact]:
    nodes = {facts.nodes[n] for n in model.sites}
    return [f for f in facts.calls if f.node in nodes]
