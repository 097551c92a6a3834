"""Feed each process its shard of the batch.

Why
---
All processes make the same batches, from equal seeds, and each feeds every N-th row of them to the training step: the
step is that of the whole batch. A run that does not train is fed the whole batch on every process, so that what it
gives is exact and equal everywhere. Numbers, such as the rate of a dropout, are fed as they are.

Before
------
::

    images, labels = mnist.train.next_batch(100)
    session.run(train, feed_dict={x: images, y: labels, keep: 0.5})

After
-----
::

    def share_rows(batch):
        mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
        return np.asarray(batch)[mine]

    images, labels = mnist.train.next_batch(100)
    session.run(train, feed_dict={x: share_rows(images), y: share_rows(labels), keep: 0.5})

Source
------
Horovod documentation, "Horovod with TensorFlow"; Horovod, ``examples/tensorflow/tensorflow_mnist.py``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.tensorflow1.graphs import FIXED, PLACEHOLDER, ROWS, UNSHAPED
from corro.rules.keras import batchwise
from corro.rules.places import defined_before
from corro.rules.tensorflow1._job import named
from corro.rules.tensorflow1.training import normalised
from corro.source import Wrap, parenthesised, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sessions import RunSite
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job
    from corro.source import Edit

NAME = "session-feeds"

_MANY = frozenset({Kind.TENSOR, Kind.LIST, Kind.TABLE})


def apply(job: Job) -> Iterable[Answer]:
    """The function that shares a batch out, and one change for each dict that is fed; or the first obstacle."""
    sites = list(job.steps())
    if job.iterates:
        yield from _numbers(job)
        return
    if not sites:
        return
    for site in sites:
        obstacle = _obstacle(job, site)
        if obstacle is not None:
            yield obstacle
            return
    places: dict[ast.expr, list[RunSite]] = {}
    for site in sites:
        places.setdefault(_place(job, site), []).append(site)
    for here, mine in job.by_file(places):
        yield from _in_file(here, {node: places[node] for node in mine})
    yield job.note(
        NAME,
        "a batch that N does not divide repeats up to N-1 of its samples, so that all processes have as many.",
        min(sites, key=lambda site: site.node.lineno).node,
    )


def _in_file(job: Job, places: dict[ast.expr, list[RunSite]]) -> Iterator[Answer]:
    """The function that shares a batch out, and one change for each place, in one file."""
    name = job.names.fresh("share_rows")
    code = batchwise.function(job.target, name, nested=False)
    runs: list[ast.expr] = [site.node for sites in places.values() for site in sites]
    here = [node for node in (*runs, *places) if job.file_of(node) is job.source]
    first = min(here, key=lambda node: (node not in runs, node.lineno))
    yield job.change(NAME, "the shard of a process in a batch", first, [defined_before(job, first, code.text)], code)
    for node, sites in places.items():
        edits = _shared(job, sites[0], name)
        yield job.change(NAME, "each process trains on its own shard of every batch", node, edits, code)


def _numbers(job: Job) -> Iterator[Answer]:
    """Where batches come from an iterator, nothing but numbers may be fed, the same ones everywhere."""
    for site in job.anatomy.runs:
        fed = list(_items(site.feed)) if site.feed is not None else []
        batch = next((key for key, _ in fed if not _is_number(job.part(site, key))), None)
        if site.opaque or batch is not None:
            yield job.refuse(
                NAME,
                "a run is fed data where the graph takes its batches from an iterator.",
                batch if batch is not None else site.node,
                "Feed numbers alone, or feed all batches to placeholders.",
            )
            return
        for key, value in fed:
            reason = _reason(job, site, key, value)
            if reason is not None:
                yield job.refuse(NAME, reason[0], value, reason[1])
                return


def _is_number(key: Value) -> bool:
    return PLACEHOLDER in key.tags and key.placement.is_equal and key.scalar


def _place(job: Job, site: RunSite) -> ast.expr:
    """The place where batches are cut: in the dict, or where it is fed if other runs are fed the whole of it."""
    place = site.given if _is_also_whole(job, site) else site.feed
    assert place is not None
    return place


def _shared(job: Job, site: RunSite, name: str) -> list[Edit]:
    """Edits that cut the batches of a run."""
    feed, given = site.feed, site.given
    assert feed is not None
    assert given is not None
    rows = [(key, value) for key, value in _items(feed) if ROWS in job.part(site, key).tags]
    if not _is_also_whole(job, site):
        return [Wrap(job.span(value), f"{name}(", ")") for _, value in rows]
    whole, segment = parenthesised(job.file_of(given), given), job.segment
    parts = ", ".join(f"{segment(key)}: {name}({whole}[{segment(key)}])" for key, _ in rows)
    return [*replace_node(job.file_of(given), given, f"{{**{whole}, {parts}}}")]


def _is_also_whole(job: Job, site: RunSite) -> bool:
    """Whether a run that does not train is fed the same dict."""
    return any(other.feed is site.feed and not other.trains for other in job.anatomy.runs)


def _items(feed: ast.Dict) -> Iterator[tuple[ast.expr, ast.expr]]:
    return ((key, value) for key, value in zip(feed.keys, feed.values, strict=True) if key is not None)


def _obstacle(job: Job, site: RunSite) -> Answer | None:
    if site.opaque:
        return job.refuse(
            NAME,
            "what is fed to the training step is not written as a dict, so its batches cannot be told.",
            site.node,
            "Write feed_dict={placeholder: batch, ...} into the call, or into an assignment.",
            effort="one line",
        )
    keys = [job.part(site, key) for key, _ in _items(site.feed)] if site.feed is not None else []
    fixed = any(FIXED in key.tags for key in keys)
    if site.feed is None or not (fixed or any(ROWS in key.tags for key in keys)):
        return job.refuse(
            NAME,
            "no batch is fed to the training step, so there is nothing to shard.",
            site.node,
            "Feed it to a placeholder whose first dimension is None.",
        )
    if _is_also_whole(job, site) and not _is_near(job, site):
        return job.refuse(
            NAME,
            "what is fed to the training step is fed to other runs too, and made in another function.",
            site.node,
            "Write feed_dict={placeholder: batch, ...} into the call.",
            effort="one line",
        )
    for key, value in _items(site.feed):
        reason = _reason(job, site, key, value)
        if reason is not None:
            return job.refuse(NAME, reason[0], value, reason[1])
    return None


def _is_near(job: Job, site: RunSite) -> bool:
    """Whether names in the dict mean the same where it is fed."""
    assert site.feed is not None
    return job.names_of(site.feed).scope(site.feed) is job.names_of(site.node).scope(site.node)


def _reason(job: Job, site: RunSite, fed: ast.expr, node: ast.expr) -> tuple[str, str] | None:
    """Why a value that is fed cannot be shared out, or left whole."""
    key, value = job.part(site, fed), job.value(node)
    if PLACEHOLDER not in key.tags or (ROWS in key.tags and not _is_one(job, site, fed)):
        return "what this is fed to is no placeholder, or may be several.", "Feed a placeholder by its own name."
    if FIXED in key.tags:
        return (
            "the shape of a placeholder is, or may be, that of all rows, but each process holds only its shard of "
            "them.",
            "Leave its first dimension open: tf.placeholder(dtype, [None, ...]).",
        )
    if value.form is not Form.REPLICATED:
        return "what is fed is random, and differs between processes.", "Feed what is equal on all processes."
    if value.placement.data_dependent and any(normalised(fact) for fact in job.calls):
        return (
            "what is fed was computed with the averages of batch normalisation, which differ between processes.",
            "Feed what does not come from the model, or leave batch normalisation out.",
        )
    if ROWS not in key.tags and value.placement.separate:
        return (
            "a number that is fed to the training step depends on what each process has computed for itself: its "
            "last digits may differ.",
            "Take it from the training step, or from the number of the step.",
        )
    if ROWS not in key.tags:
        number = value.kind is Kind.NUMBER or (isinstance(node, ast.Constant) and not isinstance(node.value, str))
        if UNSHAPED in key.tags and not number:
            return _unclear()
        return None
    single = _is_one_sample(job, node) if UNSHAPED in key.tags else value.kind is Kind.NUMBER
    if UNSHAPED in key.tags and not single and (value.kind not in _MANY or value.scalar):
        return _unclear()
    if single:
        return "one sample is fed at a time, so there is nothing to shard.", "Feed batches of several samples."
    return None


def _is_one(job: Job, site: RunSite, fed: ast.expr) -> bool:
    """Whether what is fed is one placeholder; or, by its name, one of several that are all fed with rows."""
    text = named(fed)
    if text is None:
        return len(job.value(fed).sites) == 1
    made = site.named.get(text, ())
    each = [fact.result for call in made for fact in job.calls_of(call)]
    return all(call in job.anatomy.placeholders for call in made) and all(ROWS in value.tags for value in each)


def _unclear() -> tuple[str, str]:
    return (
        "a placeholder has no shape, and it is not clear whether a batch or one number is fed.",
        "Give it a shape: [] for a number, [None, ...] for a batch.",
    )


def _is_one_sample(job: Job, node: ast.expr) -> bool:
    """Whether a value is what a loop over the rows of an array yields."""
    if not isinstance(node, ast.Name):
        return False
    for loop in job.nodes.of(ast.For):
        if any(isinstance(n, ast.Name) and n.id == node.id for n in ast.walk(loop.target)):
            over = [loop.iter, *(a for a in getattr(loop.iter, "args", ()))]
            if any(job.value(each).kind in _MANY for each in over):
                return True
    return False
