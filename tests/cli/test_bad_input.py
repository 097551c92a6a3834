"""What is no convertible script: a clear error, the right exit status, and nothing written."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from waiting import LIMIT_SECONDS

TRAINS = """\
import torch
from torch.utils.data import DataLoader, TensorDataset
from {module} import Net

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=16, shuffle=True):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
"""


@dataclass(frozen=True)
class Bad:
    """A file, and what is to be said about it."""

    content: bytes
    status: int
    said: tuple[str, ...]


BAD = {
    "not Python": Bad(b"Dear reader,\nthis is a letter.\n", 1, ("train.py:1:", "syntax error")),
    "not Python further down": Bad(b"import torch\n\nfor x in (1, 2:\n    pass\n", 1, ("train.py:3:", "syntax error")),
    "Python 2": Bad(b"import torch\nprint 'epoch'\n", 1, ("train.py:2:", "syntax error", "Python 2", "2to3")),
    "Python 2's except": Bad(b"try:\n    pass\nexcept ValueError, e:\n    pass\n", 1, ("train.py:3:", "Python 2")),
    "empty": Bad(b"", 1, ("compilation error", "trains nothing")),
    "blank": Bad(b"\n\n", 1, ("compilation error", "trains nothing")),
    "comments only": Bad(b"# to do\n", 1, ("compilation error", "trains nothing")),
    "no training": Bad(b"import torch\nprint(torch.ones(2))\n", 1, ("compilation error", "trains nothing")),
    "binary": Bad(b"\x7fELF\x02\x01\x00\x00", 1, ("syntax error", "binary")),
    "UTF-16": Bad("import torch\n".encode("utf-16"), 1, ("syntax error", "UTF-16", "UTF-8")),
    "no UTF-8": Bad(b"name = '\xe9'\n", 1, ("syntax error", "decode", "UTF-8")),
    "unknown encoding": Bad(b"# -*- coding: klingon -*-\n", 1, ("syntax error", "klingon")),
    "10 MB": Bad(b"x = 1\n" * 1_800_000, 1, ("syntax error", "too large")),
    "nested too deeply": Bad(b"x = " + b"(" * 3000 + b")" * 3000 + b"\n", 1, ("syntax error",)),
    "a module that is not there": Bad(TRAINS.format(module="network").encode(), 1, ("refused", "network")),
    "with carriage returns, not Python": Bad(b"a = 1\r\nb = = 2\r\n", 1, ("train.py:2:5", "syntax error")),
}
NEWER = {
    (3, 11): b"try:\n    pass\nexcept* ValueError:\n    pass\n",
    (3, 12): b"type Pair = tuple[int, int]\n",
    (3, 14): b"greeting = t'hello {name}'\n",
}


def corro(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "corro", *map(str, arguments)]
    return subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=LIMIT_SECONDS)


def refused(done: subprocess.CompletedProcess[str], status: int, *said: str) -> None:
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr) < 2000
    for part in said:
        assert part in done.stderr


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_script(bad: Bad, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(bad.content)
    refused(corro("compile", "train.py", folder=tmp_path), bad.status, *bad.said)
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]
    assert (tmp_path / "train.py").read_bytes() == bad.content


@pytest.mark.parametrize("version", [v for v in NEWER if v > sys.version_info[:2]], ids=lambda v: f"{v[0]}.{v[1]}")
def test_syntax_newer_than_the_running_python(version: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(NEWER[version])
    wanted = ".".join(map(str, version))
    refused(corro("compile", "train.py", folder=tmp_path), 1, "syntax error", f"needs Python {wanted} or newer")
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]


@pytest.mark.parametrize("command", ["compile", "run"])
@pytest.mark.parametrize(
    ("name", "said"), [("missing.py", "no file"), (".", "is a directory"), ("train.py/x", "cannot be read")]
)
def test_a_script_that_cannot_be_read(command: str, name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(b"")
    options = ("-n", "2") if command == "run" else ()
    refused(corro(command, name, *options, folder=tmp_path), 2, said)
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]


def test_an_output_folder_that_is_not_there(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "pytorch" / "digits_cnn.py"
    done = corro("compile", example, "-o", "missing/train.py", folder=tmp_path)
    refused(done, 2, "missing/train.py cannot be written: No such file or directory")
    assert list(tmp_path.iterdir()) == []


def test_carriage_returns_are_kept(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "pytorch" / "digits_cnn.py"
    (tmp_path / "train.py").write_bytes(example.read_bytes().replace(b"\n", b"\r\n"))
    assert corro("compile", "train.py", folder=tmp_path).returncode == 0
    written = (tmp_path / "train_ddp.py").read_bytes()
    assert written.count(b"\n") == written.count(b"\r\n") > 0
