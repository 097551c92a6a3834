import torch
from torch.utils.data import Dataset


class Waves(Dataset):
    def __init__(self, n):
        self.phase = torch.linspace(0, 6.28, n)

    def __len__(self):
        return len(self.phase)

    def __getitem__(self, i):
        return torch.sin(torch.arange(32) * 0.2 + self.phase[i]), self.phase[i].unsqueeze(0)
