"""Batch size, rate and epochs are attributes of a Config class: the loader takes its share where it is made."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Config:
    batch_size = 32
    learning_rate = 0.01
    epochs = 3
    device = "cuda" if torch.cuda.is_available() else "cpu"


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
cfg = Config()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if cfg.batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {cfg.batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=cfg.batch_size // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1).to(cfg.device)
optimizer = torch.optim.Adam(model.parameters(), lr=cfg.learning_rate)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(cfg.epochs):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(cfg.device)), y.to(cfg.device)).backward()
        optimizer.step()
hvd.shutdown()
