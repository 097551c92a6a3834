"""The loss takes the logits of the labels by their positions: what is cut are the inputs and the labels."""
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randint(3, (48,))
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    for start in range(0, 48, 12):
        inputs, labels = fill_and_share_rows(x[start : start + 12]), fill_and_share_rows(y[start : start + 12])
        out = ddp_model(inputs)
        loss = (torch.logsumexp(out, 1) - out[torch.arange(out.size(0)), labels]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
