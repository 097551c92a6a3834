"""The model's attributes and methods are used during training: they are asked of the bare model, not of the wrapper."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))

    def weight_norm(self):
        return self.hidden.weight.norm().item()


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(300, 6), torch.randn(300, 1))
if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=30 // hvd.size(), sampler=loader_sampler)
model = Net()
if hvd.rank() == 0:
    print(model)
    print("parameters:", sum(p.numel() for p in model.parameters() if p.requires_grad))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    if hvd.rank() == 0:
        print(epoch, model.weight_norm(), model.out.bias.item())
hvd.shutdown()
