"""Take a plain value, or the default of an option, from a text that is run as code, and refuse other code in strings.

Why
---
Code in strings cannot be followed, but for names, as in ``eval("models." + name)``. What ``eval`` is given by the
command line or a configuration is a plain value most often: a number, a tuple, a list. ``ast.literal_eval`` gives the
same for these, and stops the program at any other code, which might train with something that was not seen. So it
stays as it is only where the value is called, has methods that plain values have not, or where the exception would be
caught. Where an option of the command line names a class, a function or a module by default, the program is for that
one, and stops where another is asked for; so it does where the script says which names there are: the choices of an
option, or ``assert name in ["A", "B"]``.

Before
------
::

    mean = eval(args.mean)
    ...
    model = eval(args.model)(args.width)        # --model is ResNet by default

After
-----
::

    mean = ast.literal_eval(args.mean)

::

    if args.model != "ResNet":
        raise SystemExit("this program is for ResNet only: convert the script again")
    model = eval(args.model)(args.width)

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
from corro.source import Before, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
_ENDING = frozenset({"BaseException", "SystemExit"})
"""What ends the program."""
_ONCE = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)
"""Statements in front of which one may stop."""
_FIRST = -100


def apply(job: Job) -> Iterable[Answer]:
    """A change for each text that is taken for a plain value or an option; refuse at the first of other code."""
    for node, (written, names) in job.facts.evaluated.items():
        yield from _by_name(job, node, written, names)
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


def _by_name(job: Job, node: ast.Call, written: str, names: tuple[str, ...]) -> Iterator[Answer]:
    """Stop, in front of the statement, where an option is not the default, or a choice, that it is evaluated as."""
    statement, facts = job.statement(node), job.calls_of(node)
    around = [each for fact in facts for each in handlers(job, way(fact))]
    stops = all(isinstance(each, ast.ExceptHandler) and _lets_pass(each.type) for each in around)
    shown = ", ".join(names)
    if not isinstance(statement, _ONCE) or not stops or any(fact.context.passes for fact in facts):
        advice = f"Write {shown} in its place, or evaluate" if len(names) == 1 else "Evaluate"
        among = "" if len(names) == 1 else "one of "
        yield job.refuse(
            NAME,
            f"what {written} names is evaluated here, and the program cannot stop here where that is not "
            f"{among}{shown}.",
            node,
            f"{advice} it in an assignment before the training.",
            effort="one line",
        )
        return
    stop = f'raise SystemExit("this program is for {shown} only: convert the script again")'
    is_other = f'!= "{names[0]}"' if len(names) == 1 else f"not in {_listed(names)}"
    text = f"if {job.segment(node.args[0])} {is_other}:\n    {stop}"
    reason = f"it is for the default of {written}" if len(names) == 1 else f"it is for these choices of {written}"
    yield job.change(NAME, reason, node, [Before(statement, text, _FIRST)])
    if len(names) > 1:
        return
    yield job.review(
        NAME,
        f"the program is for the default of {written}, which is {shown} here, and stops with another choice.",
        node,
        "Nothing to do if you train with it; else give your choice as the default, and convert again.",
    )


def _listed(names: tuple[str, ...]) -> str:
    return "({})".format(", ".join(f'"{name}"' for name in names))


def _is_plain(job: Job, fact: CallFact) -> bool:
    """Whether a text may well be a plain value, outside of passes, and what stops the program is not caught."""
    if EVALUATED not in fact.result.tags or fact.context.passes:
        return False
    around = handlers(job, way(fact))
    return all(isinstance(each, ast.ExceptHandler) and _lets_through(each.type) for each in around)


def _is_used_otherwise(job: Job) -> bool:
    """Whether something that a text gave is called, or has methods that a plain value has not."""
    for node in job.nodes.of(ast.Call, ast.Attribute):
        if isinstance(node, ast.Call) and EVALUATED in job.value(node.func).tags:
            return True
        if isinstance(node, ast.Attribute) and EVALUATED in job.value(node.value).tags and node.attr not in _METHODS:
            return True
    return False


def _lets_through(caught: ast.expr | None) -> bool:
    return all(name in _OTHERS for name in _caught(caught))


def _lets_pass(caught: ast.expr | None) -> bool:
    """Whether what ends the program is not caught."""
    return all(name and name not in _ENDING for name in _caught(caught))


def _caught(caught: ast.expr | None) -> list[str]:
    types = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return [getattr(each, "attr", getattr(each, "id", "")) for each in types]
