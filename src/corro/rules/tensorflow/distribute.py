"""Hand the batches of a training loop out to the replicas of a strategy, and run the step on each of them.

Why
---
A strategy deals the batches of a ``tf.data`` pipeline out to its replicas, over all processes, and ``strategy.run``
calls the training step on each with its shard. The batch size stays: it is the global one. Shards must be equally
large, or the mean over the replicas would not be the mean over the batch, and a replica without samples would make it
NaN: so the first samples stand in where N does not divide the data, and a batch that N does not divide stops the
program. What the step returns has a part on every replica, and is reduced there.

Before
------
::

    train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1024).batch(64)
    for epoch in range(10):
        for x, y in train:
            loss = train_step(x, y)

After
-----
::

    samples = tf.data.Dataset.from_tensor_slices((x, y))
    samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
    train = samples.shuffle(1024).batch(64)
    dist_train = strategy.experimental_distribute_dataset(train)
    for epoch in range(10):
        for x, y in dist_train:
            loss = strategy.reduce("MEAN", strategy.run(train_step, args=(x, y)), axis=None)

Source
------
TensorFlow tutorial, "Custom training with tf.distribute.Strategy"; TensorFlow guide, "Distributed Input". Measured with
TensorFlow 2.15: a batch of 3 samples on 2 devices comes as 2 and 1, one of a single sample as 1 and 0.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.tensorflow.gradients import pipelines
from corro.rules.keras._abilities import shares_samples
from corro.rules.keras._arguments import Given
from corro.rules.keras._pipelines import keeps_files
from corro.rules.keras.pipelines import unordered
from corro.rules.tensorflow._replicas import Step, loops_of, parts_of
from corro.rules.tensorflow.pipelines import Looped
from corro.source import After, Before, Edit, Insert, Replace, Under, Wrap, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import Loop
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job
    from corro.targets.tensorflow._strategy import LoopStrategy

NAME = "tape-distribute"

_IN_MEMORY = frozenset({"from_tensor_slices", "from_tensors", "range", "zip"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each pipeline, each loop and each step."""
    strategy = job.strategy
    if strategy is None:
        return
    done: set[object] = set()
    heads: set[ast.AST] = set()
    for loop, head in loops_of(job):
        found = list(pipelines(loop.iterable))
        if len(found) != 1:
            yield job.refuse(
                NAME,
                "the loop does not train on the batches of one tf.data pipeline.",
                loop.node,
                "Loop over one tf.data.Dataset, with enumerate() if need be.",
            )
            return
        even = _Even(job, strategy, loop, found[0], done)
        yield from even.answers()
        if head not in heads:
            heads.add(head)
            yield from _distributed(job, strategy, head, even)
    taken: set[str] = set()
    for step in job.replicated.steps:
        yield from _run(job, strategy, step, step.call) if step.call is not None else _made(job, strategy, step, taken)


class _Even(Looped):
    """The pipeline of one loop, whose batches are made divisible by the number of replicas."""

    rule = NAME

    def __init__(self, job: Job, strategy: LoopStrategy, loop: Loop, value: Value, done: set[object]) -> None:
        super().__init__(job, loop, value, done)
        self._strategy = strategy

    @property
    def data(self) -> ast.expr | None:
        """The expression in the head of the loop."""
        return self._use.data

    def answers(self) -> Iterator[Answer]:
        """What becomes of the pipeline."""
        job, strategy = self._job, self._strategy
        chance = next(unordered(job), None)
        if chance is not None and job.has_ranks:
            yield job.refuse(
                NAME,
                "samples are read in an order that differs between processes.",
                chance,
                "Read the data in a fixed order, and shuffle with shuffle().",
                effort="one line",
            )
            return
        if self.goes_by_batch or any(stage.name == "enumerate" for stage in self._stages):
            yield from self._unknown()
            return
        if not shares_samples(type(job.target)):
            wrong = self._shared_files()
            if wrong is not None:
                yield wrong
                return
        batch = self._node(self._stages[self._position])
        if batch in self._done:
            return
        self._done.add(batch)
        size = Given(job, batch, ("batch_size",)).text("batch_size") or ""
        known = Given(job, batch, ("batch_size",)).value("batch_size")
        if known is not None and known.const == 1:
            yield job.refuse(
                NAME,
                "a batch of one sample cannot be divided among processes.",
                batch,
                "Give a larger batch size.",
                effort="other training",
            )
            return
        edits = [_check(strategy, job.statement(batch), size)]
        if not self._is_full(batch):
            first = self._first_own(self._position)
            assert first is not None
            edits += self._padded(self._node(self._stages[first]))
            yield job.note(
                NAME, "an epoch may repeat up to N-1 samples, so that all replicas have as many of each batch.", batch
            )
            yield from self._evaluated(batch)
        yield job.change(NAME, "all shards of a batch are equally long", batch, edits, Code("", (strategy.engine,)))

    def _evaluated(self, batch: ast.Call) -> Iterator[Answer]:
        """Loops that do not train and pass over the same batches."""
        for running in self._job.facts.loops.values():
            for loop in running:
                stages = [stage for value in pipelines(loop.iterable) for stage in value.items]
                if loop.node not in self._job.trained_loops and any(self._is_made_by(stage, batch) for stage in stages):
                    yield self._job.review(
                        NAME,
                        "training data is evaluated with the samples that fill up the last batch, which may count "
                        "up to N-1 twice.",
                        loop.node,
                        "Give this evaluation a pipeline of its own for the exact number.",
                        differs=("coverage", "metrics"),
                    )
                    return

    def _is_made_by(self, stage: Value, batch: ast.Call) -> bool:
        return any(self._job.facts.nodes[number] is batch for number in stage.sites)

    def _shared_files(self) -> Answer | None:
        """Files that all workers would write, or that a strategy would deal out in place of samples."""
        job, source = self._job, self._stages[0]
        kept = keeps_files(job, self._stages)
        if kept is not None:
            return job.refuse(
                NAME,
                "all workers would write the same cache file.",
                kept,
                "Cache in memory: cache().",
                effort="one line",
            )
        if source.name in _IN_MEMORY:
            return None
        return job.refuse(
            NAME,
            "the samples come from files, and a strategy may then shard the files instead of the samples.",
            self._use.place,
            job.or_target("Read the files into arrays", shares_samples),
        )

    def _is_full(self, batch: ast.Call) -> bool:
        """Whether all batches are of one size."""
        drops = Given(self._job, batch, ("batch_size", "drop_remainder")).value("drop_remainder")
        return self._is_endless or (drops is not None and drops.const is True)

    def _padded(self, node: ast.Call) -> Iterator[Edit]:
        """The first samples once more, at the end of what the method of a call is called on."""
        assert isinstance(node.func, ast.Attribute)
        receiver, source = node.func.value, self._job.source
        statement = source.statement(node)
        replicas = self._strategy.replicas
        if isinstance(receiver, ast.Name):
            name = receiver.id
            rebinds = isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == name
            target = name if rebinds else self._job.names.fresh("samples")
            lines: list[str] = []
        else:
            name = target = self._job.names.fresh("samples")
            lines = [f"{name} = {_dedented(source.segment(receiver))}"]
        if target != source.segment(receiver):
            yield from replace_node(source, receiver, target)
        lines.append(f"{target} = {name}.concatenate({name}.take(-len({name}) % {replicas}))")
        yield Before(statement, "\n".join(lines), order=-9)

    def _unknown(self) -> Iterator[Answer]:
        yield self._job.refuse(
            NAME,
            "the batches are not known to be equally large, which a mean over the replicas needs.",
            self._use.place,
            "Batch samples whose number is known in the script, from_tensor_slices(...).batch(n).",
        )


def _check(strategy: LoopStrategy, statement: ast.stmt, size: str) -> Edit:
    """Statements that stop the program at its start when a batch cannot be shared out evenly."""
    replicas = strategy.replicas
    plain = not ({"'", '"', "\\", "\n"} & set(size))
    shown = size if size.isdigit() else f"{{{size}}}" if plain else ""
    message = f'f"batch size{" " * bool(shown)}{shown} cannot be shared out over {{{replicas}}} replicas"'
    return Before(statement, f"if {size} % {replicas} != 0:\n    raise SystemExit({message})", order=-10)


def _dedented(text: str) -> str:
    lines = text.splitlines()
    margin = min((len(x) - len(x.lstrip()) for x in lines[1:] if x.strip()), default=0)
    return "\n".join([lines[0], *("    " + x[margin:] if x.strip() else x for x in lines[1:])])


# ---------------------------------------------------------------------- the loop and the step


def _distributed(job: Job, strategy: LoopStrategy, loop: ast.For, pipeline: _Even) -> Iterator[Answer]:
    """The loop passes over what the strategy hands out."""
    data = pipeline.data
    if data is None or job.file_of(loop) is not job.script:
        yield job.refuse(
            NAME,
            "the pipeline of the loop is not written in the loop itself.",
            loop,
            "Loop over the tf.data.Dataset itself.",
        )
        return
    reason = "each replica gets its shard of every batch"
    code = Code("", (strategy.engine,))
    place = _hoisted(job, loop, data)
    if place is None or not isinstance(data, ast.Name):
        before, _, after = strategy.distribute("\0").partition("\0")
        yield job.change(NAME, reason, data, [Wrap(job.span(data), before, after)], code)
        return
    name = job.names.fresh(f"dist_{data.id}")
    edits = [
        Before(place, f"{name} = {strategy.distribute(data.id)}", order=-5),
        *replace_node(job.file_of(data), data, name),
    ]
    yield job.change(NAME, reason, data, edits, code)


def _hoisted(job: Job, loop: ast.For, data: ast.expr) -> ast.stmt | None:
    """The outermost loop around a training loop in which its pipeline is always the same."""
    if not isinstance(data, ast.Name):
        return None
    binding = job.names_of(data).binding(data)
    found: ast.stmt = loop
    for above in job.ancestors(loop):
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            break
        if isinstance(above, (ast.For, ast.While)):
            stores = (n for n in ast.walk(above) if isinstance(n, ast.Name) and n.id == data.id)
            if any(not isinstance(n.ctx, ast.Load) and job.names_of(n).binding(n) is binding for n in stores):
                break
            found = above
    return found


def _made(job: Job, strategy: LoopStrategy, step: Step, taken: set[str]) -> Iterator[Answer]:
    """The statements of the loop that use the batch become a function, which is run on every replica."""
    name = job.names.fresh("train_step" if step.trains else "measure", taken)
    taken.add(name)
    edits: list[Edit] = [Under(statement, f"def {name}({', '.join(step.given)}):") for statement in step.block]
    call = f"{strategy.strategy}.run({name}, args=({', '.join(step.given)}{',' * (len(step.given) == 1)}))"
    kept = list(step.kept.items())
    listed = ", ".join(each for each, _ in kept)
    lines = [f"    return {listed}"] if kept else []
    if len(kept) == 1:
        lines.append(f"{listed} = {strategy.reduce(call, summed=kept[0][1].form is not Form.MEAN)}")
    else:
        lines.append(f"{listed} = {call}" if kept else call)
        lines += [f"{each} = {strategy.reduce(each, summed=v.form is not Form.MEAN)}" for each, v in kept]
    edits.append(After(step.block[-1], "\n".join(lines), order=-9))
    reason = "every replica makes the step with its shard"
    yield job.change(NAME, reason, step.block[0], edits, Code("", (strategy.engine,)))


def _run(job: Job, strategy: LoopStrategy, step: Step, call: ast.Call) -> Iterator[Answer]:
    """The step is run on every replica, and what it returns is reduced."""
    source = job.source
    statement = source.statement(call)
    edits: list[Edit] = list(_handed(job, strategy, call))
    values = parts_of(step)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is call else None
    if isinstance(target, ast.Tuple):
        lines = [
            f"{name.id} = {strategy.reduce(name.id, summed=value.form is not Form.MEAN)}"
            for name, value in zip(target.elts, values, strict=True)
            if isinstance(name, ast.Name) and _is_read(job, name)
        ]
        edits += [After(statement, "\n".join(lines), order=-9)] if lines else []
    elif values and not (isinstance(target, ast.Name) and not _is_read(job, target)):
        before, _, after = strategy.reduce("\0", summed=values[0].form is not Form.MEAN).partition("\0")
        edits.append(Wrap(source.span(call), before, after))
    yield job.change(NAME, "every replica makes the step with its shard", call, edits, Code("", (strategy.engine,)))


def _handed(job: Job, strategy: LoopStrategy, call: ast.Call) -> Iterator[Edit]:
    """``f(x, y, z=1)`` becomes ``strategy.run(f, args=(x, y), kwargs={"z": 1})``."""
    source = job.source
    function = source.segment(call.func)
    if not call.args and not call.keywords:
        yield Replace(source.span(call), f"{strategy.strategy}.run({function})")
        return
    if not call.keywords:
        yield Replace(source.span(call.func), f"{strategy.strategy}.run")
        yield Insert(source.span(call.args[0]).start, f"{function}, args=(")
        yield Insert(source.span(call.args[-1]).end, ",)" if len(call.args) == 1 else ")")
        return
    given = [source.segment(argument) for argument in call.args]
    listed = f", args=({', '.join(given)}{',' * (len(given) == 1)})" if given else ""
    named = ", ".join(f'"{k.arg}": {source.segment(k.value)}' for k in call.keywords)
    yield Replace(source.span(call), f"{strategy.strategy}.run({function}{listed}, kwargs={{{named}}})")


def _is_read(job: Job, name: ast.Name) -> bool:
    """Whether a name is read anywhere."""
    binding = job.names_of(name).binding(name)
    names = (n for n in job.nodes.of(ast.Name) if n.id == name.id)
    return any(isinstance(n.ctx, ast.Load) and job.names_of(n).binding(n) is binding for n in names)
