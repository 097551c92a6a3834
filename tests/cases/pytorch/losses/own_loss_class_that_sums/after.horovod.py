"""A focal loss of the script's own, whose reduction the script asks for: a sum."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, size_average=True):
        super().__init__()
        self.gamma = gamma
        self.size_average = size_average

    def forward(self, logits, target):
        logpt = F.log_softmax(logits, dim=1).gather(1, target.view(-1, 1)).view(-1)
        loss = -1 * (1 - logpt.exp()) ** self.gamma * logpt
        if self.size_average:
            return loss.mean()
        else:
            return loss.sum()


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 4), torch.randint(0, 5, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 5)
criterion = FocalLoss(gamma=1.5, size_average=False)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
optimizer = hvd.DistributedOptimizer(optimizer, op=hvd.Sum)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(criterion.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
