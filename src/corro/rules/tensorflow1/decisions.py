"""Let all processes run the same steps of a graph.

Why
---
A process that runs a training step, or leaves it out, while the others do not, waits for them for ever. Whether a step
is run must therefore depend on what is equal everywhere. What a graph computes from whole data may differ in its last
digits between devices, and a dropout makes it differ in more, so steps must not depend on it.

Before
------
::

    while loss > 0.1:
        _, loss = session.run([train, cost], feed_dict={x: images})

After
-----
::

    refused: whether this is run is data-dependent or random

Source
------
horovod issues 4027 and 3140 (processes that stop at different times hang).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.tensorflow1.graphs import STATE, SUMMARY
from corro.rules.file_tests import looks_at_files
from corro.rules.tensorflow1._job import is_saver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sessions import RunSite
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-decisions"


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for each way in which steps can differ."""
    yield from _runs(job)
    yield from _exits(job)


def _runs(job: Job) -> Iterator[Answer]:
    """What all processes must run together, and variables that are restored."""
    meeting = [fact for site in job.anatomy.runs for fact in job.facts_of(site) if _meets(job, site, fact)]
    running = {fact for site in job.anatomy.runs if not site.initialises for fact in job.facts_of(site)}
    meeting += [fact for fact in job.calls if is_saver(fact) and fact.name == "restore"]
    for fact in meeting:
        on_disk = [t.node for t in fact.context.tests if isinstance(t.node, ast.If) and _asks_disk(job, t.node)]
        if on_disk and job.iterates and fact in running:
            yield job.refuse(
                NAME,
                "whether a batch is taken depends on files, which processes may find at different times.",
                fact.node,
                "Take batches in any case, or by an argument of the program.",
            )
            return
        tests = [t.value for t in fact.context.tests if t.node not in on_disk]
        tests += [job.value(loop.node.test) for loop in fact.context.loops if isinstance(loop.node, ast.While)]
        if any(_differs(value) for value in tests):
            yield job.refuse(
                NAME,
                "whether this is run is data-dependent or random: processes may decide differently.",
                fact.node,
                "Make it depend on the number of the step, or on arguments.",
            )
            return


def _asks_disk(job: Job, test: ast.If) -> bool:
    """Whether a condition only asks what is on disk, after which variables are sent round anyway."""
    return looks_at_files(job, test.test)


def _meets(job: Job, site: RunSite, fact: CallFact) -> bool:
    """Whether processes meet in a run: a step, a summary or a hook; or must change variables, or take data, alike."""
    summary = any(SUMMARY in job.part(site, node).tags for node in site.fetches or ())
    return STATE in fact.result.tags or summary or job.is_monitored(fact) or job.iterates


def _exits(job: Job) -> Iterator[Answer]:
    training = {loop.node for site in job.of_parts() for f in job.facts_of(site) for loop in f.context.loops}
    for leave in job.facts.exits:
        inside = any(loop.node in training for loop in leave.context.loops)
        tests = [t.value for t in leave.context.tests if not isinstance(t.node, ast.ExceptHandler)]
        if inside and any(_differs(value) for value in tests):
            yield job.refuse(
                NAME,
                "the training loop is left, or a step left out, on a data-dependent or random condition: processes "
                "may decide differently.",
                leave.node,
                "Train for a fixed number of steps; keep the best weights instead of stopping early.",
                effort="other training",
            )
            return


def _differs(value: Value) -> bool:
    return value.placement.data_dependent or value.form is Form.LOCAL
