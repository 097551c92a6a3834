"""Notebooks in real kernels: their cells on two processes, what comes back, errors and interrupts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

from notebook_support import DATA, MODEL, notebook
from waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.slow

TRAIN = """\
{magic}
losses = []
for epoch in range({epochs}):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
        losses.append(loss.item())
    print("epoch", epoch)
    history["loss"].append(total / len(data))
"""
TOLD = "import json; print('RESULT', json.dumps({}))"


class Client(nbclient.NotebookClient):
    """A frontend that can interrupt the kernel once a cell has written something."""

    interrupt_at = ""
    ids: Sequence[str] = ()

    def name_cell(self, cell: Any, cell_index: int) -> None:
        if self.ids:
            self.kc.session.metadata = {"cellId": self.ids[cell_index]}

    def process_message(self, msg: dict[str, Any], cell: Any, cell_index: int) -> Any:
        if self.interrupt_at and self.interrupt_at in str(msg["content"].get("text", "")):
            self.interrupt_at = ""
            self.interrupt = asyncio.ensure_future(self.km.interrupt_kernel())
        return super().process_message(msg, cell, cell_index)


@pytest.fixture
def kernel_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a kernel runs, and where it and its processes put what is temporary."""
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "TMPDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


def played(folder: Path, *cells: str, interrupt_at: str = "", ids: Sequence[str] = ()) -> list[Any]:
    """The cells of a notebook after a kernel has run them, errors included; nothing may be left behind."""
    book = notebook(*cells)
    client = Client(book, timeout=LIMIT_SECONDS, allow_errors=True, resources={"metadata": {"path": str(folder)}})
    client.interrupt_at = interrupt_at
    client.ids = ids
    client.on_cell_execute = client.name_cell
    client.execute()
    assert until(lambda: not _left(folder), 30), _left(folder)
    return list(book.cells)


def _left(folder: Path) -> list[str]:
    """Folders and processes of runs."""
    found = [path.name for path in (folder / "TMPDIR").glob("corro-*")]
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if str(folder / "TMPDIR" / "corro-").encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def written(cell: Any) -> str:
    return "".join(out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stdout")


def said(cell: Any) -> str:
    return "".join(out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stderr")


def shown(cell: Any) -> str:
    """The line that says how far things are, as it is at the end."""
    (data,) = [out.data for out in cell.outputs if out.output_type == "display_data"]
    assert "<progress" not in data["text/html"]
    return str(data["text/plain"])


def error(cell: Any) -> Any:
    errors = [out for out in cell.outputs if out.output_type == "error"]
    return errors[0] if errors else None


def result(cell: Any) -> Any:
    assert error(cell) is None, error(cell).traceback
    return json.loads(written(cell).partition("RESULT ")[2])


@pytest.mark.parametrize("to", ["ddp", "horovod"])
def test_weights_and_history_come_back(to: str, kernel_folder: Path) -> None:
    """They are those of the sequential run, which the same kernel makes of another model."""
    prepare = f"{DATA.replace('shuffle=True', 'shuffle=False')}\n{MODEL}\nhistory = {{'loss': []}}\nkept = model"
    magic = f"%%distribute -n 2 --to {to}"
    compare = (
        "close = torch.allclose(model.weight, trained, atol=1e-5)\n"
        "same = [abs(a - b) < 1e-5 for a, b in zip(losses + history['loss'], told)]\n"
        + TOLD.format("[kept is model, close, all(same), len(same), epoch, optimizer.param_groups[0]['lr']]")
    )
    cells = played(
        kernel_folder,
        "%load_ext corro",
        f"print('before')\n{prepare}",
        TRAIN.format(magic=magic, epochs=2),
        f"trained, told = model.weight.detach().clone(), losses + history['loss']\n{prepare}",
        TRAIN.format(magic="", epochs=2),
        compare,
    )
    distributed = cells[2]
    assert error(distributed) is None, error(distributed).traceback
    assert written(distributed) == "epoch 0\nepoch 1\n", "what earlier cells print is not shown again"
    assert "Brought back: losses (list of 6), epoch (int), total (float), model (weights)" in shown(distributed)
    assert "optimizer (state), history (dict of 1)" in shown(distributed)
    assert "Not brought back: x, y, loss (of single batches)." in shown(distributed)
    assert result(cells[-1]) == [True, True, True, 8, 1, 0.1]


@pytest.mark.parametrize("to", ["ddp", "horovod"])
def test_what_the_cell_makes_comes_back(to: str, kernel_folder: Path) -> None:
    net = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(8, 3)"
    net += "\n    def forward(self, x):\n        return self.a(x)\n"
    cell = TRAIN.format(magic=f"%%distribute -n 2 --to {to}", epochs=1).replace("losses = []", f"{net}losses = []", 1)
    cell = cell.replace("losses = []", "model = Net()\noptimizer = torch.optim.Adam(model.parameters())\nlosses = []")
    look = "tied = optimizer.param_groups[0]['params'][0] is model.a.weight\nstate = len(optimizer.state)\n"
    cells = played(
        kernel_folder,
        "%load_ext corro",
        f"{DATA}\nhistory = {{'loss': []}}",
        cell,
        look + TOLD.format("[type(model).__name__, type(optimizer).__name__, tied, state, Net.__module__]"),
    )
    assert error(cells[2]) is None, error(cells[2]).traceback
    assert "model (Net)" in shown(cells[2])
    assert result(cells[-1]) == ["Net", "Adam", True, 2, "__main__"]


def test_errors_refusals_and_a_function(kernel_folder: Path) -> None:
    function = "def train(net, epochs):\n    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n    losses = []\n"
    loop = TRAIN.format(magic="", epochs="epochs").replace("model", "net").partition("losses = []\n")[2]
    function += "".join(f"    {line}\n" for line in loop.splitlines()).replace('history["loss"]', "losses")
    function += "    return losses\n"
    launch = "from corro.notebook import launch\nfound = launch(train, model, 2,\n    processes=2, to='ddp')\n"
    magic = "%%distribute -n 2"
    cells = played(
        kernel_folder,
        "%load_ext corro",
        f"{DATA}\n{MODEL}\nhistory = {{'loss': []}}\nold = model.weight.detach().clone()",
        TRAIN.format(magic=magic, epochs=2).replace("model(x)", "model(x[:, :5])"),
        TRAIN.format(magic=magic, epochs=2) + "    if torch.rand(1) < 0.1: break\n",
        TRAIN.format(magic="%%distribute -n 5", epochs=2),
        "%%distribute --to nothing\n1",
        "%%distribute -n 2\nb = (",
        function,
        launch + TOLD.format("[len(found), (model.weight != old).any().item(), 'optimizer' in dir(), history]"),
        "def f():\n    launch(train, model, 2, processes=2)\nf()",
        "%%distribute -n 2 --diff\nprint(train(model, 2))",
    )
    _, _, wrong, refused, not_divisible, usage, syntax, _, launched, inside, diff = cells
    assert error(wrong).evalue.endswith("(Cell In[3], line 7)"), error(wrong).evalue
    trace = "\n".join(error(wrong).traceback)
    assert "RuntimeError" in trace
    assert "---->   7         loss = nn.functional.cross_entropy(model(x[:, :5]), y)" in trace
    assert "_corro" not in trace
    assert "Traceback" not in written(wrong)
    assert "In [4], line 14: refused: the training loop is left" in said(refused)
    assert "cannot be converted" in error(refused).evalue
    assert "batch size 32 cannot be shared out over 5 processes" in error(not_divisible).evalue
    assert "Usage: %%distribute -n PROCESSES" in error(usage).evalue
    assert error(syntax).evalue.startswith("In [7], line 2: syntax error:")
    assert result(launched) == [8, True, True, {"loss": []}]
    assert "Brought back: the result (list of 8), model (weights)" in shown(launched)
    assert "called within something else" in error(inside).evalue
    assert error(inside).ename == "UsageError"
    assert "DistributedDataParallel(" in written(diff)


def test_an_interrupt_ends_all_processes(kernel_folder: Path) -> None:
    cells = played(
        kernel_folder,
        "%load_ext corro",
        f"{DATA}\n{MODEL}\nhistory = {{'loss': []}}\nold = model.weight.detach().clone()",
        TRAIN.format(magic="%%distribute -n 2", epochs=10**9),
        TOLD.format("[torch.equal(model.weight, old), history]"),
        TRAIN.format(magic="%%distribute -n 2", epochs=1),
        TOLD.format("[torch.equal(model.weight, old), len(history['loss'])]"),
        interrupt_at="epoch 2",
    )
    assert error(cells[2]).ename == "KeyboardInterrupt"
    assert shown(cells[2]) == (
        "corro: Interrupted: all processes have ended, and the kernel's values are as they were."
    )
    assert result(cells[3]) == [True, {"loss": []}]
    assert result(cells[5]) == [False, 1]


def test_a_cell_that_is_run_again_counts_once(kernel_folder: Path) -> None:
    """As frontends do it that name their cells; and the processes start in the folder where the kernel was started."""
    (kernel_folder / "sub").mkdir()
    prepare = f"import os\nos.chdir({str(kernel_folder)!r})\nos.chdir('sub')\n{DATA}\n{MODEL}\nhistory = {{'loss': []}}"
    train = TRAIN.format(magic="%%distribute -n 2", epochs=1)
    *_, first, _, second, last = played(
        kernel_folder,
        "%load_ext corro",
        prepare,
        "os.chdir('.')",
        train,
        f"{prepare}\nrate = 0.1",
        train.replace("losses = []", "losses = []\nwhere, known = os.path.basename(os.getcwd()), rate"),
        TOLD.format("[where, known, history['loss'] == first_loss, len(history['loss'])]").replace(
            "import json", "first_loss = history['loss'][:1]; import json"
        ),
        ids=["load", "data", "move", "train", "data", "train", "look"],
    )
    assert error(first) is None, error(first).traceback
    assert "In [2] counts as it was run last, as In [5]." in said(second)
    assert "In [4] is an earlier run of this cell and does not count." in said(second)
    assert result(last) == ["sub", 0.1, True, 1]


def test_the_example(kernel_folder: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "notebooks" / "digits.ipynb"
    texts = [("#md " * (cell.cell_type == "markdown")) + cell.source for cell in nbformat.read(example, 4).cells]
    cells = played(kernel_folder, *texts)
    assert [error(cell) for cell in cells if cell.cell_type == "code"] == [None] * 5
    assert (
        "Brought back: epoch (int), total (float), model (weights), optimizer (state), history (list of 5)."
        in shown(cells[4])
    )
    assert written(cells[4]).count("epoch") == 5
    assert float(written(cells[-1]).partition("%")[0]) > 80
