"""Of two batch normalisations one stands behind a flattened convolution: a last batch of one sample is too small."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Texts(Dataset):
    def __len__(self):
        return 65

    def __getitem__(self, index):
        return torch.arange(index, index + 12) % 20, index % 3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.steps = nn.Sequential(nn.Conv1d(8, 8, 3, padding=1), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(96, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x):
        return self.head(self.steps(self.embedding(x).transpose(2, 1)))


hvd.init()
torch.manual_seed(0)
loader_data = Texts()
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % 16 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
