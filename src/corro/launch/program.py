"""Where a generated program lies while it runs, and after: tracebacks name it, so it stays readable."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from corro.cache import cache_directory, temporary_directory
from corro.errors import ExecutionError
from corro.writing import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

KEPT = 50
_USED_SECONDS = 24 * 60 * 60.0


def write_program(
    content: bytes,
    script: Path,
    target: str,
    modules: Mapping[Path, bytes] | None = None,
    into: Path | None = None,
    lines: Mapping[Path, Sequence[int]] | None = None,
) -> Path:
    """Writes the generated program of a script into Corro's cache, and beside it what is imported by it.

    Args:
        content: what runs in the place of the script.
        script: the user's.
        target: the name of the engine.
        modules: what is loaded in the place of project modules.
        into: a folder of the caller's instead of the cache.
        lines: for each line of the program and of the modules the line of the script, negative where the text is not
            the script's own: failures are told with these.

    Raises:
        ExecutionError: it cannot be written there, nor into the folder for temporary files.
    """
    name = f"{script.stem}.{target}.py"
    files = {name: content, **_beside(name, script, target, modules or {})}
    if lines:
        files[f"{name}.places"] = _places(name, script, target, lines)
    named = (part for file, text in files.items() for part in (os.fsencode(file), text))
    parts = [os.fsencode(script.absolute()), *named]
    key = hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]
    caches = (cache_directory() / "programs", temporary_directory() / "programs")
    for folder in caches if into is None else (into,):
        home = folder / key
        with contextlib.suppress(OSError):
            for file, text in reversed(files.items()):  # the program last: where it is, all is there
                (home / file).parent.mkdir(parents=True, exist_ok=True)
                write_atomically(home / file, text)
            home.touch()
            _forget_old(folder)
            return home / name
    raise ExecutionError(f"{home / name} cannot be written.", advice="Set CORRO_CACHE to a folder that can.")


def generated_modules(program: Path) -> dict[Path, Path]:
    """The files of a program that are loaded in the place of project modules, each with the place of that module.

    The places are as seen from the folder of the script; none where no module was written anew.
    """
    import json  # noqa: PLC0415 - not on the way of one file

    with contextlib.suppress(FileNotFoundError):
        table = json.loads(program.with_name(f"{program.name}.modules").read_bytes())
        return {program.parent / text: Path(module) for module, text in table.items()}
    return {}


def _beside(program: str, script: Path, target: str, modules: Mapping[Path, bytes]) -> dict[str, bytes]:
    """What lies beside a program: modules, and the table that ``drivers/_corro_modules.py`` reads."""
    if not modules:
        return {}
    import json  # noqa: PLC0415

    home = script.resolve().parent
    texts = _texts(home, target, modules)
    table = {os.path.relpath(path, home): text for path, text in texts.items()}
    return {f"{program}.modules": json.dumps(table).encode(), **{texts[p]: text for p, text in modules.items()}}


def _texts(home: Path, target: str, modules: Iterable[Path]) -> dict[Path, str]:
    """Where the texts of modules lie, as seen from the program."""
    modules = list(modules)
    root = os.path.commonpath([home, *(path.parent for path in modules)])
    return {p: f"modules/{Path(os.path.relpath(p, root)).with_suffix('').as_posix()}.{target}.py" for p in modules}


def _places(program: str, script: Path, target: str, lines: Mapping[Path, Sequence[int]]) -> bytes:
    """The table that ``drivers/_corro_places.py`` reads."""
    import json  # noqa: PLC0415

    texts = _texts(script.resolve().parent, target, (path for path in lines if path != script))
    table = {texts.get(path, program): {"file": str(path), "lines": list(each)} for path, each in lines.items()}
    return json.dumps(table).encode()


def _forget_old(folder: Path) -> None:
    """All but the last programs go, unless they may be running: an experiment starts its own for hours."""
    with contextlib.suppress(OSError):  # another run tidies up at the same time
        written = sorted(((each.stat().st_mtime, each) for each in folder.iterdir()), reverse=True)
        for when, old in written[KEPT:]:
            if when < time.time() - _USED_SECONDS:
                shutil.rmtree(old, ignore_errors=True)
