"""``python -m fuzz.planted``: plants a mistake in a rule at a time, and says how many scripts it took to find each."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from fuzz.recipe import draw
from fuzz.run import results
from fuzz.trial import attempt
from rueda.changes import Change, Finding, Level
from rueda.rules.base import find_rules

Answer = Change | Finding
Alteration = Callable[[Answer], Answer | None]


@dataclass(frozen=True)
class Mistake:
    """A mistake in a rule: what becomes of its answers; ``None`` for those that are lost."""

    rule: str
    what: str
    alter: Alteration


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
    Mistake("accumulation", "conditional steps are not refused", _unrefused),
)  # fmt: skip


@contextmanager
def planted(mistake: Mistake) -> Iterator[None]:
    """Compile with a mistake."""
    rule = next(each for each in find_rules("pytorch") if getattr(each, "NAME", "") == mistake.rule)
    plain = rule.apply

    def apply(job: Any) -> Iterator[Answer]:
        for answer in plain(job):
            altered = mistake.alter(answer)
            if altered is not None:
                yield altered

    rule.apply = apply  # type: ignore[method-assign]
    try:
        yield
    finally:
        rule.apply = plain  # type: ignore[method-assign]


def found_after(mistake: Mistake, seeds: range, workers: int) -> tuple[int, str]:
    """After how many scripts the mistake is seen, and as what; 0 if it is not."""
    left, tried = list(seeds), 0
    while left:
        with planted(mistake), closing(results(left, workers)) as found:
            for seed, result in found:
                tried += 1
                left.remove(seed)
                if result.outcome.bad:
                    break
            else:
                return 0, "not found"
        if not attempt(draw(seed), Path(mkdtemp(prefix="fuzz-"))).outcome.bad:
            return tried, f"{seed}: {result.outcome.value}: {result.reason}"
    return 0, "not found"


def main() -> None:
    """Plant all mistakes, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="how many scripts at most for a mistake")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="mistakes with this in their name")
    options = parser.parse_args()
    missed = 0
    for mistake in MISTAKES:
        if options.only in f"{mistake.rule} {mistake.what}":
            count, said = found_after(mistake, range(options.seed, options.seed + options.n), options.workers)
            missed += not count
            print(f"{count:5d}  {mistake.rule}: {mistake.what}\n       {said[:150]}", flush=True)
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
