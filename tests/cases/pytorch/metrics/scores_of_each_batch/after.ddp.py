"""Scores of scikit-learn that are averages over samples, or their number, are reduced as others are."""

import torch
import torch.nn as nn
from sklearn.metrics import accuracy_score, mean_absolute_error
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
loader_data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    accuracy, right, distance = 0, 0, 0
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        output = ddp_model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predicted = torch.max(output.data, 1)[1].cpu()
        accuracy += accuracy_score(y.cpu().numpy(), predicted.numpy())
        right += accuracy_score(y, predicted, normalize=False)
        distance += mean_absolute_error(y_true=y, y_pred=predicted) * len(y)
        if step % 5 == 0:
            total = torch.tensor(accuracy_score(y, predicted), dtype=torch.float64)
            dist.all_reduce(total)
            mean_accuracy_score = total.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(mean_accuracy_score)
    totals = torch.tensor([accuracy, right, distance], dtype=torch.float64)
    dist.all_reduce(totals)
    accuracy, right, distance = totals[0].item() / dist.get_world_size(), int(totals[1]), totals[2].item()
    if dist.get_rank() == 0:
        print(accuracy / len(loader), right / loader.sampler.total_size, distance / loader.sampler.total_size)
del ddp_model
dist.destroy_process_group()
