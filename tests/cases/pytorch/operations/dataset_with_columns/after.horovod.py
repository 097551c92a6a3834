"""The data set gives targets with a column, as the model does."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Houses(Dataset):
    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        self.features = rng.normal(size=(n, 6)).astype(np.float32)
        self.price = self.features.sum(1).astype(np.float32)

    def __len__(self):
        return len(self.price)

    def __getitem__(self, i):
        return torch.from_numpy(self.features[i]), torch.tensor([self.price[i]])


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


hvd.init()
torch.manual_seed(0)
loader_data = Houses(320)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = Regressor()
criterion = nn.MSELoss()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
hvd.shutdown()
