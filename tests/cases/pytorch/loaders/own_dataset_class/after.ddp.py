"""An own Dataset that reads a CSV file is left alone: only the loader over it changes."""
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class WineDataset(Dataset):
    """Wine quality, one row a sample."""

    def __init__(self, csv_file):
        frame = pd.read_csv(csv_file, sep=";")
        self.x = torch.from_numpy(frame.iloc[:, :-1].values).float()
        self.y = torch.from_numpy(frame.iloc[:, -1:].values).float()
        self.n_samples = frame.shape[0]

    def __getitem__(self, index):
        return self.x[index], self.y[index]

    def __len__(self):
        return self.n_samples


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
dataset = WineDataset("winequality-red.csv")
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(dataset)
train_loader = DataLoader(dataset=dataset, batch_size=4 // dist.get_world_size(), sampler=train_sampler)

num_epochs = 2
model = nn.Linear(11, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)

ddp_model = DistributedDataParallel(model)
for epoch in range(num_epochs):
    train_loader.sampler.set_epoch(epoch)
    for i, (inputs, labels) in enumerate(train_loader):
        outputs = ddp_model(inputs)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if dist.get_rank() == 0:
    print("Finished")
del ddp_model
dist.destroy_process_group()
