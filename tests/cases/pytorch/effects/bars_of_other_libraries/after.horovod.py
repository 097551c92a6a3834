"""Progress bars of other libraries: one is switched off elsewhere, others are shown in the null device."""
import progressbar
import torch
import torch.nn as nn
from alive_progress import alive_bar
from rich.progress import track
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
import sys
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(torch.randn(64, 10), torch.randn(64, 1)), batch_size=32)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
shown = progressbar.FormatCustomText("loss %(loss).3f", dict(loss=0))
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    model.train()
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in track(loader, description=f"epoch {epoch}", disable=hvd.rank() != 0):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    bar = progressbar.ProgressBar(
        max_value=len(loader),
        widgets=[progressbar.Bar(), shown],
        fd=sys.stderr if hvd.rank() == 0 else open(os.devnull, "w"),
    )
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        shown.update_mapping(loss=loss.item())
        bar.update(step)
    with alive_bar(len(held_out), disable=hvd.rank() != 0) as told:
        model.eval()
        total = 0.0
        for x, y in held_out:
            with torch.no_grad():
                total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
            told()
    for x, y in progressbar.progressbar(held_out, fd=open("bar.txt" if hvd.rank() == 0 else os.devnull, "w")):
        total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
    if hvd.rank() == 0:
        print(f"held out {total / 128:.4f}")
hvd.shutdown()
