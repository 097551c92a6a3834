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
        unseeded = fact.name.endswith(("default_rng", "RandomState", "random.Random")) and not fact.args
        if unseeded and not fact.keywords and fact.receiver is None:
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
        if (fact.name in seeds and by_chance) or any(each is not None and each.form is Form.LOCAL for each in states):
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
