"""Give all processes the same random numbers where they choose samples.

Why
---
Each process takes its part of the data by position. Data that is drawn, split or shuffled before training must
therefore be in the same order everywhere, or processes train on what others test on. Where the script sets no seed,
rank 0's is shared.

Before
------
::

    x_train, x_test, y_train, y_test = train_test_split(x, y)

After
-----
::

    np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
    x_train, x_test, y_train, y_test = train_test_split(x, y)

Source
------
Lightning issues 7728 and 18638 (each process splits in its own way).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.keras.names import canonical
from rueda.frontends.keras.semantics import NOISE
from rueda.frontends.randomness import draws
from rueda.rules.places import at_start, first_statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job
    from rueda.source import Import
    from rueda.targets.keras._base import SharingTarget

NAME = "keras-seeds"

_SEEDS = {"numpy.random.seed": ("numpy",), "random.seed": ("random",), "tensorflow.random.set_seed": ("tensorflow",),
          "keras.utils.set_random_seed": ("numpy", "random", "tensorflow")}  # fmt: skip
_TENSORS = ("tensorflow.random.normal", "tensorflow.random.uniform", "tensorflow.random.shuffle",
            "tensorflow.random.truncated_normal")  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """One change for all libraries whose numbers are drawn unseeded; refusals for what no shared seed mends."""
    if job.sharing is None:
        return
    seeded: dict[str, CallFact] = {}
    for fact in job.calls:
        for library in _SEEDS.get(canonical(fact.name), ()) if fact.receiver is None else ():
            seeded.setdefault(library, fact)
    needed = _needed(job, seeded)
    if needed:
        yield _shared(job, job.sharing, needed)
    yield from _generators(job)
    yield from _noise(job, seeded)


def _needed(job: Job, seeded: dict[str, CallFact]) -> tuple[str, ...]:
    """Libraries whose random numbers are drawn, unseeded, before the first fit."""
    first = job.first_fit
    found: dict[str, None] = {}
    for fact in job.calls:
        library = _drawn_from(fact)
        if library is None or (first is not None and fact.order > first.order):
            continue
        seed = seeded.get(library)
        if seed is None or seed.order > fact.order:
            found[library] = None
    return tuple(found)


def _drawn_from(fact: CallFact) -> str | None:
    if fact.receiver is None and canonical(fact.name).startswith(_TENSORS):
        return None if "seed" in fact.keywords and "symbolic" not in fact.result.tags else "tensorflow"
    return draws(fact)


def _shared(job: Job, target: SharingTarget, libraries: tuple[str, ...]) -> Answer:
    lines: list[str] = []
    imports: list[Import] = [target.engine]
    for library in libraries:
        if library == "numpy":
            module = f"{target.library.name('numpy', 'np')}.random"
            lines.append(f"{module}.seed({target.shared(f'{module}.randint(2**31)')})")
            imports.append(target.library.imports("numpy", "np"))
            continue
        module = target.library.name("random")
        number = target.shared(f"{module}.randrange(2**31)")
        imports.append(target.library.imports("random"))
        if library == "tensorflow":
            imports.append(target.tf_import)
            lines.append(f"{target.tf}.random.set_seed({number})")
        else:
            lines.append(f"{module}.seed({number})")
    reason = "what is drawn before training must be equal on all processes"
    return job.change(NAME, reason, first_statement(job), [at_start(job, "\n".join(lines), order=-90), *imports])


def _generators(job: Job) -> Iterator[Answer]:
    for fact in job.calls:
        unseeded = fact.receiver is None and fact.name.endswith(("default_rng", "RandomState", "random.Random"))
        if unseeded and not fact.args and not fact.keywords:
            yield job.refuse(
                NAME,
                "a random generator without a seed gives each process other numbers.",
                fact.node,
                "Give it a seed.",
            )
            return


def _noise(job: Job, seeded: dict[str, CallFact]) -> Iterator[Answer]:
    """A seed that makes the start equal also makes the noise equal: said, not changed."""
    seed = seeded.get("tensorflow")
    noisy = any(f.result.kind is Kind.LAYER and NOISE in f.result.tags for f in job.calls)
    if seed is not None and noisy:
        yield job.review(
            NAME,
            "the seed of the script makes dropout and augmentation draw the same numbers on every process.",
            seed.node,
            "Leave the seed out where that matters; the weights start equal without it.",
        )
