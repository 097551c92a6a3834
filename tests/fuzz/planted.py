"""``python -m fuzz.planted``: plants a mistake in a rule at a time, and says how many scripts it took to find each."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from corro.changes import Change, Finding, Level
from corro.classes import replace
from corro.rules.base import find_rules
from fuzz import runs
from fuzz.oracle import Outcome
from fuzz.recipe import draw
from fuzz.trial import Result, attempt

Answer = Change | Finding
Alteration = Callable[[Answer], Answer | None]


@dataclass(frozen=True)
class Mistake:
    """A mistake in a rule: what becomes of its answers; ``None`` for those that are lost.

    Args:
        rule: its name.
        what: what goes wrong.
        alter: what becomes of an answer.
        target: where it has consequences; other rules may catch them elsewhere.
    """

    rule: str
    what: str
    alter: Alteration
    target: str = "ddp"


def _lost(reason: str = "") -> Alteration:
    """Changes are not made; with a reason, only those with it."""
    return lambda answer: None if isinstance(answer, Change) and reason in answer.reason else answer


def _unrefused(answer: Answer) -> Answer | None:
    return None if isinstance(answer, Finding) and answer.level is Level.REFUSED else answer


def _written(pattern: str, instead: str) -> Alteration:
    """Another text is written."""

    def alter(answer: Answer) -> Answer | None:
        if not isinstance(answer, Change):
            return answer
        return replace(answer, edits=tuple(_rewritten(edit, pattern, instead) for edit in answer.edits))

    return alter


def _rewritten(edit: Any, pattern: str, instead: str) -> Any:
    texts = {
        k: re.sub(pattern, instead, v) for k, v in vars(edit).items() if isinstance(v, str) and re.search(pattern, v)
    }
    return replace(edit, **texts) if texts else edit


_SIZE = r" // dist\.get_world_size\(\)"
_REDUCED, _LARGEST = r"all_reduce\((\w+)\)", r"all_reduce(\1, op=dist.ReduceOp.MAX)"
MISTAKES = (
    Mistake("metrics", "nothing is reduced after the pass", _lost()),
    Mistake("metrics", "means of processes are not divided", _written(r" / dist\.get_world_size\(\)", "")),
    Mistake("metrics", "the largest part is taken for the sum", _written(_REDUCED, _LARGEST)),
    Mistake("train-loader", "the batch size is not divided", _written(_SIZE, "")),
    Mistake("train-loader", "an order is not kept", _written(", shuffle=False", "")),
    Mistake("eval-loader", "evaluation is not shared, its sums are reduced", _lost()),
    Mistake("eval-loader", "processes begin with one sample", _written(r"range\(dist\.get_rank\(\)", "range(0")),
    Mistake("epoch-order", "samplers are not told the epoch", _lost()),
    Mistake("replicas", "the model is not wrapped", _written(r"DistributedDataParallel\((\w+)\)", r"\1")),
    Mistake("effects", "every process prints and writes", _lost()),
    Mistake("loss", "summed losses have averaged gradients", _lost("summed")),
    Mistake("loss", "every loss is taken for a mean", _unrefused),
    Mistake("steering", "what steers training is not made equal", _lost()),
    Mistake("steering", "local values may steer training", _unrefused),
    Mistake("decisions", "local values decide", lambda answer: _unrefused(answer) and _lost()(answer)),
    Mistake("checkpoints", "nobody waits for a file", _lost("wait")),
    Mistake("loader-attributes", "the batch size of a loader is read as it is", _lost()),
    Mistake("changed-parameters", "parameters may be thawed", _unrefused),
    Mistake("accumulation", "updates every k batches are not refused", _unrefused, "horovod"),
)  # fmt: skip


@contextmanager
def planted(mistake: Mistake) -> Iterator[list[Answer]]:
    """Compile with a mistake; gives the list of the answers that it altered so far."""
    rule = next(each for each in find_rules("pytorch") if getattr(each, "NAME", "") == mistake.rule)
    plain = rule.apply
    touched: list[Answer] = []

    def apply(job: Any) -> Iterator[Answer]:
        for answer in plain(job):
            altered = mistake.alter(answer)
            if altered != answer:
                touched.append(answer)
            if altered is not None:
                yield altered

    rule.apply = apply  # type: ignore[method-assign]
    try:
        yield touched
    finally:
        rule.apply = plain  # type: ignore[method-assign]


@dataclass(frozen=True)
class Found:
    """What came of a mistake: after how many scripts it was seen, 0 if never; errors of the compiler are not that."""

    scripts: int = 0
    said: str = "not found"
    errors: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = [self.said[:150]]
        if self.errors:
            said.append(f"errors of the compiler in {len(self.errors)} scripts, the first: {self.errors[0][:150]}")
        return "\n".join(" " * 7 + line for line in said)


@dataclass(frozen=True)
class Search:
    """Looks for a mistake in the scripts of these seeds."""

    seeds: range

    def __call__(self, number: int) -> Found:
        """Look for the mistake with this number."""
        mistake, folder = MISTAKES[number], Path(mkdtemp(prefix="fuzz-"))
        errors: list[str] = []
        for tried, seed in enumerate(self.seeds, 1):
            result = _with(mistake, seed, folder)
            said = f"{seed}: {result.outcome.value}: {result.reason}"
            if result.outcome is Outcome.INTERNAL:
                errors.append(said)
            elif result.outcome.bad and not attempt(draw(seed), folder, mistake.target).outcome.bad:
                return Found(tried, said, tuple(errors))
        return Found(errors=tuple(errors))


def _with(mistake: Mistake, seed: int, folder: Path) -> Result:
    """What comes of a script, compiled with a mistake; one that it alters nothing in need not run."""
    with planted(mistake) as touched:
        return attempt(draw(seed), folder, mistake.target, worth=lambda: bool(touched))


def main() -> None:
    """Plant all mistakes, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="how many scripts at most for a mistake")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2, help="how many mistakes are looked for at a time")
    parser.add_argument("--only", default="", help="mistakes with this in their name")
    options = parser.parse_args()
    numbers = [k for k, each in enumerate(MISTAKES) if options.only in f"{each.rule} {each.what}"]
    search = Search(range(options.seed, options.seed + options.n))
    runs.prepare("torch")
    missed = 0
    with get_context("fork").Pool(options.workers) as pool:
        for number, found in zip(numbers, pool.imap(search, numbers, chunksize=1), strict=True):
            missed += not found.scripts
            print(f"{found.scripts:5d}  {MISTAKES[number].rule}: {MISTAKES[number].what}\n{found}", flush=True)
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
