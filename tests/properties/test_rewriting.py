"""What is refused is refused in other forms of the same script: in a function, a class, a module, by other names."""

from __future__ import annotations

import ast
import random
import shutil
from pathlib import Path

import pytest

from cases_support import Case, discover
from corro.compiler import compile_file
from corro.plan import Outcome
from rewriting_support import FORMS

CASES = [case for case in discover() if case.before.suffix == ".py" and any(case.folder.glob("refused*.txt"))]


def _form(case: Case, chance: random.Random) -> dict[str, str]:
    """The files of one of the forms that a case has."""
    forms = chance.sample(FORMS, len(FORMS))
    made = (form(ast.parse(case.before.read_bytes())) for form in forms)
    return next(files for files in made if files is not None)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_other_forms_are_refused_too(case: Case, tmp_path: Path) -> None:
    chance = random.Random(str(case))  # by its name, so that a further case changes no other
    targets = [t for t in case.targets if any((case.folder / f"refused{x}.txt").exists() for x in ("", f".{t}"))]
    folder = shutil.copytree(case.folder, tmp_path / "case")
    files = _form(case, chance)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    output = compile_file(folder / "script.py", chance.choice(targets), **case.how)
    assert output.plan.outcome is not Outcome.CONVERTED, files["script.py"]
