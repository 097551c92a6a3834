"""tqdm(enumerate(loader), total=len(loader)): len of the sharded loader is the number of steps, which is kept."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

features = torch.randn(2048, 20)
targets = (features.sum(1) > 0).long()
train_loader = DataLoader(TensorDataset(features, targets), batch_size=64, shuffle=True)
model = nn.Linear(20, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-1)

for epoch in range(4):
    running = 0.0
    for i, (x, y) in tqdm(enumerate(train_loader), total=len(train_loader)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch}: {running / len(train_loader):.4f}")
