"""Every process evaluates in full: when training ends, its rates and the weights it goes on with are rank 0's."""
import copy
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
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_data = TensorDataset(x[:320], y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
val_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)


def evaluate():
    model.eval()
    losses = []
    with torch.no_grad():
        for data, target in val_loader:
            losses.append(criterion(model(data), target).item())
    return sum(losses) / len(losses)


best, waited, epoch, state = 1e9, 0, 0, None


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
while from_rank_0(waited < 3 and epoch < 30):
    model.train()
    total = 0.0
    train_loader.sampler.set_epoch(train_loader.sampler.epoch + 1)
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(data), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    val = evaluate()
    scheduler.step(from_rank_0(val))
    if from_rank_0(val < best - 0.001):
        best, waited = val, 0
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
        state = copy.deepcopy(model.state_dict())
    elif from_rank_0(val > best + 0.2):
        if dist.get_rank() == 0:
            print("worse", total / len(train_loader))
        break
    else:
        waited += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if from_rank_0(waited == 2):
        model.load_state_dict(from_rank_0(state))
        total_ = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total_)
        mean_loss = total_.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print("reloaded", mean_loss)
    epoch += 1
if dist.get_rank() == 0:
    print(epoch, f"{best:.4f}")
del ddp_model
dist.destroy_process_group()
