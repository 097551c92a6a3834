"""Libraries that hold a lock while they fetch, or rename a file at the end, and what fetches nothing: left alone."""

import torch
from huggingface_hub import hf_hub_download, snapshot_download
from sklearn.datasets import fetch_20newsgroups
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def download_rows(count):
    return torch.randn(count, 4)


torch.manual_seed(0)
folder = snapshot_download("some/rows")
path = hf_hub_download("some/rows", "targets.pt")
weights = torch.hub.load_state_dict_from_url("https://example.org/linear.pth")
texts = fetch_20newsgroups(download_if_missing=False)
encoder = torch.hub.load("./hub", "encoder", source="local")
x = download_rows(len(texts.data))
y = torch.load(path) + len(folder)
model = nn.Linear(4, 1)
model.load_state_dict(weights)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
