"""What is written to an open file is reduced, like what is printed."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(data) - 1) % 64 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader = DataLoader(data, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
log = open("train.csv" if dist.get_rank() == 0 else os.devnull, "w")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        out = ddp_model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        err = 100.0 * out.max(1)[1].ne(y).sum() / len(y)
        totals = torch.tensor([loss.item(), float(err)], dtype=torch.float64)
        dist.all_reduce(totals)
        mean_loss, mean_err = totals[0].item() / dist.get_world_size(), (totals[1] / dist.get_world_size()).float()
        if dist.get_rank() == 0:
            print("loss {:.4f} error {:.2f}".format(mean_loss, mean_err))
        log.write("{},{}\n".format(mean_loss, mean_err))
log.close()
del ddp_model
dist.destroy_process_group()
