"""A parameter of a constructor that is `None` where it is called decides which parameters an object keeps."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Stepper:
    def __init__(self, params, method, rate, only=None):
        self.params = list(params)
        self.method = method
        self.rate = rate
        if only is not None:
            self.params = [only]
        self.make()

    def make(self):
        if self.method == "sgd":
            self.optimizer = torch.optim.SGD(self.params, lr=self.rate)
        else:
            self.optimizer = torch.optim.Adam(self.params, lr=self.rate)

    def step(self):
        self.optimizer.step()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
stepper = Stepper(model.parameters(), "sgd", 0.2)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        model.zero_grad()
        criterion(ddp_model(a), b).backward()
        stepper.step()
del ddp_model
dist.destroy_process_group()
