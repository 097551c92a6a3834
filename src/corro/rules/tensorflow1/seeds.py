"""Let all processes make the same batches.

Why
---
Each process feeds its shard of a batch that all of them make, so what is drawn, split or shuffled must be equal
everywhere. Where the script sets no seed, rank 0's is shared. ``read_data_sets`` seeds NumPy from the system's own
chance, so the seed is shared after it. Weights are sent from rank 0, and need no seed; noise in the graph, as a
dropout makes it, must not be equal: a seed that the script sets for TensorFlow is another one on each rank.

Before
------
::

    rows = np.random.permutation(len(images))

After
-----
::

    with tf.Graph().as_default(), tf.Session(config=config):
        np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))

    rows = np.random.permutation(len(images))

Source
------
Lightning issues 7728 and 18638 (each process splits in its own way); TensorFlow 1.15,
``tensorflow/examples/tutorials/mnist/input_data.py``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.semantics import NOISE
from corro.frontends.tensorflow1.names import plain
from corro.frontends.tensorflow1.naming import graph_of
from corro.frontends.tensorflow1.semantics import reads_images
from corro.rules import handed, unshared
from corro.rules.keras.seeds import drawn_from
from corro.rules.places import at_start, is_certain
from corro.rules.seeding import drawn, generator
from corro.source import After, Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job
    from corro.source import Import

NAME = "session-seeds"

_SEEDS = {"numpy.random.seed": "numpy", "random.seed": "random", "tensorflow.set_random_seed": "tensorflow"}


def apply(job: Job) -> Iterable[Answer]:
    """One change for all libraries whose numbers are drawn unseeded; refusals for what no shared seed mends."""
    seeded = _seeded(job)
    names = {fact.name for fact in job.calls if plain(fact.name) in _SEEDS}
    yield from unshared.answers(job, NAME, job.calls, names)
    readers = [fact for fact in job.calls if reads_images(fact)]
    yield from _read(job, seeded, readers)
    needed = _needed(job, seeded, readers)
    if needed:
        code = _sharing(job, needed)
        reason = "all processes must make the same batches"
        yield job.change(NAME, reason, job.first_statement, [at_start(job, code.text, order=-90)], code)
    yield from _noise(job, _seeded(job, perhaps=True), readers)


def shares(job: Job) -> bool:
    """Whether a seed is shared."""
    readers = [fact for fact in job.calls if reads_images(fact)]
    return bool(readers) or bool(_needed(job, _seeded(job), readers))


def _seeded(job: Job, *, perhaps: bool = False) -> dict[str, CallFact]:
    """The first call that sets the seed of each library, in every run or perhaps."""
    found: dict[str, CallFact] = {}
    for fact in job.calls:
        sets = fact.receiver is None and (perhaps or is_certain(fact))
        library = _SEEDS.get(plain(fact.name)) if sets else None
        if library is not None:
            found.setdefault(library, fact)
    return found


def _needed(job: Job, seeded: dict[str, CallFact], readers: list[CallFact]) -> tuple[str, ...]:
    """Libraries whose random numbers are drawn unseeded, or may be by what is not followed."""
    found: dict[str, None] = {}
    for fact in job.calls:
        library = drawn_from(fact)
        late = any(reader.order < fact.order for reader in readers) and library == "numpy"
        if library not in ("numpy", "random") or late:
            continue
        if library not in seeded or seeded[library].order > fact.order:
            found[library] = None
    for library, fact in handed.drawing(job):
        if library not in seeded or seeded[library].order > fact.order:
            found[library] = None
    if _has_unknown_sources(job):
        later = {"numpy"} if readers else set[str]()
        found.update({library: None for library in ("numpy", "random") if library not in {*seeded, *later}})
    return tuple(found)


def _has_unknown_sources(job: Job) -> bool:
    """Whether what is fed to a training step comes from somewhere that is not followed."""
    fed = [node for site in job.steps() if site.feed is not None for node in site.feed.values]
    kinds = (Kind.TENSOR, Kind.LIST, Kind.TABLE, Kind.NUMBER)
    return any(job.value(node).kind not in kinds for node in fed)


def _sharing(job: Job, libraries: tuple[str, ...]) -> Code:
    target = job.target
    lines: list[str] = []
    imports: list[Import] = []
    for library in libraries:
        module = generator(target.library, library)
        imports += module.imports
        lines.append(f"{module.text}.seed({target.shared(drawn(target.library, library))})")
    code = target.joined(lines)
    return Code(code.text, (*code.imports, *imports))


def _read(job: Job, seeded: dict[str, CallFact], readers: list[CallFact]) -> Iterator[Answer]:
    """Images whose reader has seeded NumPy by chance: the seed is shared after it."""
    for fact in readers:
        seed = fact.keywords.get("seed")
        resets = [f.order for f in job.calls if plain(f.name) == "tensorflow.reset_default_graph"]
        since = max((order for order in resets if order < fact.order), default=-1)
        early = any(since < seed.order < fact.order and _seeds_graph_of(seed, fact) for seed in job.calls)
        later = "numpy" in seeded and seeded["numpy"].order > fact.order
        if (seed is not None and seed.kind is not Kind.NONE) or early or later:
            continue
        statement = job.statement(fact.node)
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
            yield job.refuse(
                NAME,
                "the images are read in a way that Corro cannot follow, and shuffled without a seed.",
                fact.node,
                "Assign them to a name, or give the reader a seed.",
                effort="one line",
            )
            return
        code = _sharing(job.at(statement), ("numpy",))
        edit = After(statement, code.text, order=-6)
        yield job.change(NAME, "all processes must make the same batches", fact.node, [edit], code)


def _seeds_graph_of(fact: CallFact, reader: CallFact) -> bool:
    """Whether a call sets the seed of the graph that is the default one where images are read: NumPy is given it."""
    sets = fact.receiver is None and plain(fact.name) == "tensorflow.set_random_seed"
    return sets and graph_of(fact.context) == graph_of(reader.context) != ""


def _noise(job: Job, seeded: dict[str, CallFact], readers: list[CallFact]) -> Iterator[Answer]:
    """Noise of the graph is another one on each rank; rank 0's weights are sent to all of them anyway."""
    fact = seeded.get("tensorflow")
    noisy = any(NOISE in value.tags for value in job.facts.values.values())
    if fact is None or not noisy:
        return
    calls = dict.fromkeys(f.node for f in job.calls if f.receiver is None and plain(f.name) == plain(fact.name))
    if readers or any(len(node.args) != 1 for node in calls):
        yield job.review(
            NAME, "noise uses the same random numbers on every process, from the seed that is set.", fact.node,
            differs=("coverage",),
        )  # fmt: skip
        return
    for node in calls:
        target = job.at(node).target
        edit = Wrap(job.span(node.args[0]), "", f" + {target.rank}")
        yield job.change(NAME, "noise differs between processes", node, [edit], Code("", (target.engine,)))
