"""Notebooks: one text of many cells, and edits of it in the cells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corro.errors import SourceError
from corro.source import Guard, Import, apply, read_source
from corro.source.notebook import NotebookFile
from notebook_support import DATA, MODEL, TRAINING, notebook, sources, write


def read(path: Path) -> NotebookFile:
    source = read_source(path)
    assert isinstance(source, NotebookFile)
    return source


def test_the_text_is_a_script(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.ipynb", "#md A *title*\n\nand more", "%cd x\nx = 1", "", "y = x"))
    assert source.text == (
        "import os\n\n# %% cell 1 [markdown]\n# A *title*\n#\n# and more\n\n"
        '# %% cell 2\nos.chdir(os.path.expanduser("x"))  # Jupyter: %cd x\nx = 1\n\n# %% cell 3\n\n\n'
        "# %% cell 4\ny = x\n"
    )


def test_places_are_those_in_the_cells(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.ipynb", "!ls", "#md x", "a = 1\n!wget \\\n  b \\\n  c\n\nd = 2", "e = 3"))
    found = {source.segment(stmt)[0]: source.place(stmt).inside for stmt in source.tree.body[3:]}
    assert found == {"s": "cell 3:2:1", "d": "cell 3:6:1", "e": "cell 4:1:1"}
    assert str(source.place(source.tree.body[-1])) == f"{tmp_path / 'a.ipynb'}:cell 4:1:1"


def test_remarks_are_on_their_lines(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.ipynb", "x = 1", "!wget \\\n  b\n%run a.py"))
    assert [source.place(span).inside for span, _ in source.remarks] == ["cell 2:3:1"]
    assert "%run" in source.segment(source.remarks[0][0])


def test_untouched_cells_stay_to_the_byte(tmp_path: Path) -> None:
    path = write(tmp_path / "a.ipynb", "print(1)", "print(2)\n", "x = 3")
    before = path.read_bytes().replace(b'"x = 3"', b'  "x = 3"   ')  # no program writes that
    path.write_bytes(before)
    source = read(path)
    after = source.encode(apply(source, [Guard(source.tree.body[1], "rank == 0")]), ".ipynb")
    old, new = before.split(b'"print(2)\\n"'), after.split(b'"if rank == 0:\\n",\n    "    print(2)\\n"')
    assert old == new
    assert sources(after) == ["print(1)", "if rank == 0:\n    print(2)\n", "x = 3"]
    assert source.encode(source.text, ".ipynb") == before


@pytest.mark.parametrize("layout", [{"indent": 4}, {"indent": None, "separators": (",", ":")}, {"ensure_ascii": True}])
def test_the_manner_of_the_file_stays(tmp_path: Path, layout: dict[str, object]) -> None:
    book = notebook("x = 1\nprint('é')", "y = 2")
    book.cells[0].source = ["x = 1\n", "print('é')"]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(book, **layout), encoding="utf-8")  # type: ignore[arg-type]
    source = read(path)
    after = source.encode(apply(source, [Guard(source.tree.body[1], "a")]), ".ipynb")
    book.cells[0].source = ["x = 1\n", "if a:\n", "    print('é')"]
    assert after.decode() == json.dumps(book, **layout)  # type: ignore[arg-type]


def test_a_byte_order_mark_and_line_ends_stay(tmp_path: Path) -> None:
    path = write(tmp_path / "a.ipynb", "print(1)\nprint(2)")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    source = read(path)
    after = source.encode(apply(source, [Guard(source.tree.body[0], "a")]), ".ipynb")
    assert after.startswith(b"\xef\xbb\xbf{\r\n")
    assert after.count(b"\r\n") == after.count(b"\n")


def test_changed_cells_lose_their_outputs(tmp_path: Path) -> None:
    book = json.loads(write(tmp_path / "a.ipynb", "print(1)", "print(2)").read_text())
    for cell in book["cells"]:
        cell.update(execution_count=3, outputs=[{"output_type": "stream", "name": "stdout", "text": ["1\n"]}])
    (tmp_path / "a.ipynb").write_text(json.dumps(book))
    source = read(tmp_path / "a.ipynb")
    after = json.loads(source.encode(apply(source, [Guard(source.tree.body[0], "a")]), ".ipynb"))
    assert [(cell["execution_count"], len(cell["outputs"])) for cell in after["cells"]] == [(None, 0), (3, 1)]


def test_guards_end_with_their_cell(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.ipynb", "print(1)\nprint(2)", "print(3)"))
    text = apply(source, [Guard(stmt, "a") for stmt in source.tree.body])
    assert sources(source.encode(text, ".ipynb")) == ["if a:\n    print(1)\n    print(2)", "if a:\n    print(3)"]


def test_imports_go_into_a_cell_where_the_script_has_them_on_top(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.ipynb", "#md x", "%pip install a\n!ls", "x = 1"))
    after = source.encode(apply(source, [Import("import new")]), ".ipynb")
    assert sources(after)[1] == "import new\n%pip install a\n!ls"
    assert sources(after)[2] == "x = 1"


@pytest.mark.parametrize(
    ("cells", "where", "expected"),
    [
        (("%%capture\n!ls\n!pwd", "x = 1"), 0, "%%capture\nimport new\n!ls\n!pwd"),
        (("%%bash\nls", "%%time\n!ls"), 1, "%%time\nimport new\n!ls"),
        (("%%capture", "!ls", "x = 1"), 1, "import new\n!ls"),
        (("# List\n%%time\n!ls", "x = 1"), 0, "# List\n%%time\nimport new\n!ls"),
    ],
)
def test_imports_go_behind_a_magic_over_a_cell(
    tmp_path: Path, cells: tuple[str, ...], where: int, expected: str
) -> None:
    source = read(write(tmp_path / "a.ipynb", *cells))
    after = apply(source, [Import("import new")])
    written = sources(source.encode(after, ".ipynb"))
    assert written == [*cells[:where], expected, *cells[where + 1 :]]
    assert source.read_back(after).cells


def test_a_value_that_is_shown_stays_the_last_line(tmp_path: Path) -> None:
    from corro.source import After

    source = read(write(tmp_path / "a.ipynb", "x = 1", "print(2)\nx"))
    after = source.encode(apply(source, [After(source.tree.body[-1], "end()")]), ".ipynb")
    assert sources(after) == ["x = 1", "print(2)\nx", "end()"]


def test_what_looks_like_a_mark_is_none(tmp_path: Path) -> None:
    cells = ("x = '# %% cell 2'\n# %% cell 1", "# Jupyter: !ls\n!ls")
    source = read(write(tmp_path / "a.ipynb", *cells))
    assert sources(source.encode(source.text, ".ipynb")) == list(cells)
    after = source.encode(apply(source, [Guard(stmt, "a") for stmt in source.tree.body[1:]]), ".ipynb")
    assert sources(after) == ["if a:\n    x = '# %% cell 2'\n# %% cell 1", "# Jupyter: !ls\nif a:\n    !ls"]


def test_future_imports_and_names_of_ipython_come_first(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.ipynb", "!ls", "from __future__ import annotations\nx = 1\ndisplay(x)"))
    assert source.text.startswith(
        "from __future__ import annotations\nimport subprocess\nfrom IPython.display import display\n\n# %% cell 1\n"
    )
    compile(source.text, "a.py", "exec")
    assert sources(source.encode(source.text, ".ipynb"))[1].startswith("from __future__ import annotations\n")


BAD = [
    ("", "no notebook"),
    ("{", "no notebook"),
    ("[]", "no notebook"),
    ('"x"', "no notebook"),
    ('{"a": 1}', "no notebook"),
    ('{"nbformat": 3, "worksheets": []}', "format 3"),
    ('{"nbformat": 4}', "format 4"),
    ('{"nbformat": 4, "cells": []}', "no code"),
    ('{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "x"}]}', "no code"),
    ('{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "cell 1:1:1: syntax error: a cell has no source"),
    ('{"nbformat": 4, "cells": [3]}', "a cell has no source"),
    ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}', "a cell has no source"),
    ('{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}, "cells": []}', "its code is R"),
    ('{"nbformat": 4, "metadata": {"language_info": {"name": "julia"}}, "cells": []}', "its code is julia"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_what_is_no_python_notebook_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.ipynb").write_text(text)
    with pytest.raises(SourceError, match=message):
        read(tmp_path / "a.ipynb")


def test_a_cell_that_is_no_python_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"a\.ipynb:cell 3:2:3: syntax error"):
        read(write(tmp_path / "a.ipynb", "x = 1", "#md x", "y = 2\ny y\n", "z = (", ")"))


def test_a_cell_is_whole_by_itself(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cell 1:1:\d+"):
        read(write(tmp_path / "a.ipynb", "x = (1,", "2)"))


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(b'{"nbformat": "\xff"}')
    with pytest.raises(SourceError, match="cannot be decoded"):
        read(tmp_path / "a.ipynb")


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.ipynb", *TRAINING))
    assert source.read_back(source.text).text == source.text
    assert DATA in source.text
    assert MODEL in source.text
