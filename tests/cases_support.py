"""Cases as data: where they are, what they expect, and what the compiler does with them.

A case is a folder ``tests/cases/<frontend>/<topic>/<name>/`` with

- ``before.py`` or ``before.ipynb``: the sequential script; its first sentence says what must change or be left alone.
  Further ``.py``
  files are the script's own modules;
- one expectation for each target: ``after.<target>.py`` (the program, byte by byte), with ``MODULE.after.<target>.py``
  beside each of its modules that is changed, and ``findings.<target>.txt`` (its reviews; no file: none;
  ``findings.txt`` where targets do not differ) and ``assumes.txt`` (what it assumes; no file: nothing), or
  ``refused.txt`` (``refused.<target>.txt`` where targets differ), or
  ``unchanged.txt`` (the status, when there is nothing to convert);
- of a target whose class is derived from another target's, only what differs: what has no file of its own is as for the
  other one, but for the text of the program, which is compared where there is one;
- ``notes.txt``, where notes are what the case is about: what is converted has these (an empty file: none);
- ``case.toml``, when it needs options: ``scaling = "weak"``, ``targets = ["ddp"]``, ``uneven = True``,
  ``compression = "fp16"``, ``bucket_mb = 10``.

A line of ``refused.txt`` and ``findings.txt`` is ``LINE: RULE: message``, or ``FILE:LINE: RULE: message`` in
a project module, or ``cell-NUMBER:LINE: RULE: message`` in a notebook, whose program is a notebook too.
``LINE: ?`` in ``refused.txt`` says where a refusal must be; ``--update-cases`` writes the rule. It rewrites an
expectation, never its kind: what was to be refused stays refused until a person removes the file.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from corro import targets
from corro.targets.base import Exchange

if TYPE_CHECKING:
    from corro.changes import Finding
    from corro.compiler import Output
    from corro.source import Edit, SourceFile

CASES = Path(__file__).resolve().parent / "cases"
FRONTENDS = tuple(sorted(path.name for path in CASES.iterdir() if path.is_dir()))
TARGETS = {frontend: targets.names(frontend) for frontend in FRONTENDS}
"""The targets of each frontend: what a case expects of all of them is in its folder."""
OPTIONS = {"scaling", "targets", "uneven", "compression", "bucket_mb"}
UNKNOWN_RULE = "?"

Kind = Literal["converted", "refused", "unchanged"]
_MODULES = frozenset({".py", ".pyx", ".cpp"})
"""What the modules of a case may be written in."""


@cache
def base_of(frontend: str, target: str) -> str:
    """The target of its frontend that a target is derived from, and so does what that one does in most cases."""
    names = (vars(base).get("name", target) for base in targets.get(target, frontend).__mro__)
    return next((str(name) for name in names if name != target), "")


@dataclass(frozen=True)
class Said:
    """A finding as a line of text: where it is, the rule, the message."""

    where: str
    rule: str
    message: str = ""

    @classmethod
    def parse(cls, line: str) -> Said:
        """Read ``[FILE:]LINE: RULE[: message]``."""
        match = re.fullmatch(r"((?:[^:\s]+:)?\d+): ([^:\s]+)(?:: (.+))?", line)
        if match is None:
            raise ValueError(f"not '[FILE:]LINE: RULE: message': {line!r}")
        return cls(match[1], match[2], match[3] or "")

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.message}" if self.message else f"{self.where}: {self.rule}"


@dataclass(frozen=True)
class Outcome:
    """What the compiler did, or is expected to do, with one case for one target."""

    kind: Kind
    text: bytes = b""
    modules: tuple[tuple[str, bytes], ...] = ()
    """The project modules that are changed, by their paths in the folder, in their order."""
    refusals: tuple[Said, ...] = ()
    reviews: tuple[Said, ...] = ()
    assumptions: tuple[Said, ...] = ()
    notes: tuple[Said, ...] = ()
    status: str = ""


@dataclass(frozen=True)
class Case:
    """One folder below ``tests/cases``."""

    folder: Path

    def __str__(self) -> str:
        return self.folder.relative_to(CASES).as_posix()

    @property
    def frontend(self) -> str:
        return self.folder.parent.parent.name

    @property
    def topic(self) -> str:
        return self.folder.parent.name

    @property
    def before(self) -> Path:
        notebook = self.folder / "before.ipynb"
        return notebook if notebook.exists() else self.folder / "before.py"

    @cached_property
    def options(self) -> dict[str, Any]:
        """The content of ``case.toml``."""
        path = self.folder / "case.toml"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        pairs = (line.partition("=") for line in lines if "=" in line)
        return {name.strip(): ast.literal_eval(value.strip()) for name, _, value in pairs}

    @property
    def scaling(self) -> str:
        return str(self.options.get("scaling", "strong"))

    @property
    def how(self) -> dict[str, Any]:
        """The options of the compiler that the case has, besides the target."""
        exchange = Exchange(self.options.get("compression", ""), self.options.get("bucket_mb", 0))
        return {
            "scaling": self.scaling,
            "uneven": bool(self.options.get("uneven", False)),
            "exchange": exchange,
        }

    @property
    def targets(self) -> tuple[str, ...]:
        """Those that the case names, or all of its frontend."""
        named = self.options.get("targets", TARGETS[self.frontend])
        return tuple(name for name in TARGETS[self.frontend] if {name, base_of(self.frontend, name)} & {*named})

    @property
    def sentence(self) -> str:
        """The first sentence of the script: its docstring or its first comment."""
        data = self.before.read_bytes()
        if self.before.suffix == ".ipynb":
            return "".join(json.loads(data)["cells"][0]["source"])
        docstring = ast.get_docstring(ast.parse(data))
        comments = [
            line[1:].strip() for line in data.decode("latin-1").splitlines() if re.match(r"#(?!!|.*coding)", line)
        ]
        return docstring or next(iter(comments), "")

    def after(self, target: str) -> Path:
        return self.folder / f"after.{target}{self.before.suffix}"

    def modules_after(self, target: str) -> dict[str, Path]:
        """The expectations for project modules, by the paths of the modules in the folder."""
        ending = f".after.{target}.py"
        found = {
            path: path.with_name(path.name.removesuffix(ending) + ".py") for path in self.folder.rglob(f"*{ending}")
        }
        return {module.relative_to(self.folder).as_posix(): path for path, module in sorted(found.items())}

    def reviews(self, target: str) -> Path:
        """The file of the reviews: the target's own, where it has one."""
        own = self._reviews_by(target)
        return own if own.exists() else self.folder / "findings.txt"

    def _reviews_by(self, target: str) -> Path:
        return self.folder / f"findings.{target}.txt"

    @property
    def assumed(self) -> Path:
        return self.folder / "assumes.txt"

    @property
    def noted(self) -> Path:
        return self.folder / "notes.txt"

    def refused(self, target: str) -> Path:
        """The file of the refusals: the target's own, where it has one."""
        own = self._refused_by(target)
        return own if own.exists() else self.folder / "refused.txt"

    def is_as_for_base(self, target: str) -> bool:
        """Whether the case says nothing of the program, or the refusals, of a derived target."""
        own = self.after(target).exists() or self._refused_by(target).exists()
        return bool(base_of(self.frontend, target)) and not own

    def compared(self, target: str, outcome: Outcome) -> Outcome:
        """As much of an outcome as the case speaks of."""
        outcome = outcome if self.noted.exists() else replace(outcome, notes=())
        return replace(outcome, text=b"", modules=()) if self.is_as_for_base(target) else outcome

    def _refused_by(self, target: str) -> Path:
        return self.folder / f"refused.{target}.txt"

    @property
    def unchanged(self) -> Path:
        return self.folder / "unchanged.txt"

    def unknown_files(self) -> list[str]:
        """Files that mean nothing, such as an expectation with a misspelt name."""
        known = {self.before, self.unchanged, self.folder / "case.toml"}
        known |= {self.folder / "refused.txt", self.folder / "findings.txt", self.assumed, self.noted}
        for target in TARGETS[self.frontend]:
            known |= {self.after(target), self._reviews_by(target), self._refused_by(target)}
            known |= {path for module, path in self.modules_after(target).items() if (self.folder / module).exists()}
        others = {path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts} - known
        return sorted(path.name for path in others if not path.stem.isidentifier() or path.suffix not in _MODULES)

    def expected(self, target: str) -> Outcome | None:
        """What the files say; ``None`` when they say nothing about this target.

        Raises:
            ValueError: they say two things at once.
        """
        if self.is_as_for_base(target):
            expected = self.expected(base_of(self.frontend, target))
            if expected is None:
                return None
            own = self._reviews_by(target)
            return replace(expected, text=b"", modules=(), reviews=_read(own) if own.exists() else expected.reviews)
        found: list[Outcome] = []
        if self.after(target).exists():
            modules = tuple((name, path.read_bytes()) for name, path in self.modules_after(target).items())
            reviews, assumptions = _read(self.reviews(target)), _read(self.assumed)
            text = self.after(target).read_bytes()
            notes = _read(self.noted)
            found.append(Outcome("converted", text, modules, (), reviews, assumptions, notes))
        if self.refused(target).exists():
            found.append(Outcome("refused", refusals=_read(self.refused(target))))
        if self.unchanged.exists():
            found.append(Outcome("unchanged", status=self.unchanged.read_text(encoding="utf-8").strip()))
        if len(found) > 1:
            raise ValueError(f"{self} expects {' and '.join(each.kind for each in found)} of {target}")
        return found[0] if found else None

    def update(self, target: str, outcome: Outcome) -> None:
        """Write what the compiler did as the expectation.

        Raises:
            ValueError: it is of another kind than the expectation there was, or not refused where it had to be.
        """
        expected = self.expected(target)
        if expected is not None and expected.kind != outcome.kind:
            raise ValueError(
                f"{self} was to be {expected.kind} for {target}, and is {outcome.kind}: remove the file to accept, or "
                "make an empty one where the target is derived"
            )
        if self.is_as_for_base(target):
            self._say_what_differs(target, outcome)
            return
        if outcome.kind == "refused":
            asked = {said.where for said in expected.refusals if said.rule == UNKNOWN_RULE} if expected else set()
            if missing := asked - {said.where for said in outcome.refusals}:
                told = "; ".join(map(str, outcome.refusals))
                raise ValueError(f"{self} is not refused at {', '.join(sorted(missing))} for {target}, but: {told}")
            _write(self._refused_by(target), outcome.refusals)
            self._join_equal("refused", self.targets)
        elif outcome.kind == "unchanged":
            self.unchanged.write_text(outcome.status + "\n", encoding="utf-8", newline="")
        else:
            self.after(target).write_bytes(outcome.text)
            for path in self.modules_after(target).values():
                path.unlink()
            for name, text in outcome.modules:
                (self.folder / name).with_suffix(f".after.{target}.py").write_bytes(text)
            self._write_reviews(target, outcome.reviews)
            _write(self.assumed, outcome.assumptions)
            if self.noted.exists():
                self.noted.write_text("".join(f"{each}\n" for each in outcome.notes), encoding="utf-8", newline="")

    def _say_what_differs(self, target: str, outcome: Outcome) -> None:
        """Refusals and reviews of a derived target that are not those of its base."""
        base = self.expected(base_of(self.frontend, target)) or Outcome(outcome.kind)
        if outcome.refusals != base.refusals:
            _write(self._refused_by(target), outcome.refusals)
        self._reviews_by(target).unlink(missing_ok=True)
        if outcome.reviews != base.reviews:
            self._reviews_by(target).write_text("".join(f"{each}\n" for each in outcome.reviews), encoding="utf-8")

    def _write_reviews(self, target: str, reviews: tuple[Said, ...]) -> None:
        converted = [each for each in self.targets if self.after(each).exists()]
        for each in converted:
            _write(self._reviews_by(each), reviews if each == target else _read(self.reviews(each)))
        (self.folder / "findings.txt").unlink(missing_ok=True)
        self._join_equal("findings", self.targets)

    def _join_equal(self, what: str, among: Sequence[str]) -> None:
        """One file, such as ``refused.txt``, where all targets say the same."""
        files = [self.folder / f"{what}.{target}.txt" for target in among if not self.is_as_for_base(target)]
        if not all(path.exists() for path in files):
            return
        common, texts = self.folder / f"{what}.txt", {path.read_text(encoding="utf-8") for path in files}
        common.unlink(missing_ok=True)
        if len(texts) == 1:
            common.write_text(texts.pop(), encoding="utf-8", newline="")
            for path in files:
                path.unlink()


def discover(root: Path = CASES) -> list[Case]:
    """All cases, in the order of their names."""
    return [Case(path.parent) for path in sorted(root.glob("*/*/*/before.*"))]


def compile_case(script: Path, target: str, **how: Any) -> tuple[Output, Outcome]:
    """Compile a script, and say what came out in the words of a case. The only place here that knows the compiler."""
    from corro.compiler import compile_file

    output = compile_file(script, target, assume=True, **how)
    refusals = _said(output, script.parent, "refused")
    reviews = _said(output, script.parent, "review")
    if output.text is not None:
        changed = {Path(m.source.path).relative_to(script.parent).as_posix(): m for m in output.modules}
        modules = tuple((name, changed[name].source.encode(changed[name].text)) for name in sorted(changed))
        text = output.encode(script.name)
        assumptions, notes = (_said(output, script.parent, level) for level in ("assumes", "note"))
        return output, Outcome("converted", text, modules, (), reviews, assumptions, notes)
    if refusals:
        return output, Outcome("refused", refusals=refusals)
    return output, Outcome("unchanged", status=output.plan.outcome.value)


def _said(output: Output, folder: Path, level: str) -> tuple[Said, ...]:
    found = [finding for finding in output.plan.findings if finding.level.value == level]
    placed = [(finding.file, finding.span.start, _line_of(finding, output.source, folder)) for finding in found]
    return tuple(said for _, _, said in sorted(placed, key=lambda each: each[:2]))


def _line_of(finding: Finding, script: SourceFile, folder: Path) -> Said:
    from corro.source import read_source

    message = " ".join(finding.message.split()).replace(f"{folder}/", "")
    if not finding.file:
        place = script.place(finding.span.start)
        cell = f"cell-{place.cell}:" if place.cell else ""
        return Said(f"{cell}{place.line}", finding.rule, message)
    path = folder / finding.file
    line = read_source(path).place(finding.span.start).line
    return Said(f"{path.relative_to(folder).as_posix()}:{line}", finding.rule, message)


def _read(path: Path) -> tuple[Said, ...]:
    return tuple(map(Said.parse, path.read_text(encoding="utf-8").splitlines())) if path.exists() else ()


def _write(path: Path, said: tuple[Said, ...]) -> None:
    if said:
        path.write_text("".join(f"{each}\n" for each in said), encoding="utf-8", newline="")
    else:
        path.unlink(missing_ok=True)


def lost_lines(output: Output) -> Iterator[str]:
    """The first line of each file that no edit touches and that is not in the output, in its order; nothing if none."""
    assert output.text is not None
    yield from _lost(output.source, output.text, output.plan.edits_in())
    for module in output.modules:
        yield from _lost(module.source, module.text, output.plan.edits_in(str(module.source.path)))


def _lost(source: SourceFile, text: str, edits: tuple[Edit, ...]) -> Iterator[str]:
    newline = source.newline
    remaining = iter(_lines(text, newline))
    touched = _touched(source, edits)
    for number, line in enumerate(_lines(source.text, newline), start=1):
        if number not in touched and line not in remaining:
            yield f"{source.path.name}:{number}: {line}"
            return


def _lines(text: str, newline: str) -> list[str]:
    """The lines with their ends; a last line without one gets ``newline``, for what is put behind it needs one."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    last = lines.pop()
    return lines if not last else [*lines, last + newline]


def _touched(source: SourceFile, edits: tuple[Edit, ...]) -> set[int]:
    """The lines that edits change, going by the edits themselves."""
    from corro.source import edits as kinds

    number = source.lines.number

    def whole(start: int, end: int) -> range:
        return range(number(start), number(max(start, end - 1)) + 1)

    lines: set[int] = set()
    for edit in edits:
        match edit:
            case kinds.Replace(span=span) | kinds.Wrap(span=span):
                lines.update(whole(span.start, span.end))
            case kinds.Insert(offset=offset):
                lines.add(number(offset))
            case kinds.AddArgument(call=node) | kinds.RemoveArgument(call=node) | kinds.Remove(stmt=node):
                span = source.span(node)
                lines.update(whole(span.start, span.end))
            case kinds.Under(stmt=node) | kinds.Guard(stmt=node):
                span = source.span(node)
                lines.update(whole(span.start, span.end), _comments_above(source, number(span.start)))
            case kinds.Before(stmt=node) | kinds.After(stmt=node):
                lines.update(_shared_line(source, node))
            case kinds.Import():
                heads = (stmt for stmt in source.tree.body if isinstance(stmt, (ast.Import, ast.ImportFrom)))
                lines.update(number for stmt in heads for number in _shared_line(source, stmt))
    return lines


def _comments_above(source: SourceFile, line: int) -> range:
    """The comment and blank lines in front of a line: they go under a head with the statements around them."""
    texts = source.text.splitlines()
    first = line
    while first > 1 and texts[first - 2].lstrip()[:1] in ("", "#"):
        first -= 1
    return range(first, line)


def _shared_line(source: SourceFile, node: ast.stmt) -> set[int]:
    """The first and last line of a statement that has company there (``a; b``, ``if a: b``): it may be split."""
    span = source.span(node)
    before = re.split(r"[\r\n]", source.text[: span.start])[-1]
    behind = re.split(r"[\r\n]", source.text[span.end :], maxsplit=1)[0]
    alone = not before.strip("\ufeff \t\f") and not behind.split("#")[0].strip()
    return set() if alone else {source.lines.number(span.start), source.lines.number(max(span.start, span.end - 1))}
