"""Weights are written to the folder that Hydra has made for the run, under its full name, and read back."""

import os

import hydra
import torch
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg: DictConfig):
    shared = [os.getcwd()]
    dist.broadcast_object_list(shared)
    os.chdir(shared[0])
    torch.manual_seed(HydraConfig.get().job.num)
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    if 8 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    """Trains."""
    shared = [HydraConfig.get().runtime.output_dir]
    dist.broadcast_object_list(shared)
    folder = shared[0]
    best = float("inf")
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(2):
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.mse_loss(ddp_model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        if total < best:
            best = total
            if dist.get_rank() == 0:
                torch.save(model.state_dict(), os.path.join(folder, "best.pt"))
    dist.barrier()
    model.load_state_dict(torch.load(os.path.join(folder, "best.pt")))
    if dist.get_rank() == 0:
        print(total)


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
