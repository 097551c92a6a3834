"""The model is made by a function with branches; the wrapper stands after the model reaches its device."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def build_model(name):
    if name == "linear":
        return nn.Linear(12, 4)
    elif name == "mlp":
        return nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 4))
    raise ValueError("unknown model " + name)


def main(args):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = build_model(args.model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model.to(device)
    loader_data = TensorDataset(torch.randn(400, 12), torch.randint(0, 4, (400,)))
    if 40 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(args.epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="mlp")
    parser.add_argument("--epochs", type=int, default=4)
    main(parser.parse_args())
    dist.destroy_process_group()
