"""Fetch the global value of what a training step gives, not that of a process's shard.

Why
---
A run that is fed a shard of the batch gives that part's loss. What the script prints, adds up or decides with must be
the loss of the whole batch, so it is averaged in the graph, and the average is fetched in its place. A sum over samples
is added up. Predictions of a batch, which each process has others of, are refused.

Before
------
::

    loss = tf.reduce_mean(errors)
    _, value = session.run([train, loss], feed_dict={x: images})

After
-----
::

    loss = tf.reduce_mean(errors)
    mean_loss = hvd.allreduce(loss)
    _, value = session.run([train, mean_loss], feed_dict={x: share_rows(images)})

Source
------
Horovod documentation, "Horovod with TensorFlow", ``hvd.allreduce``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.values import Value
from corro.frontends.tensorflow1.graphs import STREAMING, SUMMARY, TRAINS
from corro.frontends.tensorflow1.names import plain
from corro.rules.tensorflow1._job import named
from corro.source import After, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.anatomy.sessions import RunSite
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-fetches"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each part of the graph that is reduced; or the first obstacle."""
    wanted: dict[ast.expr, RunSite] = {}
    for site in job.of_parts():
        for node in site.fetches or ():
            value = job.part(site, node)
            whole = value.placement.is_equal or value.form is Form.LOCAL
            if STREAMING in value.tags:
                yield job.refuse(
                    NAME,
                    "a metric that adds up over runs is given one shard of each batch, so that it does not cover "
                    "all samples.",
                    node,
                    "Update it in a run of its own, which is fed the whole batch.",
                )
                return
            if not whole and not {TRAINS, SUMMARY} & value.tags and _is_used(job, site, node):
                wanted[node] = site
    wholes = (site for site in job.anatomy.runs if not (site.trains or job.iterates))
    shared = next((n for site in wholes for n in site.fetches or () if n in wanted), None)
    if shared is not None:
        yield job.refuse(
            NAME,
            "this is fetched by the training step, where it is reduced, and by a run that is fed the whole batch.",
            shared,
            "Write what is fetched into each call: session.run([train, loss], ...).",
        )
        return
    yield from means_of(job, NAME, [node for node in wanted if named(node) is None])
    yield from _by_name(job, {node: site for node, site in wanted.items() if named(node) is not None})


def means_of(job: Job, rule: str, nodes: Iterable[ast.expr]) -> Iterator[Answer]:
    """One change for each part of the graph, in the name of a rule: its whole is made, and taken in its place."""
    means = job.means
    reason = "the global value of what each process has for its shard"
    for given in nodes:
        node, value = _without_sign(given), _value(job, given)
        if value.form not in (Form.MEAN, Form.SUM) or not value.scalar or not means.can(node):
            yield job.refuse(rule, *_obstacle(job, value.form, given))
            return
        for statement, edit in means.made(node):
            yield job.change(rule, reason, statement, [edit], Code("", (job.at(statement).target.engine,)))
        yield job.change(rule, reason, node, replace_node(job.file_of(node), node, means.name(node)))
        if value.form is Form.SUM and not job.iterates:
            yield _twice(job, rule, node)


def _by_name(job: Job, wanted: Mapping[ast.expr, RunSite]) -> Iterator[Answer]:
    """One change for each name that is fetched: the whole of what has it is made after it, and has a name too."""
    done: set[ast.Call] = set()
    for node, site in wanted.items():
        text, value = named(node) or "", job.part(site, node)
        last, made = text.removesuffix(":0"), site.named.get(text, ())
        statements = [_assigned(job, call, last) for call in made]
        known = value.form in (Form.MEAN, Form.SUM) and value.scalar and text.endswith(":0")
        if not known or not all(statements):
            yield job.refuse(NAME, *_obstacle(job, value.form, node))
            return
        summed = value.form is Form.SUM
        label = job.names.fresh(f"{'total' if summed else 'mean'}_{last}")
        reason = "the global value of what each process has for its shard"
        for call, statement in zip(made, statements, strict=True):
            if call not in done and statement is not None:
                done.add(call)
                here = job.at(call)
                whole = here.target.all_reduce(job.segment(statement.targets[0]), summed=summed)
                edit = After(statement, f'{_module(here, call)}.identity({whole}, name="{label}")', order=-6)
                yield job.change(NAME, reason, statement, [edit], Code("", (here.target.engine,)))
        quote = job.segment(node)[-1]
        yield job.change(NAME, reason, node, replace_node(job.file_of(node), node, f"{quote}{label}:0{quote}"))
        if summed and not job.iterates:
            yield _twice(job, NAME, node)


def _module(job: Job, call: ast.Call) -> str:
    """TensorFlow as a call spells it; the start of the program may know it by another name."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    known = owner is not None and plain(f"{job.value(owner).name}.reduce_mean") == "tensorflow.reduce_mean"
    return job.segment(owner) if known and owner is not None else job.target.tf


def _assigned(job: Job, call: ast.Call, name: str) -> ast.Assign | None:
    """The statement that gives a part of the graph a name in Python too, where it is surely made, with this name."""
    statement = job.statement(call)
    given = any(fact.keywords.get("name", Value()).const == name for fact in job.calls_of(call))
    if not given or not isinstance(statement, ast.Assign) or statement.value is not call:
        return None
    inside = any(isinstance(a, (ast.For, ast.While, ast.If, ast.Try)) for a in job.ancestors(statement))
    simple = len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
    return statement if simple and not inside else None


def _twice(job: Job, rule: str, node: ast.expr) -> Answer:
    return job.review(
        rule,
        "this sum counts up to N-1 samples of a batch twice where N does not divide the batch.",
        node,
        "Feed batches that the number of processes divides.",
    )


def _value(job: Job, node: ast.expr) -> Value:
    """What is known of a part of the graph, or of the items of a list of such."""
    value = job.value(node)
    return job.facts.elements.get(node, value) if value.kind is Kind.LIST else value


def _without_sign(node: ast.expr) -> ast.expr:
    """What a minus stands in front of."""
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node


def _obstacle(job: Job, form: Form, node: ast.expr) -> tuple[str, ast.AST, str]:
    where = "here" if job.iterates else "in the training step"
    if form in (Form.MEAN, Form.SUM):
        return (
            f"what is fetched {where} covers one shard only, and is made where it cannot be reduced.",
            node,
            "Give it a name where the graph is made, and fetch that name.",
        )
    return (
        f"what is fetched {where} belongs to one shard of the batch, and differs between processes.",
        node,
        "Fetch means or sums over the batch alone."
        if job.iterates
        else "Fetch it in a run of its own, which every process feeds with whole data.",
    )


def _is_used(job: Job, site: RunSite, node: ast.expr) -> bool:
    """Whether the script keeps what a part of the graph gives; in a list, ``_`` stands for what it does not."""
    statement = job.statement(site.node)
    if isinstance(statement, ast.Expr) and statement.value is site.node:
        return False
    parent = job.parent(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is site.node else None
    if not isinstance(parent, (ast.List, ast.Tuple)) or not isinstance(target, (ast.List, ast.Tuple)):
        return True
    if len(parent.elts) == len(target.elts):
        kept = target.elts[parent.elts.index(node)]
        return not (isinstance(kept, ast.Name) and kept.id == "_")
    return True
