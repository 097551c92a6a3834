"""sys.exit(main()): the group ends before the program does."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import argparse, os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
parser.add_argument("--batch-size", type=int, default=32)

def main():
    args = parser.parse_args()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
    if args.batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=args.batch_size // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Linear(10, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    first = 0
    if args.resume and os.path.exists("r.pt"):
        state = torch.load("r.pt")
        model.load_state_dict(state["m"]); optimizer.load_state_dict(state["o"]); scheduler.load_state_dict(state["s"])
        first = state["e"]
        if dist.get_rank() == 0:
            print("resumed at", first)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(first, 4):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()
        scheduler.step()
        if dist.get_rank() == 0:
            torch.save(dict(m=model.state_dict(), o=optimizer.state_dict(), s=scheduler.state_dict(), e=epoch + 1), "r.pt")

if __name__ == "__main__":
    import sys
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    status = main()
    dist.destroy_process_group()
    sys.exit(status)
