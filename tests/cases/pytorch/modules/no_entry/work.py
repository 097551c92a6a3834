import torch
from before import fit
from torch.utils.data import DataLoader, TensorDataset


def work():
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    fit(torch.nn.Linear(4, 1), DataLoader(data, batch_size=8, shuffle=True), 3)
