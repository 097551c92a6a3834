"""The best model is saved as a whole, and loaded in place of the last one: it goes to the process's own GPU."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def test(model, loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += nn.functional.mse_loss(model(x.cuda()), y.cuda(), reduction="sum").item()
    return total / len(loader.dataset)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=16)
model = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = float("inf")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x.cuda()), y.cuda()).backward()
        optimizer.step()
    loss = test(model, test_loader)
    if loss < best:
        best = loss
        if dist.get_rank() == 0:
            torch.save(model, "best.pt")
dist.barrier()
model = torch.load(
    "best.pt",
    weights_only=False,
    map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage),
)
test_result = test(model, test_loader)
if dist.get_rank() == 0:
    print(test_result)
del ddp_model
dist.destroy_process_group()
