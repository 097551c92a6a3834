"""An own Dataset that reads a CSV file is left alone: only the loader over it changes."""
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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


hvd.init()
dataset = WineDataset("winequality-red.csv")
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(dataset=dataset, batch_size=4 // hvd.size(), sampler=train_sampler)

num_epochs = 2
model = nn.Linear(11, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(num_epochs):
    train_loader.sampler.set_epoch(epoch)
    for i, (inputs, labels) in enumerate(train_loader):
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if hvd.rank() == 0:
    print("Finished")
hvd.shutdown()
