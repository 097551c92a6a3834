"""Have the program see for itself what a run has shown.

Why
---
Which model a name in a configuration stands for, a text does not say. A run shows it (``corro compile --observe``,
``corro verify``, ``corro run``), and the script is converted as if it were written. That is true of this run, with
these arguments: so the program compares where it chooses, and stops where it would train with something else. An arm
of a condition that the run has not taken is not converted: it stops the program. Without a run that goes for what the
command line leaves out by default, where something in it is refused: arms as of ``if args.apex:``, also where the
option was handed on to an object, and other classes than that which an option names: ``getattr(models, args.arch)``.
Where training begins again after memory has run out, which may happen to one process alone, the exception is raised.

Before
------
::

    model_class = getattr(importlib.import_module(config["module"]), config["class"])
    model = model_class(config["width"])

After
-----
::

    model_class = getattr(importlib.import_module(config["module"]), config["class"])
    if str(model_class) != "<class 'models.Net'>":
        raise SystemExit("this program is for models.Net only: convert the script again")
    model = model_class(config["width"])

Source
------
Python's documentation of ``SystemExit``: a text is printed, and the exit status is 1; the launcher ends the others.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.observations import BODY, DEFINITION, INSTANCE
from corro.classes import replace
from corro.frontends.purity import impure_parts
from corro.source import After, Before, Remove, children

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.observations import Observation
    from corro.rules.base import Answer, Job
    from corro.source import Edit

NAME = "observed"

_FIRST = -100
_ASIDE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.NamedExpr)
"""Expressions of which a part may be computed more than once, or not at all."""
_ONCE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.For, ast.With, ast.Delete, ast.Raise)
_READS = frozenset({"builtins.getattr", "getattr", "vars", "globals", "importlib.import_module", "get"})
"""Calls that give the same again."""
_ELSEWHERE = "..."
"""What stands for an attribute that is no plain value."""


def apply(job: Job) -> Iterator[Answer]:
    """A change, and what it rests on, for each place that a run has shown something of."""
    for node, seen in job.facts.observed.items():
        if (edit := _check(job, node, seen)) is None or _is_caught(job, node):
            yield job.refuse(
                NAME,
                f"{seen.dotted} was seen here in the run, and the program cannot see that for itself.",
                node,
                "Give it a name in a statement of its own, outside of any try.",
                effort="one line",
            )
            continue
        if seen.options:
            yield job.change(NAME, f"it is for {_defaults(seen)}", node, [edit])
            message = f"the program is for {_defaults(seen)}, which {'are' if len(seen.options) > 1 else 'is'}"
            advice = "Nothing to do if you train with it; else give your choice as the default, and convert again."
            yield job.review(NAME, f"{message} {seen.dotted} here, and stops with another choice.", node, advice)
            continue
        yield job.change(NAME, f"the run that was observed had {seen.dotted} here", node, [edit])
        yield job.note(NAME, f"{seen.dotted} was seen here in the run; with another choice the program stops.", node)
        if job.value(node).kind is Kind.MODULE:
            message = f"the model is assumed to compute each sample by itself, as the class {seen.dotted} is written."
            yield job.assume(NAME, message, node, "Make the model in the script.", shown_by="gradient")
    for statement, seen in job.facts.untaken.items():
        if isinstance(statement, ast.ExceptHandler):
            yield from _raised(job, statement)
            continue
        arm = statement.body if seen.name == BODY else statement.orelse
        if _is_caught(job, arm[0]):
            message = "this was not reached in the run, and the program cannot stop here: the exception is caught."
            yield job.refuse(NAME, message, arm[0], "Catch only the exceptions that you expect.", effort="one line")
            continue
        if seen.options:
            yield from _left_out(job, arm, seen)
            continue
        stop = _stop(f"this program was made without line {arm[0].lineno} of {job.file_of(statement).path.name}")
        yield job.change(NAME, "the run that was observed did not get here", arm[0], [Before(arm[0], stop, _FIRST)])
        yield job.note(NAME, "this was not reached in the run, and is not converted: the program stops here.", arm[0])


def _left_out(job: Job, arm: list[ast.stmt], seen: Observation) -> Iterator[Answer]:
    """Stop where options of the command line ask for what is not converted."""
    defaults = _defaults(seen)
    stop = f'raise SystemExit("this program is for {defaults} only")'
    yield job.change(NAME, f"it is for {defaults}", arm[0], [Before(each, stop, _FIRST) for each in _entries(job, arm)])
    why = seen.why or "this is not converted."
    advice = "Nothing to do if you train without it; else run the script as it is."
    yield job.review(NAME, f"the program is for {defaults}, and stops here otherwise: {why}", arm[0], advice)


def _defaults(seen: Observation) -> str:
    return f"the default{'s' if len(seen.options) > 1 else ''} of {', '.join(seen.options)}"


def _raised(job: Job, handler: ast.ExceptHandler) -> Iterator[Answer]:
    """Let an exception of one process end the program, where training would begin again."""
    first, *others = handler.body
    edits: list[Edit] = [Before(first, "raise", _FIRST), *(Remove(each) for each in (first, *others))]
    yield job.change(NAME, "one process alone cannot begin again", first, edits)
    message = "one process may run out of memory while the others go on: the exception ends the program."
    yield job.review(NAME, message, handler, "Choose a batch size, or memory-saving options, with which all fit.")


def _entries(job: Job, arm: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The first statements of an arm, which may be further arms: ``elif``."""
    first = arm[0]
    if not isinstance(first, ast.If) or not job.segment(first).startswith("elif"):
        yield first
        return
    yield first.body[0]
    if first.orelse:
        yield from _entries(job, first.orelse)


def _check(job: Job, node: ast.expr, seen: Observation) -> Edit | None:
    """The comparison: in front of the statement where it can be read twice, else of what was given a name."""
    statement, above = job.statement(node), list(job.ancestors(node))
    between = above[: above.index(statement)]
    if not isinstance(statement, _ONCE) or any(isinstance(each, _ASIDE) for each in between):
        return None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _is_name(statement.targets[0]):
        target, given = job.segment(statement.targets[0]), statement.value
        if given is node:
            return After(statement, _compared(target, seen), _FIRST)
        if isinstance(given, ast.Call) and given.func is node and seen.bases:
            return After(statement, _compared(target, replace(seen, form=INSTANCE)), _FIRST)
    if not _is_read_alike(job, node):
        return None
    return Before(statement, _compared(job.segment(node), seen), _FIRST, (node,))


def _is_name(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) or (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name))


def _is_read_alike(job: Job, node: ast.expr) -> bool:
    """Whether an expression gives the same when it is computed again, and changes nothing."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    names = [fact.name for part in parts for fact in job.calls_of(part)]
    others = [part for part in impure_parts(job.facts, node) if part not in parts]
    return bool(children(node)) and all(name in _READS for name in names) and not others


def _compared(text: str, seen: Observation) -> str:
    """The comparison as a statement, for a text that gives what was seen."""
    if seen.form == DEFINITION and not seen.bases:
        wrong = [f'{text}.__module__ + "." + {text}.__qualname__ != "{seen.dotted}"']
    else:
        named = text if seen.form == DEFINITION else f"type({text})"
        wrong = [f"str({named}) != \"<class '{seen.dotted}'>\""]
    wrong += [_differs(f"{text}.{name}", value) for name, value in seen.attributes]
    return f"if {' or '.join(wrong)}:\n    {_stop(f'this program is for {seen.dotted} only')}"


def _differs(attribute: str, value: object) -> str:
    if value is None:
        return f"{attribute} is not None"
    return f"{attribute} is None" if value == _ELSEWHERE else f"{attribute} != {_literal(value)}"


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) and value.isidentifier() else repr(value)


def _stop(why: str) -> str:
    return f'raise SystemExit("{why}: convert the script again")'


def _is_caught(job: Job, node: ast.AST) -> bool:
    """Whether what ends the program may be caught around a place."""
    around = [each for each in job.ancestors(node) if isinstance(each, ast.Try)]
    return any(_catches_all(handler.type) for each in around for handler in each.handlers)


def _catches_all(caught: ast.expr | None) -> bool:
    named = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(each is None or getattr(each, "id", getattr(each, "attr", "")) in _ENDING for each in named)


_ENDING = frozenset({"BaseException", "SystemExit"})
