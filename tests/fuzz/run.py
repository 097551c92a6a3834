"""``python -m fuzz.run``: composes scripts, converts, runs and judges them, and says how many came to what."""

from __future__ import annotations

import argparse
import os
import pickle
import re
import select
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import BinaryIO

from fuzz import runs
from fuzz.agreement import disagreements, worth_verifying
from fuzz.files import TakenApart
from fuzz.keras_recipe import KerasRecipe, draw_keras
from fuzz.oracle import Outcome
from fuzz.recipe import Recipe, draw
from fuzz.shrink import shrunk
from fuzz.trial import Result, attempt


@dataclass
class Tally:
    """What came of all scripts so far."""

    outcomes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    bad: list[tuple[int, Result]] = field(default_factory=list)
    discarded: Counter[str] = field(default_factory=Counter)
    reviews: int = 0

    def add(self, seed: int, result: Result) -> None:
        """Count one script."""
        self.outcomes[result.outcome.value] += 1
        self.rules.update(result.rules[:1])
        self.reviews += result.reviews
        if result.outcome is Outcome.DISCARDED:
            self.discarded[result.reason[:60]] += 1
        if result.outcome.bad:
            self.bad.append((seed, result))

    def __str__(self) -> str:
        total = sum(self.outcomes.values()) - self.outcomes[Outcome.DISCARDED.value]
        converted = sum(n for name, n in self.outcomes.items() if name.startswith("converted"))
        converted += sum(self.outcomes[each.value] for each in (Outcome.SILENT, Outcome.CRASH, Outcome.HANG))
        table = [f"{self.outcomes[each.value]:6d}  {each.value}" for each in Outcome]
        rules = ", ".join(f"{rule} {count}" for rule, count in self.rules.most_common())
        return "\n".join(
            [
                *table,
                f"conversion rate {converted / max(total, 1):.1%} of {total}; {self.reviews} reviews",
                f"refused by: {rules}",
                f"discarded: {', '.join(f'{why} {count}' for why, count in self.discarded.most_common(8))}",
            ]
        )


@dataclass
class Sample:
    """Each so manieth of the scripts that ``corro verify`` has something to say to."""

    every: int
    seen: int = 0
    chosen: list[Numbered] = field(default_factory=list)

    def add(self, seed: int, result: Result) -> None:
        """Look at one more script."""
        if self.every and worth_verifying(result):
            self.seen += 1
            if self.seen % self.every == 0:
                self.chosen.append((seed, result))


Numbered = tuple[int, Result]


Composed = Recipe | KerasRecipe | TakenApart
GRAMMARS: dict[str, Callable[[int], Composed]] = {
    "torch": draw,
    "batches": lambda seed: draw(seed, made=1),
    "trainings": lambda seed: draw(seed, several=1),
    "keras": draw_keras,
    "files": lambda seed: TakenApart(draw(seed), seed),
    "keras files": lambda seed: TakenApart(draw_keras(seed), seed),
}


def results(
    seeds: Sequence[int], workers: int, target: str = "ddp", grammar: str = "torch"
) -> Generator[Numbered, None, None]:
    """The results of the scripts with these seeds, in the order in which they come."""
    runs.prepare(GRAMMARS[grammar](0).framework)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    children, reading = [], []
    for number in range(workers):
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            os.close(ours)
            _work(seeds[number::workers], folder / str(number), os.fdopen(theirs, "wb"), target, grammar)
        children.append(child)
        os.close(theirs)
        reading.append(os.fdopen(ours, "rb"))
    try:
        yield from _read(reading)
    finally:
        for stream in reading:
            stream.close()  # whoever still works ends as it answers
        for child in children:
            os.waitpid(child, 0)
        shutil.rmtree(folder)


def _work(seeds: Sequence[int], folder: Path, answers: BinaryIO, target: str, grammar: str) -> None:
    status = 1
    try:
        for seed in seeds:
            pickle.dump((seed, attempt(GRAMMARS[grammar](seed), folder, target)), answers)
            answers.flush()
        status = 0
    except BrokenPipeError:  # nobody waits for more
        status = 0
    finally:
        if status:
            sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        os._exit(status)


def _read(reading: Sequence[BinaryIO]) -> Generator[Numbered, None, None]:
    left = list(reading)
    while left:
        for stream in select.select(left, [], [])[0]:
            try:
                yield pickle.load(stream)
            except EOFError:
                left.remove(stream)


def main() -> None:
    """Run as many scripts as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=300, help="how many scripts")
    parser.add_argument("--seed", type=int, default=0, help="the first script's seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--grammar", choices=GRAMMARS, default="torch")
    parser.add_argument(
        "--target", default="", help="ddp or horovod, with +uneven if wanted; for Keras horovod or mirrored"
    )
    # resolved: scripts run in folders of their own
    parser.add_argument(
        "--keep", type=lambda p: Path(p).resolve(), default=".fuzz", help="where bad scripts are written"
    )
    parser.add_argument("--without", default="", help="leave out scripts with a piece whose name matches this")
    parser.add_argument("--only", default="", help="only scripts in whose text this is found")
    parser.add_argument("--verify", type=int, default=0, help="hold verify against each so manieth converted script")
    parser.add_argument("--shrink", type=int, default=12, help="how many bad scripts are shrunk")
    options = parser.parse_args()
    compose = GRAMMARS[options.grammar]
    target = options.target or ("ddp" if compose(0).framework == "torch" else "horovod")
    start, tally, sample = time.monotonic(), Tally(), Sample(options.verify)
    given = (s for s in count(options.seed) if not _left_out(compose(s), options.without))
    seeds = list(islice((s for s in given if re.search(options.only, compose(s).text)), options.n))
    print(f"seeds {seeds[0]} to {seeds[-1]}", flush=True)
    for seed, result in results(seeds, options.workers, target, options.grammar):
        tally.add(seed, result)
        sample.add(seed, result)
        if result.outcome.bad:
            _keep(options.keep, seed, result)
            print(f"{seed}: {result.outcome.value}: {result.reason}", flush=True)
        done = sum(tally.outcomes.values())
        if done % 500 == 0:
            print(f"{done} scripts, {time.monotonic() - start:.0f} s, {len(tally.bad)} bad", flush=True)
    print(tally)
    print(f"{time.monotonic() - start:.0f} s")
    disagreeing = 0
    for said in disagreements(sample.chosen, options.keep / "verify", target) if sample.chosen else ():
        disagreeing += 1
        print(said, flush=True)
    print(f"verify: {len(sample.chosen)} scripts, {disagreeing} seen otherwise", flush=True)
    for seed, result in tally.bad[: options.shrink]:
        if isinstance(compose(seed), TakenApart):
            continue
        small = shrunk(compose(seed), result.outcome, options.keep / "work", target)
        _keep(options.keep, seed, small, "small")
        print(f"{seed} shrunk to {len(small.text.splitlines())} lines: {small.reason}", flush=True)
    sys.exit(bool(tally.bad or disagreeing))


def _left_out(composed: Composed, without: str) -> bool:
    recipe = composed.recipe if isinstance(composed, TakenApart) else composed
    return bool(without) and any(re.search(without, piece.name) for piece in recipe.pieces)


def _keep(folder: Path, seed: int, result: Result, suffix: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{seed}{'_' * bool(suffix)}{suffix}"
    (folder / f"{name}.py").write_text(
        f"# {result.outcome.value}: {result.reason}\n".replace("\n", " ").strip() + f"\n{result.text}"
    )
    if result.program:
        (folder / f"{name}_ddp.py").write_text(result.program)


if __name__ == "__main__":
    main()
