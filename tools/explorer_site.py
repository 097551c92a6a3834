"""Put together the explorer as a static site: the page, Corro as a zip file, and Python in WebAssembly beside it.

Usage: explorer_site.py FOLDER. `npm ci` in explorer/ has to be run before: the package ``pyodide`` is taken from there.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "corro"
STATIC = PACKAGE / "explore" / "static"
PYODIDE = ROOT / "explorer" / "node_modules" / "pyodide"
PARTS = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NOT_NEEDED = {"cli", "engines", "estimate", "launch", "notebook", "verify"}
"""What compiles nothing."""
NOTICE = """
The folder pyodide/ holds Pyodide, which is under the Mozilla Public License 2.0, with Python, which is under the PSF
License; their sources: https://github.com/pyodide/pyodide
"""


def build(folder: Path) -> None:
    """Write the site into a folder; what was there is replaced."""
    if not PYODIDE.is_dir():
        sys.exit(f"{PYODIDE.relative_to(ROOT)} is not there: make explorer-site gets it")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC, folder / "static")
    (folder / "static" / "index.html").rename(folder / "index.html")
    shutil.copyfile(ROOT / "explorer" / "worker" / "ask.js", folder / "static" / "ask.js")
    shutil.copyfile(ROOT / "explorer" / "worker" / "worker.js", folder / "worker.js")
    with (folder / "static" / "NOTICE.txt").open("a", encoding="utf-8") as notice:
        notice.write(NOTICE)
    (folder / "pyodide").mkdir()
    for part in PARTS:
        shutil.copyfile(PYODIDE / part, folder / "pyodide" / part)
    with ZipFile(folder / "corro.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(PACKAGE.rglob("*.py")):
            name = file.relative_to(PACKAGE)
            if name.parts[0] not in NOT_NEEDED:
                archive.writestr(ZipInfo(f"corro/{name.as_posix()}"), file.read_bytes(), ZIP_DEFLATED)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
