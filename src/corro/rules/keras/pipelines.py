"""Give each process every N-th sample of the ``tf.data`` pipeline a model is fitted to.

Why
---
A pipeline is shared out before it is shuffled and batched, so that each process reads and prepares only its shard, and
after ``take`` and ``skip``, which cut training data off from other data and must do so alike everywhere. The parts are
made equally long, or a process would wait for a batch that the others do not have: the first samples stand in (those
that are too many are left out where the script drops the last batch itself). The batch is 1/N of the script's, so steps
and learning rate stay. Batches that come whole, or samples that nobody has counted, are shared out batch by batch: all
processes read all of it in one order, which an equal seed gives them, and each takes its shard of every batch.

Before
------
::

    train = tf.data.Dataset.from_tensor_slices((x, y))
    train = train.shuffle(1024).batch(64)

After
-----
::

    train = tf.data.Dataset.from_tensor_slices((x, y))
    train = train.concatenate(train.take(-len(train) % hvd.size())).shard(hvd.size(), hvd.rank())
    train = train.shuffle(1024).batch(64 // hvd.size())

Source
------
TensorFlow documentation, ``tf.data.Dataset.shard``: shard before any randomising operator and before batch.
"""

from __future__ import annotations

import ast
from itertools import combinations
from typing import TYPE_CHECKING

from corro.anatomy.fits import FitData, FitSite
from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.frontends.keras.data import BATCHED
from corro.frontends.tensorflow.gradients import pipelines
from corro.rules.keras._arguments import Given
from corro.rules.keras._batches import check, counted_wrongly, padding, too_small
from corro.rules.keras._pipelines import keeps_files
from corro.source import Before, Edit, Insert, Wrap, arguments_of, parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.flow.facts import Loop
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.targets.keras._base import SharingTarget

NAME = "keras-pipelines"

_PARAMETERS = {"batch": ("batch_size", "drop_remainder"),
               "padded_batch": ("batch_size", "padded_shapes", "padding_values", "drop_remainder")}  # fmt: skip
_BATCHING = frozenset(_PARAMETERS)
_CUTTING = frozenset({"take", "skip"})
_UNCOUNTED = frozenset({"filter", "flat_map", "interleave", "unbatch", "window", "group_by_window", "take_while",
                        "bucket_by_sequence_length", "rejection_resample", "ragged_batch", "scan", "apply",
                        "unique", "ignore_errors"})  # fmt: skip
_COUNTING = frozenset({"len", "builtins.len", "cardinality", "tensorflow.data.experimental.cardinality"})
_READING = frozenset({"list", "tuple", "tensorflow_datasets.as_numpy"})
_PASSING = frozenset({"map", "filter", "sum", "sorted", "set", "max", "min", "numpy.array", "numpy.asarray",
                      "numpy.fromiter", "pandas.DataFrame", "tensorflow_datasets.as_dataframe"})  # fmt: skip
_COUNTED = frozenset({"from_tensor_slices", "from_tensors", "range", "zip", "list_files", "tfds.load"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each pipeline that a model is fitted to."""
    if job.sharing is None:
        return
    done: set[object] = set()
    found = of_fits(job, done)
    yield from clash(job, NAME, found)
    for pipeline in found:
        yield from pipeline.answers()


@dataclass(frozen=True, eq=False)
class Use:
    """Where a pipeline is trained on.

    Args:
        place: the call of fit, or the loop.
        data: the expression that gives the pipeline.
        stages: its stages, the source first.
        bounded: whether an end is set to a pipeline that goes on for ever.
        given: the arguments of fit; ``None`` for a loop.
    """

    place: ast.AST
    data: ast.expr | None
    stages: tuple[Value, ...]
    bounded: bool
    given: Given | None = None

    @classmethod
    def of_fit(cls, job: Job, site: FitSite) -> Use:
        """The pipeline of one call of fit."""
        given = Given.of_fit(job, site)
        data = given.data
        stages = job.value(data).items if data is not None else ()
        return cls(site.node, data, stages, given.node("steps_per_epoch") is not None, given)


class Pipeline:
    """A pipeline that is trained on."""

    rule = NAME
    looking = frozenset({"iter", "builtins.iter"})
    """What is called to look at a batch."""

    def __init__(self, job: Job, use: Use, done: set[object]) -> None:
        self._job, self._use, self._done = job, use, done
        self._stages = use.stages
        place = use.data or use.place
        self._job = job.at(place if self.goes_by_batch else self._node(self._stages[self._position]))

    def answers(self) -> Iterator[Answer]:
        """What becomes of the pipeline."""
        if self.goes_by_batch:
            yield from self._by_batch()
            return
        obstacle = self._cached_or_shuffled()
        if obstacle is not None:
            message, advice = obstacle
            yield self._job.refuse(self.rule, message, self._use.place, advice)
            return
        position = self._position
        batch = self._node(self._stages[position])
        size = Given(self._job, batch, ("batch_size",))
        text = size.text("batch_size") or ""
        known = size.value("batch_size")
        first = self._first_own(position)
        assert first is not None
        if self._job.is_strong and known is not None and known.const == 1:
            yield too_small(self._job, self.rule, batch)
            return
        even = self._is_made_even(first)
        if self._drops is None and even:
            yield self._job.refuse(
                self.rule,
                "Corro does not know whether the last batch is dropped, which decides whether samples are left out "
                "or repeated.",
                batch,
                "Write drop_remainder=True or drop_remainder=False.",
                effort="one line",
            )
            return
        if not self._job.is_strong:
            yield from self._fewer_steps(position)
        if batch in self._done:
            return
        self._done.add(batch)
        edits: list[Edit] = []
        shared = self._node(self._stages[first])
        if ("shared", shared) not in self._done:  # what is batched twice is shared out once
            self._done.add(("shared", shared))
            edits += self._shared(shared, even=even)
        if self._job.is_strong:
            edits.append(check(self._target, self._job.statement(batch), text))
            edits += size.set("batch_size", f"{text} // {self._target.world_size}")
        code = Code("", (self._target.engine,))
        yield self._job.change(self.rule, "each process trains on its own shard of every batch", batch, edits, code)
        yield from self._generated()
        if even and not self._drops:
            yield padding(self._job, self.rule, batch)
        looks = [*self._looks(first)]
        longer = {look: edit for look in looks if (edit := self._as_long(look, size)) is not None}
        for look, edit in longer.items():
            yield self._job.change(self.rule, "batches to look at are as long as the script's", look, [edit])
        part = "part of the data" if looks and looks[0] in longer else "part of a batch"
        for look in looks:
            yield self._job.review(
                self.rule,
                f"what is looked at here is a {part}: each process has its own, and shows that of rank 0.",
                look.iter if isinstance(look, ast.comprehension) else look,
                differs=("coverage", "metrics"),
            )

    def _as_long(self, look: ast.AST, size: Given) -> Insert | None:
        """Samples of a process's part in batches of the script's size: it may count on so many rows."""
        known, given = size.value("batch_size"), size.node("batch_size")
        data = _taken_from(self._job, look)
        if data is None or not self._job.is_strong or self._job.trained_loops or known is None:
            return None
        stages = self._job.value(data).items
        batched = {number for stage in stages if stage.name in _BATCHING for number in stage.sites}
        cut = any(stage.name in _CUTTING for stage in stages)
        if cut or batched != self._stages[self._position].sites or self._names[self._position] != "batch":
            return None
        if not isinstance(known.const, int):
            return None
        text, names = str(known.const), self._job.names_of(look)
        own = isinstance(given, ast.Name) and self._job.file_of(given) is self._job.file_of(look)
        if own and isinstance(given, ast.Name) and (scope := names.binding(given)) is not None:
            same = scope is names.binding(data) and len(scope.values[given.id]) == 1
            text = given.id if same else text
        return Insert(self._job.span(data).end, f".unbatch().batch({text})")

    def _looks(self, first: int) -> Iterator[ast.AST]:
        """Where the script takes some of what is shared out from a stage on, besides training."""
        nodes = {self._node(stage) for stage in self._stages[first:]}
        looked: list[tuple[ast.AST, Value | None]] = [
            (fact.node, fact.argument(0, "")) for fact in self._job.calls if fact.name in self.looking
        ]
        looked += self._passed()
        for node, value in looked:
            stages = value.items if value is not None and value.kind is Kind.DATASET else ()
            if nodes & {self._job.facts.nodes[number] for stage in stages for number in stage.sites}:
                yield node

    def _fewer_steps(self, position: int) -> Iterator[Answer]:
        """Weak scaling: 1/N of the steps, where the script counts them."""
        cut = next((s for s in self._stages[position:] if s.name in _CUTTING), None)
        if cut is not None:
            yield self._job.refuse(
                self.rule,
                "a number of batches is taken from the pipeline, but weak scaling needs N times fewer.",
                self._node(cut),
                "Take samples before they are batched, or use --scaling strong.",
                effort="one line",
            )
            return
        given = self._use.given
        steps = given.text("steps_per_epoch") if given is not None else None
        counted = counted_wrongly(self._job, self.rule) if steps is not None else None
        if counted is not None:
            yield counted
        elif given is not None and steps is not None:
            world = self._job.at(self._use.place).ranked.world_size
            edits = given.set("steps_per_epoch", f"{steps} // {world}")
            yield self._job.change(self.rule, "N times fewer steps", self._use.place, edits)

    # ------------------------------------------------------------------ what it is

    @property
    def _batch(self) -> str:
        """The batch with the structure it had, where its parts are the arguments of a function: fit takes either."""
        return "batch if len(batch) > 1 else batch[0]" if self._job.trained_loops else "batch"

    @property
    def _target(self) -> SharingTarget:
        target = self._job.sharing
        assert target is not None
        return target

    @property
    def _names(self) -> list[str]:
        return [stage.name for stage in self._stages]

    def _node(self, stage: Value) -> ast.Call:
        node = self._job.facts.nodes[next(iter(stage.sites))]
        assert isinstance(node, ast.Call)
        return node

    @property
    def _is_endless(self) -> bool:
        """Whether it goes on for ever, and something says how many batches are taken."""
        repeats = [self._node(stage) for stage in self._stages if stage.name == "repeat"]
        endless = any(not node.args and not node.keywords for node in repeats)
        return endless and self._use.bounded

    def _is_made_even(self, first: int) -> bool:
        """Whether the parts are made equally long.

        Nothing is missing where a stream without end is batched, and where nobody knows how many samples there are.
        """
        streams = any(stage.name == "repeat" for stage in self._stages[: self._position])
        uncounted = self._names[0] not in _COUNTED or any(name in _UNCOUNTED for name in self._names[1:first])
        return not (self._is_endless and (streams or uncounted))

    @property
    def _position(self) -> int:
        """Which stage batches."""
        return next(i for i, stage in enumerate(self._stages) if stage.name in _BATCHING)

    @property
    def _drops(self) -> bool | None:
        """Whether the last batch is dropped where it is smaller; ``None`` where that is not known."""
        batch = self._node(self._stages[self._position])
        names = _PARAMETERS[self._stages[self._position].name]
        drops = Given(self._job, batch, names).value("drop_remainder")
        known = None if drops is None else drops.const
        return False if drops is None else known if isinstance(known, bool) else None

    @property
    def goes_by_batch(self) -> bool:
        """Whether samples cannot be shared out, so that every process takes its shard of each batch."""
        names = self._names
        if not names or any(len(stage.sites) != 1 or not stage.name for stage in self._stages):
            return True
        if sum(name in _BATCHING for name in names) != 1 or names[0] in BATCHED:
            return True
        if len({self._job.file_of(self._node(stage)).path for stage in self._stages[1:]}) > 1:
            return True
        before = names[1 : self._position]
        uncounted = names[0] not in _COUNTED or any(name in _UNCOUNTED for name in before)
        batch = Given(self._job, self._node(self._stages[self._position]), ("batch_size",))
        shared = self._first_own(self._position) is None or batch.node("batch_size") is None
        streams = any(name == "repeat" for name in before)  # else the last batch of each round is a smaller one
        return (uncounted and not (self._is_endless and streams)) or shared

    def _by_batch(self) -> Iterator[Answer]:
        """All processes make the same batches, and each trains on its part of them."""
        obstacle, data = self._order_unknown(), self._use.data
        if obstacle is not None or data is None:
            if obstacle is not None:
                yield obstacle
            return
        name = self._job.names.fresh("share")
        function = self._share(name)
        code = Code(function, (self._target.engine, self._target.tf_import))
        statement = self._job.statement(self._use.place)
        closed = isinstance(data, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        before, after = ("", "") if closed else ("(", ")")
        edits: list[Edit] = [Wrap(self._job.span(data), before, f"{after}.map({name})")]
        block = self._job.parent(statement)
        if block not in self._done:  # one function for all calls of fit in a block
            self._done.add(block or statement)
            edits.append(Before(statement, f"\n{function}\n\n", order=-9))
        yield self._job.change(self.rule, "each process trains on its own shard of every batch", data, edits, code)
        yield self._job.review(
            self.rule,
            "every process reads and prepares all data, and trains on its shard of each batch; the samples cannot "
            "be sharded before they are batched.",
            self._use.place,
            "A pipeline whose number of samples is known, batched in the script, is read in shards.",
        )
        yield from self._generated()

    def _generated(self) -> Iterator[Answer]:
        if self.runs_a_generator:
            yield self._job.review(
                self.rule,
                "a generator makes the samples on every process; they must come in the same order everywhere.",
                self._use.place,
                "If the generator uses the clock or unseeded random numbers, give it a seed.",
            )

    def _order_unknown(self) -> Answer | None:
        """Why processes would not make the same batches, or not as many."""
        own = {self._job.facts.nodes[number] for stage in self._stages for number in stage.sites}
        chance = next((node for node in unordered(self._job) if not own or node in own or _is_option(node)), None)
        if not self._job.is_strong:
            return self._job.refuse(
                self.rule,
                "the samples of the pipeline cannot be sharded before they are batched, and processes could have "
                "unequal numbers of whole batches.",
                self._use.place,
                "Batch samples whose number is known in the script, or use --scaling strong.",
                effort="one line",
            )
        if chance is None and self._use.data is not None:
            return None
        return self._job.refuse(
            self.rule,
            "the samples cannot be sharded before they are batched, nor can every process make the batches in the "
            "same order.",
            chance if chance is not None else self._use.place,
            "Read the data in a fixed order, and shuffle with shuffle().",
            effort="one line",
        )

    def _share(self, name: str) -> str:
        """A function that takes a process's rows of a batch; pipelines that are zipped may have batches of any size."""
        tf, rank, size = self._target.tf, self._target.rank, self._target.world_size
        if self._names[:1] == ["zip"]:
            return (
                f"def {name}(*batch):\n"
                f"    def own_rows(part):\n"
                f"        rows = {tf}.shape(part)[0]\n"
                f"        return {tf}.gather(part, {tf}.range({rank}, {rank} + rows, {size}) % rows)\n\n"
                f"    return {tf}.nest.map_structure(own_rows, {self._batch})"
            )
        return (
            f"def {name}(*batch):\n"
            f"    rows = {tf}.shape({tf}.nest.flatten(batch)[-1])[0]\n"
            f"    mine = {tf}.range({rank}, {rank} + rows, {size}) % rows\n"
            f"    return {tf}.nest.map_structure(lambda part: {tf}.gather(part, mine), {self._batch})"
        )

    def _cached_or_shuffled(self) -> tuple[str, str] | None:
        """Why parts of it would not fit together, and what to do."""
        source = self._node(self._stages[0])
        if keeps_files(self._job, self._stages) is not None:
            return ("all processes would write the same cache file.", "Cache in memory: cache().")
        before = [self._node(stage) for stage in self._in_front]
        if before and any(node in before or _is_option(node) for node in unordered(self._job)):
            return (
                "samples are taken from an order that differs between processes.",
                "Read and map the data in a fixed order, and shuffle with shuffle().",
            )
        options = {k.arg: self._job.value(k.value).const for k in source.keywords}
        if options.get("shuffle_files") is True:
            return (
                "files are read in an order that differs between processes, so that their shards overlap.",
                "Read them in a fixed order (shuffle_files=False, shuffle=False), and shuffle with shuffle().",
            )
        return None

    @property
    def shared_at(self) -> ast.Call | None:
        """The call in front of which it is shared out; ``None`` where it is after all of them."""
        return next(iter(self.own_stages), None)

    @property
    def own_stages(self) -> tuple[ast.Call, ...]:
        """The calls after which a process has its own samples, in their order."""
        first = None if self.goes_by_batch else self._first_own(self._position)
        return () if first is None else tuple(self._node(stage) for stage in self._stages[first:])

    def fits_to(self, other: Pipeline) -> bool:
        """Whether another pipeline that comes from what is shared out here needs no other parts of it."""
        if self.shared_at is None or self.shared_at not in inputs(self._job, other._stages):
            return True
        return other.shared_at is self.shared_at and self._drops == other._drops

    @property
    def place(self) -> ast.AST:
        """The call of fit, or the loop."""
        return self._use.place

    @property
    def is_ordered_by_chance(self) -> bool:
        """Whether it is shuffled before it is shared out, so that all processes need one seed."""
        if self.goes_by_batch:
            return True
        source = self._node(self._stages[0])
        options = {k.arg: self._job.value(k.value).const for k in source.keywords}
        if self._names[0] == "list_files" and options.get("shuffle") is not False and "seed" not in options:
            return True
        shuffled = [stage for stage in self._in_front if stage.name == "shuffle"]
        return any(all(k.arg != "seed" for k in self._node(stage).keywords) for stage in shuffled)

    @property
    def runs_a_generator(self) -> bool:
        """Whether its samples come from a generator of the script's own, which may ask chance."""
        known = bool(self._names)
        return any(
            fact.receiver is None and fact.name.endswith("Dataset.from_generator")
            for fact in self._job.calls
            if not known or fact.node is self._node(self._stages[0])
        )

    # ------------------------------------------------------------------ where it is shared out

    @property
    def _in_front(self) -> tuple[Value, ...]:
        """The stages after the source that every process goes through with all samples."""
        return self._stages[1 : self._first_own(self._position)]

    def _first_own(self, batch: int) -> int | None:
        """The first stage in front of which it can be shared out: after cuts and what other data goes into."""
        others = self._others()
        position = 1
        for i, stage in enumerate(self._stages[:batch]):
            if i and (stage.name in _CUTTING or stage.name == "concatenate" or self._node(stage) in others):
                position = i + 1
        return position if position < batch or self._node(self._stages[batch]) not in others else None

    def _others(self) -> frozenset[ast.AST]:
        """Stages of pipelines that are used for something else, which needs all of their data."""
        return inputs(self._job, [stage for value in self._used_elsewhere() for stage in value.items])

    def _used_elsewhere(self) -> Iterator[Value]:
        """Pipelines that models are tested on, layers adapted to, whose samples are counted, and that loops run over.

        A look at one batch is none of these.
        """
        fitted = {site.node for site in self._job.anatomy.fits}
        for fact in self._job.calls:
            values: list[Value | None] = []
            if fact.node in fitted:
                values = [fact.argument(7, "validation_data")]
            elif fact.node in self._job.anatomy.uses or fact.name == "adapt":
                values = [*fact.args[:1], *fact.keywords.values()]
            elif fact.name in _COUNTING:
                values = [_unbatched(fact.receiver if fact.receiver is not None else fact.argument(0, ""))]
            elif fact.name in ("reduce", "as_numpy_iterator", "get_single_element") or fact.name in _READING:
                values = [fact.receiver if fact.receiver is not None else fact.argument(0, "")]
            elif fact.name in ("len", "cardinality") or fact.name.endswith(".cardinality"):
                counted = fact.receiver if fact.receiver is not None else fact.argument(0, "")
                batched = counted is not None and any(stage.name in _BATCHING for stage in counted.items)
                values = [] if batched else [counted]  # there are as many batches of a part, and fewer samples
            yield from (value for value in values if value is not None and value.kind is Kind.DATASET)
        for _, value in self._passed():
            if value.items and value.items[-1].name != "take":
                yield value

    def _passed(self) -> Iterator[tuple[ast.AST, Value]]:
        """Pipelines that are gone over batch by batch, and where: in loops, comprehensions and by functions."""
        found: list[tuple[ast.AST, Value]] = [(loop.node, loop.iterable) for loop in self._other_loops()]
        if not self._job.trained_loops:  # where batches are followed
            for node in self._job.nodes.of(ast.comprehension, ast.Starred):
                over = node.iter if isinstance(node, ast.comprehension) else node.value
                found.append((node, self._job.value(over)))
            calls = (fact for fact in self._job.calls if fact.receiver is None and fact.name in _PASSING)
            found += [(fact.node, value) for fact in calls for value in fact.args]
        yield from ((node, each) for node, value in found for each in pipelines(value))

    def _other_loops(self) -> Iterator[Loop]:
        """Loops that train have pipelines of their own, and what passes over their batches sees parts of them."""
        loops = [loop for running in self._job.facts.loops.values() for loop in running]
        trained = [loop for loop in loops if loop.node in self._job.trained_loops]
        batched = {n for loop in trained for stage in _stages(loop) if stage.name in _BATCHING for n in stage.sites}
        for loop in loops:
            if loop not in trained and not any(stage.sites & batched for stage in _stages(loop)):
                yield loop

    def _shared(self, node: ast.Call, *, even: bool) -> Iterator[Edit]:
        """Edits that share out what the method of a call is called on, in parts that are made equal or not."""
        assert isinstance(node.func, ast.Attribute)
        receiver = node.func.value
        rank, size = self._target.rank, self._target.world_size
        end = self._job.span(receiver).end
        if not even:
            yield Insert(end, f".shard({size}, {rank})")
            return
        statement = self._job.statement(node)
        text = self._job.segment(receiver)
        name = text
        lines: list[str] = []
        rebinds = (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and isinstance(receiver, ast.Name)
            and statement.targets[0].id == receiver.id
        )
        if not isinstance(receiver, ast.Name):
            name = self._job.names.fresh("samples")
            lines.append(f"{name} = {_dedented(parenthesised(self._job.file_of(receiver), receiver))}")
        whole = name
        if not rebinds:
            name = self._job.names.fresh("samples")
            yield from replace_node(self._job.file_of(receiver), receiver, name)
        if self._drops:
            parts = f"{whole}.take(len({whole}) // {size} * {size})"
        else:
            parts = f"{whole}.concatenate({whole}.take(-len({whole}) % {size}))"
        lines.append(f"{name} = {parts}.shard({size}, {rank})")
        yield Before(statement, "\n".join(lines), order=-9)


def of_fits(job: Job, done: set[object] | None = None) -> list[Pipeline]:
    """The pipelines that models are fitted to, where they are shared out."""
    if job.sharing is None:
        return []
    found = (site for site in job.anatomy.fits if site.data is FitData.PIPELINE)
    return [Pipeline(job, Use.of_fit(job, site), set() if done is None else done) for site in found]


def clash(job: Job, rule: str, found: Sequence[Pipeline]) -> Iterator[Answer]:
    """A refusal where what is shared out for one training would be shared out again, or otherwise, for another."""
    for one, other in combinations(found, 2):
        if not (one.fits_to(other) and other.fits_to(one)):
            yield job.refuse(
                rule,
                "a pipeline is trained on twice, and the two trainings need different shards of it.",
                other.place,
                "Make a pipeline for each training, or cut and batch it alike.",
            )
            return


def inputs(job: Job, stages: Iterable[Value]) -> frozenset[ast.AST]:
    """The calls that some stages of pipelines are, and those of all the pipelines that these are given."""
    found: dict[ast.AST, None] = {}
    waiting = list(stages)
    while waiting:
        for node in (job.facts.nodes[number] for number in waiting.pop().sites):
            if node not in found:
                found[node] = None
                waiting += _given_to(job, node)
    return frozenset(found)


def _given_to(job: Job, node: ast.AST) -> Iterator[Value]:
    """The stages of pipelines in the arguments of a call: ``zip((a, b))``, ``a.concatenate(b)``."""
    values = [value for fact in job.calls_of(node) for value in (*fact.args, *fact.keywords.values())]
    values += [item for value in values for item in value.items]
    parts = arguments_of(node) if isinstance(node, ast.Call) else []
    values += [job.value(each) for part in parts for each in ast.walk(part)]
    for value in values:
        if value.kind is Kind.DATASET:
            yield from value.items


def _taken_from(job: Job, look: ast.AST) -> ast.Name | None:
    """The pipeline of which a look takes some batches: the first one, or those of ``take``."""
    data: ast.AST | None
    if isinstance(look, ast.Call):
        data = look.args[0] if look.args else None
        function = getattr(job.parent(look), "func", None)
        bounded = getattr(function, "id", "") == "next"
    else:
        data, bounded = getattr(look, "iter", None), False
    while isinstance(data, ast.Call):
        if isinstance(data.func, ast.Attribute) and data.func.attr in ("take", "as_numpy_iterator"):
            bounded = bounded or data.func.attr == "take"
            data = data.func.value
        elif getattr(data.func, "id", "") == "enumerate" and data.args:
            data = data.args[0]
        else:
            return None
    return data if bounded and isinstance(data, ast.Name) else None


def _unbatched(value: Value | None) -> Value | None:
    """A pipeline of samples, of which each process has fewer; the number of its batches stays."""
    batched = value is None or any(stage.name in _BATCHING or stage.name in BATCHED for stage in value.items)
    return None if batched else value


def _stages(loop: Loop) -> Iterator[Value]:
    return (stage for value in pipelines(loop.iterable) for stage in value.items)


def unordered(job: Job) -> Iterator[ast.AST]:
    """Where a script lets samples come in any order, by which processes may read the same data in different ones."""
    for fact in job.calls:
        files, steady = (fact.keywords.get(name) for name in ("shuffle_files", "deterministic"))
        if (files is not None and files.const is not False) or (steady is not None and steady.const is False):
            yield fact.node
    yield from filter(_is_option, job.nodes.of(ast.Assign))


def _is_option(node: ast.AST) -> bool:
    """``options.deterministic = False``."""
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(node, ast.Assign) or not isinstance(value, ast.Constant) or value.value is not False:
        return False
    return any(
        isinstance(target, ast.Attribute) and target.attr in ("deterministic", "experimental_deterministic")
        for target in node.targets
    )


def _dedented(text: str) -> str:
    lines = text.splitlines()
    margin = min((len(x) - len(x.lstrip()) for x in lines[1:] if x.strip()), default=0)
    return "\n".join([lines[0], *("    " + x[margin:] if x.strip() else x for x in lines[1:])])
