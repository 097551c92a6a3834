import torch
from torch.utils.data import DataLoader, TensorDataset


def get_loader(batch_size):
    return DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=batch_size, shuffle=True)
