"""What runs load of this repository is among the files that remembered runs depend on."""

from __future__ import annotations

from pathlib import Path

import pytest
from forked import Forked
from trial import running

from corro.verify.processes import Run
from corro.verify.settings import Settings
from dependencies import MADE_WITH, ROOT

SCRIPT = """\
import sys
import {package}
for module in list(sys.modules.values()):
    print("loaded", getattr(module, "__file__", None))
"""


@pytest.mark.parametrize(("hooks", "package"), [("pytorch", "torch"), ("keras", "keras")])
def test_what_a_process_loads_is_depended_on(hooks: str, package: str, runner: Forked, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    script = home / "script.py"
    script.write_text(SCRIPT.format(package=package))
    settings = Settings(str(tmp_path / "run"), hooks, str(script), str(script), rooms=(str(home),))
    ending = runner(Run(script, script, (), home, settings))
    assert ending.status == 0, ending.output
    printed = (path.read_text() for path in (tmp_path / "run").glob("output*.stdout"))
    words = (line.split() for text in printed for line in text.splitlines())
    loaded = {Path(word[1]) for word in words if word[0] == "loaded" and word[1].startswith(f"{ROOT}/")}
    loaded = {path for path in loaded if "site-packages" not in path.parts}
    assert len(loaded) > 20
    assert loaded <= {*running(hooks), *MADE_WITH}, sorted(loaded - set(running(hooks)))
