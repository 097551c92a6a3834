"""train_loader is a list of file names and loader a function that opens an image: neither is a DataLoader."""
import glob

import numpy as np
import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
train_loader = sorted(glob.glob("images/*.png"))
if hvd.rank() == 0:
    print(len(train_loader), "files")


def loader(path, batch_size=(32, 32)):
    return np.asarray(Image.open(path).convert("L").resize(batch_size), dtype=np.float32) / 255


class Files(Dataset):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        return torch.from_numpy(loader(self.names[i])), int("cat" in self.names[i])


for name in train_loader:
    assert name.endswith(".png")

batches_data = Files(train_loader)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
batches_sampler = DistributedSampler(batches_data, num_replicas=hvd.size(), rank=hvd.rank())
batches = DataLoader(batches_data, batch_size=8 // hvd.size(), sampler=batches_sampler)
model = nn.Sequential(nn.Flatten(), nn.Linear(1024, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(5):
    batches.sampler.set_epoch(epoch)
    for image, label in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(image), label).backward()
        optimizer.step()
hvd.shutdown()
