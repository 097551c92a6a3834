"""Each round of a loop of splits draws its own, after processes have drawn different noise."""
import torch
from sklearn.model_selection import ShuffleSplit
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

data = TensorDataset(torch.randn(90, 6), torch.randint(0, 2, (90,)))
for train_idx, _ in ShuffleSplit(n_splits=3).split(range(90)):
    loader = DataLoader(Subset(data, train_idx), batch_size=20, shuffle=True)
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
