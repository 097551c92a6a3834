"""The initial hidden state takes its size from the batch; the loss is a mean."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 5, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(data))


class RNN(nn.Module):
    def __init__(self, size, hidden, layers, classes):
        super().__init__()
        self.hidden = hidden
        self.layers = layers
        self.lstm = nn.LSTM(size, hidden, layers, batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        h0 = torch.zeros(self.layers, x.size(0), self.hidden)
        c0 = torch.zeros(self.layers, x.size(0), self.hidden)
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1, :])


model = RNN(8, 16, 2, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
