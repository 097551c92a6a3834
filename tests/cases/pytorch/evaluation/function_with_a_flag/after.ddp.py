"""One function trains and evaluates, as a flag says."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))
train_data = TensorDataset(x[:320], y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(x[320:], y[320:])
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(loader, train):
    if train:
        model.train()
    else:
        model.eval()
    total, correct, count = 0.0, 0, 0
    with torch.set_grad_enabled(train):
        for inputs, labels in loader:
            outputs = (ddp_model if torch.is_grad_enabled() else model)(inputs)
            loss = criterion(outputs, labels)
            if train:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(labels)
            correct += (outputs.argmax(1) == labels).sum().item()
            count += len(labels)
        totals = torch.tensor([total, correct, count], dtype=torch.float64)
        dist.all_reduce(totals)
        total, correct, count = totals[0].item(), int(totals[1]), int(totals[2])
    return total / count, correct / count


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    train_loss, train_acc = run(train_loader, True)
    test_loss, test_acc = run(test_loader, False)
    if dist.get_rank() == 0:
        print(f"{epoch} {train_loss:.4f} {train_acc:.4f} {test_loss:.4f} {test_acc:.4f}")
del ddp_model
dist.destroy_process_group()
