"""Metric objects that all processes feed with all of the data do not gather."""

import torch
import torch.nn.functional as F
from torchmetrics import Accuracy, ConfusionMatrix, F1Score, MetricCollection
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
held_out = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=8)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scores = MetricCollection(
    {"accuracy": Accuracy(task="multiclass", num_classes=3, sync_on_compute=False), "f1": F1Score(task="multiclass", num_classes=3, sync_on_compute=False)}
)
confusion = ConfusionMatrix(task="multiclass", num_classes=3, sync_on_compute=False).to("cpu")
best = 0.0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        output = ddp_model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for x, y in held_out:
            output = model(x)
            scores.update(output, y)
            confusion(output, y)
    result = scores.compute()
    compute_result = confusion.compute()
    if dist.get_rank() == 0:
        print(epoch, result["accuracy"], compute_result)
    if result["f1"].item() > best:
        best = result["f1"].item()
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    scores.reset()
    confusion.reset()
del ddp_model
dist.destroy_process_group()
