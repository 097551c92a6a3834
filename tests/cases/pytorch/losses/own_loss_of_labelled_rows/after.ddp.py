"""A loss of the script's own picks the score of each row; how many there are, only a configuration knows."""

import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
with open("params.json") as file:
    params = json.load(file)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.channels = params["channels"]
        self.conv = nn.Conv2d(3, self.channels, 3, padding=1)
        self.fc = nn.Linear(64 * self.channels, 4)

    def forward(self, x):
        x = self.conv(x).relu().view(-1, 64 * self.channels)
        return nn.functional.log_softmax(self.fc(x), dim=1)


def loss_fn(outputs, labels):
    number = outputs.size()[0]
    return -torch.sum(outputs[range(number), labels]) / number


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 3, 8, 8), torch.randint(0, 4, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        loss = loss_fn(ddp_model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
