"""train_loader is a list of file names and loader a function that opens an image: neither is a DataLoader."""
import glob

import numpy as np
import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
train_loader = sorted(glob.glob("images/*.png"))
if dist.get_rank() == 0:
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
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
batches_sampler = DistributedSampler(batches_data)
batches = DataLoader(batches_data, batch_size=8 // dist.get_world_size(), sampler=batches_sampler)
model = nn.Sequential(nn.Flatten(), nn.Linear(1024, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
ddp_model = DistributedDataParallel(model)
for epoch in range(5):
    batches.sampler.set_epoch(epoch)
    for image, label in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(image), label).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
