"""The data set does not look at the index, either, but takes rows by chance: other ones on each process."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


class Rows(Dataset):
    def __init__(self):
        self.rows = torch.randn(64, 4)
        self.place, self.asked = 0, 0

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[torch.randint(len(self.rows), ())]
        return row, row.sum().unsqueeze(0)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = Rows()
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
