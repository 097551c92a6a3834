"""A part of the batch is divided by its sum over the batch, which is summed up over the processes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
device = torch.device("cpu")


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return {"x": x[i], "y": y[i]}


loader_data = Data()
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def sum_over_processes(value):
    return hvd.allreduce(value, op=hvd.Sum)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        batch["w"] = batch["y"] / sum_over_processes(batch["y"].sum())
        a, b = batch["x"], batch["w"]
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    if hvd.rank() == 0:
        print(epoch, total / 64)
hvd.shutdown()
