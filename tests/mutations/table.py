"""Runs the mutants, and writes what came of them: ``record.json``, and the table in ``docs/verify.md``.

Usage: ``python tests/mutations/table.py [--write] [--only NAME] [--changed] [--runs N]``. With ``--only``, only
programs whose names begin so are run, with ``--changed`` only mutants of which the record says nothing as things are
now; what the record has of the others stays, as it does of those of Keras 3 wherever that is not asked for. With
``--runs``, only the right programs are run, so many times over, and what is held against them is counted.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "parity"))

import record
from forked import Forked
from record import Entry
from trials import BASES, HANGING_SECONDS, MUTANTS, Mutant, unexplained, verdict

DOCS = Path(__file__).resolve().parents[2] / "docs" / "verify.md"
BEGIN, END = "<!-- mutants: begin -->\n", "<!-- mutants: end -->\n"
LONGEST = 150
CHANGING = re.compile(r"\[/__w\S+\] |\[127\.0\.0\.1\]:\d+|(?<=tfevents)\.\S+")
"""Ports, and names that have the machine's in them."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="the record and docs/verify.md, instead of the terminal")
    parser.add_argument("--runs", type=int, default=0, help="run the right programs so many times over")
    parser.add_argument("--only", default="", help="programs whose names begin so")
    parser.add_argument("--changed", action="store_true", help="mutants that the record does not know as they are now")
    asked = parser.parse_args()
    runner = Forked()
    try:
        if asked.runs:
            sys.exit(1 if repeated(runner, asked.runs, asked.only) else 0)
        entries = record.read()
        for entries in run(runner, asked.only, changed=asked.changed):
            if asked.write:
                record.write(entries)
                DOCS.write_text(documented(DOCS.read_text(), entries))
        if not asked.write:
            print(table(entries))
    finally:
        runner.close()


def repeated(runner: Forked, times: int, only: str) -> int:
    """Run all right programs; how many of the runs had something held against them."""
    alarms, bases = 0, {name: base for name, base in BASES.items() if asked_for(name, only)}
    for turn in range(times):
        for name, base in bases.items():
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                said = unexplained(verdict(base, (), runner, Path(folder)), base)
            alarms += bool(said)
            print(turn, name, said or "nothing", flush=True)
    print(f"{times * len(bases)} verifications, {alarms} false alarms")
    return alarms


def run(runner: Forked, only: str, *, changed: bool) -> Iterator[dict[str, Entry]]:
    """Run those that are asked for, as many at a time as there are cores; the record after each of them."""
    entries = record.read()

    def entry(mutant: Mutant) -> Entry:
        key, known = record.key(mutant), entries.get(str(mutant))
        return known if changed and known is not None and known.key == key else judged(mutant, runner, key)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(entry, each): str(each) for each in MUTANTS if asked_for(each.base, only)}
        for done in as_completed(running):
            entries = {**entries, running[done]: done.result()}
            yield {str(mutant): entries[str(mutant)] for mutant in MUTANTS if str(mutant) in entries}


def asked_for(base: str, only: str) -> bool:
    """Whether a base is run: those of Keras 3 have an environment of their own."""
    return base.startswith(only) and (bool(only) or not BASES[base].keras_3)


def judged(mutant: Mutant, runner: Forked, key: str) -> Entry:
    """What comes of a mutant."""
    runner = runner.waiting(HANGING_SECONDS) if mutant.hangs else runner
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found = verdict(BASES[mutant.base], mutant.edits, runner, Path(folder), alone=mutant.alone)
    failed = tuple(result.name for result in found.failed)
    print(f"{mutant}: {', '.join(failed) or 'NOT CAUGHT'}", file=sys.stderr, flush=True)
    own = [each for each in mutant.caught if each in failed]
    return Entry(key, failed, shown(str(found.of(own[0]).faults[0])) if own else "not caught")


def shown(fault: str) -> str:
    """A fault as a cell of the table."""
    text = CHANGING.sub("", fault)
    if len(text) > LONGEST:
        text, where, place = text.rpartition(" [")
        text = f"{text[: LONGEST - len(place) - 3]}…{where}{place}"
    return text.replace("|", "\\|").replace("<", "&lt;")


def documented(text: str, entries: Mapping[str, Entry]) -> str:
    """The page with its table as the record has it."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + table(entries) + END + rest.partition(END)[2]


def table(entries: Mapping[str, Entry]) -> str:
    """The table of all mutants, and what it sums up to."""
    of = [(mutant, entries[str(mutant)]) for mutant in MUTANTS if str(mutant) in entries]
    total, caught = len(of), sum(bool(entry.failed) for _, entry in of)
    right = sum(set(mutant.caught) <= set(entry.failed) for mutant, entry in of)
    said = (
        f"{total} mutants of {len(BASES)} right programs: {caught} caught ({caught / total:.1%}), "
        f"{right} by the property that is broken ({right / total:.1%}).\n\n"
        "| mutant | trap | program | broken property | also fails | first divergence shown |\n"
        "|---|---|---|---|---|---|\n"
    )
    return said + "".join(f"| {' | '.join(cells(mutant, entry))} |\n" for mutant, entry in of)


def cells(mutant: Mutant, entry: Entry) -> Iterator[str]:
    """One line of the table."""
    yield from (mutant.name, str(mutant.trap), mutant.base)
    yield ", ".join(each for each in mutant.caught if each in entry.failed)
    yield ", ".join(each for each in entry.failed if each not in mutant.caught)
    yield entry.shown


if __name__ == "__main__":
    main()
