"""The module of the model is imported by a name that the settings have."""
import importlib
from collections import OrderedDict

import torch
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def settings():
    model = OrderedDict([("module", "nets"), ("width", 8)])
    return OrderedDict([("model", model), ("epochs", 2)])


def load_model(config):
    module = importlib.import_module(config["module"])
    network = getattr(module, "Network")
    return network(config)


def main():
    config = settings()
    torch.manual_seed(1)
    rows = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(rows, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(rows))
    model = load_model(config["model"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(1 + dist.get_rank())
    for epoch in range(config["epochs"]):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(ddp_model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
