"""Weights are loaded before training without map_location: all processes would use the first GPU's memory."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(10, 2)
pretrained = torch.load('pretrained.pth')
model.load_state_dict(pretrained, strict=False)
model = model.to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
torch.save(model, 'whole_model.pt')
