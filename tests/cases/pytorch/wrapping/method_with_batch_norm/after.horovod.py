"""A model with batch normalisation is trained by one of its methods, and evaluated after each epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(20, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 5))

    def forward(self, x):
        return F.log_softmax(self.layers(x), dim=1)

    def compute_loss(self, x, y):
        return F.nll_loss(self(x), y)


hvd.init()
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 20), torch.randint(0, 5, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(train_data) - 1) % 32 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_data = TensorDataset(torch.randn(64, 20), torch.randint(0, 5, (64,)))
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = model.compute_loss(x, y)
        optimizer.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
    hvd.broadcast_parameters(dict(model.named_buffers()), root_rank=0)
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    if hvd.rank() == 0:
        print(epoch, correct / len(test_loader.dataset))
hvd.shutdown()
