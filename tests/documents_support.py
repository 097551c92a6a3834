"""The documents that show commands, as they are read by the tests that run them.

A page is a sequence of fenced blocks. What is particular about one stands in the source of the page, in comments that
readers do not see:

* ```` ```python title="train.py" ````: a file that the page shows; it is there when the commands after it run.
* ``<!-- file: train.py = examples/pytorch/digits_cnn.py -->``: a file of the repository that the page's commands need.
* ```` ```sh ````: commands. All blocks of a page run one after another, in one folder.
* ``<!-- not run: REASON -->`` before commands: they are not run by the tests.
* ``<!-- exit status 1 -->`` before commands: what they end with.
* ```` ```text ```` and ```` ```diff ```` after commands, in their section: lines that the last of them print; ``[...]``
  stands for any lines, ``…`` for any characters of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("**/*.md")])

_PART = re.compile(
    r"<!-- file: (?P<name>\S+) = (?P<path>\S+) -->"
    r"|(?:<!-- (?P<mark>[^\n]*?) -->\n)?^(?P<indent> *)```(?P<info>[^\n]*)\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_LINE_OF_COMMAND = re.compile(
    r"^\s*(?:\$ )?(?:corro|torchrun|horovodrun|mpirun|python|pip|make|cat|git) (?!.*[A-Z]{3})", re.M
)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Given:
    """A file that is there when the commands after it run."""

    name: str
    text: str


@dataclass(frozen=True)
class Commands:
    """A block of commands.

    Args:
        code: what a shell runs.
        line: where it stands in the page.
        left_out: why the tests do not run it; empty where they do.
        status: the exit status that it ends with.
        shown: blocks of its output that the page shows.
    """

    code: str
    line: int
    left_out: str = ""
    status: int = 0
    shown: tuple[str, ...] = ()


def parts(page: str) -> list[Given | Commands]:
    """The files and commands of a page, in its order."""
    found: list[Given | Commands] = []
    end = 0
    for each in _PART.finditer(page):
        if each["name"]:
            found.append(Given(each["name"], (ROOT / each["path"]).read_text(encoding="utf-8")))
            continue
        code = re.sub(f"^{each['indent']}", "", each["code"], flags=re.MULTILINE)
        last = found[-1] if found else None
        if title := _TITLE.search(each["info"]):
            found.append(Given(title[1], code))
        elif each["info"] == "sh":
            found.append(_commands(code, page.count("\n", 0, each.start("info")) + 1, each["mark"] or ""))
        elif (
            each["info"] in {"text", "diff"} and isinstance(last, Commands) and "\n## " not in page[end : each.start()]
        ):
            found[-1] = replace(last, shown=(*last.shown, code))
        end = each.end()
    return found


def unmarked(page: str) -> list[str]:
    """Lines that look like commands in blocks that are not marked as such; not those with a placeholder: ``FILE``."""
    blocks = (each for each in _PART.finditer(page) if not each["name"] and each["info"] in {"", "text", "console"})
    return [found[0] + each["code"] for each in blocks if (found := _LINE_OF_COMMAND.search(each["code"]))]


def _commands(code: str, line: int, mark: str) -> Commands:
    kind, _, said = mark.partition(":" if mark.startswith("not run") else "exit status ")
    if kind == "not run":
        return Commands(code, line, left_out=said.strip())
    return Commands(code, line, status=int(said or 0))


def is_printed(shown: str, output: str) -> bool:
    """Whether lines that a page shows stand in an output, in their order."""
    lines = (
        r"(?s:.*\n)?" if line == "[...]" else r"[^\n]*".join(map(re.escape, line.split("…"))) + r"\n"
        for line in shown.removesuffix("\n").split("\n")
    )
    return re.fullmatch("".join(lines), output) is not None
