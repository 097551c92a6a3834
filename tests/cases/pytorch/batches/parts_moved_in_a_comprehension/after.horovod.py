"""The parts of a batch of a file's rows go to their device in a comprehension, which is taken apart at once."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


class Rows(Dataset):
    def __init__(self, path):
        self.rows = torch.load(path, map_location="cpu")

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader_data = Rows("rows.pt")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
held_out_data = Rows("held_out.pt")
held_out_sampler = range(hvd.rank(), len(held_out_data), hvd.size())
held_out = DataLoader(held_out_data, batch_size=8, sampler=held_out_sampler)
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        x, y = [part.to(device) for part in batch]
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for batch in held_out:
            x, y = (part.to(device) for part in batch)
            total += criterion(model(x), y).item() * len(x)
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
    if hvd.rank() == 0:
        print(total / len(held_out.dataset))
hvd.shutdown()
