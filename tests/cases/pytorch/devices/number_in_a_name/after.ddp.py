"""A GPU's number, handed on by a name, would put all processes on one GPU."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, model, loader, optimizer, gpu_id):
        self.gpu_id = gpu_id
        self.model = model.to("cuda")
        self.loader = loader
        self.optimizer = optimizer

    def train(self, epochs):
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            for x, y in self.loader:
                x, y = x.to("cuda"), y.to("cuda")
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.ddp_model(x), y).backward()
                self.optimizer.step()
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
device = 0  # the first GPU
Trainer(model, loader, optimizer, device).train(2)
dist.destroy_process_group()
