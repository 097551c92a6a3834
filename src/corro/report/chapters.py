"""What is told of a script: sections of sentences, tables and figures, the answer first."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corro.bench import tables
from corro.bench.words import caution, counted, of_results, of_speed
from corro.forecast.words import ranged
from corro.report import figures
from corro.report.ahead import ahead
from corro.report.changes import Changed, changes_of

if TYPE_CHECKING:
    from corro.bench.kept import Experiment
    from corro.forecast.outlook import Outlook
    from corro.forecast.profile import Profile
    from corro.report.figures import Figure
    from corro.report.found import Found, Told

_MOST_NUMBERS = 2
_NOT_TESTED = (
    "Whether it is as good at the end was not tested: corro bench does that with --seeds and --equal, and tells how "
    "soon a value is reached with --reach."
)
_STATUS = {"PASS": "equal", "FAIL": "not equal", "ABSTAIN": "could not be compared"}


@dataclass(frozen=True)
class Table:
    """A table.

    Args:
        head: its titles.
        rows: its cells, as text.
        words: how many columns, from the left, are words: all others are numbers.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


@dataclass(frozen=True)
class Section:
    """A part of a chapter, shown in the order of its fields.

    Args:
        title: a few words.
        said: sentences.
        figures: each with a table or sentences that say the same.
        tables: shown below them.
        diff: a patch.
        commands: to be typed.
    """

    title: str
    said: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    diff: str = ""
    commands: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chapter:
    """All that is told of one script.

    Args:
        script: its name.
        short: the answer, in a few sentences.
        sections: what it rests on.
    """

    script: str
    short: tuple[str, ...]
    sections: tuple[Section, ...]


def chapter_of(found: Found) -> Chapter:
    """The chapter of a script."""
    sections = [
        *(section for each in found.experiments for section in _of_experiment(each)),
        *_of_older(found),
        *_of_traces(found.traces),
        *map(_of_profile, found.profiles),
        *map(_of_verdict, found.verdicts),
        *_of_changes(changes_of(found)),
        _of_repeating(found),
    ]
    return Chapter(Path(found.script).name, tuple(_short(found)), tuple(sections))


def _short(found: Found) -> Iterator[str]:
    """The first of what each result says."""
    for experiment in found.experiments:
        analysis = experiment.analysis
        yield from (*of_speed(analysis)[:2], *of_results(analysis)[:1])
    for told in found.verdicts:
        yield told["conclusion"]
    for told in found.traces:
        yield from (f"{figures.label(told)}: {said}" for said in told["about"]["summary"]["said"][:1])


# ---------------------------------------------------------------------- the experiment


def _of_experiment(experiment: Experiment) -> Iterator[Section]:
    analysis = experiment.analysis
    told = experiment.described
    ends = f"each ended after {told['steps']} steps" if told["steps"] else "each until training ends"
    made = (
        f"{counted(analysis.blocks, 'replication')} of {counted(len(analysis.design.treatments), 'configuration')}, in "
        f"random order, {ends}; begun {experiment.begun} (UTC)."
    )
    factors = "; ".join(f"{each.name} {', '.join(each.levels)}" for each in analysis.design.factors)
    yield Section("What was run", (made, f"Varied: {factors}.", f"On: {experiment.machine}."))
    drawn = (figures.of_speed(analysis), figures.of_processes(analysis))
    yield Section(
        "How much faster it is",
        (*of_speed(analysis), *caution(analysis)),
        tuple(each for each in drawn if each is not None),
        tuple(_speed_tables(experiment)),
    )
    wall = figures.of_wall(analysis)
    failed = tuple(
        f"Failed: {', '.join(tables.levels(analysis.design, each.treatment))}: {reason}"
        for each in analysis.summaries
        for reason in dict.fromkeys(each.failed)
    )
    measured = _of_cells(experiment, tables.responses(analysis))
    yield Section("What was measured", failed, (wall,) if wall is not None else (), (measured,))
    numbers = tuple(figures.of_numbers(experiment, tables.numbers(analysis.summaries, _MOST_NUMBERS)))
    tested = analysis.equal or analysis.reached
    if numbers or tested:
        yield Section("Whether it is as good", (*of_results(analysis), *(() if tested else (_NOT_TESTED,))), numbers)


def _speed_tables(experiment: Experiment) -> Iterator[Table]:
    analysis = experiment.analysis
    if analysis.comparisons:
        yield _of_cells(experiment, tables.comparisons(analysis))
    if analysis.effects:
        rows = tuple((source, levels, share, p) for source, share, p, levels in tables.effects(analysis.effects))
        titles = dict(zip(("source", "share", "p", "levels"), tables.EFFECTS, strict=True))
        yield Table((titles["source"], titles["levels"], titles["share"], titles["p"]), rows, words=2)


def _of_cells(experiment: Experiment, cells: tables.Cells) -> Table:
    """A table of configurations, without the columns that none has."""
    design = experiment.design
    titles = [title for title in (cells[0][1] if cells else ()) if any(own[title] for _, own in cells)]
    factors = tables.factors(design)
    rows = tuple((*tables.levels(design, each), *(own[title] for title in titles)) for each, own in cells)
    return Table((*factors, *(title.replace("\n", " ") for title in titles)), rows)


def _of_older(found: Found) -> Iterator[Section]:
    if found.older:
        count = counted(found.older, "other experiment")
        yield Section(
            "Other experiments",
            (f"The file has {count} of this script, of another design, text or machine; the newest is shown here.",),
        )


# ---------------------------------------------------------------------- traces


def _of_traces(traces: Sequence[Told]) -> Iterator[Section]:
    if not traces:
        return
    phases = figures.of_phases(traces)
    said = tuple(f"{figures.label(told)}: {each}" for told in traces for each in _said_of(told))
    timelines = (figures.of_timeline(told) for told in traces)
    drawn = tuple(each for each in (phases, *timelines) if each is not None)
    yield Section("Where the time of a step goes", said, drawn, tuple(map(_phases, traces)))


def _said_of(told: Told) -> Iterator[str]:
    summary = told["about"]["summary"]
    yield f"a step takes {summary['step'] * 1000:.3g} ms, of {summary['steps']} that were counted."
    if summary["hidden"] is not None:
        yield f"{summary['hidden']:.0%} of the exchange of gradients is hidden behind what is computed meanwhile."
    yield from summary["said"]
    yield f"tracing itself took {summary['overhead']:.1%} of the time."


def _phases(told: Told) -> Table:
    summary = told["about"]["summary"]
    head = (f"{figures.label(told)}: ms a step", *(f"rank {each}" for each in summary["ranks"]), "share")
    rows = tuple(
        (kind, *(f"{each * 1000:.3g}" for each in values), f"{sum(values) / len(values) / summary['step']:.0%}")
        for kind, values in summary["seconds"].items()
    )
    return Table(head, rows)


# ---------------------------------------------------------------------- more processes


def _of_profile(profile: Profile) -> Section:
    found = tuple(ahead(profile))
    drawn = figures.of_ahead(found)
    said = (f"{each.network}: {sentence}" for each in found for sentence in each.pays)
    numbers = sorted({one.processes for each in found for own in each.by_scaling.values() for one in own})
    rows = (
        (each.network, scaling, *(_efficiency(own, number) for number in numbers))
        for each in found
        for scaling, own in each.by_scaling.items()
        if own
    )
    head = ("network", "scaling", *(counted(number, "process") for number in numbers))
    return Section(
        "What more processes would bring",
        (*said, "Forecast from runs of one process; corro forecast says it for other networks, with costs."),
        (drawn,) if drawn is not None else (),
        (Table(head, tuple(rows), words=2),),
    )


def _efficiency(found: Sequence[Outlook], number: int) -> str:
    own = next((each.efficiency for each in found if each.processes == number), None)
    return ranged(own, ".0%") if own is not None else ""


# ---------------------------------------------------------------------- the same model


def _of_verdict(told: Told) -> Section:
    rows = tuple(
        (_STATUS[each["status"]], each["title"], "; ".join((*_faults(each), *each["unknown"], *each["seen"])))
        for each in told["results"]
    )
    assumed = tuple(
        f"Assumed: {each['message']} {each['standing']}" for each in told.get("assumptions", ()) if "standing" in each
    )
    head = ("found", "property", "what was compared")
    return Section(
        f"Whether it trains the same model ({figures.label(told)})",
        (told["conclusion"], *assumed),
        (),
        (Table(head, rows, 3),),
    )


def _faults(result: Told) -> Iterator[str]:
    for fault in result["faults"][:1]:
        values = f": {fault['own']} instead of {fault['wanted']}" if fault["own"] or fault["wanted"] else ""
        where = f" ({fault['line']})" if fault["line"] else ""
        yield f"{fault['message']}{values}{where}"


# ---------------------------------------------------------------------- changes, and how to repeat it


def _of_changes(changes: Iterable[Changed]) -> Iterator[Section]:
    for each in changes:
        title = f"What is changed for {each.target}, and why"
        if each.scaling == "weak":
            title = f"What is changed for {each.target} (weak scaling), and why"
        table = (Table(("place", "rule", "reason"), each.reasons, 3),) if each.reasons else ()
        yield Section(title, (each.problem,) if each.problem else (), (), table, each.diff)


def _of_repeating(found: Found) -> Section:
    made = [
        *(_command(each.described, found.script) for each in found.experiments),
        *(told["about"]["command"] for told in (*found.traces, *found.verdicts)),
    ]
    kinds = {
        "bench": found.experiments,
        "trace": found.traces,
        "verify": found.verdicts,
        "forecast": found.profiles,
    }
    name = shlex.quote(found.script)
    more = {
        "bench": f"corro bench {name} -n 2",
        "trace": f"corro trace {name} -n 2",
        "verify": f"corro verify {name} -n 2 --steps 50 -o {shlex.quote(Path(found.script).stem)}_verify.json",
        "forecast": f"corro forecast {name} --to 8,64 --network 25gbit",
    }
    missing = tuple(command for kind, command in more.items() if not kinds[kind])
    said = ("This page does not have the results of the last commands yet.",) if missing and made else ()
    return Section("How to repeat it", said, commands=(*dict.fromkeys(made), *missing))


def _command(described: Told, script: str) -> str:
    return described.get("command") or f"corro bench {shlex.quote(script)}"
