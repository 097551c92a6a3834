"""sys.exit(main()): the group ends before the program does."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import argparse, os
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
parser.add_argument("--batch-size", type=int, default=32)

def main():
    args = parser.parse_args()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
    if args.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=args.batch_size // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(10, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    first = 0
    if args.resume and os.path.exists("r.pt"):
        state = torch.load("r.pt")
        model.load_state_dict(state["m"]); optimizer.load_state_dict(state["o"])
        if optimizer.state_dict()["state"]:
            hvd.broadcast_optimizer_state(optimizer, root_rank=0)
        scheduler.load_state_dict(state["s"])
        first = state["e"]
        if hvd.rank() == 0:
            print("resumed at", first)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(first, 4):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        scheduler.step()
        if hvd.rank() == 0:
            torch.save(dict(m=model.state_dict(), o=optimizer.state_dict(), s=scheduler.state_dict(), e=epoch + 1), "r.pt")

if __name__ == "__main__":
    import sys
    hvd.init()
    status = main()
    hvd.shutdown()
    sys.exit(status)
