"""Rules are found by their place; those for several frontends say for which."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

import corro.rules
from corro.compiler import Options, make_plan
from corro.found import modules
from corro.frontends import frontends
from corro.rules.base import common_packages, find_rules
from corro.source import SourceFile

NAMES = [frontend.name for frontend in frontends()]
FOUND = {name: cast("tuple[ModuleType, ...]", find_rules(name)) for name in NAMES}
PACKAGES = {package.__name__: package for package in common_packages()}


@pytest.mark.parametrize("frontend", NAMES)
def test_rules_come_in_the_order_of_their_files(frontend: str) -> None:
    files = [rule.__name__.rpartition(".")[2] for rule in FOUND[frontend]]
    assert files == sorted(files)
    assert "training" in files or "training_step" in files


def test_a_common_rule_is_found_for_the_frontends_that_it_names() -> None:
    common = {rule for rules in FOUND.values() for rule in rules if rule.__name__.startswith("corro.rules.common.")}
    files = {f"{name}.{file}" for name, package in PACKAGES.items() for file in modules(package.__path__)}
    assert {rule.__name__ for rule in common} == files, "one names no frontend that is there"
    for rule in common:
        of_folder = PACKAGES[rule.__name__.rpartition(".")[0]].FRONTENDS
        named = getattr(rule, "FRONTENDS", of_folder)
        assert set(named) <= set(of_folder), f"{rule.__name__}: its folder is not asked for all of these"
        assert [name for name in NAMES if rule in FOUND[name]] == sorted(named)


def test_folders_of_common_rules_name_frontends_that_are_there() -> None:
    assert PACKAGES
    for package in PACKAGES.values():
        assert len(set(package.FRONTENDS) & set(NAMES)) == len(package.FRONTENDS) > 1, package.__name__


@pytest.mark.parametrize(
    ("text", "target", "advice"),
    [
        ("import keras\nMODEL\nmodel.compile('sgd', 'mse')\nmodel.train_on_batch([[0.0]], [0.0])\n", "multiworker",
         "Use fit, evaluate and predict, or use --to horovod, --to keras-distribution or --to mirrored."),
        ("import tensorflow.keras as keras\nMODEL\nmodel.compile('sgd', 'mse')\nmodel.train_on_batch([[0.0]], [0.0])\n",
         "multiworker", "Use fit, evaluate and predict, or use --to horovod or --to mirrored."),
    ],
)  # fmt: skip
def test_advice_names_the_targets_that_can_do_it_with_the_script(text: str, target: str, advice: str) -> None:
    text = text.replace("MODEL", "model = keras.Sequential([keras.layers.Dense(1)])")
    plan = make_plan(SourceFile.from_text(text, Path("train.py")), Options(target))
    assert advice in {finding.advice for finding in plan.findings}


def test_no_rule_names_a_target_in_its_advice() -> None:
    for folder in corro.rules.__path__:
        for path in Path(folder).rglob("*.py"):
            texts = (n.value for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.Constant))
            assert not [text for text in texts if isinstance(text, str) and re.search(r"--to [a-z]", text)], path
