"""Which files make up a program: as many, and the same, as Python imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corro.compiler import make_plan
from corro.plan import Outcome
from corro.program import Program
from corro.source import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable

LOADED = """
import json, sys
files = [getattr(module, "__file__", None) for name, module in sys.modules.items() if name != "__main__"]
print(json.dumps([file for file in files if file]))
"""
"""What a script prints at its end: the files of all modules."""


@dataclass(frozen=True)
class Tree:
    """Files of a project.

    Args:
        files: their texts.
        entry: the one that is started.
        start: the folder that it is started in; else its own.
        path: the folder that is on ``PYTHONPATH`` then, which the compiler is not told.
        module: its name where it is started by ``python -m``.
    """

    files: dict[str, str]
    entry: str = "train.py"
    start: str = ""
    path: str = ""
    module: str = ""

    def written(self, where: Path) -> Path:
        for name, text in self.files.items():
            file = where / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text + LOADED if name == self.entry else text)
        return where / self.entry

    def imported(self, where: Path) -> set[str]:
        """What Python imports of it."""
        entry = where / self.entry
        command = [sys.executable, *(("-m", self.module) if self.module else (str(entry),))]
        folder = where / self.start if self.start else entry.parent
        environment = os.environ | {"PYTHONPATH": str(where / self.path) if self.path else "", "PYTHONSAFEPATH": ""}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return inside(map(Path, json.loads(done.stdout.splitlines()[-1])), where)


def inside(files: Iterable[Path], where: Path) -> set[str]:
    resolved = (file.resolve() for file in files)
    return {file.relative_to(where).as_posix() for file in resolved if file.is_relative_to(where)}


INSERT = "import os, sys\n"
TREES = {
    "beside": Tree({"train.py": "import net", "net.py": "import layers", "layers.py": "", "other.py": ""}),
    "a path that is made of itself over two lines": Tree(
        {"train.py": INSERT + "here = os.path.dirname(os.path.abspath(__file__))\n"
         "here = os.path.join(\n    here, 'lib')\nsys.path.insert(0, here)\nimport helper",
         "lib/helper.py": "", "helper.py": ""}
    ),
    "a package and a module of one name": Tree({"train.py": "import net", "net.py": "", "net/__init__.py": ""}),
    "the packages around a module": Tree(
        {"train.py": "from a.b.c import x", "a/__init__.py": "", "a/b/__init__.py": "", "a/b/c.py": "x = 1"}
    ),
    "re-exports": Tree(
        {"train.py": "from models import Net", "models/__init__.py": "from .net import Net",
         "models/net.py": "from . import layers\nNet = layers.Layer", "models/layers.py": "Layer = int",
         "models/unused.py": ""}
    ),
    "import of a module in a package": Tree(
        {"train.py": "import pkg.sub\npkg.sub.f()", "pkg/__init__.py": "", "pkg/sub.py": "def f(): pass"}
    ),
    "a star with names of modules": Tree(
        {"train.py": "from pkg import *", "pkg/__init__.py": "__all__ = ['one']", "pkg/one.py": "", "pkg/two.py": ""}
    ),
    "a star without a list": Tree(
        {"train.py": "from pkg import *", "pkg/__init__.py": "from .one import f", "pkg/one.py": "def f(): pass",
         "pkg/two.py": ""}
    ),
    "packages without init": Tree(
        {"train.py": "from a.b import c\nimport a.d", "a/b/c.py": "", "a/d.py": "from a.b import e", "a/b/e.py": ""}
    ),
    "relative imports of two levels": Tree(
        {"train.py": "import a.b.c", "a/__init__.py": "", "a/b/__init__.py": "", "a/b/c.py": "from ..d import x",
         "a/d.py": "x = 1"}
    ),
    "started by -m": Tree(
        {"pkg/__init__.py": "import side", "pkg/train.py": "from .net import Net\nimport side", "pkg/net.py": "Net = 1",
         "side.py": "", "pkg/side.py": ""},
        "pkg/train.py", ".", module="pkg.train"
    ),
    "started by -m without init": Tree(
        {"pkg/tools/train.py": "from ..net import Net", "pkg/net.py": "Net = 1", "net.py": ""},
        "pkg/tools/train.py", ".", module="pkg.tools.train"
    ),
    "a standard module beside": Tree({"train.py": "import colorsys, this", "colorsys.py": "", "this.py": ""}),
    "a built-in module beside": Tree({"train.py": "import sys, os, abc", "sys.py": "", "os.py": "", "abc.py": ""}),
    "a folder called as an installed package": Tree(
        {"train.py": "import pytest\nfrom _pytest import pathlib", "pytest/mark.py": "", "_pytest/pathlib.py": ""}
    ),
    "a package called as an installed one": Tree(
        {"train.py": "from pytest.mark import x", "pytest/__init__.py": "", "pytest/mark.py": "x = 1"}
    ),
    "the folder above": Tree(
        {"scripts/train.py": f"{INSERT}sys.path.append('..')\nimport net", "net.py": "", ".git": ""},
        "scripts/train.py",
    ),
    "the folder above, started in the root": Tree(
        {"scripts/train.py": f"{INSERT}sys.path.append(os.getcwd())\nimport net", "net.py": "", ".git": ""},
        "scripts/train.py", ".",
    ),
    "above this file": Tree(
        {"tools/train.py": f"{INSERT}sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))\n"
         "import net", "net.py": "", "tools/other.py": ""}, "tools/train.py",
    ),
    "joined from this file": Tree(
        {"tools/train.py": f"{INSERT}here = os.path.dirname(__file__)\n"
         "sys.path.insert(0, os.path.join(here, '..', 'lib'))\nimport net", "lib/net.py": ""}, "tools/train.py",
    ),
    "by pathlib": Tree(
        {"tools/train.py": "import sys\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parents[1]\n"
         "if str(ROOT) not in sys.path:\n    sys.path.append(str(ROOT))\nROOT = ROOT / 'x'\nimport net", "net.py": ""},
        "tools/train.py",
    ),
    "by slashes": Tree(
        {"tools/train.py": "import sys\nfrom pathlib import Path\n"
         "sys.path.insert(1, str(Path(__file__).parent.parent / 'lib'))\nimport net", "lib/net.py": ""},
        "tools/train.py",
    ),
    "by the text of a folder": Tree(
        {"tools/train.py": "import sys, os\nsys.path += [os.path.dirname(os.path.realpath(__file__)) + '/../lib']\n"
         "import net", "lib/net.py": ""}, "tools/train.py",
    ),
    "by a list in front": Tree(
        {"tools/train.py": "import sys, os\nsys.path = [f'{os.path.dirname(os.path.abspath(__file__))}/lib'] + sys.path"
         "\nimport net", "tools/lib/net.py": "", "tools/net.py": ""}, "tools/train.py",
    ),
    "by several at the end": Tree(
        {"train.py": "import sys\nsys.path.extend(['one', 'two'])\nimport net", "one/a.py": "", "two/net.py": ""}
    ),
    "by the first entry": Tree(
        {"tools/train.py": f"{INSERT}sys.path.append(os.path.join(sys.path[0], '..'))\nimport net", "net.py": ""},
        "tools/train.py",
    ),
    "by site": Tree({"train.py": "import site\nsite.addsitedir('lib')\nimport net", "lib/net.py": ""}),
    "by a function of a module": Tree(
        {"tools/train.py": "import _init_paths\nfrom models import net", "lib/models/__init__.py": "",
         "lib/models/net.py": "", "tools/_init_paths.py": "import os.path as osp\nimport sys\n"
         "def add_path(path):\n    if path not in sys.path:\n        sys.path.insert(0, path)\n"
         "this_dir = osp.dirname(__file__)\nlib_path = osp.join(this_dir, '..', 'lib')\nadd_path(lib_path)"},
        "tools/train.py",
    ),
    "in front of the script's folder": Tree(
        {"train.py": "import sys\nsys.path.insert(0, 'lib')\nimport net", "net.py": "", "lib/net.py": ""}
    ),
    "after the script's folder": Tree(
        {"train.py": "import sys\nsys.path.insert(1, 'lib')\nimport net", "net.py": "", "lib/net.py": ""}
    ),
    "in front of the standard library": Tree(
        {"train.py": "import sys\nsys.path.insert(1, 'lib')\nimport colorsys", "lib/colorsys.py": ""}
    ),
    "after the standard library": Tree(
        {"train.py": "import sys\nsys.path.append('lib')\nimport colorsys", "lib/colorsys.py": ""}
    ),
    "after the import": Tree(
        {"train.py": "import net\nimport sys\nsys.path.insert(0, 'lib')\nimport net.inner", "net/__init__.py": "",
         "net/inner.py": "", "lib/net/__init__.py": "", "lib/net/inner.py": ""}
    ),
    "between two imports": Tree(
        {"train.py": "import one\nimport sys\nsys.path.insert(0, 'lib')\nimport two", "one.py": "", "two.py": "",
         "lib/one.py": "", "lib/two.py": ""}
    ),
    "a folder that is not there": Tree(
        {"train.py": "import sys\nsys.path.insert(0, '/nowhere/at/all')\nimport net", "net.py": ""}
    ),
    "the project's root": Tree(
        {"pyproject.toml": "", "tools/train.py": "from pkg.net import Net", "pkg/__init__.py": "",
         "pkg/net.py": "Net = 1"}, "tools/train.py", path=".",
    ),
    "a src layout": Tree(
        {"setup.py": "", "examples/deep/train.py": "from pkg import net", "src/pkg/__init__.py": "",
         "src/pkg/net.py": "import pkg.inner", "src/pkg/inner.py": ""}, "examples/deep/train.py", path="src",
    ),
    "a folder of the repository": Tree(
        {".git": "", "project/tools/train.py": "import utils.meters", "project/utils/meters.py": "", "docs/a.py": ""},
        "project/tools/train.py", path="project",
    ),
    "a script in its package": Tree(
        {"pkg/__init__.py": "", "pkg/train.py": "from pkg import net", "pkg/net.py": ""}, "pkg/train.py", path=".",
    ),
    "beside and in the root": Tree(
        {"setup.cfg": "", "tools/train.py": "import utils", "utils.py": "", "tools/utils.py": ""}, "tools/train.py",
        path=".",
    ),
    "only for types, or as a program": Tree(
        {"train.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import one\nelse:\n    import two\n"
         "import net", "one.py": "", "two.py": "", "three.py": "",
         "net.py": "if __name__ == '__main__':\n    import three"}
    ),
    "what is tried": Tree(
        {"train.py": "try:\n    import nowhere_at_all\nexcept ImportError:\n    import two", "two.py": ""}
    ),
    "more dots than packages": Tree(
        {"train.py": "import net, a.b", "net.py": "try:\n    from .one import x\nexcept ImportError:\n    pass",
         "one.py": "", "a/__init__.py": "", "a/b.py": "try:\n    from ..two import x\nexcept ImportError:\n    pass",
         "two.py": ""}
    ),
    "in the main function": Tree(
        {"train.py": "import sys\ndef main():\n    sys.path.append('lib')\n    import net\nmain()", "lib/net.py": ""}
    ),
    "a circle": Tree({"train.py": "import one", "one.py": "import two", "two.py": "import one"}),
}  # fmt: skip


@pytest.mark.parametrize("tree", [pytest.param(tree, id=name) for name, tree in TREES.items()])
def test_the_files_of_a_program_are_those_that_python_imports(tree: Tree, tmp_path: Path) -> None:
    entry = tree.written(tmp_path)
    program = Program(read_source(entry))
    found = inside((file.path for file in program.files), tmp_path)
    assert found - {tree.entry} == tree.imported(tmp_path)


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(
            Tree({".git": "", "a/b/train.py": "import utils", "utils.py": "", "a/utils.py": ""}, "a/b/train.py"),
            id="in two folders above",
        ),
        pytest.param(
            Tree({".git": "", "a/train.py": "import sys\nsys.path.insert(0, 'lib')\nimport net", "lib/net.py": "",
                  "a/lib/net.py": ""}, "a/train.py"),
            id="by the folder that it is started in",
        ),
        pytest.param(Tree({"a/train.py": "import utils", "utils.py": ""}, "a/train.py"), id="above, and no project"),
        pytest.param(
            Tree({"setup.py": "", "a/train.py": "import known", "known.py": ""}, "a/train.py"), id="a known library"
        ),
        pytest.param(
            Tree({"setup.py": "", "a/train.py": "import pytest, colorsys", "pytest.py": "", "colorsys.py": ""},
                 "a/train.py"),
            id="an installed library",
        ),
        pytest.param(
            Tree({"site-packages/pkg/train.py": "import torch", "site-packages/pkg/__init__.py": "",
                  "site-packages/torch/__init__.py": ""}, "site-packages/pkg/train.py"),
            id="from where packages are installed",
        ),
    ],
)  # fmt: skip
def test_what_may_be_elsewhere_is_not_taken(tree: Tree, tmp_path: Path) -> None:
    program = Program(read_source(tree.written(tmp_path)), lambda name: name == "known")
    assert [file.path for file in program.files] == [tmp_path / tree.entry]


@pytest.mark.parametrize(("sign", "expected"), [(".git", {"datasets/rows.py"}), ("setup.py", set())])
def test_a_package_with_the_name_of_a_library_is_that_library_where_a_library_is_developed(
    tmp_path: Path, sign: str, expected: set[str]
) -> None:
    tree = Tree({sign: "", "tools/train.py": "from datasets import rows", "datasets/rows.py": ""}, "tools/train.py")
    program = Program(read_source(tree.written(tmp_path)), lambda name: name == "datasets")
    assert inside((file.path for file in program.files), tmp_path) == {tree.entry, *expected}


def test_a_module_in_several_folders_is_refused_and_the_folders_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = "loader = DataLoader(TensorDataset(torch.ones(8, 2), torch.ones(8, 1)), batch_size=4)"
    script = f"""import torch
from torch.utils.data import DataLoader, TensorDataset
import utils
{loop}
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=utils.RATE)
for x, y in loader:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
"""
    tree = Tree(
        {".git": "", "a/b/train.py": script, "a/utils.py": "RATE = 0.1", "utils.py": "RATE = 0.2"}, "a/b/train.py"
    )
    source = read_source(tree.written(tmp_path))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    refused = make_plan(source)
    said = f"the module 'utils' is in several folders of the project: {tmp_path / 'a'}, {tmp_path}."
    assert [(each.message, source.place(each.span).line) for each in refused.refusals] == [(said, 3)]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "a"))
    assert make_plan(source).outcome is Outcome.CONVERTED


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("nets.deep", "nets.wide")),
        ({"nets/older/deep.py": ""}, ()),
        ({"nets/old.py": "print 'of another Python'"}, ()),
        ({"nets.py": ""}, ("nets.deep", "nets.wide")),
    ],
    ids=["modules", "a package in it", "a file that cannot be read", "a module that the package hides"],
)
def test_modules_of_a_package_are_known_by_a_part_of_their_names(
    tmp_path: Path, more: dict[str, str], expected: tuple[str, ...]
) -> None:
    files = {
        "train.py": "",
        "nets/__init__.py": "",
        "nets/wide.py": "",
        "nets/deep.py": "",
        "nets/data.txt": "",
        **more,
    }
    program = Program(read_source(Tree(files).written(tmp_path)))
    assert program.like("nets.*") == expected
    assert program.like("*") == program.like("others.*") == ()
