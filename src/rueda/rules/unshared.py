"""Differences between processes that no shared seed mends: asked by the rules for seeds of all frontends."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.flow.python import UNORDERED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer, Job

_GENERATORS = ("default_rng", "RandomState", "random.Random")
_ORDERED = frozenset({"list", "tuple", "enumerate", "iter", "zip", "map", "filter", "join", "choice", "sample",
                      "choices", "array", "Series", "DataFrame"})  # fmt: skip
_LISTING = frozenset({"list", "tuple", "iter", "map", "filter"})
_ORDERLESS = frozenset({"sum", "len", "max", "min", "any", "all", "sorted", "set", "frozenset"})


def answers(job: Job, rule: str, calls: Iterable[CallFact], seeds: Set[str]) -> Iterator[Answer]:
    """A refusal for the first of them, in the name of a rule.

    Args:
        job: the script.
        rule: the rule that says it.
        calls: the calls whose results have to be equal.
        seeds: names of calls that set a seed.
    """
    for fact in calls:
        none_given = all(value.kind is Kind.NONE for value in (*fact.args, *fact.keywords.values()))
        if fact.receiver is None and fact.name.endswith(_GENERATORS) and none_given:
            yield job.refuse(
                rule,
                "a random generator without a seed gives each process other numbers.",
                fact.node,
                "Give it a seed.",
            )
            return
        if fact.name == "hash" and fact.args and fact.args[0].kind is not Kind.NUMBER:
            yield job.refuse(
                rule,
                "the hash of a string differs between processes.",
                fact.node,
                "Use one of hashlib or zlib.crc32 in its place.",
            )
            return
        given = (*fact.args, *fact.keywords.values())
        by_chance = not given or any(value.form is Form.LOCAL or value.kind is Kind.NONE for value in given)
        states = (fact.keywords.get(name) for name in ("random_state", "seed"))
        drawn = any(each is not None and each.form is Form.LOCAL for each in states)
        if fact.name == "torch.seed" or (fact.name in seeds and by_chance) or drawn:
            yield job.refuse(
                rule,
                "the seed differs between processes.",
                fact.node,
                "Take a fixed seed, or one from the command line.",
            )
            return
    for node in job.source.nodes:
        taken = next((part for part in _in_order(job, node) if _is_set_of_words(job, part)), None)
        if taken is not None:
            yield job.refuse(
                rule, "the order of a set of strings differs between processes.", taken, "Use sorted(...) in its place."
            )
            return


GIVING = frozenset({"", "__call__", "forward", "evaluate", "predict", "predict_on_batch", "test_on_batch"})
"""What a model gives is called by."""


def used_before(job: Job, begin: ast.stmt, models: Set[int]) -> bool:
    """Whether something is made of what models give, before a statement in which all processes get equal weights.

    What a model gives before is another thing on each process, unless their seeds are equal: the average of it is that
    of different models, and a decision by it is another one on each process.

    Args:
        job: the script.
        begin: the statement.
        models: numbers of the calls that make the models.
    """
    within = set(ast.walk(begin))
    reached = min((fact.order for fact in job.calls if not within.isdisjoint(_way(fact))), default=0)
    return any(
        fact.name in GIVING
        and fact.receiver is not None
        and not models.isdisjoint(fact.receiver.sites)
        and fact.order < reached
        and "symbolic" not in fact.result.tags
        and _is_kept(job, fact)
        and not _is_called_back(job, fact)
        for fact in job.calls
    )


def _way(fact: CallFact) -> list[ast.AST]:
    """A call, and the calls that lead to it."""
    return [fact.node, *(frame.call for frame in fact.context.frame.path() if frame.call is not None)]


def _is_kept(job: Job, fact: CallFact) -> bool:
    """Whether what a call gives goes into something; that a model is called may be to give it its weights."""
    statement = job.file_of(fact.node).statement(fact.node)
    kept = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return))
    return kept or bool(fact.context.passes)


def _is_called_back(job: Job, fact: CallFact) -> bool:
    """Whether it is within a function that is given to a callback, which training calls."""
    return any(".callbacks." in outer.name for call in _way(fact)[1:] for outer in job.calls_of(call))


def _in_order(job: Job, node: ast.AST) -> Iterator[ast.expr]:
    """What a statement or an expression takes one after the other, so that the order shows in what it makes."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)):
        if not _is_order_lost(job, node):
            yield from (generator.iter for generator in node.generators)
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _ORDERED and not (name in _LISTING and _is_order_lost(job, node)):
            yield from node.args


def _is_order_lost(job: Job, node: ast.expr) -> bool:
    """Whether what is made goes straight into something that has no order, or one of its own: ``sorted(list(s))``."""
    user = job.source.parent(node)
    return isinstance(user, ast.Call) and getattr(user.func, "id", "") in _ORDERLESS


def _is_set_of_words(job: Job, node: ast.expr) -> bool:
    items = job.facts.elements.get(node)
    return UNORDERED in job.value(node).tags and (items is None or items.kind is not Kind.NUMBER)
