"""Report to an experiment tracker once: rank 0's run is the real one, those of other processes do nothing.

Why
---
A run that each process begins is N runs in the tracker, which write over or beside each other. Where a tracker can
begin a run that does nothing, the other processes have such a one: the code around it (``with``, ``if run is not
None``, ``wandb.config``) stays as it is, and what is logged is reduced before. What reads files or makes pictures for
the tracker happens on rank 0 only, and so does everything with trackers that have no such runs.

A sweep, or what the tracker has of an earlier run, may change the settings on rank 0. So where they are read, all
processes take rank 0's.

Before
------
::

    run = wandb.init(project="digits", config=vars(args))
    config = wandb.config
    ...
    wandb.log({"loss": total / len(loader)})

After
-----
::

    run = wandb.init(
        project="digits", config=vars(args), mode=None if dist.get_rank() == 0 else "disabled"
    )
    settings = [dict(wandb.config)]
    dist.broadcast_object_list(settings)
    if dist.get_rank() != 0:
        wandb.config.update(settings[0], allow_val_change=True)
    config = wandb.config
    ...
    wandb.log({"loss": total / len(loader)})

Source
------
Weights & Biases documentation, "Log distributed training experiments" (track rank 0 only), ``wandb.init`` (``mode``);
Neptune documentation, "Connection modes"; Comet documentation, ``Experiment`` (``disabled``).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends import trackers
from corro.frontends.effects import EffectKind
from corro.rules.reducing import differs
from corro.source import After, Before, Edit, Wrap, add_keyword
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "trackers"

_WATCHED = frozenset({"parameters", "graph"})
"""What ``wandb.watch`` shows of a model that is equal on all processes."""
_CHANGING = frozenset({"update", "setdefaults"})


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each run that is begun, and for what cannot be reported once."""
    done: set[ast.Call] = set()
    for effect in job.effects:
        if effect.kind is EffectKind.TRACKER and effect.node not in done:
            done.add(effect.node)
            if trackers.is_needed(effect.fact.name):
                yield _refused(job, effect.fact.name, effect.node)
            elif effect.fact.name in trackers.SILENT:
                yield from _begun(job, effect.node, trackers.SILENT[effect.fact.name])
            elif effect.fact.name.rpartition(".")[2] == "watch":
                yield from _watched(job, effect.node)
    yield from _stored(job)


def _refused(job: Job, name: str, call: ast.Call) -> Answer:
    if name.rpartition(".")[2] in ("agent", "sweep", "controller"):
        return job.refuse(
            NAME,
            "this hands out the settings of trials, which each process would ask for by itself.",
            call,
            "Start the agent from the command line, with a command that starts the script on all processes.",
        )
    return job.refuse(
        NAME,
        f"{name} works with an experiment tracker in a way that every process would need; that is not converted.",
        call,
        "Do it in a script of its own, or read the file from a path.",
    )


def _begun(job: Job, call: ast.Call, silence: trackers.Silence) -> Iterator[Answer]:
    """Another process's run does nothing, and has rank 0's settings."""
    job = job.at(call)
    given = next((k.value for k in call.keywords if k.arg == silence.keyword), None)
    if isinstance(given, ast.Constant) and given.value == ast.literal_eval(silence.silent):
        return
    if any(k.arg is None for k in call.keywords) and given is None:
        yield job.refuse(
            NAME,
            f"this begins a run with arguments of which one may be {silence.keyword!r}.",
            call,
            f"Write {silence.keyword}= into the call.",
            effort="one line",
        )
        return
    first, other = job.ranked.is_first, job.ranked.is_other
    if given is not None:
        before, after = ("(", ")") if isinstance(given, ast.IfExp) else ("", "")
        edits: list[Edit] = [Wrap(job.span(given), before, f"{after} if {first} else {silence.silent}")]
    else:
        text = other if silence.silent == "True" else f"{silence.default} if {first} else {silence.silent}"
        edits = [*add_keyword(job.file_of(call), call, silence.keyword, text)]
    code = Code("", (job.ranked.engine,))
    if _reads_settings(job):
        if not all(job.is_uniform(fact.context) for fact in job.calls_of(call)):
            yield job.refuse(
                NAME,
                "the settings of this run are read, but not all processes begin it.",
                call,
                "Begin it under a condition that is equal on all processes.",
            )
            return
        told = _told(job, call)
        if told is None:
            yield job.refuse(
                NAME,
                "the settings of this run are read, and a sweep may have changed them on rank 0.",
                call,
                "Begin the run in a statement of its own, such as run = wandb.init(...).",
                effort="one line",
            )
            return
        edit, code = told
        edits.append(edit)
    yield job.change(NAME, "one run, on rank 0", call, edits, code)


def _reads_settings(job: Job) -> bool:
    """Whether what a run was begun with is read anywhere."""
    return any(
        job.value(node).name == trackers.CONFIG and not _is_changed(job, node) for node in job.nodes.of(ast.Attribute)
    )


def _is_changed(job: Job, node: ast.Attribute) -> bool:
    """``wandb.config.update(args)`` and ``wandb.config.epochs = 3``: nothing is read."""
    user = job.parent(node)
    if isinstance(user, (ast.Attribute, ast.Subscript)) and user.value is node:
        if not isinstance(user.ctx, ast.Load):
            return True
        call = job.parent(user)
        changes = isinstance(user, ast.Attribute) and user.attr in _CHANGING
        return changes and isinstance(call, ast.Call) and isinstance(job.parent(call), ast.Expr)
    return not isinstance(node.ctx, ast.Load)


def _told(job: Job, call: ast.Call) -> tuple[Edit, Code] | None:
    """What gives all processes rank 0's settings after a run has begun; ``None`` where it has no place."""
    module = call.func.value if isinstance(call.func, ast.Attribute) else None
    if module is None or job.value(module).name != "wandb":
        return None
    config = f"{job.segment(module)}.config"
    name = job.names.fresh("settings")
    code, value = job.target.share(name, f"dict({config})")
    told = code.text or f"{name} = {value}"
    value = value if code.text else name
    text = f"{told}\nif {job.ranked.is_other}:\n    {config}.update({value}, allow_val_change=True)"
    code = Code(text, (*code.imports, job.ranked.engine))
    user, statement = job.parent(call), job.statement(call)
    if isinstance(user, ast.withitem) and isinstance(statement, ast.With):
        return Before(statement.body[0], text, order=-20), code
    if isinstance(user, (ast.Assign, ast.Expr, ast.AnnAssign)):
        return After(statement, text, order=-20), code
    return None


def _watched(job: Job, call: ast.Call) -> Iterator[Answer]:
    """Gradients are shown as they are before they are averaged."""
    what = next((k.value for k in call.keywords if k.arg == "log"), ast.Constant("gradients"))
    shown = what.value if isinstance(what, ast.Constant) else ""
    if shown is not None and shown not in _WATCHED:
        yield job.review(
            NAME,
            "the gradients that are shown are those of rank 0's shard of the batch, before they are averaged.",
            call,
            differs=("metrics",),
            only_here=True,
        )


def _stored(job: Job) -> Iterator[Answer]:
    """``run.summary["accuracy"] = accuracy``, where each process has only its part."""
    for fact in job.facts.stores:
        unequal = next((value for value in fact.given if differs(job, value)), None)
        if fact.owner.kind is Kind.RUN and unequal is not None:
            yield job.refuse(
                NAME,
                "what is set in the run depends on this process's shard of the data.",
                fact.node,
                "Log it by a call, or set it to what was summed up over all batches.",
            )
            return
