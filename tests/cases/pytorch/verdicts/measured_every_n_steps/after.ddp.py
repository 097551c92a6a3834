"""What is measured whole in some steps decides rates and the end: rank 0's, though the step's number is in it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
kept = DataLoader(TensorDataset(torch.randn(200, 10), torch.randint(0, 3, (200,))), batch_size=50)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
criterion = nn.CrossEntropyLoss()
rounds, best, patience, stop = 0, 100.0, 0, False


def measure():
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in kept:
            losses.append(criterion(model(x), y).item())
    model.train()
    return max(losses)


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        rounds += 1
        if step % 4 == 0:
            worst = measure() + 0.001 * rounds
            scheduler.step(from_rank_0(worst))
            if from_rank_0(worst < best):
                best, patience = worst, 0
                if dist.get_rank() == 0:
                    torch.save(model.state_dict(), "best.pt")
            else:
                patience += 1
                for group in optimizer.param_groups:
                    group["lr"] = from_rank_0(0.1 * worst)
            if from_rank_0(patience > 3):
                stop = True
                break
            if dist.get_rank() == 0:
                print(rounds, worst, best)
    if from_rank_0(stop):
        break
del ddp_model
dist.destroy_process_group()
