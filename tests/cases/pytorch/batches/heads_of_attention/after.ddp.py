"""A model of letters in the way of tutorials: heads in a comprehension, a mask that is a buffer, a loss in forward."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1337)
block_size, batch_size, width = 8, 16, 24
data = torch.randint(0, 40, (2000,))


def get_batch():
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i:i + block_size] for i in ix])
    y = torch.stack([data[i + 1:i + block_size + 1] for i in ix])
    return x, y


class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(width, size, bias=False) for _ in range(3))
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        B, T, C = x.shape
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        return F.softmax(wei, dim=-1) @ self.value(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(40, width), nn.Embedding(block_size, width)
        self.heads = nn.ModuleList([Head(width // 3) for _ in range(3)])
        self.out = nn.Linear(width, 40)

    def forward(self, idx, targets=None):
        B, T = idx.shape
        x = self.tokens(idx) + self.positions(torch.arange(T))
        x = x + torch.cat([h(x) for h in self.heads], dim=-1)
        logits = self.out(x)
        if targets is None:
            return logits, None
        B, T, C = logits.shape
        return logits, F.cross_entropy(logits.view(B * T, C), targets.view(B * T))


model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_model = DistributedDataParallel(model)
for step in range(60):
    xb, yb = map(share_rows, get_batch())
    logits, loss = ddp_model(xb, yb)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(step, mean_loss)
del ddp_model
dist.destroy_process_group()
