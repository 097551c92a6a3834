"""A method moves a batch part by part, to containers of the same type."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, device):
        self.model, self.device = model.to(device), device
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
        )

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
            loss = F.cross_entropy(self.model(batch["spectrum"]), batch["label"])
            loss.backward()
            self.optimizer.step()


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
loader_data = spectra()
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
trainer = Trainer(nn.Linear(4, 3), torch.device("cpu"))
hvd.broadcast_parameters(trainer.model.state_dict(), root_rank=0)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    trainer.train(loader)
hvd.shutdown()
