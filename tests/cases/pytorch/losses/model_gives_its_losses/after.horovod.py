"""The model computes its loss where it is given targets, and gives it in a dict."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x, targets=None):
        logits = self.layers(x)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits, targets)
        return {"loss": loss, "logits": logits}


hvd.init()
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        outputs = model(x, y)
        optimizer.zero_grad()
        outputs["loss"].backward()
        optimizer.step()
hvd.shutdown()
