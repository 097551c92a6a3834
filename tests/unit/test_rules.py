"""Rules are found by their place; those for several frontends say for which."""

from __future__ import annotations

from types import ModuleType
from typing import cast

import pytest

from corro.found import modules
from corro.frontends import frontends
from corro.rules.base import common_packages, find_rules

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
