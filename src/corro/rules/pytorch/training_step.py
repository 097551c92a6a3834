"""Convert a script whose training steps are made for each batch; refuse what is not that, with the reason.

Why
---
What is shared out over the processes are batches: those that a ``DataLoader`` yields, those that the script cuts or
makes itself, or all data in each step. Steps on one example, updates by hand that cannot be followed, reinforcement
learning and the like are recognised and refused: sharing them out takes another transformation.

Before
------
::

    for sentence, tags in training_data:
        loss = criterion(model(as_tensor(sentence)), as_tensor(tags))

After
-----
::

    refused: the training step is not in a loop over a DataLoader

Source
------
Counted in 640 public PyTorch training files: 40 % have no DataLoader in the file.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.steps import PASS_LOOPS
from corro.flow.state import BATCHES, ENDLESS
from corro.frontends.batch_sources import ROWS
from corro.frontends.pytorch.fields import gives_batches
from corro.frontends.pytorch.graphs import PARTS, passes_along
from corro.frontends.pytorch.steps import backward_calls, innermost_pass, outer_loops, update_calls
from corro.frontends.tensors import ROW
from corro.rules.entries import entry_of
from corro.rules.places import inner_scopes, way
from corro.rules.pytorch._unreached import handed_over, outermost, uncalled
from corro.source import position, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Loop
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.rules.pytorch._unreached import Definition

NAME = "training-step"
GATE = 2


def apply(job: Job) -> Iterable[Answer]:
    """The first reason why steps are not all made for each batch."""
    answer = next(_problems(job), None)
    return () if answer is None else (answer,)


def _problems(job: Job) -> Iterator[Answer]:
    backwards = list(backward_calls(job.facts))
    if not backwards:
        yield _never_reached(job)
        return
    yield from _without_pass(job, backwards)
    yield from _loop_shape(job)
    yield from _count(job, backwards)
    yield from _repeated(job, backwards)


_MOVING = frozenset({"to", "cuda", "cpu"})
_HANDING_ON = frozenset({"enumerate", "iter", "cycle", "islice"})
"""Iterators that give the batches of what they go over as they are."""
_NO_LOADER = ", so its data cannot be sharded yet"
_LOADER = (
    "Put the data into a DataLoader and loop over it, also where each step uses all of it or cuts its own batches."
)


def _never_reached(job: Job) -> Answer:
    node = next(
        (n for n in job.nodes.of(ast.Attribute) if n.attr == "backward"),
        job.script.tree.body[0],
    )
    given = handed_over(job, node)
    if given is not None:
        message = f"the training step is in {given.function}(), which is given to {_short(job, given.call)}, and what "
        advice = "Write the loop over the batches in the script, with the training step in it."
        return job.refuse(NAME, f"{message}calls it there is not known.", given.call, advice)
    definition = outermost(job, node)
    root = uncalled(job, definition) if definition is not None else None
    entry = entry_of(job.script, idle=root is None)
    if entry:
        message = f"the training step is in code that nothing in this file calls; {entry} imports it and is run."
        return job.refuse(NAME, message, node, f"Convert {entry}: the modules that it imports are read with it.")
    if definition is not None and root is not None:
        return job.refuse(NAME, _uncalled(definition, root), node, f"{_to_call(root)}, or convert the file that does.")
    return job.refuse(
        NAME,
        "the training step is in code that nothing in the script calls, or that could not be followed.",
        node,
        "Call the training function from the script, with arguments that can be seen.",
    )


def _uncalled(definition: Definition, root: Definition) -> str:
    """That nothing leads to the training step."""
    makes = isinstance(root, ast.ClassDef)
    never = f"the script makes no object of {root.name}" if makes else f"nothing in the script calls {root.name}()"
    if root is definition:
        return f"{never}, where the training step is."
    where = f"a method of {definition.name}" if isinstance(definition, ast.ClassDef) else f"{definition.name}()"
    return f"{never}, which alone leads to the training step in {where}."


def _to_call(root: Definition) -> str:
    what = f"Make a {root.name}" if isinstance(root, ast.ClassDef) else f"Call {root.name}()"
    return f"{what} in the script"


def _short(job: Job, call: ast.Call) -> str:
    """What is called, as it is written."""
    return f"{job.segment(call.func)}()" if isinstance(call.func, (ast.Name, ast.Attribute)) else "something"


def _without_pass(job: Job, backwards: list[CallFact]) -> Iterator[Answer]:
    for fact in backwards:
        loop = innermost_pass(fact)
        if loop is None:
            yield _no_loader(job, fact)


def _no_loader(job: Job, fact: CallFact) -> Answer:
    around = outer_loops(fact)
    node = around[-1].node if around else fact.node
    if around and _looped(around[-1].iterable).name in PARTS:
        return job.refuse(
            NAME,
            "each batch is a part of one graph, in which values pass from node to node: a share of it would be another "
            "graph, with fewer edges.",
            node,
            "Run the script as it is, on one process.",
            effort="none",
        )
    if around and isinstance(node, ast.For) and gives_batches(_looped(around[-1].iterable)):
        return job.refuse(
            NAME,
            "the loss cannot be followed to the batches of this iterator alone: something that is made of other "
            "batches goes into it, too.",
            node.iter,
            "Compute the loss from the batch's fields; let a model keep nothing of what it is evaluated on.",
        )
    if around and isinstance(node, ast.For) and _over_unknown(around[-1].iterable):
        return job.refuse(
            NAME,
            f"the training loop iterates over {_origin(job, around[-1].iterable)} that is not known to be a PyTorch "
            "DataLoader.",
            node.iter,
            _made_otherwise(entry_of(job.script, idle=False)),
        )
    over = next((x for x in around if "random" in x.iterable.tags), None)
    if _is_on_one_graph(job, around):
        return job.refuse(
            NAME,
            "each step trains on a whole graph, in which values pass from node to node: there is nothing to shard.",
            node,
            "Run the script as it is, on one process.",
            effort="none",
        )
    row = _row_trained_on(job, around)
    if row is not None:
        return job.refuse(
            NAME,
            "each step trains on a single row of an array: where that is one sample, there is nothing to share out.",
            row,
            "Train on several rows in each step, as in x[i : i + batch_size]; or run the script on one process.",
            effort="other training",
        )
    moved = _moved_to_itself(job, node) if around else None
    if moved is not None:
        return job.refuse(
            NAME,
            f"{moved.id} gets another value in the training loop, where it is moved: if each step trains on all of it, "
            "its rows are shared out in front of the loop.",
            moved,
            "Move it in front of the loop, or to a name of its own.",
            effort="one line",
        )
    return job.refuse(
        NAME,
        f"the training step is not in a loop over a DataLoader{_NO_LOADER}.",
        over.node if over is not None else node,
        _LOADER,
    )


def _moved_to_itself(job: Job, loop: ast.AST) -> ast.Name | None:
    """A tensor that all processes have alike and that a loop moves to a device, under its own name."""
    for statement in (part for part in walk(loop) if isinstance(part, ast.Assign) and len(part.targets) == 1):
        sides = (statement.targets[0], statement.value)
        several = all(isinstance(side, ast.Tuple) for side in sides)
        pairs = zip(*(side.elts for side in sides if isinstance(side, ast.Tuple)), strict=False) if several else [sides]
        for target, value in pairs:
            method = value.func if isinstance(value, ast.Call) else None
            moved = method.value if isinstance(method, ast.Attribute) and method.attr in _MOVING else None
            if isinstance(target, ast.Name) and isinstance(moved, ast.Name) and moved.id == target.id:
                known = job.value(moved)
                if known.kind is Kind.TENSOR and known.placement.is_equal:
                    return target
    return None


def _row_trained_on(job: Job, around: tuple[Loop, ...]) -> ast.Call | None:
    """The call of a model in a loop that is given one row of an array."""
    loops = {each.node for each in around[-1:]}
    inside = (fact for fact in job.calls if any(each.node in loops for each in fact.context.loops))
    called = (f for f in inside if f.receiver is not None and f.receiver.kind in (Kind.MODULE, Kind.LAYER))
    return next((f.node for f in called if any(ROW in v.tags for v in f.args)), None)


def _is_on_one_graph(job: Job, around: tuple[Loop, ...]) -> bool:
    """Whether a loop that takes nothing by its variable passes values along the edges of a graph, with gradients."""
    loop = around[-1].node if around else None
    if not isinstance(loop, ast.For) or around[-1].iterable.kind is not Kind.RANGE:
        return False
    rounds = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    items = (part.slice for each in loop.body for part in ast.walk(each) if isinstance(part, ast.Subscript))
    if any(isinstance(part, ast.Name) and part.id in rounds for item in items for part in ast.walk(item)):
        return False
    inside = (fact for fact in job.calls if any(each.node is loop for each in fact.context.loops))
    return any(passes_along(fact) for fact in inside if "no_grad" not in fact.context.modes)


def _made_otherwise(entry: str) -> str:
    """What to do about batches of another library."""
    advice = "Make it with torch.utils.data.DataLoader; loaders of other libraries are not sharded yet."
    return f"Convert {entry}, if that is what you run: it imports this file. {advice}" if entry else advice


_LONGEST = 60


def _origin(job: Job, iterable: Value) -> str:
    """What a loop goes over: what a call gives, where it is known which one."""
    made = [job.facts.paths[number][-1] for number in sorted(_looped(iterable).locations) if number in job.facts.paths]
    text = _short(job, made[0]) if len(made) == 1 and isinstance(made[0], ast.Call) else ""
    return f"what {text} gives, and" if "(" in text and "\n" not in text and len(text) < _LONGEST else "something"


def _over_unknown(value: Value) -> bool:
    """Whether a loop goes over something unknown."""
    return _looped(value).kind is Kind.UNKNOWN


def _looped(value: Value) -> Value:
    """What a loop goes over, be it counted or shown in a progress bar."""
    counted = value.kind in (Kind.PROGRESS, Kind.ITERATOR) and value.items
    return _looped(value.items[0]) if counted else value


def _loop_shape(job: Job) -> Iterator[Answer]:
    for fact in backward_calls(job.facts):
        loop = innermost_pass(fact)
        if loop is None:
            continue
        value = loop.iterable
        if not isinstance(loop.node, PASS_LOOPS):
            yield job.refuse(NAME, "the training step is in a comprehension.", fact.node, "Write a for loop.")
        elif _wraps_unknown(value):
            yield job.refuse(
                NAME,
                "the loader of the training loop is wrapped in something that Corro cannot follow.",
                loop.node,
                "Loop over the DataLoader, enumerate(loader) or tqdm(loader).",
            )
        elif "chosen" in value.tags or _inner_tags(value, "chosen"):
            yield job.refuse(
                NAME,
                "one loop alternates between training and evaluation data.",
                loop.node,
                "Use a loop of its own for training.",
            )


def _wraps_unknown(value: Value) -> bool:
    """Whether a loop goes over batches in a way of which it is not known what it does to them."""
    handed = value.kind is Kind.ITERATOR and value.name in (BATCHES, ENDLESS, ROWS)
    if value.kind in (Kind.LOADER, Kind.INSTANCE) or handed:  # a generator of the script's own hands its batches on
        return False
    if value.kind is Kind.ITERATOR and value.name == "zip":
        return all(map(_wraps_unknown, value.items))
    known = value.kind is Kind.PROGRESS or (value.kind is Kind.ITERATOR and value.name in _HANDING_ON)
    return not known or not value.items or _wraps_unknown(value.items[0])


def _inner_tags(value: object, tag: str) -> bool:
    return any(tag in getattr(item, "tags", ()) or _inner_tags(item, tag) for item in getattr(value, "items", ()))


def _step_of_something(job: Job, backward: ast.expr) -> ast.AST | None:
    """The first step after a backward pass of what may be an optimizer, and could not be followed."""
    calls = (node for node in job.file_of(backward).nodes.of(ast.Call) if not node.args)
    steps = (
        call
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "step"
        and position(call) > position(backward)
        and job.value(call.func.value).kind is not Kind.SCHEDULER
    )
    return min(steps, key=position, default=None)


def _count(job: Job, backwards: list[CallFact]) -> Iterator[Answer]:
    nodes = list(dict.fromkeys(fact.node for fact in backwards))
    updates = list(dict.fromkeys(fact.node for fact in update_calls(job.facts)))
    if not updates and not any(each.by_hand for each in job.anatomy.steps):
        step = _step_of_something(job, nodes[0])
        found_none = "Corro found no optimizer of torch.optim that makes a step after the backward pass."
        yield job.refuse(
            NAME,
            found_none if step is None else "what makes this step is not known to be an optimizer of torch.optim.",
            step or nodes[0],
            "Make the optimizer in the script from a class of torch.optim, and call its step() in the training loop.",
        )
    elif not job.anatomy.steps:
        yield job.refuse(
            NAME,
            "the optimizer's step is not in the same loop over the loader as the backward pass.",
            updates[0],
            "Call optimizer.step() after loss.backward(), in the same loop.",
        )
    else:
        yield from _apart(job, nodes, updates)


def _apart(job: Job, backwards: list[ast.Call], updates: list[ast.Call]) -> Iterator[Answer]:
    """A backward pass or an update that is made outside the pass that trains."""
    for node in (*backwards, *updates):
        if all(each.node is not node for each in (*job.anatomy.backwards, *job.anatomy.updates)):
            what = "backward pass" if node in backwards else "optimizer's step"
            yield job.refuse(
                NAME,
                f"this {what} is not in the training loop that has the others.",
                node,
                "Make all backward passes and steps in one loop over the loader.",
            )


def _repeated(job: Job, backwards: list[CallFact]) -> Iterator[Answer]:
    facts = [fact for fact in backwards if innermost_pass(fact) is not None]
    for fact in facts:
        scope = next((scope for node in way(fact) for scope in inner_scopes(job, node)), None)
        if scope is not None:
            yield job.refuse(
                NAME,
                "the training function is called in a comprehension or a lambda, where the order of an epoch cannot be "
                "set in front of the call.",
                scope,
                "Write a for loop.",
            )
        passes = fact.context.passes
        if len(passes) > 1:
            yield job.refuse(
                NAME, "a loop over a loader is inside another one.", passes[0].node, "Loop over one loader at a time."
            )
