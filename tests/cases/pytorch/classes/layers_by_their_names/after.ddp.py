"""A model keeps its layers in a ModuleDict and calls them by their names; its parameters are sorted by theirs."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
import itertools
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mlp = nn.ModuleDict(dict(up=nn.Linear(width, 2 * width), act=nn.GELU(), down=nn.Linear(2 * width, width)))
        mlp = self.mlp
        self.inner = lambda x: mlp.down(mlp.act(mlp.up(x)))

    def forward(self, x):
        return x + self.inner(self.norm(x))


class Reader(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.parts = nn.ModuleDict({
            "embed": nn.Embedding(words, width),
            "blocks": nn.ModuleList([Block(width) for _ in range(2)]),
            "norm": nn.LayerNorm(width),
        })
        self.head = nn.Linear(width, words, bias=False)

    def optimizer(self, rate):
        named = {name: parameter for name, parameter in self.named_parameters()}
        plain = sorted(name for name in named if name.endswith("bias"))
        decayed = sorted(set(named) - set(plain))
        groups = [
            {"params": [named[name] for name in decayed], "weight_decay": 0.1},
            {"params": [named[name] for name in plain], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=rate)

    def forward(self, tokens, targets=None):
        x = self.parts.embed(tokens)
        for block in self.parts.blocks:
            x = block(x)
        logits = self.head(self.parts.norm(x))
        loss = None
        if targets is not None:
            counted = (targets.view(-1) != -1).sum()
            dist.all_reduce(counted)
            counted = counted / dist.get_world_size()
            loss = F.cross_entropy(
                logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1, reduction="sum"
            ) / counted
        return logits, loss


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1)
tokens = torch.randint(0, 11, (96, 8))
targets = torch.where(torch.rand(96, 8) < 0.3, -1, tokens.roll(-1, dims=1))
data = TensorDataset(tokens, targets)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawing = iter(self.sampler)
        indices = [0]
        while indices:
            drawn = [list(itertools.islice(drawing, 1000 * dist.get_world_size()))]
            dist.broadcast_object_list(drawn)
            indices = drawn[0]
            end = dist.get_rank() + len(indices)
            yield from (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = SharedSampler(RandomSampler(data, replacement=True, num_samples=int(1e10)))
loader = DataLoader(data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
model = Reader(11, 16)
optimizer = model.optimizer(0.01)
batches = iter(loader)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for step in range(30):
    x, y = next(batches)
    logits, loss = ddp_model(x, y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 10 == 0:
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(step, mean_loss)
del ddp_model
dist.destroy_process_group()
