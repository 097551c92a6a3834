"""A model of letters in the way of tutorials: heads in a comprehension, a mask that is a buffer, a loss in forward."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import horovod.torch as hvd

hvd.init()
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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for step in range(60):
    xb, yb = map(share_rows, get_batch())
    logits, loss = model(xb, yb)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(step, mean_loss)
hvd.shutdown()
