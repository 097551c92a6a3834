"""The compiler, on one screen: recognise, plan, apply, check."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro import targets
from corro.anatomy.observations import Observations, Questions
from corro.annotate import annotate
from corro.arms import without
from corro.changes import Change, Finding, Level
from corro.checks import Written, check
from corro.classes import dataclass, replace
from corro.errors import CheckError, UsageError
from corro.flow import memory
from corro.flow.budget import RETRYING, Budget, TooLarge
from corro.flow.interpreter import interpret
from corro.flow.options import left_out
from corro.flow.questions import questions
from corro.frontends import Frontend, distributed_by, engine, frontends
from corro.plan import Outcome, Plan
from corro.program import Program
from corro.rules import missing
from corro.rules.base import NO_GATE, Answer, Job, Rule, find_rules, job_type
from corro.source import Edit, EditError, SourceFile, Span, apply, read_source, rewritten, text_edits
from corro.targets.base import USUAL, Exchange
from corro.targets.naming import Library

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from corro.anatomy.observations import Observation
    from corro.flow.bookmarks import Bookmark
    from corro.flow.facts import Facts, Unit
    from corro.flow.semantics import Semantics
    from corro.flow.values import Value
    from corro.targets import Target

SCALINGS = ("strong", "weak")
_KEPT = 4
"""So many readings of a script are kept while it is read again: what is gone back to is seldom further away."""


@dataclass(frozen=True)
class Options:
    """How a script is to be converted.

    Args:
        target: the name of the engine; empty for the default of the script's framework.
        scaling: ``strong`` keeps the global batch size, ``weak`` the batch size of each process.
        sync_batchnorm: batch normalisation over the global batch (on GPUs only).
        uneven: let the shares of a batch differ in size, and weigh each by its samples.
        exchange: how gradients are exchanged.
        assume: write the program where its outcome is ``TO_VERIFY``, too.
        observed: what a run has shown of places where the text does not say what a value is.
        defaults: where the script is refused, make the program without what its command line leaves out by default.
        annotate: put a ``# corro: RULE`` comment on inserted lines.
    """

    target: str = ""
    scaling: str = "strong"
    sync_batchnorm: bool = False
    annotate: bool = False
    assume: bool = False
    observed: tuple[Observation, ...] = ()
    defaults: bool = True
    uneven: bool = False
    exchange: Exchange = USUAL


@dataclass(frozen=True)
class Module:
    """A project module of a script that is written anew: ``text`` is what stands in its place."""

    source: SourceFile
    text: str

    def encode(self) -> bytes:
        """The text as bytes, in the encoding of the file."""
        return self.source.encode(self.text)


@dataclass(frozen=True)
class Output:
    """What came of a script: ``text`` is the program.

    It is ``None`` unless the plan's outcome is ``CONVERTED``, or is ``TO_VERIFY`` and was to be written so.

    ``modules`` are the project modules that the program needs in the place of the script's own. The text of a
    notebook's program is that of a script; ``source.encode(text, ".ipynb")`` makes a notebook of it.
    """

    source: SourceFile
    plan: Plan
    text: str | None
    modules: tuple[Module, ...] = ()

    def encode(self, name: str = "") -> bytes:
        """The program as the content of a file with this name; a notebook only where the script is one.

        A notebook begins with a cell that says how it is started, where that takes a launcher.
        """
        assert self.text is not None
        suffix = Path(name).suffix
        if suffix == ".ipynb":
            from corro.source.notebook import NotebookFile  # noqa: PLC0415 - not for scripts

            command = targets.get(self.plan.target, self.plan.frontend).notebook_command
            if command and isinstance(self.source, NotebookFile):
                return self.source.program(self.text, command.format(name))
        return self.source.encode(self.text, suffix)


def compile_file(path: str | Path, target: str = "", scaling: str = "strong", **more: Any) -> Output:
    """Convert a script in a file; nothing is written.

    Raises:
        UsageError: no such file, target or scaling.
        SourceError: the file is no Python.
        CheckError: the output failed an independent check.
    """
    return compile_source(read_source(path), Options(target, scaling, **more))


def compile_source(source: SourceFile, options: Options = Options()) -> Output:
    """Convert a script; see ``compile_file``."""
    program = program_of(source)
    plan = _planned(program, options)
    if plan.outcome is not Outcome.CONVERTED and not (options.assume and plan.outcome is Outcome.TO_VERIFY):
        return Output(source, plan, None)
    changed = {file: program.source_of(file) for file in plan.files if file}
    try:
        written = [_written(each, plan.edits_in(file)) for file, each in {"": source, **changed}.items()]
    except EditError as error:
        raise CheckError(f"the rules contradict each other: {error}.", advice="Please report this script.") from error
    calls = targets.get(plan.target, plan.frontend).calls
    check(written, calls, lambda output: distributed_by([output]) is not None)
    texts = [each.text for each in written]
    if options.annotate:
        texts = [annotate(each, plan.changes_in(file)) for file, each in {"": source, **changed}.items()]
    text, *others = texts
    return Output(source, plan, text, tuple(map(Module, changed.values(), others)))


def _written(source: SourceFile, edits: tuple[Edit, ...]) -> Written:
    replaced = text_edits(source, edits)
    return Written(source, replaced, rewritten(source, replaced))


def make_plan(source: SourceFile, options: Options = Options()) -> Plan:
    """What is to be done to a script for a target; see ``compile_file`` for what is raised."""
    return _planned(program_of(source), options)


def _planned(program: Program, options: Options) -> Plan:
    plan, facts = _read(program, options, Budget())
    if plan.outcome is not Outcome.REFUSED or facts is None or not options.defaults:
        return plan

    budget = Budget(RETRYING)
    frontend = next(each for each in frontends() if each.name == plan.frontend)

    def arms(facts: Facts | None) -> tuple[Observation, ...]:
        if facts is None:
            return ()
        return (*left_out(facts, frontend.recogniser.semantics().of_machine), *memory.begun_again(facts))

    def planned(left: tuple[Observation, ...]) -> tuple[Plan, tuple[Observation, ...]]:
        plan, facts = _read(program, replace(options, observed=(*options.observed, *left)), budget)
        return plan, arms(facts)

    return without(plan, arms(facts), program.files, planned)


def _read(program: Program, options: Options, budget: Budget) -> tuple[Plan, Facts | None]:
    """The plan of a script as it is read, and what was read."""
    source = program.source
    if options.scaling not in SCALINGS:
        raise UsageError(f"there is no scaling {options.scaling!r}.", advice=f"Choose one of: {', '.join(SCALINGS)}.")
    if options.target and options.target not in targets.names():
        raise UsageError(
            f"there is no target {options.target!r}.", advice=f"Choose one of: {', '.join(targets.names())}."
        )
    if options.uneven and options.scaling != "strong":
        raise UsageError(
            "--uneven shares out the batches of the script, but weak scaling has a whole batch for each process.",
            advice="Leave out --uneven, or use --scaling strong.",
        )
    target, framework = options.target, ""

    def plan(outcome: Outcome, answers: tuple[Answer, ...] = ()) -> Plan:
        changes = tuple(a for a in answers if isinstance(a, Change))
        findings = tuple(dict.fromkeys(a for a in answers if isinstance(a, Finding)))
        kept = changes if outcome in (Outcome.CONVERTED, Outcome.TO_VERIFY) else ()
        return Plan(
            str(source.path),
            framework,
            target,
            options.scaling,
            outcome,
            kept,
            findings,
            options.observed,
            options.uneven,
            options.exchange,
        )

    files = program.files
    already = distributed_by(files)
    if already is not None:
        return plan(Outcome.ALREADY_DISTRIBUTED, (already,)), None
    found = [frontend for frontend in frontends() if frontend.presence.trains(files)]
    if not found:
        return plan(Outcome.NOTHING, tuple(missing.unseen(files, program.has))), None
    if len(found) > 1:
        return plan(Outcome.REFUSED, (_several(found),)), None
    frontend = found[0]
    framework = frontend.name
    target = target or frontend.presence.default_target(files)
    target_type = targets.get(target, frontend.name)
    if options.sync_batchnorm:
        _must_sync_batchnorm(frontend)
    if options.uneven and not target_type.shares_unevenly:
        raise UsageError(
            f"shares of unequal size cannot be asked for of {frontend.presence.TITLE}: its engines share out batches.",
            advice="Leave out --uneven.",
        )
    _must_exchange(target_type, options.exchange)
    doubts = tuple(missing.doubts(files, program.doubtful))
    if doubts:
        return plan(Outcome.REFUSED, doubts), None
    try:
        facts = _interpreted(frontend, program, options.observed, budget)
    except TooLarge as error:
        return plan(Outcome.REFUSED, (_too_large(source, error),)), None
    job = _job(frontend, program.script, facts, target_type, options)
    answers = (*_remarks(source), *_settled(job, tuple(_answers(frontend, job))))
    levels = {answer.level for answer in answers if isinstance(answer, Finding)}
    outcomes = {Level.REFUSED: Outcome.REFUSED, Level.ASSUMES: Outcome.TO_VERIFY}
    return plan(next((outcomes[level] for level in outcomes if level in levels), Outcome.CONVERTED), answers), facts


def _must_sync_batchnorm(frontend: Frontend) -> None:
    """See that batch normalisation over the global batch can be asked for.

    Raises:
        UsageError: no engine of the framework has it.
    """
    if not any(targets.get(name, frontend.name).syncs_batchnorm for name in targets.names(frontend.name)):
        raise UsageError(
            f"batch normalisation over the global batch cannot be asked for of {frontend.presence.TITLE}.",
            advice="Leave out --sync-batchnorm.",
        )


def _must_exchange(target: type[Target], exchange: Exchange) -> None:
    """See that an engine can be told how to exchange gradients.

    Raises:
        UsageError: it cannot, or not so.
    """
    if target.can_exchange(exchange) and exchange.bucket_mb >= 0:
        return
    able = target.compressions
    if exchange.compression not in ("", *able):
        raise UsageError(
            f"{target.title} cannot send gradients as {exchange.compression}.",
            advice=f"Choose --compression {' or '.join(able)}." if able else "Leave out --compression.",
        )
    raise UsageError(
        f"{target.title} cannot be told to send {exchange.bucket_mb} MiB at a time.",
        advice="Write such as --bucket-mb 10." if target.sizes_buckets else "Leave out --bucket-mb.",
    )


def engine_of(source: SourceFile) -> str:
    """The engine of a script that is distributed already, by its module or class; empty where there is none."""
    return engine(program_of(source).files)


def framework_of(source: SourceFile) -> str:
    """The name of the frontend whose framework a script trains with; empty where there is none, or several."""
    files = program_of(source).files
    found = [each.name for each in frontends() if each.presence.trains(files)]
    return found[0] if len(found) == 1 else ""


def equal_conditions(source: SourceFile, plan: Plan) -> tuple[tuple[str, Span], ...]:
    """The conditions of a script that rest on values which are equal on all processes once it is converted.

    Each with its file as changes and findings name it: not at all where it is the script's own.
    """
    program = program_of(source)
    frontend = next(each for each in frontends() if each.name == plan.frontend)
    facts = _interpreted(frontend, program, plan.observed, Budget())
    target_type = targets.get(plan.target, plan.frontend)
    job = _job(frontend, program.script, facts, target_type, Options(plan.target, plan.scaling))
    return tuple((job.name_of(job.file_of(test)), job.span(test)) for test in job.equal_tests())


def batch_loops(source: SourceFile, plan: Plan) -> tuple[ast.AST, ...]:
    """The loops of a script in which it takes one batch after the other."""
    facts = _facts_of(source, plan)
    if facts is None:
        return ()
    found = {node: None for node, loops in facts.loops.items() if any(loop.loaders for loop in loops)}
    taken = [each.context.loops[-1].node for each in facts.batches.values() if each.context.loops]
    return tuple(dict.fromkeys([*found, *taken]))


def values_of(source: SourceFile, plan: Plan) -> Iterator[tuple[Span, Value]]:
    """What is known of the expressions of a script; nothing where it was refused before it was read."""
    facts = _facts_of(source, plan)
    if facts is not None:
        yield from ((source.span(node), facts.values[node]) for node in source.nodes if node in facts.values)


def reading_of(source: SourceFile, plan: Plan) -> tuple[Facts, Any] | None:
    """What is known of a script that has a plan, and its anatomy; ``None`` where it could not be read."""
    facts = _facts_of(source, plan)
    frontend = next((each for each in frontends() if each.name == plan.frontend), None)
    return None if facts is None or frontend is None else (facts, frontend.recogniser.recognise(facts, apart=False))


def _facts_of(source: SourceFile, plan: Plan) -> Facts | None:
    """What is known of a script that has a plan; ``None`` where it has no framework or is too large to be followed."""
    frontend = next((each for each in frontends() if each.name == plan.frontend), None)
    try:
        return _interpreted(frontend, program_of(source), plan.observed, Budget()) if frontend is not None else None
    except TooLarge:
        return None


def questions_of(source: SourceFile, plan: Plan) -> Questions:
    """What a run could show of a script that its text does not."""
    frontend = next((each for each in frontends() if each.name == plan.frontend), None)
    if frontend is None:
        return Questions()
    try:
        facts = _interpreted(frontend, program_of(source), plan.observed, Budget())
        return questions(facts, frontend.recogniser.semantics().of_machine)
    except TooLarge:
        return Questions()


def program_of(source: SourceFile) -> Program:
    """The script and its project modules."""
    return Program(source, missing.is_known)


def _remarks(source: SourceFile) -> Iterator[Answer]:
    """What there is to be said about the form of the source: the magics of a notebook."""
    for span, remark in source.remarks:
        yield Finding("notebook", Level(remark.level), remark.message, span, remark.advice)


def _several(found: list[Frontend]) -> Finding:
    names = " and ".join(frontend.presence.TITLE for frontend in found)
    message = f"the script trains with {names}."
    return Finding("frameworks", Level.REFUSED, message, Span(0, 0), "Make one script for each framework.")


def _too_large(source: SourceFile, error: TooLarge) -> Finding:
    """What is not followed to its end is not converted: the part that was not seen could be wrong."""
    file = error.unit.source
    if error.deep:
        message = "the script is nested too deeply to be followed."
        advice = "Write the long expression or the nested blocks here in several statements or functions."
    elif error.times:
        message = (
            f"the script is too large to be followed: {error.taken} did not come to its end. "
            f"This function is what was followed most often: {error.times:,} times."
        )
        advice = "Import and define only what this training needs, such as one model instead of many to choose from."
    else:
        message = f"the script is too large to be followed: {error.taken} came to this place, and no further."
        advice = "Move what is no part of the training into a script of its own."
    elsewhere = "" if file is source else str(file.path)
    return Finding("too-large", Level.REFUSED, message, file.span(error.node), advice, elsewhere)


@dataclass(frozen=True, eq=False)
class _Reading:
    """What was found of a script with some semantics, in so many steps."""

    semantics: Semantics
    facts: Facts
    steps: int


def _interpreted(frontend: Frontend, program: Program, observed: tuple[Observation, ...], budget: Budget) -> Facts:
    """The script as its frontend understands it: read again as long as that teaches it something.

    Raises:
        TooLarge: all readings together take more than their budget.
    """
    semantics, observations = frontend.recogniser.semantics(), Observations(observed)
    readings: deque[_Reading] = deque(maxlen=_KEPT)
    bookmarks: list[Bookmark] = []
    while True:
        known = next((each for each in readings if semantics.reads_like(each.semantics)), None)
        if known is None:
            left = budget.left
            facts = interpret(program.script, semantics, program.find, budget, observations, program.like, bookmarks)
            known = _Reading(semantics, facts, left - budget.left)
        else:  # as where what was tried has shown nothing
            readings.remove(known)
            budget.look_up(known.steps)
        readings.append(known)
        facts = known.facts
        again = frontend.recogniser.again(semantics, facts)
        if again is None:
            return facts
        semantics = again


def _job(frontend: Frontend, script: Unit, facts: Facts, target_type: type[Target], options: Options) -> Job:
    others = tuple(unit.source for unit in dict.fromkeys(facts.units.values()) if unit is not script)
    target = target_type.spelt(Library(script.names, others), options.exchange)
    anatomy = frontend.recogniser.recognise(facts, apart=not target.forward_communicates)
    make = job_type(frontend.name)
    return make(script, script.source, facts, anatomy, target, options.scaling, options.sync_batchnorm, options.uneven)


def _answers(frontend: Frontend, job: Job) -> Iterator[Answer]:
    """Rules in the order of their gates: what one gate refuses, the rules after it would not understand."""
    by_gate: dict[int, list[Rule]] = {}
    for rule in find_rules(frontend.name):
        by_gate.setdefault(getattr(rule, "GATE", NO_GATE), []).append(rule)
    given: list[Answer] = []
    for gate in sorted(by_gate):
        refused = False
        for rule in by_gate[gate]:
            for answer in _possible(job, rule):
                refused |= isinstance(answer, Finding) and answer.level is Level.REFUSED
                given.append(answer)
                yield answer
        if refused:
            return
    for rule in (rule for rules in by_gate.values() for rule in rules):
        conclude = getattr(rule, "conclude", None)
        yield from conclude(job, given) if conclude is not None else ()


def _possible(job: Job, rule: Rule) -> Iterator[Answer]:
    """What a rule answers, with changes refused that are written for shares of equal size where they may differ."""
    for answer in rule.apply(job):
        if job.uneven and getattr(rule, "EVEN_SHARES", False) and isinstance(answer, Change):
            message = f"this needs shares of equal size, and --uneven allows others: {answer.reason}."
            advice = "Leave out --uneven, and choose a batch size that the number of processes divides."
            yield Finding(answer.rule, Level.REFUSED, message, answer.span, advice, answer.file, effort="one line")
        else:
            yield answer


def _settled(job: Job, answers: tuple[Answer, ...]) -> Iterator[Answer]:
    """What rules answer, with changes given up that write where another one does, if they say what is said then."""
    firm: dict[str, list[Edit]] = {}
    for answer in answers:
        if isinstance(answer, Change) and answer.otherwise is None:
            firm.setdefault(answer.file, []).extend(answer.edits)
    files = {job.name_of(file): file for file in job.files}
    for answer in answers:
        if isinstance(answer, Change) and answer.otherwise is not None:
            fits = _fits(files[answer.file], [*firm.get(answer.file, ()), *answer.edits])
            yield answer if fits else answer.otherwise
        else:
            yield answer


def _fits(source: SourceFile, edits: list[Edit]) -> bool:
    try:
        apply(source, edits)
    except EditError:
        return False
    return True
