"""What the explorer shows of a script."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from corro import compile
from corro.explore.pages import page_of
from corro.explore.view import view
from notebook_support import TRAINING, write

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "examples" / "pytorch" / "digits_cnn.py"
TEXT = SCRIPT.read_text(encoding="utf-8")


def label_at(shown: dict[str, Any], text: str, expression: str) -> str:
    """What is said of an expression where it stands first."""
    line, column = next(
        (number, each.index(expression)) for number, each in enumerate(text.split("\n"), 1) if expression in each
    )
    place = [line, column, line, column + len(expression)]
    return str(next(shown["labels"][label] for *at, label in shown["values"] if at == place))


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    return view(TEXT, str(SCRIPT))


def test_both_texts_are_shown(shown: dict[str, Any]) -> None:
    assert shown["outcome"] == "converted"
    assert (shown["framework"], shown["target"]) == ("pytorch", "ddp")
    assert shown["targets"] == ["ddp", "horovod"]
    (file,) = shown["files"]
    assert file["before"] == TEXT
    assert file["after"] == compile(SCRIPT).text


def test_each_new_line_has_its_rule_and_each_rule_a_page(shown: dict[str, Any]) -> None:
    (file,) = shown["files"]
    new = file["after"].split("\n")
    old = {line.strip() for line in TEXT.split("\n")}  # guarded lines are indented
    unsaid = [line for number, line in enumerate(new, 1) if line.strip() not in old and number not in file["lines"]]
    assert unsaid == []
    rules = {rule for rules in file["lines"].values() for rule in rules}
    assert rules <= {change["rule"] for change in file["changes"]}
    for rule in rules:
        page = page_of(rule)
        assert page is not None
        assert {section["heading"] for section in page["sections"]} == {"Why", "Before", "After", "Source"}


def test_placements_are_said_of_expressions(shown: dict[str, Any]) -> None:
    assert "sharded" in label_at(shown, TEXT, "x.to(device)")
    assert "partial (mean)" in label_at(shown, TEXT, "criterion(model(x), y)")
    assert label_at(shown, TEXT, "learning_rate").startswith("number · replicated")


def test_the_patch_makes_the_program(shown: dict[str, Any], tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(TEXT, encoding="utf-8")
    patch = view(TEXT, str(script))["patch"]
    subprocess.run(["git", "apply", "-"], input=patch, text=True, check=True, cwd=tmp_path)
    assert script.read_text(encoding="utf-8") == shown["files"][0]["after"]


def test_columns_are_counted_as_browsers_do() -> None:
    wide = TEXT.replace(
        "for x, y in train_loader:", "for x, y in train_loader:  # 𝔹 batches\n        '𝔹'; criterion", 1
    )
    shown = view(wide, "/nowhere/train.py")
    line = next(number for number, each in enumerate(wide.split("\n"), 1) if "'𝔹'; criterion" in each)
    assert any(at == [line, 14, line, 23] for *at, _ in shown["values"])  # the character counts as two


def test_a_refusal_is_shown_at_its_place() -> None:
    case = ROOT / "tests" / "cases" / "pytorch" / "refused" / "hidden_state_carried" / "before.py"
    text = case.read_text(encoding="utf-8")
    shown = view(text, "/nowhere/train.py")
    assert (shown["outcome"], shown["patch"], shown["files"][0]["after"]) == ("refused", "", None)
    (finding, *_) = (each for each in shown["findings"] if each["level"] == "refused")
    assert finding["message"]
    assert finding["advice"]
    line, column, *_ = finding["at"]
    assert len(text.split("\n")[line - 1]) > column
    assert shown["values"]


@pytest.mark.parametrize("text", ["def f(:\n", "print 'Python 2'\n", "\0"])
def test_what_is_no_python_is_said_to_be_so(text: str) -> None:
    shown = view(text, "/nowhere/train.py")
    assert shown["outcome"] == "syntax error"
    assert shown["findings"][0]["message"]
    assert shown["files"][0]["before"] == text


@pytest.mark.parametrize("text", ["", "x = 1\n"])
def test_what_trains_nothing_is_left_alone(text: str) -> None:
    shown = view(text, "/nowhere/train.py")
    assert (shown["outcome"], shown["patch"], shown["values"]) == ("nothing to convert", "", [])


def test_a_target_of_another_framework_gives_way() -> None:
    assert view(TEXT, "/nowhere/train.py", "mirrored")["target"] == "ddp"


def test_a_module_that_is_changed_is_a_file_of_its_own() -> None:
    main = ROOT / "examples" / "pytorch" / "project" / "main.py"
    shown = view(main.read_text(encoding="utf-8"), str(main))
    assert shown["outcome"] == "converted"
    assert shown["files"][0]["name"] == "main.py"
    assert len(shown["files"]) > 1
    assert all(file["lines"] for file in shown["files"] if file["after"] != file["before"])


def test_findings_in_a_notebook_name_the_cell(tmp_path: Path) -> None:
    left = "        optimizer.step()\n        if torch.rand(1) < 0.1: break"
    left = TRAINING[2].replace("        optimizer.step()", left)
    path = write(tmp_path / "train.ipynb", "#md x", *TRAINING[:2], "!wget \\\n  x", left)
    shown = view(path.read_text(encoding="utf-8"), str(path))
    refused, _ = (each for each in shown["findings"] if each["level"] == "refused")  # the break, and the sum after it
    assert refused["where"] == "cell 5:8:33"
    line, column, *_ = refused["at"]
    assert shown["files"][0]["before"].split("\n")[line - 1][column:] == "break"
    assert (shown["outcome"], shown["notebook"], shown["program"]) == ("refused", "", "")


def test_findings_in_a_script_have_line_and_column() -> None:
    shown = view("x = 1\ndef f(:\n", "/nowhere/train.py")
    assert [each["where"] for each in shown["findings"]] == ["2:7"]


def test_a_cell_that_is_no_python_is_shown_among_the_others(tmp_path: Path) -> None:
    path = write(tmp_path / "train.ipynb", "#md x", "!ls", "a = 1\n!wget \\\n  x\ndef f(:")
    shown = view(path.read_text(encoding="utf-8"), str(path))
    assert shown["outcome"] == "syntax error"
    (finding,) = shown["findings"]
    assert finding["where"].startswith("cell 3:")
    line, column, *_ = finding["at"]
    assert shown["files"][0]["before"].split("\n")[line - 1][column - 6 :] == "def f(:"


@pytest.mark.parametrize(
    ("text", "said", "where"),
    [
        ("", "it is no notebook", "1:1"),
        ("{", "it is no notebook", "1:2"),
        ('{"nbformat": 3, "worksheets": []}', "format 3", "1:1"),
        ('{"nbformat": 4, "cells": []}', "the notebook has no code", "1:1"),
        ('{"nbformat": 4, "cells": [{}]}', "a cell has no source", "cell 1:1:1"),
        ('{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}, "cells": []}', "its code is R", "1:1"),
    ],
)
def test_what_is_no_notebook_is_said_to_be_so(text: str, said: str, where: str) -> None:
    shown = view(text, "/nowhere/train.ipynb")
    (finding,) = shown["findings"]
    assert (shown["outcome"], finding["where"]) == ("syntax error", where)
    assert said in finding["message"]
    assert shown["files"][0]["before"] == text


def test_a_notebook_with_a_module_is_shown_with_it(tmp_path: Path) -> None:
    head, body = TRAINING[0].split("\n\n")
    indented = "".join(f"    {line}\n" for line in body.split("\n"))
    (tmp_path / "feed.py").write_text(f"{head}\n\n\ndef make():\n{indented}    return data, loader\n")
    path = write(tmp_path / "train.ipynb", f"{head}\nfrom feed import make\ndata, loader = make()", *TRAINING[1:])
    shown = view(path.read_text(encoding="utf-8"), str(path))
    assert [file["name"] for file in shown["files"]] == ["train.ipynb", "feed.py"]
    assert "init_process_group" in shown["notebook"]
    assert "DistributedSampler(" in shown["files"][1]["after"]
