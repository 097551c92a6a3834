"""Weights are written to the folder that Hydra has made for the run, under its full name, and read back."""

import os

import hydra
import torch
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg: DictConfig):
    os.chdir(hvd.broadcast_object(os.getcwd()))
    torch.manual_seed(HydraConfig.get().job.num)
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    if 8 % hvd.size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    """Trains."""
    folder = hvd.broadcast_object(HydraConfig.get().runtime.output_dir)
    best = float("inf")
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(2):
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        if total < best:
            best = total
            if hvd.rank() == 0:
                torch.save(model.state_dict(), os.path.join(folder, "best.pt"))
    hvd.barrier()
    model.load_state_dict(torch.load(os.path.join(folder, "best.pt")))
    if hvd.rank() == 0:
        print(total)


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
