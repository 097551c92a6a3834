"""Training ends in a function, by an accuracy that is counted on the training data."""
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


def fit():
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(20):
        correct, total = 0, 0
        train_loader.sampler.set_epoch(epoch)
        for data, target in train_loader:
            output = model(data)
            loss = criterion(output, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            correct += (output.argmax(1) == target).sum().item()
            total += target.size(0)
        totals = hvd.allreduce(torch.tensor([correct, total], dtype=torch.float64), op=hvd.Sum)
        correct, total = int(totals[0]), int(totals[1])
        if correct / total > 0.9:
            return epoch
    return None


fit_result = fit()
if hvd.rank() == 0:
    print("reached in", fit_result)
hvd.shutdown()
