"""get_batch draws random windows of a text (character language model): no loader, an endless stream."""
import torch
import torch.nn as nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
text = "to be or not to be that is the question " * 50
vocabulary = sorted(set(text))
data = torch.tensor([vocabulary.index(c) for c in text])
block_size, batch_size = 8, 32


def get_batch():
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i:i + block_size] for i in ix])
    y = torch.stack([data[i + 1:i + block_size + 1] for i in ix])
    return x, y


model = nn.Embedding(len(vocabulary), len(vocabulary))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_model = DistributedDataParallel(model)
for iteration in range(1000):
    xb, yb = map(share_rows, get_batch())
    logits = ddp_model(xb)
    loss = nn.functional.cross_entropy(logits.view(-1, len(vocabulary)), yb.view(-1))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if iteration % 100 == 0:
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(iteration, mean_loss)
del ddp_model
dist.destroy_process_group()
