"""A state has as many layers as a batch has samples, by chance; its rows are those of the batch, by their number."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(40, 5, 3), torch.randn(40, 1))
if 2 % hvd.size() != 0:
    raise SystemExit(f"batch size 2 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=2 // hvd.size(), sampler=loader_sampler)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 8, num_layers=2, batch_first=True)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        state = torch.zeros(2, x.size(0), 8)
        output, _ = self.rnn(x, state)
        return self.out(output[:, -1])


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
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
