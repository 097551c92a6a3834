"""A data set of graphs is downloaded and prepared by one process, and all divide it alike."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, global_add_pool

dataset = TUDataset("data", name="MUTAG").shuffle()
test_dataset = dataset[:len(dataset) // 10]
train_dataset = dataset[len(dataset) // 10:]
train_loader = DataLoader(train_dataset, batch_size=32, shuffle=True)
test_loader = DataLoader(test_dataset, batch_size=32)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GINConv(torch.nn.Sequential(torch.nn.Linear(7, 32), torch.nn.ReLU(), torch.nn.Linear(32, 32)))
        self.out = torch.nn.Linear(32, 2)

    def forward(self, data):
        return self.out(global_add_pool(self.conv(data.x, data.edge_index), data.batch))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    for data in train_loader:
        data.x = data.x.float()
        optimizer.zero_grad()
        F.cross_entropy(model(data), data.y).backward()
        optimizer.step()
    with torch.no_grad():
        right = sum(int((model(data).argmax(dim=1) == data.y).sum()) for data in test_loader)
    print(f"epoch {epoch}: {right / len(test_dataset):.3f}")
