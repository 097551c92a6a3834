"""Settings of a project: the table ``[tool.corro]`` of the nearest ``pyproject.toml`` that has one.

What stands on the command line goes before it.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro import targets
from corro.classes import dataclass
from corro.cli._plain import NONE
from corro.compiler import SCALINGS, Options
from corro.errors import Place, UsageError
from corro.targets.base import COMPRESSIONS, Exchange

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "pyproject.toml"
AUTO = "auto"
_TABLE = b"tool.corro"


@dataclass(frozen=True)
class Settings:
    """What a project has set; see ``KEYS``."""

    target: str = ""
    scaling: str = ""
    processes: int | str = ""
    steps: int = 0
    assume: bool = False
    annotate: bool = False
    sync_batchnorm: bool = False
    uneven: bool = False
    compression: str = ""
    bucket_mb: int = 0

    def options(
        self,
        *,
        target: str | None = None,
        scaling: str | None = None,
        sync_batchnorm: bool = False,
        uneven: bool = False,
        compression: str | None = None,
        bucket_mb: str | None = None,
        annotate: bool = False,
        assume: bool = False,
    ) -> Options:
        """The options for the compiler: of the engine, what the command line says goes before what the project has set.

        Raises:
            UsageError: ``bucket_mb`` is no number.
        """
        if bucket_mb is not None and not bucket_mb.isdecimal():
            raise UsageError(f"--bucket-mb {bucket_mb}: that is no whole number.", advice="Write such as 10.")
        sent_as = compression or self.compression
        size = self.bucket_mb if bucket_mb is None else int(bucket_mb)
        return Options(
            target or self.target,
            scaling or self.scaling or SCALINGS[0],
            sync_batchnorm or self.sync_batchnorm,
            annotate,
            assume,
            uneven=uneven or self.uneven,
            exchange=Exchange("" if sent_as == NONE else sent_as, size),
        )


def settings_of(script: str | Path) -> Settings:
    """The settings for a script, by the folder it lies in.

    Raises:
        UsageError: a key is not known, or has a value that it cannot have, or the file is no TOML.
    """
    for folder in Path(os.path.realpath(script)).parents:
        found = settings_in(folder / FILE)
        if found is not None:
            return found
    return Settings()


def keep(script: str | Path, settings: Mapping[str, str | int | None]) -> Path:
    """Write settings for a script into the file that it has them from, or else into that of its own folder.

    What else stands in the file stays as it is written, comments included.

    Args:
        script: the script.
        settings: by their names, ``None`` for one that is to be taken away.

    Returns:
        The file.
    """
    import tomlkit

    from corro.writing import write_atomically

    folders = Path(os.path.realpath(script)).parents
    path = next((folder / FILE for folder in folders if settings_in(folder / FILE) is not None), folders[0] / FILE)
    content = path.read_bytes() if path.exists() else b""
    document = tomlkit.parse(content.decode())
    tool = document.setdefault("tool", tomlkit.table(is_super_table=True))
    table = tool.setdefault("corro", tomlkit.table())
    for key, value in settings.items():
        if value is not None:
            table[key] = value
        elif key in table:
            del table[key]
    write_atomically(path, tomlkit.dumps(document).encode(), like=path if content else None)
    return path


def settings_in(path: Path) -> Settings | None:
    """The settings that stand in a file; ``None`` where it has none, or is not there."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    table = _parsed(path, content) if _TABLE in content else None
    return None if table is None else _settings(path, content.decode(), table)


def _parsed(path: Path, content: bytes) -> dict[str, Any] | None:
    """The table, where the file has one."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        found = tomllib.loads(content.decode()).get("tool", {}).get("corro")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{os.path.relpath(path)} is no TOML: {error}.") from error
    return found if isinstance(found, dict) else None


def _settings(path: Path, text: str, table: dict[str, Any]) -> Settings:
    for key, value in table.items():
        wrong = _wrong(key, value)
        if wrong:
            raise UsageError(wrong[0], place=_place(path, text, key), advice=wrong[1])
    return Settings(**{key.replace("-", "_"): value for key, value in table.items()})


def _wrong(key: str, value: object) -> tuple[str, str] | None:
    """What is wrong with a setting, and what to do about it."""
    if key not in KEYS:
        return f"[tool.corro] has no setting {key!r}.", suggestion(key, KEYS)
    if isinstance(value, str) and (choices := _CHOICES.get(key)):
        return None if value in choices else (f"{key} cannot be {value!r}.", suggestion(value, choices))
    number = isinstance(value, int) and not isinstance(value, bool)
    if _FLAG in KEYS[key]:
        right = isinstance(value, bool)
    else:
        right = key in _NUMBERS and isinstance(value, int) and number and value > 0
    return None if right else (f"{key} = {value!r} is not what it can be.", f"It is {KEYS[key]}.")


def suggestion(name: str, names: Any) -> str:
    """What may have been meant, or all there is."""
    from difflib import get_close_matches

    near = get_close_matches(name.lower().replace("_", "-"), list(names), cutoff=0.5)
    return f"Did you mean {near[0]}?" if near else f"There are: {', '.join(names)}."


def _place(path: Path, text: str, key: str) -> Place:
    found = re.search(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", text[text.index(_TABLE.decode()) :], re.MULTILINE)
    start = text.index(_TABLE.decode()) + (found.start() if found else 0)
    return Place(os.path.relpath(path), text.count("\n", 0, start) + 1, 1)


_FLAG = "true or false"
_CHOICES = {
    "target": (*targets.names(),),
    "scaling": SCALINGS,
    "processes": (AUTO,),
    "compression": (NONE, *COMPRESSIONS),
}
_NUMBERS = frozenset({"processes", "steps", "bucket-mb"})
KEYS = {
    "target": f"one of {', '.join(targets.names())}",
    "scaling": f"one of {', '.join(SCALINGS)}",
    "processes": f"a number, or {AUTO!r}",
    "steps": "a number: so many optimizer steps are verified",
    "assume": f"{_FLAG}: programs that are to be verified are written, too",
    "annotate": f"{_FLAG}: new lines end with the rule that wrote them",
    "sync-batchnorm": f"{_FLAG}: batch normalisation over the global batch",
    "uneven": f"{_FLAG}: shares of a batch may differ in size",
    "compression": f"one of {NONE}, {', '.join(COMPRESSIONS)}",
    "bucket-mb": "a number: so many MiB of gradients are sent at a time",
}
"""All settings, with what they may be."""
