"""One output a sample, flattened by a layer: entries stay those of their samples, so the loss is a mean over them."""
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)

points, labels = make_moons(n_samples=400, noise=0.1, random_state=0)
dataset = TensorDataset(torch.tensor(points, dtype=torch.float32), torch.tensor(labels, dtype=torch.float32))
n_val = 99
train_set, val_set = random_split(dataset, [len(dataset) - n_val, n_val])

train_loader = DataLoader(train_set, batch_size=30, shuffle=True)
val_loader = DataLoader(val_set, batch_size=30)

model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

for epoch in range(4):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += ((model(x) > 0).float() == y).sum().item()
    print(f'{epoch}: {correct} of {n_val} right')
