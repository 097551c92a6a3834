"""Writes the table of mutants in ``docs/verify.md``, from runs made now.

Usage: ``python tests/mutations/table.py [--write] [--only NAME] [--runs N]``. With ``--runs``, only the right programs
are run, so many times over, and what is held against them is counted. With ``--only``, only programs whose names begin
so are run; the lines of the others stay, and those of Keras 3 do wherever that is not asked for.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "parity"))

from forked import Forked
from trials import BASES, HANGING_SECONDS, MUTANTS, Mutant, unexplained, verdict

from corro.verify.verdict import Verdict

DOCS = Path(__file__).resolve().parents[2] / "docs" / "verify.md"
BEGIN, END = "<!-- mutants: begin -->\n", "<!-- mutants: end -->\n"
LONGEST = 150
CHANGING = re.compile(r"\[/__w\S+\] |\[127\.0\.0\.1\]:\d+|(?<=tfevents)\.\S+")
"""Ports, and names that have the machine's in them."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="into docs/verify.md instead of the terminal")
    parser.add_argument("--runs", type=int, default=0, help="run the right programs so many times over")
    parser.add_argument("--only", default="", help="programs whose names begin so")
    asked = parser.parse_args()
    runner = Forked()
    try:
        if asked.runs:
            sys.exit(1 if repeated(runner, asked.runs, asked.only) else 0)
        text = "".join(table(runner, asked.only))
    finally:
        runner.close()
    if asked.write:
        before, _, rest = DOCS.read_text().partition(BEGIN)
        DOCS.write_text(before + BEGIN + text + END + rest.partition(END)[2])
    else:
        print(text)


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


def table(runner: Forked, only: str) -> Iterator[str]:
    """The lines of the table, and what they sum up to."""
    lines, caught, right = [], 0, 0
    before = {tuple(line.split(" | ")[:3]): line for line in DOCS.read_text().splitlines(keepends=True)}
    for mutant in MUTANTS:
        if asked_for(mutant.base, only):
            found = judged(mutant, runner)
            failed = [result.name for result in found.failed]
            lines.append(f"| {' | '.join(cells(mutant, found, failed))} |\n")
            print(f"{mutant.base}: {mutant.name}: {', '.join(failed) or 'NOT CAUGHT'}", file=sys.stderr, flush=True)
        else:
            lines.append(before[f"| {mutant.name}", str(mutant.trap), mutant.base])
        own, others = ({name for name in cell.split(", ") if name} for cell in lines[-1].split(" | ")[3:5])
        caught += bool(own | others)
        right += set(mutant.caught) <= own
    total = len(MUTANTS)
    yield (
        f"{total} mutants of {len(BASES)} right programs: {caught} caught ({caught / total:.1%}), "
        f"{right} by the property that is broken ({right / total:.1%}).\n\n"
    )
    yield "| mutant | trap | program | broken property | also fails | first divergence shown |\n"
    yield "|---|---|---|---|---|---|\n"
    yield from lines


def asked_for(base: str, only: str) -> bool:
    """Whether a base is run: those of Keras 3 have an environment of their own."""
    return base.startswith(only) and (bool(only) or not BASES[base].keras_3)


def judged(mutant: Mutant, runner: Forked) -> Verdict:
    """The verdict on a mutant."""
    patience, runner.patience = runner.patience, HANGING_SECONDS if mutant.hangs else runner.patience
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found = verdict(BASES[mutant.base], mutant.edits, runner, Path(folder), alone=mutant.alone)
    runner.patience = patience
    return found


def cells(mutant: Mutant, found: Verdict, failed: Sequence[str]) -> tuple[str, ...]:
    """One line of the table."""
    own = [each for each in mutant.caught if each in failed]
    others = [each for each in failed if each not in mutant.caught]
    shown = str(found.of(own[0]).faults[0]) if own else "not caught"
    shown = CHANGING.sub("", shown)
    if len(shown) > LONGEST:
        text, where, place = shown.rpartition(" [")
        shown = f"{text[: LONGEST - len(place) - 3]}…{where}{place}"
    shown = shown.replace("|", "\\|").replace("<", "&lt;")
    return mutant.name, str(mutant.trap), mutant.base, ", ".join(own), ", ".join(others), shown


if __name__ == "__main__":
    main()
