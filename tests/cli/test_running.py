"""What ``corro run`` says of processes that failed, and of batches that cannot be shared out."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from corro import compile
from corro.cli._running import Failure, told_of_failure
from corro.cli._shares import batches, must_have_been_shared_out, must_share_out, with_another_number
from corro.errors import UsageError

AGAIN = "corro run train.py -n {}"
LOST = "RuntimeError: [pair.cc:553] Connection closed by peer [127.0.0.1]:6800. This is typically caused by ..."


def told(*failures: Failure, status: int = 1) -> list[str]:
    return [
        line.replace("\x1b[31m\x1b[1m", "").replace("\x1b[0m", "") for line in told_of_failure(failures, status, AGAIN)
    ]


def test_a_process_that_lost_another_one_is_not_told() -> None:
    failures = (Failure(1, 1, "ValueError: broken", "/x/train.py:20"), Failure(1, 0, LOST, "/x/train.py:35"))
    assert told(*failures) == ["corro: rank 1 failed: /x/train.py:20: ValueError: broken"]


def test_where_all_have_lost_another_one_that_is_told() -> None:
    assert told(Failure(1, 0, LOST, "/x/train.py:35")) == [f"corro: rank 0 failed: /x/train.py:35: {LOST}"]


def test_one_that_was_killed_is_told_instead_of_one_that_missed_it() -> None:
    killed = Failure(137, 1, "killed, as the system does when memory runs out (SIGKILL)", "")
    assert told(killed, Failure(1, 0, LOST, "/x/train.py:35"), status=137) == [
        "corro: rank 1 failed: killed, as the system does when memory runs out (SIGKILL)"
    ]


def test_a_process_without_a_gpu_is_told_how_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    assert told(Failure(1, 2, "AcceleratorError: CUDA error: invalid device ordinal", "/x/train.py:16")) == [
        "corro: rank 2 failed: /x/train.py:16: AcceleratorError: CUDA error: invalid device ordinal",
        "  each process takes a GPU of its own, and this machine has 2: corro run train.py -n 2",
        "  or, to train on the CPU, put CUDA_VISIBLE_DEVICES= in front of the command",
    ]


def test_an_interrupt_is_one_line_with_the_place() -> None:
    interrupted = Failure(130, 0, "KeyboardInterrupt: ", "/x/train.py:18")
    assert told(interrupted, status=130) == ["corro: interrupted at /x/train.py:18; all processes have ended."]
    assert told(status=143) == ["corro: interrupted; all processes have ended."]


def test_a_program_that_ended_for_its_batch_is_wrong_usage() -> None:
    must_have_been_shared_out("ValueError: broken", "train.py: ", AGAIN)
    with pytest.raises(UsageError) as error:
        must_have_been_shared_out("batch size 12 cannot be shared out over 5 processes", "train.py: ", AGAIN)
    assert str(error.value) == (
        "usage error: train.py: batch size 12 cannot be shared out over 5 processes. "
        "1, 2, 3, 4, 6 or 12 processes can take it: corro run train.py -n 4"
    )


@pytest.mark.parametrize(
    ("arguments", "command"),
    [((), "corro run 'my {}.py' -n 4"), (("--lr", "{a}"), "corro run 'my {}.py' -n 4 -- --lr '{a}'")],
)
def test_the_command_for_another_number_has_all_that_was_given(arguments: tuple[str, ...], command: str) -> None:
    assert with_another_number(["corro", "run", "my {}.py"], arguments).format(4) == command


# ---------------------------------------------------------------------- options

SCRIPT = """\
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("-b", "--batch-size", type=int, default=32)
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
data = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
for x, y in DataLoader(data, batch_size=args.batch_size, shuffle=True):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
"""


def known(folder: Path, text: str) -> list[int]:
    script = folder / "train.py"
    script.write_text(textwrap.dedent(text))
    return [size for size, _ in batches(compile(script), defaults=True)]


def test_a_batch_size_that_is_an_option_is_its_default_without_arguments(tmp_path: Path) -> None:
    assert known(tmp_path, SCRIPT) == [32]
    output = compile(tmp_path / "train.py")
    must_share_out(output, 3, AGAIN, ("--batch-size", "33"))
    with pytest.raises(UsageError, match=r"train\.py:13: a batch of 32 cannot be shared out over 3 processes"):
        must_share_out(output, 3, AGAIN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("parse_args()", "parse_args(['--batch-size', '33'])"),
        ("default=32", "default=2 * 16"),
        ("default=32", "dest='size', default=32"),
        ("args = parser", "parser.set_defaults(batch_size=33)\nargs = parser"),
        ("data = ", "args.batch_size += 1\ndata = "),
        ("data = ", "setattr(args, 'batch_size', 33)\ndata = "),
        ("data = ", "vars(args)['batch_size'] = 33\ndata = "),
        ("data = ", "args = argparse.Namespace(batch_size=33, lr=0.1)\ndata = "),
    ],
)
def test_an_option_that_may_be_another_one_is_not_known(tmp_path: Path, old: str, new: str) -> None:
    assert old in SCRIPT
    text = SCRIPT.replace(old, new, 1)
    script = tmp_path / "train.py"
    script.write_text(text.replace("args.batch_size, shuffle", "args.size, shuffle") if "dest=" in new else text)
    found = list(batches(compile(script), defaults=True))
    assert found == ([(32, 13)] if "dest=" in new else [])
