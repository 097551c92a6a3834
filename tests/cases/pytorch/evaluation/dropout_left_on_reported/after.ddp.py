"""F.dropout without training= goes on after eval(): printed, and which of rank 0's weights are saved, but no more."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return self.out(F.dropout(F.relu(self.hidden(x)), 0.2))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
X, Y = torch.randn(400, 6), torch.randint(0, 2, (400,))
X_val, y_val = X[320:], Y[320:]
loader_data = TensorDataset(X[:320], Y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(X_val).argmax(1) == y_val).float().mean().item()
    if dist.get_rank() == 0:
        print(epoch, accuracy)
    if accuracy > best:
        best = accuracy
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
del ddp_model
dist.destroy_process_group()
