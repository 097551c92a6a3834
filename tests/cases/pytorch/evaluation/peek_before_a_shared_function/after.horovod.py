"""A look at the first batch does not forbid sharing the evaluation out."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
held_out_data = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
held_out_sampler = range(hvd.rank(), len(held_out_data), hvd.size())
held_out = DataLoader(held_out_data, batch_size=64, sampler=held_out_sampler)


def accuracy(model, batches):
    correct, total = 0, 0
    for x, y in batches:
        correct += (model(x).argmax(1) == y).sum().item()
        total += y.size(0)
    totals = hvd.allreduce(torch.tensor([correct, total], dtype=torch.float64), op=hvd.Sum)
    correct, total = int(totals[0]), int(totals[1])
    return correct / total


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    accuracy_result = accuracy(model, loader)
    accuracy_result_ = accuracy(model, held_out)
    if hvd.rank() == 0:
        print(accuracy_result, accuracy_result_)
for x, y in DataLoader(held_out.dataset, batch_size=64):
    break
model_result = model(x)
if hvd.rank() == 0:
    print(model_result.argmax(1), y)
hvd.shutdown()
