import torch
from torch.utils.data import Dataset


class Waves(Dataset):
    """Sine waves of three frequencies, with noise; the frequency is to be told."""

    def __init__(self, length, seed):
        generator = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(3, (length,), generator=generator)
        t = torch.linspace(0, 6.28, 32)
        phase = torch.rand(length, 1, generator=generator)
        noise = 0.3 * torch.randn(length, 32, generator=generator)
        self.waves = torch.sin((self.labels[:, None] + 1) * t + phase) + noise

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.waves[index], self.labels[index]
