"""Settings that are written into the project's file: all else stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.cli._settings import keep, settings_of

FOUND: dict[str, str | int] = {"target": "horovod", "processes": 4}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, '[tool.corro]\ntarget = "horovod"\nprocesses = 4\n'),
        (
            '# mine\n[project]\nname = "x"  # keep\n',
            '# mine\n[project]\nname = "x"  # keep\n\n[tool.corro]\ntarget = "horovod"\nprocesses = 4\n',
        ),
        (
            '[tool.corro]\nprocesses = "auto" # why\nsteps = 5\n\n[tool.ruff]\nline-length = 90\n',
            '[tool.corro]\nprocesses = 4 # why\nsteps = 5\ntarget = "horovod"\n\n[tool.ruff]\nline-length = 90\n',
        ),
        (
            "[tool.ruff]\r\nline-length = 90\r\n",
            '[tool.ruff]\r\nline-length = 90\r\n\n[tool.corro]\ntarget = "horovod"\nprocesses = 4\n',
        ),
    ],
)
def test_the_file_of_the_scripts_folder(tmp_path: Path, before: str | None, after: str) -> None:
    file = tmp_path / "pyproject.toml"
    if before is not None:
        file.write_bytes(before.encode())
    assert keep(tmp_path / "train.py", FOUND) == file
    assert file.read_bytes().decode() == after
    settings = settings_of(tmp_path / "train.py")
    assert (settings.target, settings.processes) == ("horovod", 4)


def test_the_file_that_has_the_settings_is_the_one_that_is_changed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.corro]\nprocesses = 2\n")
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n")
    assert keep(tmp_path / "a" / "b" / "train.py", FOUND) == tmp_path / "pyproject.toml"
    assert settings_of(tmp_path / "a" / "b" / "train.py").processes == 4
