"""The digits, as loaders."""

import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset, random_split


class Digits(Dataset):
    """scikit-learn's 1,797 images of 8 x 8 pixels."""

    def __init__(self):
        digits = load_digits()
        self.images = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
        self.labels = torch.tensor(digits.target)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


def make_loaders(config):
    """A loader for training, and one for evaluation."""
    digits = Digits()
    train_set, test_set = random_split(digits, [1500, len(digits) - 1500])
    train_loader = DataLoader(train_set, batch_size=config.batch_size, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=256)
    return train_loader, test_loader
