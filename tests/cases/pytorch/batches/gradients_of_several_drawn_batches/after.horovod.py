"""Each update collects the gradients of four batches that are drawn in an inner loop."""

import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
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
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for step in range(20):
    optimizer.zero_grad(set_to_none=True)
    loss_sum = 0.0
    for micro_step in range(accumulation_steps):
        features, labels = map(share_rows, get_batch())
        loss = nn.functional.cross_entropy(model(features), labels) / accumulation_steps
        loss_sum += loss.item()
        loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 5 == 0:
        total = hvd.allreduce(torch.tensor(loss_sum, dtype=torch.float64), op=hvd.Sum)
        mean_loss_sum = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(step, mean_loss_sum)
hvd.shutdown()
