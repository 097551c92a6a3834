"""Give all processes of a script with a loop of its own the same random numbers where they must agree.

Why
---
Data that is drawn, split or shuffled before training must be equal everywhere, or processes train on what others test
on; so must be weights that nothing else makes equal (see ``tape-start``). Where the script sets no seed, rank 0's is
shared. Noise must not be equal: where the script sets a seed, ranks above 0 take another one when the variables are
made, so that dropout and drawn inputs differ.

Before
------
::

    x_train, x_test, y_train, y_test = train_test_split(x, y)

After
-----
::

    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
    x_train, x_test, y_train, y_test = train_test_split(x, y)

Source
------
Lightning issues 7728 and 18638 (each process splits in its own way). Measured with Keras 2.15: initialisers take their
seeds from Python's ``random``, whatever ``tf.random.set_seed`` was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.frontends.keras.recognise import in_step
from corro.frontends.tensorflow.semantics import VARIABLE
from corro.rules import handed, unshared
from corro.rules.keras import seeds
from corro.rules.keras.seeds import (
    SEEDS,
    augmenting,
    drawn_from,
    fixed,
    generated_alike,
    has_seed,
    is_generated,
    is_noisy_layer,
    makes_noise,
    sets,
    share,
)
from corro.rules.places import is_certain, is_repeated, seed_at
from corro.rules.seeding import generator
from corro.rules.tensorflow._starting import is_used_before, starts
from corro.rules.tensorflow.pipelines import looped, ordering
from corro.source import Before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job
    from corro.source import Edit

NAME = "tape-seeds"


def apply(job: Job) -> Iterable[Answer]:
    """One change for all libraries whose numbers are drawn unseeded; refusals for what no shared seed mends."""
    if not job.has_ranks:
        return
    calls = seeds.seed_calls(job)
    seeded = {library: fact for library, fact in calls.items() if is_certain(fact, job.first_update)}
    yield from unshared.answers(
        job, NAME, job.calls, {each for each in (f.name for f in job.calls) if canonical(each) in SEEDS}
    )
    needed = _needed(job, seeded)
    if job.anatomy.fits:
        yield from seeds.hashed(job)
    if job.sharing is None:
        yield from fixed(job, NAME, seeded, needed)
        yield from _alike(job)
        return
    if needed:
        yield share(job, job.sharing, needed, NAME)
    yield from _noise(job, calls, needed)


def _needed(job: Job, seeded: dict[str, CallFact]) -> tuple[str, ...]:
    """Libraries whose random numbers are drawn, unseeded, outside the loops over batches, or for batches."""
    found: dict[str, None] = {}
    for fact in job.calls:
        library = drawn_from(fact)
        if library is None or in_step(fact) or (fact.context.passes and not job.facts.batches):
            continue
        seed = seeded.get(library)
        if seed is None or seed.order > fact.order:
            found[library] = None
    for library, fact in handed.drawing(job):
        seed = seeded.get(library)
        if not fact.context.passes and (seed is None or seed.order > fact.order):
            found[library] = None
    if job.anatomy.fits:
        found.update(dict.fromkeys(seeds.needed(job, seeded)))
    begins = starts(job)
    alone = ordering(job)
    if job.strategy is not None:
        found.update({library: None for library in alone if library not in seeded})
        return tuple(found)  # variables are the chief's
    unknown = begins is None or any(start.models is None for start in begins)
    if job.updates and (unknown or any(is_used_before(job, start) for start in begins or ())):
        alone = (*alone, "random", "tensorflow")
    elif not all(start.built for start in begins or ()):
        alone = (*alone, "random")  # from which Keras takes the seeds of its initialisers
    found.update({library: None for library in alone if library not in seeded})
    if "tensorflow" in found and "random" not in seeded:  # whose numbers the seed for it is made of
        found.pop("random", None)
        found["random"] = None
    return tuple(found)


def _alike(job: Job) -> Iterator[Answer]:
    """Workers that all have one seed draw the same noise."""
    for fact in list(_noisy(job).values())[:1]:
        yield job.review(
            NAME,
            "all workers have one seed, and draw the same noise for their shards of a batch.",
            fact.node,
            differs=("coverage",),
        )


def _noise(job: Job, seeded: dict[str, CallFact], shared: tuple[str, ...]) -> Iterator[Answer]:
    """Dropout and drawn inputs come from other numbers on the ranks above 0, once all that must be equal is made."""
    begins = starts(job)
    found = _noisy(job)
    generated = generated_alike(job, {*seeded, *shared})
    if generated is not None and not job.facts.batches:
        yield job.review(
            NAME,
            "this layer augments with a generator of its own, which has the same seed on every process: all use the "
            "same random numbers for their shards.",
            generated.node,
            differs=("coverage",),
        )
    yield from augmenting(job, NAME, looped(job), {*seeded, *shared})
    noise = {library: fact for library, fact in found.items() if library in seeded or library in shared}
    if "tensorflow" in found and "tensorflow" not in noise and has_seed(found["tensorflow"]):
        noise["tensorflow"] = found["tensorflow"]
    alike = {drawn_from(f): f for f in job.calls if f.context.passes} if job.facts.batches else {}
    if noise.keys() & alike.keys():
        yield job.review(
            NAME,
            "batches and noise come from one seed, so noise is the same on every process.",
            next(fact for library, fact in noise.items() if library in alike).node,
            "Draw the batches with NumPy.",
            differs=("coverage",),
        )
        noise = {library: fact for library, fact in noise.items() if library not in alike}
    if not noise:
        return
    first = next(iter(noise.values()))
    if job.anatomy.fits:
        yield job.review(
            NAME,
            "the script trains in more than one way, so all processes keep one seed, which makes noise the same on "
            "every process.",
            first.node,
            differs=("coverage",),
        )
        return
    if begins is None or any(s.models is None or not s.built for s in begins) or _makes_later(job):
        yield job.review(
            NAME,
            "variables are made when training has begun, so all processes keep one seed, which makes noise the same "
            "on every process.",
            seeded[next(iter(noise))].node if next(iter(noise)) in seeded else first.node,
            "Build all models before the loop: model.build(input_shape).",
            differs=("coverage",),
        )
        return
    start = begins[0]
    target = job.at(start.anchor).sharing
    assert target is not None
    rank = target.rank
    again = next((f for f in job.calls if sets(f, noise) and is_repeated(job, f, start.anchor)), None)
    if again is not None:
        yield job.review(
            NAME,
            "a seed is set again in a loop, which makes noise the same on every process.",
            again.node,
            "Set seeds once, before training.",
            differs=("coverage",),
        )
        return
    lines = [f"if {rank} > 0:"]
    edits: list[Edit] = [target.engine]
    for library in noise:
        seed = seeded.get(library)
        text = seed_at(job, seed, start.anchor) if seed is not None else None
        number = rank if text in (None, "0") else f"{text} + {rank}"
        if library == "tensorflow":
            lines.append(f"    {target.tf}.random.set_seed({number})")
            edits.append(target.tf_import)
        else:
            module = generator(target.library, library)
            lines.append(f"    {module.text}.seed({number})")
            edits += module.imports
    edits.append(Before(start.anchor, "\n".join(lines), order=-11))
    yield job.change(NAME, "noise differs between processes", start.anchor, edits)


def _noisy(job: Job) -> dict[str, CallFact]:
    """The libraries that make noise in training, each with a call that does."""
    found: dict[str, CallFact] = {}
    for fact in job.calls:
        if (is_noisy_layer(fact) and not is_generated(fact)) or (
            makes_noise(fact) and fact.context.passes and not job.facts.batches
        ):
            found.setdefault("tensorflow", fact)
        elif (
            fact.context.passes and "random" in fact.result.tags and fact.receiver is None and not job.facts.batches
        ):  # where batches are made by every process, what they are made of is drawn alike
            name = canonical(fact.name)
            found.setdefault(name.split(".")[0] if name.startswith(("numpy.", "random.")) else "tensorflow", fact)
    return found


def _makes_later(job: Job) -> bool:
    """Whether models, layers or variables are made once training has begun."""
    first = job.first_update
    kinds = (Kind.MODULE, Kind.LAYER)
    return first is not None and any(
        fact.order > first.order
        and fact.receiver is None
        and ((fact.result.kind in kinds and bool(fact.result.sites)) or VARIABLE in fact.result.tags)
        for fact in job.calls
    )
