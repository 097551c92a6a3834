"""A shuffled evaluation is left early, and gives a list: it now sees the first batches, whatever else keeps it whole."""
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
train_set = TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))
test_set = TensorDataset(torch.randn(200, 8), torch.randint(0, 4, (200,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(test_set, batch_size=16)
model = nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate(most):
    predictions = []
    with torch.no_grad():
        for i, (x, y) in enumerate(test_loader):
            predictions.append(model(x).argmax(1))
            if i >= most:
                break
    return torch.cat(predictions).float().mean().item()


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    evaluate_result = evaluate(5)
    if dist.get_rank() == 0:
        print(evaluate_result)
del ddp_model
dist.destroy_process_group()
