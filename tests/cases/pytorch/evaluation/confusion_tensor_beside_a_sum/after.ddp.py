"""A confusion matrix beside a plain sum: every process evaluates all of the data, and the matrix is whole."""
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
torch.manual_seed(0)
train_set = TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,)))
test_set = TensorDataset(torch.randn(100, 20), torch.randint(0, 3, (100,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(train_set)
loader = DataLoader(train_set, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
test_loader = DataLoader(test_set, batch_size=50)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
hits = 0
confusion = torch.zeros(3, 3)
with torch.no_grad():
    for x, y in test_loader:
        guesses = model(x).argmax(1)
        hits += (guesses == y).sum().item()
        for truth, guess in zip(y, guesses):
            confusion[truth, guess] += 1
if dist.get_rank() == 0:
    print(hits / len(test_set))
    print(confusion)
del ddp_model
dist.destroy_process_group()
