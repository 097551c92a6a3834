"""The module of the model is imported by a name that the settings have."""
import importlib
from collections import OrderedDict

import torch
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(rows, batch_size=16 // hvd.size(), sampler=loader_sampler)
    model = load_model(config["model"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(1 + hvd.rank())
    for epoch in range(config["epochs"]):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
