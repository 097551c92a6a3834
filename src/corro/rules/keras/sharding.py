"""Have workers share out samples, and not files, where a pipeline reads files.

Why
---
Under `MultiWorkerMirroredStrategy` each worker runs the whole pipeline and takes its shard. Left to choose
(``AutoShardPolicy.AUTO``), TensorFlow deals out files wherever it finds their readers in the pipeline (records, lines
of text), also within ``interleave``: the batches are made of other samples than those of the script, an epoch has as
many steps as the worker with the most samples in its files, and with fewer files than workers training fails. With the
policy ``DATA`` each worker takes its shard of every batch. Pipelines from memory, of generators, and those that read
one file a sample, as folders of images do, are shared out by samples anyway. A pipeline that goes through files of its
own (``cache("file")``, ``snapshot``) is refused, also one that is tested on: all processes would write them.

Before
------
::

    train = tf.data.TFRecordDataset(files).map(parse).shuffle(1000).batch(64)
    model.fit(train, epochs=3)

After
-----
::

    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    train = tf.data.TFRecordDataset(files).map(parse).shuffle(1000).batch(64)
    model.fit(train.with_options(options), epochs=3)

Source
------
TensorFlow guide, "Distributed Input", Sharding. Measured with TensorFlow 2.15 and 2 workers: 24 samples in files of 3,
7, 2 and 12, in batches of 8, are 3 steps, and 5 when files are shared out; one file fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.fits import FitData
from corro.rules.keras._arguments import Given
from corro.rules.keras._pipelines import from_files, keeps_files, options_name, shared_out, with_options
from corro.rules.keras.pipelines import unordered
from corro.rules.places import at_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-sharding"


def apply(job: Job) -> Iterable[Answer]:
    """One change for the options, and one for each pipeline; refusals for files that cannot be shared."""
    if not job.has_ranks:
        return
    yield from _kept(job)
    if job.sharing is not None:
        return
    chance = next(unordered(job), None) if any(site.data is FitData.PIPELINE for site in job.anatomy.fits) else None
    given = list(from_files(job))
    if chance is not None:
        yield job.refuse(
            NAME,
            "samples are read in an order that differs between processes, so that their shards overlap.",
            chance,
            "Read them in a fixed order, and shuffle with shuffle().",
            effort="one line",
        )
    foreign = next((node for node in given if job.file_of(node) is not job.script), None)
    if foreign is not None:
        yield job.refuse(
            NAME,
            "a project module fits a model to files, and TensorFlow would shard the files instead of the samples: "
            "the options that prevent it are made where the script starts.",
            foreign,
            "Call fit in the script.",
        )
    if chance is not None or foreign is not None or not given:
        return
    tf, name = job.target.tf, options_name(job)
    lines = (
        f"{name} = {tf}.data.Options()\n"
        f"{name}.experimental_distribute.auto_shard_policy = {tf}.data.experimental.AutoShardPolicy.DATA"
    )
    reason = "workers shard by samples, not by files"
    yield job.change(NAME, reason, job.first_statement, [at_start(job, lines, order=-95), job.target.tf_import])
    for node in given:
        yield job.change(NAME, reason, node, [with_options(job, node)])


def _kept(job: Job) -> Iterator[Answer]:
    """Pipelines that go through files of their own; what is shared out before it is batched is looked at there."""
    dealt = {Given.of_fit(job, site).data for site in job.anatomy.fits} if job.sharing is not None else set()
    stages = (job.value(node).items for node in shared_out(job) if node not in dealt)
    kept = next((stage for each in stages if (stage := keeps_files(job, each)) is not None), None)
    if kept is not None:
        advice = "Cache in memory: cache()."
        yield job.refuse(NAME, "all processes would write the same cache file.", kept, advice)
