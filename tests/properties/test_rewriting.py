"""What is refused is refused in other forms of the same script: in a function, a class, a module, by other names."""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cases_support import Case, discover
from corro.compiler import compile_file
from corro.plan import Outcome
from rewriting_support import FORMS

CASES = [case for case in discover() if case.before.suffix == ".py" and any(case.folder.glob("refused*.txt"))]


def _form(number: int, case: Case) -> Callable[[ast.Module], dict[str, str] | None]:
    """One of the forms that a case has, another one for the next case."""
    tree = ast.parse(case.before.read_bytes())
    forms = (*FORMS[number % len(FORMS) :], *FORMS)
    return next(form for form in forms if form(tree) is not None)


PAIRS = [(case, _form(number, case)) for number, case in enumerate(CASES)]


@pytest.mark.parametrize(("case", "form"), PAIRS, ids=lambda each: getattr(each, "__name__", str(each)))
def test_other_forms_are_refused_too(
    case: Case, form: Callable[[ast.Module], dict[str, str] | None], tmp_path: Path
) -> None:
    targets = [t for t in case.targets if any((case.folder / f"refused{x}.txt").exists() for x in ("", f".{t}"))]
    folder = shutil.copytree(case.folder, tmp_path / "case")
    files = form(ast.parse(case.before.read_bytes()))
    assert files is not None
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    output = compile_file(folder / "script.py", random.Random(str(case)).choice(targets), case.scaling)
    assert output.plan.outcome is not Outcome.CONVERTED
