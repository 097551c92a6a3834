"""An own Dataset that reads a CSV file is left alone: only the loader over it changes."""
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader


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


dataset = WineDataset("winequality-red.csv")
train_loader = DataLoader(dataset=dataset, batch_size=4, shuffle=True)

num_epochs = 2
model = nn.Linear(11, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)

for epoch in range(num_epochs):
    for i, (inputs, labels) in enumerate(train_loader):
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print("Finished")
