"""A method moves a batch part by part, to containers of the same type."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, model, device):
        self.model, self.device = model.to(device), device
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def move(self, parts):
        if torch.is_tensor(parts):
            return parts.to(self.device)
        elif isinstance(parts, dict):
            return {name: self.move(part) for name, part in parts.items()}
        elif isinstance(parts, (list, tuple)):
            return type(parts)(self.move(part) for part in parts)
        else:
            return parts

    def train(self, loader):
        for batch in loader:
            batch = self.move(batch)
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.ddp_model(batch["spectrum"]), batch["label"])
            loss.backward()
            self.optimizer.step()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
loader_data = spectra()
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
trainer = Trainer(nn.Linear(4, 3), torch.device("cpu"))
trainer.ddp_model = DistributedDataParallel(trainer.model)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    trainer.train(loader)
del trainer.ddp_model
dist.destroy_process_group()
