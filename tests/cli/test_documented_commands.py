"""Every command that the documents show is run, in a folder with the files that they show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import corro
from documents_support import PAGES, ROOT, Commands, Given, is_printed, parts, unmarked
from remembered import Known

TRANSLATED = {"README.es.md"} | {f"docs/es/{path.name}" for path in (ROOT / "docs" / "es").glob("*.md")}
"""The same commands as in the English pages; ``test_documents`` sees to that."""
LONGEST = 1200
"""Seconds after which a command hangs."""
READ = {
    name: parts(page.read_text(encoding="utf-8"))
    for page in PAGES
    if (name := page.relative_to(ROOT).as_posix()) not in TRANSLATED
}
RUN = {name: found for name, found in READ.items() if any(isinstance(each, Commands) for each in found)}


def environment() -> dict[str, str]:
    """The commands of this environment, and this Corro, of all that are installed; colours and links to nobody."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    source = str(Path(corro.__file__).parents[1])
    modules = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PATH": path, "PYTHONPATH": modules}


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted(RUN))
def test_the_commands_of_a_page_do_what_it_says(page: str, tmp_path: Path, known: Known) -> None:
    if known.whole(*map(repr, RUN[page])):
        return
    for each in RUN[page]:
        if isinstance(each, Given):
            (tmp_path / each.name).write_text(each.text, encoding="utf-8")
        elif not each.left_out:
            do(each, tmp_path, f"{page}:{each.line}")


def do(commands: Commands, folder: Path, place: str) -> None:
    """Run a block as a shell does, line by line until one fails."""
    shell = ["bash", "-e", "-o", "pipefail", "-c", commands.code]
    done = subprocess.run(
        shell, cwd=folder, env=environment(), capture_output=True, text=True, timeout=LONGEST, check=False
    )
    said = f"{place}:\n{commands.code}{done.stdout}{done.stderr}"
    assert done.returncode == commands.status, said
    printed = (done.stdout, done.stdout + done.stderr)
    missing = [shown for shown in commands.shown if not any(is_printed(shown, each) for each in printed)]
    assert missing == [], said


def test_the_pages_are_found() -> None:
    assert {"README.md", "docs/start/pytorch.md", "docs/start/keras.md", "docs/howto/by_hand.md"} <= RUN.keys()


def test_few_commands_are_not_run_and_each_of_these_says_why() -> None:
    left_out = {f"{page}:{each.line}": each.left_out for page, found in RUN.items() for each in found
                if isinstance(each, Commands) and each.left_out}  # fmt: skip
    assert all(len(reason.split()) > 3 for reason in left_out.values())
    assert len(left_out) <= 4


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_a_command_is_marked_as_one(page: Path) -> None:
    assert unmarked(page.read_text(encoding="utf-8")) == []


PAGE = """
<!-- file: train.py = examples/pytorch/dense_500.py -->
```python title="data.py"
x = 1
```

1. A list.

    <!-- exit status 2 -->
    ```sh
    corro compile
    ```

<!-- not run: builds for minutes -->
```sh
corro setup horovod
```

What it says:

```text
[...]
built … in all
```

```
corro run train.py
corro run FILE
```
"""


def test_a_page_is_read() -> None:
    script = (ROOT / "examples/pytorch/dense_500.py").read_text(encoding="utf-8")
    assert parts(PAGE) == [
        Given("train.py", script),
        Given("data.py", "x = 1\n"),
        Commands("corro compile\n", 10, status=2),
        Commands("corro setup horovod\n", 15, left_out="builds for minutes", shown=("[...]\nbuilt … in all\n",)),
    ]


def test_commands_that_nobody_would_run_are_found() -> None:
    assert len(unmarked(PAGE)) == 1
    assert unmarked("```\n$ torchrun train.py\n```\n") != []
    assert unmarked("```\ncorro run SCRIPT\nprinted by corro run\n```\n```sh\ncorro run a.py\n```\n") == []


@pytest.mark.parametrize(
    ("shown", "output", "printed"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\nc\nb\n", False),
        ("[...]\nb\n", "a\nb\n", True),
        ("[...]\nb\n", "b\n", True),
        ("[...]\nb\n", "b\na\n", False),
        ("a\n[...]\n", "a\n", True),
        ("epoch … of 2: …\n", "epoch 1 of 2: loss 0.3\n", True),
        ("epoch …\n", "epoch 1\nepoch 2\n", False),
        ("a.b\n", "axb\n", False),
    ],
)
def test_what_is_shown_is_looked_for_in_the_output(shown: str, output: str, printed: bool) -> None:
    assert is_printed(shown, output) is printed
