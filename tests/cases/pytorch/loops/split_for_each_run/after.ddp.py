"""What is drawn for each run, after the training of the one before, is equal on all processes again."""
import argparse
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make_data(n):
    x = torch.randn(n, 4)
    return TensorDataset(x, (x[:, 0] * x[:, 1] > 0).long())


def train(model, loader, optimizer, criterion):
    model.train()
    total = 0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item() * xb.size(0)
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    return total / loader.sampler.total_size


@torch.no_grad()
def test(model, loader):
    model.eval()
    hits = 0
    for xb, yb in loader:
        hits += (model(xb).argmax(1) == yb).sum().item()
    total_ = torch.tensor(hits, dtype=torch.float64)
    dist.all_reduce(total_)
    hits = int(total_)
    return hits / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))
    criterion = nn.CrossEntropyLoss()
    scores = []
    for run in range(args.runs):
        state = torch.get_rng_state()
        dist.broadcast(state, src=0)
        torch.set_rng_state(state)
        data = make_data(96)
        train_set, test_set = random_split(data, [64, 32])
        state = [np.random.get_state()]
        dist.broadcast_object_list(state)
        np.random.set_state(state[0])
        order = np.random.permutation(3)
        if 16 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
        loader_sampler = DistributedSampler(train_set)
        loader = DataLoader(train_set, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
        test_sampler = range(dist.get_rank(), len(test_set), dist.get_world_size())
        test_loader = DataLoader(test_set, batch_size=16, sampler=test_sampler)
        for layer in model:
            if hasattr(layer, "reset_parameters"):
                layer.reset_parameters()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        ddp_model = DistributedDataParallel(model)
        if dist.get_rank() > 0:
            np.random.seed(np.random.randint(2**31) + dist.get_rank())
            torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
        for epoch in range(args.epochs):
            loader.sampler.set_epoch(epoch)
            loss = train(ddp_model, loader, optimizer, criterion)
            if dist.get_rank() == 0:
                print(f"run {run} epoch {epoch} loss {loss:.4f}")
        scores.append(test(model, test_loader))
        if dist.get_rank() == 0:
            print(order, f"run {run}: {scores[-1]:.4f}")
    if dist.get_rank() == 0:
        print(f"{np.mean(scores):.4f} +- {np.std(scores):.4f}")


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    np.random.seed(seed % 2**32)
    main()
    dist.destroy_process_group()
