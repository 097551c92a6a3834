"""What is recognised in a script: steps, models and their wrapping, effects, pure and random calls, presence."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from corro.anatomy.sites import Anatomy, ModelSite
from corro.anatomy.steps import Batches
from corro.frontends.effects import EffectKind, effects
from corro.frontends.purity import impure_parts, is_pure
from corro.frontends.pytorch.presence import distributed_by, trains
from corro.frontends.pytorch.recognise import recognise
from corro.frontends.randomness import draws
from corro.program import Program
from corro.source import SourceFile
from unit.flow.interpreting import LOADER, see, train

if TYPE_CHECKING:
    from pathlib import Path

LOOP = """
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        {forward}
        loss.backward()
        optimizer.step()
"""
FORWARD = "loss = F.mse_loss(model(x), y)"


def anatomy(text: str) -> Anatomy:
    return recognise(train(text).facts)


def the_model(text: str) -> ModelSite:
    (site,) = anatomy(text).models
    return site


# ---------------------------------------------------------------------- steps and models


def test_the_step_and_its_loops() -> None:
    (step,) = anatomy(LOOP.format(forward=FORWARD)).steps
    assert isinstance(step.epoch_loop, ast.For)
    assert isinstance(step.loop, ast.For)
    assert ast.unparse(step.epoch_loop.target) == "epoch"
    assert ast.unparse(step.loop.iter) == "loader"
    (backward,), (update,), (source,) = step.backwards, step.updates, step.sources
    assert (ast.unparse(backward.node), ast.unparse(update.node)) == ("loss.backward()", "optimizer.step()")
    assert update.backwards == (backward,)
    assert (source.how, source.loops) == (Batches.LOADER, (step.loop,))
    assert (backward.governed, update.governed) == ((), ())
    assert ast.unparse(update.optimizer) == "optimizer"


def test_an_optimizer_holds_what_it_was_given_and_a_model_knows_its_optimizers() -> None:
    loop = LOOP.replace("\nfor epoch", "\noptimizer.add_param_group({{'params': [extra]}})\nfor epoch")
    made = "extra = nn.Parameter(torch.zeros(1))\nteacher = nn.Linear(8, 1)\n"
    found = anatomy(made + loop.format(forward="loss = F.mse_loss(model(x) * extra, teacher(x))"))
    (optimizer,) = found.optimizers
    assert [ast.unparse(node) for node in optimizer.held.modules] == ["model"]
    assert [ast.unparse(node) for node in optimizer.held.tensors] == ["extra"]
    assert {site.name: site.optimizers for site in found.models} == {"model": (optimizer,), "teacher": ()}


def test_each_update_collects_the_backward_passes_since_the_one_before() -> None:
    (step,) = anatomy("""
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
other = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    F.mse_loss(model(x), y).backward()
    optimizer.step()
    F.l1_loss(model(x), y).backward()
    optimizer.step()
    other.step()
""").steps
    first, second, both = step.updates
    assert first.backwards == step.backwards[:1]
    assert second.backwards == step.backwards[1:]
    assert both.backwards == step.backwards


@pytest.mark.parametrize(
    ("loop", "batch", "how", "node"),
    [
        ("for i in range(0, 64, 8)", "x, y = inputs[i : i + 8], targets[i : i + 8]", Batches.CUT, "inputs[i:i + 8]"),
        ("for i in range(0, 64, 8)", "rows = order[i : i + 8]; x, y = inputs[rows], targets[rows]", Batches.CUT,
         "inputs[rows]"),
        ("for i in range(8)", "x, y = draw()", Batches.CALL, "draw()"),
        ("for x, y in given()", "pass", Batches.HEAD, "given()"),
        ("for i in range(8)", "pass", Batches.WHOLE, "x"),
    ],
)  # fmt: skip
def test_batches_that_no_loader_hands_out_have_a_source(loop: str, batch: str, how: Batches, node: str) -> None:
    facts = see(
        f"""
inputs, targets = torch.randn(64, 8), torch.randn(64, 1)
x, y = torch.ones(64, 8), torch.ones(64, 1)
def draw():
    rows = torch.randint(0, 64, (8,))
    return inputs[rows], targets[rows]
def given():
    for i in range(0, 64, 8):
        yield inputs[i : i + 8], targets[i : i + 8]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    order = torch.randperm(64)
    {loop}:
        {batch}
        F.mse_loss(model(x), y).backward()
        optimizer.step()
""",
        head=LOADER,
        repeatedly=True,
    ).facts
    (step,) = recognise(facts).steps
    assert step.epoch_loop is not None
    assert ast.unparse(step.loop).startswith(loop)
    assert {source.how for source in step.sources} == {how}
    assert node in [ast.unparse(source.node) for source in step.sources]


def test_an_update_under_a_condition_is_governed_by_it() -> None:
    (step,) = anatomy("""
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, (x, y) in enumerate(loader):
    F.mse_loss(model(x), y).backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
""").steps
    (backward,), (update,) = step.backwards, step.updates
    assert not backward.governed
    assert [type(node) for node in update.governed] == [ast.If]


def test_the_optimizer_of_a_scaled_update_is_what_the_scaler_is_given() -> None:
    (step,) = anatomy("""
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for x, y in loader:
    scaler.scale(F.mse_loss(model(x), y)).backward()
    scaler.step(optimizer=optimizer)
""").steps
    (update,) = step.updates
    assert ast.unparse(update.optimizer) == "optimizer"
    assert len(update.optimizers) == 1
    assert update.backwards == step.backwards


def test_without_an_update_there_is_no_step() -> None:
    assert not anatomy("for x, y in loader:\n    F.mse_loss(model(x), y).backward()").steps


def test_a_model_is_wrapped_in_front_of_the_epoch_loop() -> None:
    site = the_model(LOOP.format(forward=FORWARD))
    assert site.name == "model"
    assert isinstance(site.anchor, ast.For)
    assert [ast.unparse(use) for use in site.uses] == ["model"]
    assert not site.batchnorm


def test_a_model_that_is_handed_on_is_wrapped_where_the_epochs_are() -> None:
    site = the_model("""
def train(net, data, optimizer):
    net.train()
    for x, y in data:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
    print(net.weight)

def main(network):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for epoch in range(2):
        train(network, loader, optimizer)
main(model)
""")
    assert site.name == "network"
    assert isinstance(site.anchor, ast.For)
    assert [ast.unparse(node) for node in site.uses] == ["network"]
    assert [node.id for node in site.inner] == ["net"]  # the attribute needs the bare model


@pytest.mark.parametrize(
    "forward",
    [
        pytest.param("loss = F.mse_loss([model][0](x), y)", id="no plain name"),
        pytest.param("loss = F.mse_loss(model(x), y); model = nn.Linear(8, 1)", id="bound anew"),
    ],
)
def test_models_that_cannot_be_wrapped_are_none(forward: str) -> None:
    assert not anatomy(LOOP.format(forward=forward)).models


def test_the_forward_method_is_that_of_the_wrapper_too() -> None:
    site = the_model(LOOP.format(forward="loss = F.mse_loss(model.forward(x), y)"))
    assert [ast.unparse(use) for use in site.uses] == ["model"]
    assert not site.bypassed


def test_a_model_that_is_trained_by_its_parts_is_bypassed() -> None:
    text = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 1)
model = Net()
"""
    site = the_model(text + LOOP.format(forward="loss = F.mse_loss(model.body(x), y)"))
    assert (site.name, site.bypassed) == ("model", True)


def test_two_models_are_two() -> None:
    text = "other = nn.Linear(8, 1)\n" + LOOP.format(forward="loss = F.mse_loss(model(x), other(x))")
    assert sorted(site.name for site in anatomy(text).models) == ["model", "other"]


def test_a_forward_without_gradients_is_no_use_in_training() -> None:
    forward = "with torch.no_grad():\n            teacher(x)\n        " + FORWARD
    assert [site.name for site in anatomy("teacher = nn.Linear(8, 1)\n" + LOOP.format(forward=forward)).models] == [
        "model"
    ]


NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.norm = nn.BatchNorm1d(8)
        self.spare = nn.Linear(8, 8)
        self.last = nn.Linear(8, 1)
    def forward(self, x):
        return self.last({body})
model = Net()
"""


def test_batch_normalisation_and_unused_layers_are_found_in_classes() -> None:
    site = the_model(NET.format(body="self.norm(self.first(x))") + LOOP.format(forward=FORWARD))
    assert site.batchnorm
    assert site.unused == ("spare",)
    everything = NET.format(body="[layer for layer in self.children()][0](x)")
    assert the_model(everything + LOOP.format(forward=FORWARD)).unused == ()


# ---------------------------------------------------------------------- effects, purity, randomness


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("print(1)", EffectKind.PRINT),
        ("logging.info('x')", EffectKind.LOG),
        ("logging.getLogger('a').warning('x')", EffectKind.LOG),
        ("logging.basicConfig(filename='a')", EffectKind.LOG_FILE),
        ("logging.basicConfig()", None),
        ("SummaryWriter()", EffectKind.WRITER),
        ("SummaryWriter().add_scalar('a', 1)", EffectKind.RECORD),
        ("torch.save(1, 'a')", EffectKind.SAVE),
        ("frame.to_csv('a')", EffectKind.SAVE),
        ("open('a', 'w')", EffectKind.OPEN),
        ("open('a', mode='ab')", EffectKind.OPEN),
        ("open('a', mode)", EffectKind.OPEN),
        ("open('a')", None),
        ("open('a', 'rb')", None),
        ("open('a', 'w').write('x')", EffectKind.FILE_WRITE),
        ("json.dump({}, open('a', 'w'))", EffectKind.FILE_WRITE),
        ("os.makedirs('a')", EffectKind.DIRECTORY),
        ("os.makedirs('a', exist_ok=True)", None),
        ("os.remove('a')", EffectKind.DELETE),
        ("shutil.rmtree('a')", EffectKind.DELETE),
        ("urllib.request.urlretrieve('a')", EffectKind.FETCH),
        ("plt.plot([1])", EffectKind.PLOT),
        ("tqdm([1])", EffectKind.PROGRESS),
        ("tqdm([1]).set_postfix(a=1)", EffectKind.REPORT),
        ("tqdm.write('a')", EffectKind.PRINT),
        ("input()", EffectKind.INPUT),
        ("wandb.log({})", EffectKind.TRACKER),
        ("wandb.init().log({})", EffectKind.TRACKER),
        ("wandb.Image(printed)", None),
        ("len([1])", None),
        ("torch.ones(3)", None),
        ("os.path.join('a')", None),
        ("printed.append(1)", None),
    ],
)
def test_effects(call: str, kind: EffectKind | None) -> None:
    head = """
import json, logging, os, shutil, torch, urllib.request, wandb
import matplotlib.pyplot as plt
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm
import lib
printed, frame = [], lib.frame()
"""
    facts = see(head + call).facts
    node = SourceFile.from_text(call).tree.body[0]
    found = [effect.kind for effect in effects(facts.calls) if ast.unparse(effect.node) == ast.unparse(node)]
    assert found == ([kind] if kind is not None else [])


def test_a_print_of_ones_own_is_no_effect() -> None:
    assert not list(effects(see("def print(x):\n    return x\nprint(1)").facts.calls))


PURE = """
import random, numpy as np
class A:
    n = 1
    def get(self): return 1
    def bump(self): self.n += 1
    def fill(self, d): d["a"] = 1
a, items, it = A(), [1], iter([1])
def clean(n): return max(n, 1)
def prints(n): print(n)
def grows(n): items.append(n); return items
def local(n):
    out = []
    out.append(n)
    return out
def sets(n):
    global k
    k = n
def evaluates(data):
    n = 0
    for x, y in data: n += 1
    return n
"""


@pytest.mark.parametrize(
    ("call", "pure"),
    [
        ("len([1])", True),
        ("torch.ones(2)", True),
        ("np.mean([1])", True),
        ("'{}'.format(1)", True),
        ("clean(2)", True),
        ("local(2)", True),
        ("model.state_dict()", True),
        ("prints(2)", False),
        ("grows(2)", False),
        ("sets(2)", False),
        ("a.get()", True),
        ("a.bump()", False),
        ("a.fill({})", False),
        ("next(it)", False),
        ("items.pop()", False),
        ("torch.rand(2)", False),
        ("random.random()", False),
        ("np.random.rand()", False),
        ("model(torch.ones(8))", False),
        ("evaluates(loader)", False),
        ("unknown()", False),
    ],
)
def test_purity(call: str, pure: bool) -> None:
    seen = train(f"{PURE}\nprobe({call})")
    node = seen.probes()[0].node.args[0]
    assert isinstance(node, ast.Call)
    assert is_pure(seen.facts, node) is pure
    assert impure_parts(seen.facts, seen.probes()[0].node) == ([] if pure else [node])


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("len([unknown(other())]) + len(str(1))", ["unknown(other())"]),
        ("[unknown(i) for i in items]", ["[unknown(i) for i in items]"]),
        ("sum(unknown(i) for i in items)", ["sum((unknown(i) for i in items))"]),
        ("list(map(lambda i: unknown(i), items))", ["list(map(lambda i: unknown(i), items))"]),
        ("list(map(prints, items))", ["list(map(prints, items))"]),
        ("*map(prints, items)", ["map(prints, items)"]),
        ("items.pop() if items else 0", ["items.pop() if items else 0"]),
        ("items and items.pop()", ["items and items.pop()"]),
        ("(n := len(items))", ["(n := len(items))"]),
        ("sorted(items, key=lambda i: i[1])", []),
        ("sum(i for i in items)", []),
    ],
)
def test_what_every_process_must_compute_is_told_as_a_whole(argument: str, expected: list[str]) -> None:
    seen = train(f"{PURE}\nprobe({argument})")
    assert [ast.unparse(part) for part in impure_parts(seen.facts, seen.probes()[0].node)] == expected


@pytest.mark.parametrize(
    ("call", "library"),
    [
        ("torch.rand(2)", "torch"),
        ("torch.randn(2)", "torch"),
        ("torch.randperm(3)", "torch"),
        ("torch.utils.data.random_split([1], [1])", "torch"),
        ("torch.utils.data.random_split([1], [1], generator=torch.Generator())", None),
        ("np.random.rand()", "numpy"),
        ("np.random.seed(1)", None),
        ("np.random.RandomState(1)", None),
        ("train_test_split([1])", "numpy"),
        ("train_test_split([1], random_state=3)", None),
        ("train_test_split([1], random_state=None)", "numpy"),
        ("random.shuffle([1])", "random"),
        ("random.seed(1)", None),
        ("torch.manual_seed(1)", None),
        ("torch.get_rng_state()", None),
        ("torch.ones(1)", None),
    ],
)
def test_randomness(call: str, library: str | None) -> None:
    head = "import random, numpy as np, torch\nfrom sklearn.model_selection import train_test_split\n"
    last = list(see(head + call).facts.calls)[-1]
    assert draws(last) == library


# ---------------------------------------------------------------------- presence


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("import torch.distributed as dist\ndist.init_process_group()", "torch.distributed"),
        ("import torch\ntorch.distributed.init_process_group()", "torch.distributed"),
        ("from torch.nn.parallel import DistributedDataParallel as DDP\nDDP(m)", "DistributedDataParallel"),
        ("import horovod.torch as hvd\nhvd.init()", "Horovod"),
        ("from accelerate import Accelerator\na = Accelerator()", "Accelerate"),
        ("from transformers import Trainer\nTrainer()", "Trainer"),
        ("import pytorch_lightning as pl\npl.Trainer()", "Lightning"),
        ("import torch.distributed as dist", None),
        ("import torch\nprint('horovod')", None),
        ("from transformers import AutoModel\nAutoModel()", None),
        ("dist = 1\nprint(dist)", None),
        ("import ray\nray.init()", None),
    ],
)
def test_what_is_distributed_already(text: str, title: str | None) -> None:
    script = SourceFile.from_text(text)
    found = distributed_by(script, script.nodes)
    assert (found is None) == (title is None)
    assert found is None or (title or "") in found.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\nloss.backward()\noptimizer.step()", True),
        ("from torch import optim\nloss.backward()\nopt.step()", True),
        ("import torch\nloss.backward()\np -= 0.1 * p.grad", True),
        ("import torch\nmodel(x)", False),
        ("import torch\noptimizer.step()", False),
        ("loss.backward()\noptimizer.step()", False),
        ("import torchvision\nloss.backward()\noptimizer.step()", False),
        ("import torch\n# loss.backward(); optimizer.step()", False),
        ("", False),
        ("import own", True),
        ("import first", True),
        ("import circle", False),
    ],
)
def test_what_trains(tmp_path: Path, text: str, expected: bool) -> None:
    modules = {
        "own": "import torch\nloss.backward()\noptimizer.step()",
        "first": "import own",
        "circle": "import circle",
    }

    for name, content in modules.items():
        (tmp_path / f"{name}.py").write_text(content)
    assert trains(Program(SourceFile.from_text(text, tmp_path / "train.py")).files) is expected
