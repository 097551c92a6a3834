"""What Jupyter adds to Python: magics, shell lines and help, as Python lines that can be turned back.

A line that is no Python becomes one that is, with what was written there in a comment after it::

    %matplotlib inline        # Jupyter: %matplotlib inline
    !wget {url}               subprocess.run(f"wget {url}", shell=True)  # Jupyter: !wget {url}
    files = !ls               files = subprocess.getoutput("ls").splitlines()  # Jupyter: files = !ls
    %time train(model)        train(model)  # Jupyter: %time ...
    %cd data                  os.chdir("data")  # Jupyter: %cd data

Lines joined by backslashes become one. What can only be done in Jupyter stays a comment, and where that matters it is
said.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.classes import dataclass, field
from corro.source.tokens import logical_line_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MAGIC = re.compile(
    r"!!?(?P<command>.*)|%[ \t]*(?P<magic>[A-Za-z_]\w*)(?P<rest>.*)|(?P<install>(?:pip3?|conda|mamba)[ ]+install\b.*)"
    r"|(?P<help>\?.*|[\w.*%\[\]()'\"]+\?{1,2}[ \t;]*(?:#.*)?)"
    r"|(?P<names>[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*)\s*=\s*(?:!(?P<listed>.*)|%(?P<given>.*))",
    re.DOTALL,
)
_INSTALLS = re.compile(
    r"\s*(?:sudo\s+)?(?:\{sys\.executable\}\s+-m\s+|python3?\s+-m\s+)?(?:pip3?|conda|mamba|apt|apt-get|brew|npm)\b"
)
_ABOVE = r"(?:[ \t]*(?:#[^\n]*)?\n)*"
"""Empty lines and comments: Colab lets comments stand above a magic over a cell."""
_CELL_MAGIC = re.compile(_ABOVE + r"%%(?P<name>\w+|!)(?P<rest>[^\n]*)\n?")
_OVER_PYTHON = frozenset({"time", "capture", "prun", "memit", "mprun", "snakeviz", "notify", "heat", "distribute"})
_FOR_THE_EYE = frozenset({"html", "HTML", "javascript", "js", "latex", "markdown", "svg"})
_OF_NO_MATTER = frozenset(
    {"matplotlib", "config", "load_ext", "reload_ext", "unload_ext", "autoreload", "aimport", "precision", "xmode",
     "pwd", "ls", "ll", "who", "whos", "who_ls", "lsmagic", "magic", "history", "hist", "pdb", "debug", "tensorboard",
     "watermark", "version_information", "env", "set_env", "pinfo", "pinfo2", "pdoc", "psource", "pfile", "colors",
     "time", "tensorflow_version", "gui", "cat", "less", "more", "dhist", "pip", "conda", "mamba"}
)  # fmt: skip
_NAMES_FROM_ELSEWHERE = frozenset({"run", "pylab", "load", "loadpy", "store", "macro", "rerun", "recall", "edit"})
_FIELD = re.compile(r"\$(\w+)|\{([^{}]*)\}")


@dataclass(frozen=True)
class Remark:
    """Something to be said about a line of a cell: ``refused``, ``review`` or ``note``."""

    cell: int
    line: int
    level: str
    message: str
    advice: str


@dataclass
class Translation:
    """Cells as Python, and the way back.

    Args:
        word: begins the comments; no cell has such a comment of its own.
        words: all names of the cells, which shell lines may refer to.
        imports: what the Python lines need.
        remarks: what is to be said about the cells.
        taken_in: for each cell, the lines that have taken in some of the next ones, and how many.
    """

    word: str
    words: frozenset[str]
    imports: dict[str, None] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    taken_in: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    _lines: dict[str, str] = field(default_factory=dict)
    _prefixes: dict[str, str] = field(default_factory=dict)

    # ------------------------------------------------------------------ to Python

    def comment(self, written: str) -> str:
        """A comment that stands for what is written in the notebook."""
        shown = re.sub(r"\s*\\\n\s*", " ", written).rstrip()
        self._lines[shown] = written
        return f"# {self.word}: {shown}".rstrip()

    def python(self, text: str, cell: int) -> str:
        """A cell as Python, line by line."""
        text = _without_margin(text)
        over = _CELL_MAGIC.match(text)
        if over is not None and over["name"] not in _OVER_PYTHON:
            return self._whole_cell(text, over, cell)
        head = over.end() if over is not None else 0
        lines = [*self._comments(text[:head]), *self._logical_lines(text, head, cell)]
        return "".join(lines)

    def opening(self, python: str) -> int | None:
        """Where the Python of a cell begins, after a magic over all of it; ``None`` where that leaves no Python."""
        over = re.match(rf"{_ABOVE}# {self.word}: %%(\w+|!)[^\n]*\n?", python)
        if over is None:
            return 0
        return over.end() if over[1] in _OVER_PYTHON and over[0].endswith("\n") else None

    def _comments(self, text: str) -> Iterator[str]:
        for line in re.findall(r"[^\n]*\n|[^\n]+", text):
            content = line.rstrip("\r\n")
            plain = not content.strip() or content.lstrip().startswith("#")
            yield line if plain else self.comment(content) + line[len(content) :]

    def _whole_cell(self, text: str, over: re.Match[str], cell: int) -> str:
        if over["name"] not in _FOR_THE_EYE:
            self._remark(
                cell, 1, "review", f"%%{over['name']} is left out where the notebook becomes a script.",
                "Do this before the script is started.",
            )  # fmt: skip
        return "".join(self._comments(text))

    def _logical_lines(self, text: str, start: int, cell: int) -> Iterator[str]:
        while start < len(text):
            end = _physical_end(text, start)
            line = text[start:end]
            blank = len(line) - len(line.lstrip(" \t"))
            match = _MAGIC.fullmatch(line[blank:].rstrip("\r\n").rstrip(" \t"))
            if match is None:
                end = logical_line_end(text, start)
                yield text[start:end]
            else:
                number = text.count("\n", 0, start) + 1
                yield from self._magic(line[:blank], match, line, cell, number)
            start = end

    def _magic(self, indent: str, match: re.Match[str], line: str, cell: int, number: int) -> Iterator[str]:
        """One magic; where it goes over several lines that end in backslashes, they become one."""
        written = line.rstrip("\r\n")
        ending, written = line[len(written) :], written[len(indent) :]
        if more := written.count("\n"):
            self.taken_in.setdefault(cell, []).append((number, more))
        statement, prefix = self._statement(match, cell, number)
        if prefix:
            self._prefixes[f"{prefix} ..."] = prefix
            yield f"{indent}{statement}  # {self.word}: {prefix} ...{ending}"
        else:
            statement = statement or ("pass" if indent else "")
            yield f"{indent}{statement}{'  ' if statement else ''}{self.comment(written)}{ending}"

    def _statement(self, match: re.Match[str], cell: int, number: int) -> tuple[str, str]:
        """What a magic does, as Python, and what stood in front of it; nothing for what only Jupyter can do."""
        where = (cell, number)
        if match["help"] is not None:
            return "", ""
        command = next((match[name] for name in ("command", "listed", "install") if match[name] is not None), None)
        magic, rest = match["magic"] or "", (match["rest"] or "").strip()
        if match["given"] is not None:
            magic, _, rest = match["given"].partition(" ")
        if match["install"] is not None or magic in ("pip", "conda", "mamba") or (command and _INSTALLS.match(command)):
            self._remark(*where, "note", "packages are installed here.", "Install them before the script is started.")
            return "", ""
        if command is not None:
            return self._shell(command, match["names"]), ""
        return self._line_magic(magic, rest, match["names"], where)

    def _shell(self, command: str, names: str | None) -> str:
        self.imports["import subprocess"] = None
        text = self._expanded(re.sub(r"\s*\\\n\s*", " ", command).strip())
        if names is None:
            return f"subprocess.run({text}, shell=True)"
        return f"{names} = subprocess.getoutput({text}).splitlines()"

    def _line_magic(self, magic: str, rest: str, names: str | None, where: tuple[int, int]) -> tuple[str, str]:
        if names is not None or magic in _NAMES_FROM_ELSEWHERE:
            self._remark(
                *where, "refused", f"%{magic} brings in values that cannot be followed.",
                "Import what is needed, or compute it in a cell.",
            )  # fmt: skip
            return (f"{names} = None" if names else ""), ""
        if magic == "time" and rest and not rest.startswith("-") and _parses(rest):
            return rest, "%time"
        if magic == "cd" and rest:
            self.imports["import os"] = None
            return f"os.chdir(os.path.expanduser({self._expanded(rest.strip(chr(34)))}))", ""
        setting = re.fullmatch(r"(\w+)(?:\s*=\s*|\s+)(.+)", rest) if magic in ("env", "set_env") else None
        if setting is not None:
            self.imports["import os"] = None
            return f"os.environ[{_quoted(setting[1])}] = {self._expanded(setting[2])}", ""
        if magic not in _OF_NO_MATTER:
            self._remark(
                *where, "review", f"%{magic} is left out where the notebook becomes a script.",
                "Write it as Python if it is needed.",
            )  # fmt: skip
        return "", ""

    def _expanded(self, command: str) -> str:
        """A command as a string, with the names that IPython would put in: all of them, or none."""
        fields = [match[1] or match[2] for match in _FIELD.finditer(command)]
        known = all(_parses(name) and not set("\"'\\") & set(name) and self._knows(name) for name in fields)
        if not fields or not known:
            return _quoted(command)
        parts: list[str] = []
        position = 0
        for match in _FIELD.finditer(command):
            parts += (
                command[position : match.start()].replace("{", "{{").replace("}", "}}"),
                f"{{{match[1] or match[2]}}}",
            )
            position = match.end()
        return "f" + _quoted("".join(parts) + command[position:].replace("{", "{{").replace("}", "}}"))

    def _knows(self, expression: str) -> bool:
        found = {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}
        return bool(found) and found <= self.words

    def _remark(self, cell: int, line: int, level: str, message: str, advice: str) -> None:
        self.remarks.append(Remark(cell, line, level, message, advice))

    # ------------------------------------------------------------------ and back

    def notebook(self, text: str) -> str:
        """Lines of Python with what stood there in the notebook, also when they have been moved in."""
        return "\n".join(map(self._back, text.split("\n")))

    def _back(self, line: str) -> str:
        code, mark, shown = line.partition(f"# {self.word}: ")
        if not mark:
            return line
        shown = re.sub(r"  # corro: [\w, -]+$", "", shown)
        indent = code[: len(code) - len(code.lstrip(" \t"))]
        if shown in self._prefixes:
            return f"{indent}{self._prefixes[shown]} {code.strip()}"
        return indent + self._lines[shown] if shown in self._lines else line


def python_words(cells: Iterable[str]) -> frozenset[str]:
    """All names in some cells, and more."""
    return frozenset(word for cell in cells for word in re.findall(r"[^\W\d]\w*", cell))


def _without_margin(text: str) -> str:
    """A cell without the indentation of its first line, as IPython reads it."""
    match = re.match(r"(?:[ \t]*\n)*([ \t]+)\S", text)
    return re.sub(rf"^{match[1]}", "", text, flags=re.MULTILINE) if match else text


def _physical_end(text: str, start: int) -> int:
    """Where the line that starts at ``start`` ends; a backslash at its end takes the next one in."""
    match = re.compile(r"(?:[^\n\\]|\\.)*(?:\n|$|\\$)", re.DOTALL).match(text, start)
    assert match is not None
    return max(match.end(), start + 1)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
