"""A class that derives from DataLoader makes the loader for training and the one to evaluate."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Batches(DataLoader):
    def __init__(self, data, size, for_training=False):
        self.n_samples = len(data)
        if for_training:
            if size % dist.get_world_size() != 0:
                raise SystemExit(f"batch size {size} cannot be shared out over {dist.get_world_size()} processes")
            sampler = DistributedSampler(data)
            share = size // dist.get_world_size()
        else:
            sampler = range(dist.get_rank(), len(data), dist.get_world_size())
            share = size
        super().__init__(data, batch_size=share, sampler=sampler)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = Batches(train_set, 8, for_training=True)
test_loader = Batches(test_set, 8)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    if dist.get_rank() == 0:
        print(epoch, train_loader.n_samples, correct / test_loader.n_samples)
del ddp_model
dist.destroy_process_group()
