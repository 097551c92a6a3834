"""An item of a batch of graphs is the attribute of that name: a row for each node, not for each graph."""
import torch
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader

torch.manual_seed(0)
train_loader = DataLoader(TUDataset("data", name="PROTEINS"), batch_size=60, shuffle=True)
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for epoch in range(5):
    for data in train_loader:
        optimizer.zero_grad()
        loss = model(data["x"]).square().mean()
        loss.backward()
        optimizer.step()
