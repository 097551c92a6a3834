"""By hand: the loss is summed over the processes before anything is decided."""
import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(8)
x = torch.randn(108, 6)
y = (x[:, 0] > 0).float().unsqueeze(1)
y[::5] = 1 - y[::5]
train_set, val_set = TensorDataset(x[:64], y[:64]), TensorDataset(x[64:], y[64:])
sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=16 // size, sampler=sampler)
val_loader = DataLoader(val_set, batch_size=10, sampler=range(rank, len(val_set), size))
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
ddp_model = DistributedDataParallel(model)
criterion = nn.BCEWithLogitsLoss(reduction='sum')
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)

best, waited, state = float('inf'), 0, None
for epoch in range(12):
    sampler.set_epoch(epoch)
    model.train()
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(a), b) / len(a)
        loss.backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for a, b in val_loader:
            total += criterion(model(a), b).item()
    total = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total)
    loss = total.item() / len(val_loader.dataset)
    if rank == 0:
        print(f'epoch {epoch}: {loss:.5f}')
    if loss < best - 0.003:
        best, waited, state = loss, 0, copy.deepcopy(model.state_dict())
    else:
        waited += 1
        if waited == 2:
            if rank == 0:
                print('no improvement')
            break
if rank == 0:
    torch.save(state, 'best.pt')
del ddp_model
dist.destroy_process_group()
