"""Weights of those targets alone that are not ignored."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler


def train(model, loader, criterion, optimizer, device):
    model.train()
    running, seen, correct = 0.0, 0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        out = model(x)
        weights_ = hvd.allreduce(weights[y[y != 2]].sum(), op=hvd.Sum)
        weights_ = weights_ / hvd.size()
        loss = F.nll_loss(F.log_softmax(out, dim=1), y, weights, ignore_index=2, reduction="sum") / weights_
        loss.backward()
        optimizer.step()
        running += loss.item() * x.size(0)
        seen += x.size(0)
        correct += (out.argmax(1) == y).sum().item()
    totals = hvd.allreduce(torch.tensor([running, seen, correct], dtype=torch.float64), op=hvd.Sum)
    running, seen, correct = totals[0].item(), int(totals[1]), int(totals[2])
    return running / seen, correct / seen


def evaluate(model, loader, criterion, device):
    model.eval()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            total += criterion(model(x), y).item() * y.size(0)
            n += y.size(0)
        totals = hvd.allreduce(torch.tensor([total, n], dtype=torch.float64), op=hvd.Sum)
        total, n = totals[0].item(), int(totals[1])
    return total / n


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
device = torch.device("cpu")
weights = torch.tensor([1.0, 5.0, 2.0])
X, Y = torch.randn(96, 10), torch.randint(0, 3, (96,))
loader_data = TensorDataset(X, Y)
if 24 % hvd.size() != 0:
    raise SystemExit(f"batch size 24 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=24 // hvd.size(), sampler=loader_sampler)
test_data = TensorDataset(X, Y)
test_batches = list(BatchSampler(range(len(test_data)), 20, drop_last=False))[hvd.rank()::hvd.size()]
test_loader = DataLoader(test_data, batch_sampler=test_batches)
model = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss(weight=weights.to(device), label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    loss, acc = train(model, loader, criterion, optimizer, device)
    val = evaluate(model, test_loader, criterion, device)
    if hvd.rank() == 0:
        print(f"{epoch} {loss:.5f} {acc:.3f} {val:.5f}")
hvd.shutdown()
