"""Take a plain value from a text without running it as code, and refuse other code in strings.

Why
---
Code in strings cannot be followed, but for names, as in ``eval("models." + name)``. What ``eval`` is given by the
command line or a configuration is a plain value most often: a number, a tuple, a list. ``ast.literal_eval`` gives the
same for these, and stops the program at any other code, which might train with something that was not seen. So it
stays as it is only where the value is called, has methods that plain values have not, or where the exception would be
caught.

Before
------
::

    mean = eval(args.mean)

After
-----
::

    mean = ast.literal_eval(args.mean)

Source
------
Python documentation, ``ast.literal_eval``: literals and containers of them, and nothing else.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.changes import Change
from corro.classes import replace
from corro.flow.values import EVALUATED
from corro.rules.places import handlers, way
from corro.source import replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "evaluated"
GATE = 1

_PLAIN = (int, float, complex, str, bytes, tuple, list, dict, set)
_METHODS = frozenset(name for each in _PLAIN for name in dir(each))
_OTHERS = frozenset({"KeyboardInterrupt", "SystemExit", "GeneratorExit", "StopIteration", "ImportError", "OSError",
                     "ModuleNotFoundError", "FileNotFoundError", "IOError"})  # fmt: skip
"""What ``ast.literal_eval`` does not raise."""


def apply(job: Job) -> Iterable[Answer]:
    """A change for each text that is taken for a plain value; refuse at the first of other code."""
    found: dict[ast.Call, list[CallFact]] = {}
    for fact in job.calls:
        named = fact.name == "eval" and fact.result.kind is not Kind.UNKNOWN
        if fact.name in ("exec", "eval") and fact.receiver is None and not named:
            found.setdefault(fact.node, []).append(fact)
    otherwise = bool(found) and _is_used_otherwise(job)
    for node, facts in found.items():
        advice = "Write it as a statement, or use ast.literal_eval for a plain value."
        refused = job.refuse(NAME, "code in a string cannot be followed.", node, advice, effort="one line")
        if otherwise or not all(_is_plain(job, fact) for fact in facts) or not isinstance(node.func, ast.Name):
            yield refused
            return
        library = job.at(node).target.library
        edits = replace_node(job.file_of(node), node.func, f"{library.name('ast')}.literal_eval")
        code = Code("", (library.imports("ast"),))
        change = job.change(NAME, "a plain value is taken from the text, and no code is run", node, edits, code)
        yield replace(change, otherwise=refused) if isinstance(change, Change) else change
        yield job.review(
            NAME,
            f"{job.segment(node)} is read as a plain value: a number, a text, a tuple, list, dict or set of them; the "
            "program stops at other code.",
            node,
            "Nothing to do where that is what you give.",
        )


def _is_plain(job: Job, fact: CallFact) -> bool:
    """Whether a text may well be a plain value, outside of passes, and what stops the program is not caught."""
    if EVALUATED not in fact.result.tags or fact.context.passes:
        return False
    around = handlers(job, way(fact))
    return all(isinstance(each, ast.ExceptHandler) and _lets_through(each.type) for each in around)


def _is_used_otherwise(job: Job) -> bool:
    """Whether something that a text gave is called, or has methods that a plain value has not."""
    for node in job.nodes:
        if isinstance(node, ast.Call) and EVALUATED in job.value(node.func).tags:
            return True
        if isinstance(node, ast.Attribute) and EVALUATED in job.value(node.value).tags and node.attr not in _METHODS:
            return True
    return False


def _lets_through(caught: ast.expr | None) -> bool:
    types = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return all(getattr(each, "attr", getattr(each, "id", "")) in _OTHERS for each in types)
