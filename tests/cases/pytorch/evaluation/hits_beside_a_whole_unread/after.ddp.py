"""Hits that no sum makes whole are divided by a count that could be summed: both stay those of all data."""
import torch
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
train_set = TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))
test_set = TensorDataset(torch.randn(37, 8), torch.randint(0, 4, (37,)))
model = nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss_function = nn.CrossEntropyLoss()


def test(net, memory_loader, test_loader):
    net.eval()
    hits, seen, bank = 0.0, 0, []
    with torch.no_grad():
        for x, y in memory_loader:
            bank.append(net(x))
        bank = torch.cat(bank, dim=0).t().contiguous()
        labels = memory_loader.dataset.tensors[1]
        for x, y in test_loader:
            feature = net(x)
            seen += x.size(0)
            similar = torch.mm(feature, bank)
            weight, index = similar.topk(k=3, dim=-1)
            found = torch.gather(labels.expand(x.size(0), -1), dim=-1, index=index)
            hits += torch.sum((found[:, :1] == y.unsqueeze(dim=-1)).any(dim=-1).float()).item()
    return hits / seen * 100


if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
memory = DataLoader(train_set, batch_size=16)
test_data = DataLoader(test_set, batch_size=16)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss_function(ddp_model(x), y).backward()
        optimizer.step()
    acc = test(model, memory, test_data)
del ddp_model
dist.destroy_process_group()
