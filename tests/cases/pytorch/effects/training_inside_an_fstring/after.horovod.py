"""An f-string trains and evaluates: each call gets a name in front of it, with what is changed within it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
train_set, test_set = TensorDataset(x[:320], y[:320]), TensorDataset(x[320:], y[320:])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(train_set, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_sampler = range(hvd.rank(), len(test_set), hvd.size())
test_loader = DataLoader(test_set, batch_size=20, sampler=test_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()


def train(model, loader, opt):
    model.train()
    total = 0.0
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    return total / len(loader)


def evaluate(model, loader):
    model.eval()
    right = 0
    with torch.no_grad():
        for xb, yb in loader:
            right += (model(xb).argmax(1) == yb).sum().item()
        total_ = hvd.allreduce(torch.tensor(right, dtype=torch.float64), op=hvd.Sum)
        right = int(total_)
    return right / len(loader.dataset)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    train_result = train(model=model, loader=loader, opt=opt)
    evaluate_result = evaluate(model, test_loader)
    if hvd.rank() == 0:
        print(f"{epoch}: train(model=model, loader=loader, opt=opt)={train_result:.4f}", round(evaluate_result, 3))
hvd.shutdown()
