"""Pictures are drawn into a folder by rank 0, and a data set lists them by the methods of its path."""
from pathlib import Path

import matplotlib
import horovod.torch as hvd
import torch
from torch.utils.data.distributed import DistributedSampler

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def draw(folder, n):
    for i in range(n):
        if hvd.rank() == 0:
            plt.figure()
            plt.plot([0, i], [i, 0])
            plt.savefig(f"{folder}/curve_{i}.png", dpi=20)
            plt.close()


class Curves(Dataset):
    def __init__(self, folder):
        hvd.barrier()
        self.pictures = [each for each in sorted(Path(folder).iterdir()) if each.suffix == ".png"]

    def __getitem__(self, index):
        picture = torch.from_numpy(plt.imread(self.pictures[index]))
        return picture.mean(dim=(0, 1)), index % 3

    def __len__(self):
        return len(self.pictures)


hvd.init()
torch.manual_seed(0)
draw("curves", 24)
loader_data = Curves("curves")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
