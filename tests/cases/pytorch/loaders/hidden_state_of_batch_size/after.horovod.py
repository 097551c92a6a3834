"""torch.zeros(2, batch_size, 64) makes the first hidden state: as many rows as a process has of the batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
batch_size = 20
loader_data = TensorDataset(torch.randn(400, 15, 8), torch.randn(400, 1))
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 64, num_layers=2, batch_first=True)
        self.fc = nn.Linear(64, 1)

    def forward(self, x):
        h0 = torch.zeros(2, batch_size // hvd.size(), 64)
        c0 = torch.zeros(2, batch_size // hvd.size(), 64)
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1])


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
