"""Each update collects the gradients of four batches that are drawn in an inner loop."""

import torch
from torch import nn
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(200, 6)
y = (x[:, 0] > 0).long()


def get_batch():
    rows = torch.randint(len(x), (16,))
    return x[rows], y[rows]


model = nn.Linear(6, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
accumulation_steps = 4


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
for step in range(20):
    optimizer.zero_grad(set_to_none=True)
    loss_sum = 0.0
    for micro_step in range(accumulation_steps):
        features, labels = map(share_rows, get_batch())
        loss = nn.functional.cross_entropy(model(features), labels) / accumulation_steps
        loss_sum += loss.item()
        loss.backward()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 5 == 0:
        total = torch.tensor(loss_sum, dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss_sum = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(step, mean_loss_sum)
dist.destroy_process_group()
