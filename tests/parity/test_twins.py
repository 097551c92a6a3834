"""The comparison accepts hand-written distributed programs, and rejects each of them broken in one known way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from paritykit.compare import Expectation
from paritykit.launch import Server, launch
from paritykit.trial import Trial

TWINS = Path(__file__).resolve().parent / "twins"
TARGETS = ["ddp", "horovod"]

BROKEN = {
    "no set_epoch": ("    sampler.set_epoch(epoch)\n", "", {"shuffle"}),
    "learning rate doubled": ("lr=0.1", "lr=0.2", {"weights", "rate"}),
    "sum instead of mean": (
        "        optimizer.step()",
        "        [p.grad.mul_(size) for p in model.parameters()]\n        optimizer.step()",
        {"gradient"},
    ),
    "gradients of one process only": ("criterion(ddp_model(a), b)", "criterion(model(a), b)", {"ranks", "gradient"}),
    "metric not reduced": ("dist.all_reduce(sums)", "pass", {"metric"}),
    "printed by all": ("    if rank == 0:\n        print", "    if True:\n        print", {"output"}),
    "saved by all": ("if rank == 0:\n    torch.save", "if True:\n    torch.save", {"files"}),
    "wrapped model saved": ("torch.save(model.state_dict()", "torch.save(ddp_model.state_dict()", {"saves"}),
    "evaluation padded": (
        "sampler=range(rank, len(test_set), size)",
        "sampler=[*range(rank, len(test_set), size)] + [0]",
        {"coverage"},
    ),
    "sampler seeded by rank": ("shuffle=True)", "shuffle=True, seed=rank)", {"coverage"}),
    "batch not divided": ("24 // size", "24", {"steps"}),
    "another split of the data": ("torch.manual_seed(0)", "torch.manual_seed(1)", {"start"}),
    "no model.eval()": ("    model.eval()\n", "", {"metric"}),
}


@pytest.mark.parametrize("target", TARGETS)
def test_the_hand_written_twin_is_accepted(target: str, server: Callable[[str], Server], tmp_path: Path) -> None:
    trial = Trial(TWINS / "dense.py", TWINS / f"dense_{target}.py", target)
    assert trial.distributed(server, tmp_path) == []
    assert trial.alone(server, tmp_path) == []


@pytest.mark.parametrize("target", TARGETS)
def test_weak_scaling_by_hand_is_accepted(target: str, server: Callable[[str], Server], tmp_path: Path) -> None:
    text = (TWINS / f"dense_{target}.py").read_text().replace("24 // size", "24")
    weak = tmp_path / "weak.py"
    weak.write_text(text.replace("lr=0.1", "lr=0.1 * size"))
    expected = Expectation(weak=True)
    assert Trial(TWINS / "dense.py", weak, target, expected=expected).distributed(server, tmp_path) == []
    weak.write_text(text)
    faults = Trial(TWINS / "dense.py", weak, target, expected=expected).distributed(server, tmp_path / "unscaled")
    assert [fault.check for fault in faults] == ["rate"]


@pytest.mark.parametrize("target", TARGETS)
def test_the_launchers_start_the_twin(target: str, tmp_path: Path) -> None:
    ended = launch(target, 2, [str(TWINS / f"dense_{target}.py")], tmp_path)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert [line.split(":")[0] for line in ended.stdout.splitlines()] == ["epoch 0", "epoch 1", "epoch 2"]
    assert (tmp_path / "model.pt").is_file()


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_twin_is_rejected(name: str, server: Callable[[str], Server], tmp_path: Path) -> None:
    old, new, checks = BROKEN[name]
    text = (TWINS / "dense_ddp.py").read_text()
    assert old in text
    broken = tmp_path / "broken.py"
    broken.write_text(text.replace(old, new))
    faults = Trial(TWINS / "dense.py", broken, "ddp").distributed(server, tmp_path)
    assert checks <= {fault.check for fault in faults}, [str(fault) for fault in faults]


def test_horovod_without_average_is_rejected(server: Callable[[str], Server], tmp_path: Path) -> None:
    text = (TWINS / "dense_horovod.py").read_text()
    broken = tmp_path / "broken.py"
    broken.write_text(
        text.replace(
            "named_parameters=model.named_parameters())", "named_parameters=model.named_parameters(), op=hvd.Sum)"
        )
    )
    faults = Trial(TWINS / "dense.py", broken, "horovod").distributed(server, tmp_path)
    assert "gradient" in {fault.check for fault in faults}
