"""Every case under ``tests/cases``, for every target: see ``cases_support`` for what a case is."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import cases_support
import corro.flow.bookmarks
from cases_support import CASES, OPTIONS, TARGETS, UNKNOWN_RULE, Case, Outcome, Said, compile_case, discover, lost_lines
from corro.compiler import Output

ALL = discover()
PAIRS = [pytest.param((case, target), id=f"{case}-{target}") for case in ALL for target in case.targets]


@dataclass(frozen=True)
class Compiled:
    """What the compiler made of a case for a target."""

    case: Case
    target: str
    output: Output
    outcome: Outcome


@pytest.fixture(scope="module", autouse=True)
def bookmarks() -> Iterator[None]:
    """One at each statement, which large projects alone have: no outcome may depend on where a reading goes on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corro.flow.bookmarks, "STEPS_APART", 1)
        patch.setattr(corro.flow.bookmarks, "GROWTH", 1)
        yield


@pytest.fixture(scope="module", params=PAIRS)  # of the module: both tests of a pair share one compilation
def compiled(request: pytest.FixtureRequest) -> Compiled:
    """Each case for each of its targets."""
    case, target = request.param
    return Compiled(case, target, *compile_case(case.before, target, **case.how))


@pytest.fixture
def updating(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be rewritten."""
    return bool(request.config.getoption("--update-cases"))


def test_the_compiler_does_what_the_case_expects(compiled: Compiled, updating: bool) -> None:
    case, target, outcome = compiled.case, compiled.target, compiled.outcome
    if updating:
        case.update(target, outcome)
    expected = case.expected(target)
    assert expected is not None, f"no expectation for {target}: write one, or run pytest --update-cases"
    if not updating:
        unfinished = [str(said) for said in expected.refusals if said.rule == UNKNOWN_RULE]
        assert not unfinished, f"no rule named yet at {', '.join(unfinished)}: run pytest --update-cases"
        assert case.compared(target, outcome) == expected


def test_a_converted_program_stands_by_itself(compiled: Compiled, tmp_path: Path) -> None:
    case, target, output, outcome = compiled.case, compiled.target, compiled.output, compiled.outcome
    if outcome.kind != "converted":
        assert output.text is None
        return
    assert output.text is not None
    ast.parse(output.source.encode(output.text), filename=str(case.after(target)))
    assert b"corro" not in outcome.text, "the program needs Corro, or speaks of it"
    assert list(lost_lines(output)) == []

    again = shutil.copytree(case.folder, tmp_path / "again") / case.before.name
    again.write_bytes(outcome.text)
    for name, text in outcome.modules:
        (again.parent / name).write_bytes(text)
    for other in TARGETS[case.frontend]:
        _, second = compile_case(again, other, scaling=case.scaling)
        assert (second.kind, second.status) == ("unchanged", "already distributed"), f"{target}, then {other}"


def test_cases_are_found() -> None:
    assert {case.topic for case in ALL} >= {"loaders", "refused", "nothing"}
    assert len({case.before.read_bytes() for case in ALL}) == len(ALL), "two cases are the same script"


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_case_is_well_formed(case: Case) -> None:
    assert case.unknown_files() == []
    assert case.options.keys() <= OPTIONS
    assert case.scaling in {"strong", "weak"}
    assert case.targets
    assert set(case.targets) <= set(TARGETS[case.frontend])
    empty = not case.before.read_bytes()
    assert empty or case.sentence, f"{case}: the script's first sentence says what the case is about"


def test_no_folder_is_forgotten() -> None:
    folders = {path for path in CASES.glob("*/*/*") if path.is_dir()}
    assert folders == {case.folder for case in ALL}, "a case without before.py"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("12: ?", Said("12", "?")),
        ("12: data/sampler: a sampler: of its own", Said("12", "data/sampler", "a sampler: of its own")),
        ("engine.py:3: own-module: it prints", Said("engine.py:3", "own-module", "it prints")),
    ],
)
def test_a_line_of_findings_is_read_and_written(line: str, said: Said) -> None:
    assert Said.parse(line) == said
    assert str(said) == line


@pytest.mark.parametrize("line", ["", "rule: message", "12", "12 rule"])
def test_a_wrong_line_of_findings_is_an_error(line: str) -> None:
    with pytest.raises(ValueError, match="LINE: RULE"):
        Said.parse(line)


def test_what_all_targets_say_stands_in_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases_support, "CASES", tmp_path)
    folder = tmp_path / "pytorch" / "topic" / "case"
    folder.mkdir(parents=True)
    (folder / "before.py").write_text("")
    case, alike, other = Case(folder), (Said("2", "metrics", "kept"),), (Said("3", "loss", "summed"),)

    def update(**reviews: tuple[Said, ...]) -> list[str]:
        for target, said in reviews.items():
            case.update(target, Outcome("converted", text=b"program\n", reviews=said))
        read = {target: outcome.reviews for target in reviews if (outcome := case.expected(target)) is not None}
        assert read == reviews
        return sorted(path.name for path in folder.glob("findings*"))

    assert update(ddp=alike, horovod=alike) == ["findings.txt"]
    assert update(ddp=alike, horovod=()) == ["findings.ddp.txt"]
    assert update(ddp=alike, horovod=other) == ["findings.ddp.txt", "findings.horovod.txt"]
    assert update(ddp=other, horovod=other) == ["findings.txt"]
    assert update(ddp=(), horovod=()) == []


# ---------------------------------------------------------------------- targets that are derived from others

RAN = Outcome("converted", text=b"other names\n", reviews=(Said("2", "metrics", "kept"),))


@pytest.fixture
def derived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """A case that is converted for DDP, as if Horovod's target were derived from that one."""
    monkeypatch.setattr(cases_support, "base_of", lambda _, target: "ddp" if target == "horovod" else "")
    monkeypatch.setattr(cases_support, "CASES", tmp_path)
    folder = tmp_path / "pytorch" / "topic" / "case"
    folder.mkdir(parents=True)
    for name, text in {"before.py": "", "after.ddp.py": "names\n", "findings.ddp.txt": "2: metrics: kept\n"}.items():
        (folder / name).write_text(text)
    return Case(folder)


def test_a_derived_target_is_as_its_base_but_for_the_text(derived: Case) -> None:
    assert set(derived.targets) >= {"ddp", "horovod"}
    expected = derived.expected("horovod")
    assert expected is not None
    assert derived.compared("horovod", RAN) == expected
    assert derived.compared("horovod", replace(RAN, reviews=())) != expected
    assert derived.compared("horovod", Outcome("refused")) != expected
    assert derived.compared("ddp", RAN) != derived.expected("ddp")


def test_the_text_of_a_derived_target_is_compared_where_it_is_there(derived: Case) -> None:
    derived.after("horovod").write_bytes(b"other text\n")
    derived.reviews("horovod").write_text("2: metrics: kept\n")
    assert derived.compared("horovod", RAN) != derived.expected("horovod")
    derived.update("horovod", RAN)
    assert derived.compared("horovod", RAN) == derived.expected("horovod") == RAN


@pytest.mark.parametrize("reviews", [(), (Said("3", "loss", "summed"),)])
def test_of_a_derived_target_only_what_differs_is_written(derived: Case, reviews: tuple[Said, ...]) -> None:
    derived.update("horovod", RAN)
    assert not list(derived.folder.glob("*horovod*"))
    other = replace(RAN, reviews=reviews)
    derived.update("horovod", other)
    assert [path.name for path in derived.folder.glob("*horovod*")] == ["findings.horovod.txt"]
    assert derived.compared("horovod", other) == derived.expected("horovod")
    derived.update("horovod", RAN)
    assert not list(derived.folder.glob("*horovod*"))


def test_a_derived_target_that_refuses_needs_a_file_of_its_own(derived: Case) -> None:
    refused = Outcome("refused", refusals=(Said("4", "loss", "unknown"),))
    with pytest.raises(ValueError, match="make an empty one"):
        derived.update("horovod", refused)
    derived.folder.joinpath("refused.horovod.txt").write_text("")
    derived.update("horovod", refused)
    assert derived.expected("horovod") == refused
