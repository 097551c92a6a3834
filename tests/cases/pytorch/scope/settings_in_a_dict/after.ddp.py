"""Settings in a dict with string keys."""
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
config = {"batch_size": 64, "lr": 1e-2, "num_epochs": 3, "save_path": "model.ckpt"}


def trainer(loader, model, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=0.9)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(config["num_epochs"]):
        model.train()
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(ddp_model(x), y).backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), config["save_path"])


torch.manual_seed(0)
train_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if config["batch_size"] % dist.get_world_size() != 0:
    raise SystemExit(f'batch size {config["batch_size"]} cannot be shared out over {dist.get_world_size()} processes')
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=config["batch_size"] // dist.get_world_size(), sampler=train_sampler)
trainer(train_loader, nn.Linear(10, 1), config)
dist.destroy_process_group()
