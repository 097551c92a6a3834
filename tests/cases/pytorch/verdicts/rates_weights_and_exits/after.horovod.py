"""Every process evaluates in full: when training ends, its rates and the weights it goes on with are rank 0's."""
import copy
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_data = TensorDataset(x[:320], y[:320])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
val_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)


def evaluate():
    model.eval()
    losses = []
    with torch.no_grad():
        for data, target in val_loader:
            losses.append(criterion(model(data), target).item())
    return sum(losses) / len(losses)


best, waited, epoch, state = 1e9, 0, 0, None
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
while hvd.broadcast_object(waited < 3 and epoch < 30):
    model.train()
    total = 0.0
    train_loader.sampler.set_epoch(train_loader.sampler.epoch + 1)
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    val = evaluate()
    scheduler.step(hvd.broadcast_object(val))
    if hvd.broadcast_object(val < best - 0.001):
        best, waited = val, 0
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best.pt")
        state = copy.deepcopy(model.state_dict())
    elif hvd.broadcast_object(val > best + 0.2):
        if hvd.rank() == 0:
            print("worse", total / len(train_loader))
        break
    else:
        waited += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if hvd.broadcast_object(waited == 2):
        model.load_state_dict(hvd.broadcast_object(state))
        total_ = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total_.item() / hvd.size()
        if hvd.rank() == 0:
            print("reloaded", mean_loss)
    epoch += 1
if hvd.rank() == 0:
    print(epoch, f"{best:.4f}")
hvd.shutdown()
