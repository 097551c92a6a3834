"""Shared by the rules for loaders: how many samples of a batch each process has, and what is asked before."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.frontends.pytorch.padding import pads
from corro.rules.pytorch._positions import positions
from corro.source import Before

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.sites import LoaderSite
    from corro.changes import Finding
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.rules.pytorch._loaders import Arguments


@dataclass(frozen=True)
class BatchShare:
    """A process's share of a batch.

    Args:
        text: the batch size of each process's loader; empty where that of the script stays.
        whole: the batch size of the script, where it is that of the global batch.
        checks: what stops the program where a batch cannot be shared out.
    """

    text: str = ""
    whole: str = ""
    checks: tuple[Before, ...] = ()


def share_of_batch(job: Job, rule: str, site: LoaderSite, arguments: Arguments) -> BatchShare | Finding:
    """The share of a process in each batch of a training loader, or why there is none."""
    if not job.is_strong:
        return BatchShare()
    size, known = arguments.text("batch_size", 1), arguments.value("batch_size", 1)
    if size is None and arguments.mapping is not None:
        return job.refuse(
            rule,
            "it is not known whether this mapping gives a batch size on every path; a DataLoader that is given none "
            "has batches of one sample.",
            site.node,
            "Give batch_size in the call itself.",
            effort="one line",
        )
    if size is None or (known is not None and known.const == 1):
        return job.refuse(
            rule,
            "a batch of one sample cannot be divided among processes.",
            site.node,
            "Give a larger batch_size, or use --scaling weak.",
            effort="other training",
        )
    statement = job.statement(site.node)
    checks = (_check(job, statement, size), *_check_of_positions(job, site, statement, size))
    return BatchShare(_share(job, size), size, checks)


def _share(job: Job, size: str) -> str:
    """How many samples of a batch a process has; where they may differ, as many as its sampler takes."""
    rank, world = job.target.rank, job.target.world_size
    return f"len(range({rank}, {size}, {world}))" if job.uneven else f"{size} // {world}"


def _check_of_positions(job: Job, site: LoaderSite, statement: ast.stmt, size: str) -> Iterator[Before]:
    """Samples that are read by their place have to be in each process's share."""
    needed = max((p.needed or 0 for p in positions(job) if site.number in p.sources), default=0)
    if needed:
        world = job.target.world_size
        message = f'f"each of {{{world}}} processes needs at least {needed} samples of a batch"'
        text = f"if {size} // {world} < {needed}:\n    raise SystemExit({message})"
        yield Before(statement, text, order=-9)


def _check(job: Job, statement: ast.stmt, size: str) -> Before:
    world = job.target.world_size
    quote = "'" if '"' in size else '"'
    plain = not ("'" in size and '"' in size) and "\\" not in size and "\n" not in size
    shown = f"{{{size}}}" if plain and not size.isdigit() else size if size.isdigit() else ""
    message = f"f{quote}batch size{' ' * bool(shown)}{shown} cannot be shared out over {{{world}}} processes{quote}"
    test = f"{size} < {world}" if job.uneven else f"{size} % {world} != 0"
    text = f"if {test}:\n    raise SystemExit({message})"
    return Before(statement, text, order=-10)


def padding(job: Job, rule: str, site: LoaderSite, arguments: Arguments) -> Iterator[Answer]:
    """What is said of a last batch that is filled up."""
    known = arguments.value("drop_last", 8)
    if not job.uneven and (known is None or known.const is False or known.kind is Kind.UNKNOWN):
        yield job.note(
            rule,
            "the last batch of an epoch may repeat up to N-1 samples, so that all processes make the same number of "
            "steps.",
            site.node,
        )


def padded_samples(job: Job, rule: str, site: LoaderSite, fact: CallFact) -> Iterator[Answer]:
    """A collate function that pads: to the longest sample of what it is given."""
    if pads(job.facts, fact):
        yield job.review(
            rule,
            "samples are padded to the longest of each process's shard of a batch, not of the global batch.",
            site.node,
            "Nothing to do where the model and the loss leave the padding out; else pad all samples alike.",
            differs=("coverage", "gradient", "metrics"),
        )
