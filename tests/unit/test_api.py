"""The public API: what it gives, and what it costs to import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import corro
from corro import Outcome, SourceFile, read_source

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "pytorch" / "digits_cnn.py"


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_compile_gives_the_program_and_writes_nothing() -> None:
    before = sorted(EXAMPLE.parent.iterdir())
    output = corro.compile(EXAMPLE)
    assert output.plan.outcome is Outcome.CONVERTED
    assert output.text is not None
    assert "init_process_group" in output.text
    assert sorted(EXAMPLE.parent.iterdir()) == before


@pytest.mark.parametrize("script", [str(EXAMPLE), EXAMPLE, read_source(EXAMPLE)], ids=["str", "path", "source"])
def test_a_script_is_a_path_or_a_source(script: str | Path | SourceFile) -> None:
    assert "horovod.torch" in (corro.compile(script, "horovod").text or "")


def test_options_arrive() -> None:
    strong, weak = corro.compile(EXAMPLE), corro.compile(EXAMPLE, scaling="weak")
    assert strong.text != weak.text
    assert "# corro: startup" in (corro.compile(EXAMPLE, annotate=True).text or "")


def test_plan_is_the_plan_of_compile() -> None:
    plan = corro.plan(EXAMPLE, "ddp", "weak")
    assert (plan.scaling, plan.outcome) == ("weak", Outcome.CONVERTED)
    assert [c.rule for c in plan.changes] == [c.rule for c in corro.compile(EXAMPLE, "ddp", "weak").plan.changes]


def test_a_refusal_is_an_outcome() -> None:
    script = ROOT / "tests" / "cases" / "pytorch" / "refused" / "clipping_outside_of_the_loop" / "before.py"
    output = corro.compile(script)
    assert (output.plan.outcome, output.text) == (Outcome.REFUSED, None)
    assert [finding.rule for finding in output.plan.refusals] == ["clipping"]
    assert all(finding.advice for finding in output.plan.refusals)


@pytest.mark.parametrize(("target", "scaling"), [("mpi", "strong"), ("base", "strong"), ("ddp", "huge")])
def test_wrong_use_is_said(target: str, scaling: str) -> None:
    with pytest.raises(corro.UsageError, match="there is no"):
        corro.compile(EXAMPLE, target, scaling)


@pytest.mark.parametrize("name", corro.__all__)
def test_each_public_name_is_there(name: str) -> None:
    assert name in dir(corro)
    assert getattr(corro, name) is not None


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = corro.nothing


@pytest.mark.parametrize(("name", "of_it"), [("plan", "Plan"), ("verify", "Verdict")])
def test_a_function_stays_when_the_module_of_its_name_is_imported(name: str, of_it: str) -> None:
    code = (
        f"import corro, corro.{name}; from corro.{name} import {of_it}; "
        f"print(callable(corro.{name}), {of_it} is corro.{of_it})"
    )
    assert python(code) == "True True"


def test_the_version_is_that_of_the_package() -> None:
    assert f'\nversion = "{corro.__version__}"\n' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, corro; print(*sorted(name for name in sys.modules if name.startswith('corro')))"
    assert python(code) == "corro"


def test_compiling_imports_no_framework_and_nothing_for_terminals() -> None:
    code = (
        f"import sys, corro; corro.compile({str(EXAMPLE)!r}); "
        "print(*sorted({'torch', 'horovod', 'numpy', 'rich', 'click', 'difflib'} & sys.modules.keys()))"
    )
    assert python(code) == ""
