"""Give all processes the same random numbers where they choose samples.

Why
---
Each process takes its shard of the data by position. Data that is drawn, split or shuffled before training must
therefore be in the same order everywhere, or processes train on what others test on. Where the script sets no seed, or
only under a condition, rank 0's is shared. Noise must not be equal: where the script sets a seed, ranks above 0 take
another one when all models are made. Keras' layers for augmentation have generators of their own, which no later seed
reaches, and functions of a pipeline take their seed when it is made; where those are equal, a review says so. Under
`MultiWorkerMirroredStrategy` noise is equal, as each worker shuffles all data for itself.

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

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.keras.data import BATCHED, GENERATOR, SYMBOLIC
from corro.frontends.keras.names import IMAGE_READERS, canonical
from corro.frontends.keras.recognise import in_layer, in_step
from corro.frontends.keras.semantics import NOISE
from corro.frontends.randomness import draws
from corro.rules import handed, unshared
from corro.rules.keras._arguments import COMPILE, Given
from corro.rules.keras._flows import flow_of, is_in_order, is_shared_out
from corro.rules.keras.generators import is_made_whole
from corro.rules.keras.pipelines import of_fits
from corro.rules.places import at_start, is_certain, is_repeated, seed_at
from corro.rules.seeding import drawn, generator
from corro.source import Before, arguments_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.rules.keras.pipelines import Pipeline
    from corro.source import Edit, Import
    from corro.targets.keras._base import SharingTarget

NAME = "keras-seeds"

SEEDS = {"numpy.random.seed": ("numpy",), "random.seed": ("random",), "tensorflow.random.set_seed": ("tensorflow",),
          "keras.utils.set_random_seed": ("numpy", "random", "tensorflow")}  # fmt: skip
"""The libraries whose own generators a call sets."""
_SHUFFLES = frozenset({"shuffle", "list_files", "sample_from_datasets", "random", "rejection_resample", "apply"})
_TENSORS = ("tensorflow.random.normal", "tensorflow.random.uniform", "tensorflow.random.shuffle",
            "tensorflow.random.truncated_normal")  # fmt: skip
_BEGINNING = ("on_train_begin", "on_epoch_begin", "on_train_batch_begin", "on_batch_begin")
"""Methods of callbacks that are called before the first batch is trained on, after which weights are made equal."""
_NOISES = (*_TENSORS, "tensorflow.random.gamma", "tensorflow.random.poisson", "tensorflow.random.categorical",
           "tensorflow.compat.v1.random_", "tensorflow.compat.v1.truncated_normal", "tensorflow.image.random_",
           "tensorflow.nn.dropout", "keras.backend.random_", "keras.backend.truncated_normal",
           "keras.backend.dropout")  # fmt: skip
"""Functions that draw from the numbers for which ``tf.random.set_seed`` is."""
_AUGMENTING = ("rotation_range", "width_shift_range", "height_shift_range", "brightness_range", "shear_range",
               "zoom_range", "channel_shift_range", "horizontal_flip", "vertical_flip")  # fmt: skip
"""What an ``ImageDataGenerator`` is told to draw for each picture."""
_GENERATED = "keras.layers.Random"
"""Layers that draw from a generator of their own; its seed is an argument, or drawn from Python's numbers."""


def apply(job: Job) -> Iterable[Answer]:
    """One change for all libraries whose numbers are drawn unseeded; refusals for what no shared seed mends."""
    if not job.has_ranks:
        return
    calls = seed_calls(job)
    seeded = {library: fact for library, fact in calls.items() if is_certain(fact, job.first_fit)}
    drawn = needed(job, seeded)
    yield from unshared.answers(
        job, NAME, job.calls, {each for each in (f.name for f in job.calls) if canonical(each) in SEEDS}
    )
    yield from hashed(job)
    yield from _reseeded(job)
    if job.sharing is None:
        yield from fixed(job, NAME, seeded, drawn)
        yield from _equal_noise(job)
        return
    if drawn:
        yield share(job, job.sharing, drawn)
    yield from _noise(job, calls, drawn)


def seed_calls(job: Job) -> dict[str, CallFact]:
    """The first call that sets the seed of each library."""
    found: dict[str, CallFact] = {}
    for fact in job.calls:
        for library in SEEDS.get(canonical(fact.name), ()) if fact.receiver is None else ():
            found.setdefault(library, fact)
    return found


def sets(fact: CallFact, libraries: Container[str]) -> bool:
    """Whether a call sets the seed of one of some libraries."""
    known = SEEDS.get(canonical(fact.name), ()) if fact.receiver is None else ()
    return any(library in libraries for library in known)


def hashed(job: Job) -> Iterator[Answer]:
    """Words that are numbered by Python's own hash of them."""
    for fact in job.calls:
        name = canonical(fact.name) if fact.receiver is None else ""
        function = fact.argument(2, "hash_function")
        stable = function is not None and function.const == "md5"
        if name in ("keras.preprocessing.text.one_hot", "keras.preprocessing.text.hashing_trick") and not stable:
            yield job.refuse(
                NAME,
                "words are numbered by their hashes, which differ between processes.",
                fact.node,
                'Use keras.preprocessing.text.hashing_trick(text, n, hash_function="md5").',
                effort="one line",
            )
            return


def _reseeded(job: Job) -> Iterator[Answer]:
    """Batches of TensorFlow 1's tutorials: reading their images seeds NumPy's numbers anew, and by chance."""
    readers = [
        f for f in job.calls if f.receiver is None and f.name.endswith(IMAGE_READERS) and "seed" not in f.keywords
    ]
    later = [f for f in job.calls if "numpy" in SEEDS.get(canonical(f.name), ()) and f.receiver is None]
    for fact in job.calls if readers else ():
        drawn = isinstance(fact.node.func, ast.Attribute) and fact.node.func.attr == "next_batch"
        if drawn and not any(readers[-1].order < seed.order < fact.order for seed in later):
            yield job.refuse(
                NAME,
                "read_data_sets gives NumPy a random seed, so that each process draws different batches.",
                fact.node,
                "Call np.random.seed after it.",
                effort="one line",
            )
            return


def needed(job: Job, seeded: dict[str, CallFact]) -> tuple[str, ...]:
    """Libraries whose random numbers are drawn, unseeded, before a fit or in a loop around one."""
    fits = [f for f in job.calls if f.node in {site.node for site in job.anatomy.fits}]
    last = max((f.order for f in fits), default=None)
    around = {loop.node for fact in fits for loop in fact.context.loops}
    found: dict[str, None] = {}
    for fact in job.calls:
        library = drawn_from(fact)
        repeated = any(loop.node in around for loop in fact.context.loops)
        late = last is not None and fact.order > last and not repeated
        if library is None or in_step(fact) or in_layer(fact) or late:
            continue
        seed = seeded.get(library)
        if seed is None or seed.order > fact.order:
            found[library] = None
    for library, fact in handed.drawing(job):
        seed = seeded.get(library)
        if (last is None or fact.order < last) and (seed is None or seed.order > fact.order):
            found[library] = None
    if any(orders_batches(job, fact) for fact in fits):
        found.update({library: None for library in ("numpy", "random") if library not in seeded})
    if job.anatomy.others or _starts_apart(job):  # batches or first weights come from seeds alone
        found.update({library: None for library in ("numpy", "random", "tensorflow") if library not in seeded})
    if _is_used_early(job):  # with first weights of each process's own
        found.update({library: None for library in ("random", "tensorflow") if library not in seeded})
    pipelines = of_fits(job)
    if any(each.is_ordered_by_chance for each in pipelines):
        found.update({library: None for library in ("numpy", "tensorflow") if library not in seeded})
    if any(each.runs_a_generator for each in pipelines):
        found.update({library: None for library in ("numpy", "random") if library not in seeded})
    return tuple(found)


def _is_used_early(job: Job) -> bool:
    """Whether a model is evaluated before it is fitted, and so before the weights are sent around."""
    first, fits = job.first_fit, {site.node for site in job.anatomy.fits}
    if first is None or job.trained_loops:  # which have a start of their own
        return False
    if any(f.name in (*unshared.GIVING, "get_weights") and _begins(f) for f in job.calls):
        return True
    fitted = frozenset().union(*(f.receiver.sites for f in job.calls if f.receiver is not None and f.node in fits))
    return unshared.used_before(job, job.statement(first.node), fitted)


def _begins(fact: CallFact) -> bool:
    """Whether a callback asks a model for something before its first batch is trained on."""
    named = {getattr(frame.scope.node, "name", "") for frame in fact.context.frame.path()}
    return fact.receiver is not None and fact.receiver.kind is Kind.MODULE and not named.isdisjoint(_BEGINNING)


def _starts_apart(job: Job) -> bool:
    """Whether several steps are made at once, after which rank 0's weights are sent."""
    given = (Given(job, call, COMPILE).value("steps_per_execution") for call in job.anatomy.compiles)
    return any(value is not None and value.const != 1 for value in given)


def orders_batches(job: Job, fit: CallFact) -> bool:
    """Whether all processes make the same batches for a call of ``fit``, in an order that is drawn."""
    data = fit.argument(0, "generator" if fit.name == "fit_generator" else "x")
    if data is None or not is_made_whole(job, data):
        return False
    shuffle = fit.keywords.get("shuffle")
    return not is_in_order(job, data) or shuffle is None or shuffle.const is not False


def drawn_from(fact: CallFact) -> str | None:
    """The library from whose own generator a call draws."""
    if fact.receiver is None and canonical(fact.name).startswith(_TENSORS):
        return None if "seed" in fact.keywords and "symbolic" not in fact.result.tags else "tensorflow"
    table = fact.receiver is not None and fact.receiver.kind is Kind.TABLE and fact.name == "sample"
    folds = fact.name.startswith("sklearn.model_selection.") and fact.name.endswith(("KFold", "ShuffleSplit"))
    if table or (folds and ("shuffle" in fact.keywords or "Shuffle" in fact.name)):
        given = fact.keywords.get("random_state")
        return None if given is not None and not given.may_be_none else "numpy"
    return draws(fact)


def share(job: Job, target: SharingTarget, libraries: tuple[str, ...], rule: str = NAME) -> Answer:
    """One change that gives all processes rank 0's seed of some libraries.

    Python's own comes last: the others are drawn from it.
    """
    lines: list[str] = []
    imports: list[Import] = [target.engine]
    for library in sorted(libraries, key=lambda each: each == "random"):
        source = "numpy" if library == "numpy" else "random"
        module, number = generator(target.library, source), target.shared(drawn(target.library, source))
        imports += module.imports
        if library == "tensorflow":
            imports.append(target.tf_import)
            lines.append(f"{target.tf}.random.set_seed({number})")
        else:
            lines.append(f"{module.text}.seed({number})")
    reason = "what is drawn before training must be equal on all processes"
    return job.change(rule, reason, job.first_statement, [at_start(job, "\n".join(lines), order=-90), *imports])


def fixed(job: Job, rule: str, seeded: dict[str, CallFact], needed: tuple[str, ...]) -> Iterator[Answer]:
    """Workers that share batches out shuffle each for itself, so the order has to come from an equal seed.

    There is nothing yet by which rank 0 could tell the others its own.
    """
    libraries = dict.fromkeys((*needed, *(() if "tensorflow" in seeded else ("tensorflow",))))
    if not libraries:
        return
    target = job.target
    imports: list[Import] = []
    if not seeded:
        code = target.of_keras("utils.set_random_seed")
        lines = [f"{code.text}(1)"]
        imports += code.imports
    else:
        modules = {name: generator(target.library, name) for name in ("numpy", "random") if name in libraries}
        calls = {name: f"{module.text}.seed(1)" for name, module in modules.items()}
        lines = [calls.get(name, f"{target.tf}.random.set_seed(1)") for name in libraries]
        imports += [each for module in modules.values() for each in module.imports]
        imports += [target.tf_import] if "tensorflow" in libraries else []
    first = job.first_statement
    reason = "all workers must shuffle and draw random numbers equally"
    yield job.change(rule, reason, first, [at_start(job, "\n".join(lines), order=-90), *imports])
    yield job.review(
        rule,
        "a fixed seed is set, so that all workers shuffle and draw random numbers equally.",
        first,
        differs=("alone", "coverage"),
    )


def _equal_noise(job: Job) -> Iterator[Answer]:
    noise = noisy(job)
    if noise is not None:
        yield job.review(
            NAME,
            "dropout and augmentation use the same random numbers on every worker, as all need one seed to shuffle "
            "equally.",
            noise.node,
            differs=("coverage",),
        )


def noisy(job: Job) -> CallFact | None:
    """What draws random numbers in training: a layer, or a function in a layer, a loss or a ``train_step``."""
    return next((fact for fact in job.calls if is_noisy_layer(fact) or makes_noise(fact)), None)


def is_noisy_layer(fact: CallFact) -> bool:
    """Whether a call makes a layer that draws random numbers in training."""
    return fact.result.kind is Kind.LAYER and NOISE in fact.result.tags


def makes_noise(fact: CallFact) -> bool:
    """Whether a call draws numbers for samples in training, and none that all processes must have alike."""
    if fact.receiver is not None or not canonical(fact.name).startswith(_NOISES):
        return False
    inside = in_layer(fact) or in_step(fact) or SYMBOLIC in fact.result.tags
    return inside or fact.result.form is Form.SHARDED


def augmenting(job: Job, rule: str, pipelines: Iterable[Pipeline], libraries: Iterable[str]) -> Iterator[Answer]:
    """A review of stages in which processes that draw alike change their own samples by chance."""
    for stage in (each for pipeline in pipelines for each in pipeline.own_stages):
        values = [job.value(node) for node in arguments_of(stage)]
        functions = (job.facts.functions[v.obj] for v in values if v.obj in job.facts.functions)
        calls = (n for function in functions for n in ast.walk(function) if isinstance(n, ast.Call))
        drawn = [
            call
            for call in calls
            if any(canonical(n).startswith(_NOISES) for n in job.names_of(call).qualified(call.func))
        ]
        if any("tensorflow" in libraries or any(k.arg == "seed" for k in call.keywords) for call in drawn):
            yield job.review(
                rule,
                "the samples of a pipeline are augmented with random numbers that are equal on all processes: the "
                "first sample of each shard gets the same ones, and so on.",
                stage,
                differs=("coverage",),
            )
            return


def generated_alike(job: Job, libraries: Iterable[str]) -> CallFact | None:
    """A layer whose own generator begins alike on all processes, and does not ask TensorFlow's seed."""
    drawn = "random" in libraries
    return next((f for f in job.calls if is_generated(f) and (drawn or has_seed(f))), None)


def is_generated(fact: CallFact) -> bool:
    """Whether a call makes a layer that draws from a generator of its own."""
    return is_noisy_layer(fact) and fact.receiver is None and canonical(fact.name).startswith(_GENERATED)


def _flows_alike(job: Job, libraries: Iterable[str]) -> ast.Call | None:
    """What makes augmented batches of each process's own arrays, from numbers that are equal on all processes."""
    made = (f for f in job.calls if f.receiver is None and f.name.endswith(f".{GENERATOR}"))
    if not any(name in _AUGMENTING for fact in made for name in fact.keywords):
        return None
    for site in job.anatomy.fits:
        data = Given.of_fit(job, site).data
        node = flow_of(job, job.value(data)) if data is not None else None
        if data is None or node is None or job.value(data).name != "flow" or not is_shared_out(job, job.value(data)):
            continue
        if "numpy" in libraries or any(keyword.arg == "seed" for keyword in node.keywords):
            return node
    return None


def has_seed(fact: CallFact) -> bool:
    """Whether noise has a seed of its own, from which every process draws the same where there is no other."""
    seed = fact.keywords.get("seed")
    return seed is not None and not (seed.is_const and seed.const is None)


def _noise(job: Job, seeded: dict[str, CallFact], shared: tuple[str, ...]) -> Iterator[Answer]:
    """Dropout and augmentation draw other numbers on the ranks above 0, once all that must be equal is made.

    What has a generator of its own is not reached by that.
    """
    assert job.sharing is not None
    first = job.first_fit
    if first is None or job.anatomy.others:
        return
    generated = generated_alike(job, {*seeded, *shared})
    if generated is not None:
        yield job.review(
            NAME,
            "this layer augments with a generator of its own, which has the same seed on every process: all use the "
            "same random numbers for their shards.",
            generated.node,
            differs=("coverage",),
        )
    yield from augmenting(job, NAME, of_fits(job), {*seeded, *shared})
    flow = _flows_alike(job, {*seeded, *shared})
    if flow is not None:
        yield job.review(
            NAME,
            "NumPy's random numbers are equal on all processes, so pictures are augmented alike: the first one of "
            "each shard gets the same ones, and so on.",
            flow,
            differs=("coverage",),
        )
    seed = seeded.get("tensorflow")
    noise = [f for f in job.calls if (is_noisy_layer(f) or makes_noise(f)) and not is_generated(f)]
    if seed is None and "tensorflow" not in shared:
        noise = [fact for fact in noise if has_seed(fact)]
    if not noise:
        return
    later = [
        f
        for f in job.calls
        if f.node in job.anatomy.builds and f.order > first.order and f.result.kind in (Kind.MODULE, Kind.LAYER)
    ]
    if later and seed is not None:
        yield job.review(
            NAME,
            "models are made after training has begun, so all processes keep one seed: dropout and augmentation "
            "use the same random numbers on every process.",
            seed.node,
            differs=("coverage",),
        )
        return
    drawn = next((f for f in job.calls if _is_shared_order(job, f) and _is_late(job, f, first)), None)
    if drawn is not None:
        yield job.review(
            NAME,
            "random choices that must be equal on all processes, such as an order of the data, are made after "
            "training has begun, so all processes keep one seed: dropout and augmentation use the same random "
            "numbers on every "
            "process.",
            drawn.node,
            differs=("coverage",),
        )
        return
    again = next((f for f in job.calls if sets(f, ("tensorflow",)) and is_repeated(job, f, first.node)), None)
    if again is not None:
        yield job.review(
            NAME,
            "a seed is set again in a loop, which makes dropout and augmentation the same on every process.",
            again.node,
            "Set seeds once, before training.",
            differs=("coverage",),
        )
        return
    target = job.at(first.node).sharing
    assert target is not None
    rank = target.rank
    text = seed_at(job, seed, first.node) if seed is not None else None
    number = rank if text in (None, "0") else f"{text} + {rank}"
    lines = f"if {rank} > 0:\n    {target.tf}.random.set_seed({number})"
    edits: list[Edit] = [Before(job.statement(first.node), lines, order=-12), target.tf_import, target.engine]
    yield job.change(NAME, "noise differs between processes", first.node, edits)


def _is_shared_order(job: Job, fact: CallFact) -> bool:
    """Whether a call of TensorFlow decides in which order all processes have the data."""
    if drawn_from(fact) == "tensorflow":
        return not makes_noise(fact)
    name = canonical(fact.name)
    return fact.result.kind is Kind.DATASET and (name.rpartition(".")[2] in _SHUFFLES or name in BATCHED)


def _is_late(job: Job, fact: CallFact, first: CallFact) -> bool:
    """Whether something is made in the statement of the first fit, or later, while training goes on."""
    by_chance = any(each.is_ordered_by_chance for each in of_fits(job))
    if not by_chance and not _cuts(job) and fact.result.kind is Kind.DATASET:
        return False  # each process shuffles a part of its own
    statement = job.statement(first.node)
    nodes = [fact.node, *(f.call for f in fact.context.frame.path() if f.call is not None)]
    within = any(job.statement(node) is statement for node in nodes)
    fits = [f for f in job.calls if f.node in {site.node for site in job.anatomy.fits}]
    loops = {loop.node for f in fits for loop in f.context.loops}
    repeated = any(loop.node in loops for loop in fact.context.loops)
    return within or repeated or first.order < fact.order < max(f.order for f in fits)


def _cuts(job: Job) -> bool:
    """Whether a pipeline is divided by position."""
    return any(f.result.kind is Kind.DATASET and f.name in ("take", "skip") for f in job.calls)
