"""Deal the samples of a stream out: each process reads all of it, and trains on every N-th sample.

Why
---
A sampler needs numbers of samples, and a stream (``IterableDataset``) has none: with the loader as it is, every process
would train on all samples, N times as many. So the stream is wrapped in one that gives every N-th sample, another one
to each process. With 1/N of the batch size, the samples of a step are those of the sequential program's batch. Where
the last samples are fewer than processes they are repeated, so that all make the same number of steps; with
``drop_last`` they are left out. All processes have to get the same samples in the same order, so a stream must not draw
from generators whose numbers differ between processes. Every process reads the whole stream: what is read costs as much
as before, and only training is shared.

Before
------
::

    loader = DataLoader(stream, batch_size=64)

After
-----
::

    loader = DataLoader(SharedStream(stream), batch_size=64 // dist.get_world_size())

Source
------
PyTorch documentation, ``torch.utils.data.IterableDataset``; pytorch issue 77154; accelerate, ``IterableDatasetShard``.
"""

from __future__ import annotations

import ast
import builtins
import io
from itertools import chain
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import UNKNOWN
from corro.frontends import tensors
from corro.frontends.purity import DRAWING
from corro.frontends.pytorch.sampling import draws
from corro.frontends.pytorch.streams import bases, is_stream, stream_classes
from corro.frontends.randomness import drawn_by_name
from corro.rules.places import defined_before, inner_scopes
from corro.rules.pytorch._batch_share import BatchShare, padded_samples, padding, share_of_batch
from corro.rules.pytorch._loaders import Arguments, dropping
from corro.rules.pytorch._shared import makings, others_of
from corro.rules.pytorch._single import needs_two
from corro.source import Wrap, replace_node, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.anatomy.sites import LoaderSite
    from corro.flow.facts import CallFact, StreamFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

NAME = "streams"
EVEN_SHARES = True

_CLASS = "SharedStream"
_BASE = "torch.utils.data.IterableDataset"
_BUILTINS = frozenset(dir(builtins)) - {"set", "frozenset", "hash", "id", "input", "eval", "exec", "vars", "globals"}
"""What computes alike on all processes: sets have an order of their own in each."""
_METHODS = frozenset(name for kind in (str, bytes, list, tuple, dict, io.TextIOWrapper) for name in dir(kind)) | {
    "manual_seed"
}
_GOING_THROUGH = frozenset({"iter", "next", "enumerate", "zip", "map", "filter", "list", "tuple", "sorted"})
_LIBRARIES = ("csv.", "json.", "gzip.", "io.", "pickle.", "struct.", "torch.", "numpy.", "math.", "itertools.",
              "os.path.", "pathlib.", "PIL.", "glob.", "collections.", "functools.", "linecache.")  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """One change for each training loader over a stream, and one for each place that reads its data set."""
    sites = {site.node: site for site in job.training_loaders() if is_stream(job.facts, site.number)}
    for here, nodes in job.by_file(sites):
        yield from _in_file(here, [sites[node] for node in nodes])
    yield from _read(job, [site for site in job.training_sites() if site.node in sites])


def _in_file(job: Job, sites: Sequence[LoaderSite]) -> Iterator[Answer]:
    """The changes of one file: the class is written once, in front of the first loader."""
    name = job.names.fresh(_CLASS)
    drops = any(dropping(Arguments(job, fact)) is not None for fact in makings(job, sites))
    counts = any(_has_length(job, site) for site in sites)
    for site in sites:
        against = _against(job, site) or next(_differing(job, site), None)
        if against is not None:
            yield against
            return
    code = _class(job, name, drops=drops, counts=counts)
    reason = "every process reads the stream, and keeps every N-th sample"
    yield job.change(NAME, reason, sites[0].node, [defined_before(job, sites[0].node, code.text, order=-50)], code)
    for site in sites:
        yield from _loader(job, site, name)


def _against(job: Job, site: LoaderSite) -> Answer | None:
    """Why a stream cannot be dealt out."""
    arguments = Arguments(job, makings(job, [site])[0])
    if next(inner_scopes(job, site.node), None) is not None:
        message = "the training loader is made in a comprehension or a lambda, where nothing can be put in front of it."
        advice = "Make the training DataLoader in a statement of its own."
    elif others_of(job, site.node):
        message = "one DataLoader call makes the loader for training, over a stream, and another one."
        advice = "Write one DataLoader call for each."
    elif arguments.node("dataset", 0) is None:
        message = "Corro cannot tell which argument of the training loader is the stream."
        advice = "Pass the stream as the first argument."
    elif (reason := needs_two(job, site)) and not _always_drops(arguments):
        message = f"the last batch of a stream may leave each process one sample, and {reason}."
        advice = "Give the loader drop_last=True, if the samples of an incomplete last batch may be left out."
    elif _has_workers(arguments) and not _always_drops(arguments):
        message = "workers go through parts of a stream, at the end of each of which samples would be repeated."
        advice = "Give the loader num_workers=0, or drop_last=True if those samples may be left out."
    else:
        return None
    return job.refuse(NAME, message, site.node, advice, effort="one line")


def _has_workers(arguments: Arguments) -> bool:
    """Whether worker processes may read the stream, each of which ends by itself."""
    workers = arguments.value("num_workers", 5)
    return workers is not None and workers.const != 0


def _always_drops(arguments: Arguments) -> bool:
    known = arguments.value("drop_last", 8)
    return known is not None and known.const is True


def _loader(job: Job, site: LoaderSite, name: str) -> Iterator[Answer]:
    fact = makings(job, [site])[0]
    arguments = Arguments(job, fact)
    share, node = share_of_batch(job, NAME, site, arguments), arguments.node("dataset", 0)
    if not isinstance(share, BatchShare):
        yield share
        return
    assert node is not None, "it was asked before"
    dropped = dropping(arguments)
    option = f", drop_last={dropped}" if dropped is not None else ""
    edits: list[Edit] = [*share.checks, Wrap(job.span(node), f"{name}(", f"{option})")]
    edits += arguments.set("batch_size", 1, share.text) if share.text else ()
    edits += arguments.finish()
    reason = "each process trains on its own shard of every batch"
    yield job.change(NAME, reason, site.node, edits, Code("", (job.target.engine,)))
    yield from _unknown(job, site)
    yield from padding(job, NAME, site, arguments)
    yield from padded_samples(job, NAME, site, fact)


def _class(job: Job, name: str, *, drops: bool, counts: bool) -> Code:
    """A stream that gives every N-th sample of another; rank and size are kept, as workers may not know them."""
    target = job.target
    option, kept, last = (", drop_last=False", ", drop_last", ", self.drop_last") if drops else ("", "", "")
    text = (
        f"class {name}({target.library.name(_BASE)}):\n"
        f"    def __init__(self, stream{option}):\n"
        f"        self.stream{last} = stream{kept}\n"
        f"        self.rank, self.size = {target.rank}, {target.world_size}\n"
        "\n"
        "    def __iter__(self):\n"
        "        group = []\n"
        "        for sample in self.stream:\n"
        "            group.append(sample)\n"
        "            if len(group) == self.size:\n"
        "                yield group[self.rank]\n"
        "                group = []\n"
        f"        if group{' and not self.drop_last' if drops else ''}:\n"
        "            yield group[self.rank % len(group)]"
    )
    if counts:
        surplus = "(0 if self.drop_last else self.size - 1)" if drops else "self.size - 1"
        text += f"\n\n    def __len__(self):\n        return (len(self.stream) + {surplus}) // self.size"
    return Code(text, (target.engine, target.library.imports(_BASE)))


def _has_length(job: Job, site: LoaderSite) -> bool:
    methods = (part for each in _classes(job, [site]) for part in each.body if isinstance(part, ast.FunctionDef))
    return any(method.name == "__len__" for method in methods)


def _classes(job: Job, sites: Iterable[LoaderSite]) -> list[ast.ClassDef]:
    found = (each for site in sites for each in stream_classes(job.facts, site.number))
    return list(dict.fromkeys(own for each in found for own in bases(job.facts, each)))


# ---------------------------------------------------------------------- whether all processes get the same samples


def _differing(job: Job, site: LoaderSite) -> Iterator[Answer]:
    """What is known to give each process other samples."""
    for reading in _readings(job, site):
        for fact in reading.calls:
            if draws(fact):
                message = (
                    "the stream draws random numbers, which differ between processes: each would get other samples."
                )
                advice = "Draw from a generator of the stream's own that has a seed, as random.Random(seed)."
                yield job.refuse(NAME, message, fact.node, advice, effort="one line")
        asked = ((node, value) for node, value in reading.values.items() if _decides(job, node))
        unequal = [node for node, value in asked if not value.placement.is_equal]
        if unequal or not reading.placement.is_equal:
            message = "the samples of the stream depend on values that differ between processes."
            advice = "Let the stream depend on what is equal on all processes: the epoch, settings, global metrics."
            yield job.refuse(NAME, message, (*unequal, site.node)[0], advice)


def _decides(job: Job, node: ast.AST) -> bool:
    """Whether it depends on an expression which samples there are, and how many."""
    match job.file_of(node).parent(node):
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return test is node
        case ast.For(iter=iterable):
            return iterable is node
        case ast.comprehension(iter=iterable, ifs=tests):
            return node is iterable or node in tests
    return False


def _unknown(job: Job, site: LoaderSite) -> Iterator[Answer]:
    """The first thing in a stream of which it is not known that it gives the same everywhere."""
    readings = list(_readings(job, site))
    if not readings:
        yield _assumed(job, site.node)
    for reading in readings:
        calls = (fact.node for fact in reading.calls if not _is_followed(job, reading, fact))
        node = next(chain(calls, _opaque_sources(job, reading)), None)
        if node is not None:
            yield _assumed(job, node)
            return


def _assumed(job: Job, node: ast.AST) -> Answer:
    message = "every process reads the stream: all are assumed to get the same samples in the same order."
    advice = "Shuffle by a generator with a seed of its own, and go through lists, not through sets."
    return job.assume(NAME, message, node, advice, shown_by="coverage")


def _readings(job: Job, site: LoaderSite) -> Iterator[StreamFact]:
    return (reading for reading in job.facts.streams if site.number in reading.loaders)


def _is_followed(job: Job, reading: StreamFact, fact: CallFact) -> bool:
    """Whether it is known what a call gives: the script's own code was read, or it only computes or reads."""
    if not all(_only_computes(reading, each) for each in (*fact.args, *fact.keywords.values())):
        return False
    called = reading.values.get(fact.node.func, UNKNOWN)
    own = called.obj in reading.functions or called.obj in job.facts.classes
    return own or _is_known(job, fact.node)


def _only_computes(reading: StreamFact, value: Value) -> bool:
    """Whether a value that a call is given is no function of which it is not known what it does there."""
    if value.kind is Kind.LIBRARY and value.name:
        return _is_known_function(value.name) and not drawn_by_name(value.name)
    function = reading.functions.get(value.obj) if value.kind is Kind.FUNCTION else None
    plain = isinstance(function, ast.Lambda) and not any(isinstance(part, ast.Call) for part in walk(function))
    return value.kind is not Kind.FUNCTION or plain or function in reading.ran


def _opaque_sources(job: Job, reading: StreamFact) -> Iterator[ast.expr]:
    """What a stream was given to go through, where nothing is known of it."""
    for node, value in reading.values.items():
        if not isinstance(node, ast.Attribute) or value.kind is not Kind.UNKNOWN:
            continue
        parent = job.file_of(node).parent(node)
        looped = isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node
        if looped or isinstance(parent, ast.YieldFrom) or (isinstance(parent, ast.Call) and _goes_through(parent)):
            yield node


def _goes_through(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in _GOING_THROUGH


def _is_known(job: Job, call: ast.Call) -> bool:
    """Whether a call that the script does not define gives the same on all processes: it only computes or reads."""
    names = job.names_of(call)
    dotted = names.qualified(call.func)
    if dotted:
        return all(map(_is_known_function, dotted))
    if isinstance(call.func, ast.Name):
        return names.binding(call.func) is None and call.func.id in _BUILTINS
    return isinstance(call.func, ast.Attribute) and _computes(call.func.attr)


def _is_known_function(name: str) -> bool:
    """Whether a function of Python or of a library, by its dotted name, gives the same everywhere."""
    return name.removeprefix("builtins.") in _BUILTINS or name.startswith(_LIBRARIES)


def _computes(method: str) -> bool:
    """Whether a method of a container, a file or a tensor gives the same everywhere."""
    drawn = method.rstrip("_") in DRAWING or method.endswith("_like")
    return method in _METHODS or (tensors.is_operation(method) and not drawn)


# ---------------------------------------------------------------------- what else reads the stream of a loader


def _read(job: Job, sites: Sequence[LoaderSite]) -> Iterator[Answer]:
    """``loader.dataset`` is the stream of the script, with its length and its attributes."""
    numbers = frozenset(site.number for site in sites)
    for node in (each for each in job.nodes.of(ast.Attribute) if each.attr == "dataset"):
        owner = job.value(node.value)
        if owner.kind is not Kind.LOADER or not owner.sites & numbers:
            continue
        if not owner.sites <= numbers:
            message = "this may be the data set of one of several loaders, of which one goes through a stream."
            yield job.refuse(NAME, message, node, "Use the data set itself.", effort="one line")
        else:
            edits = replace_node(job.file_of(node), node, f"{job.segment(node)}.stream")
            yield job.change(NAME, "the stream of the script", node, edits)
