import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


def loaders(batch_size):
    digits = load_digits()
    images = torch.from_numpy((digits.data / 16).astype(np.float32))
    labels = torch.from_numpy(digits.target)
    training = TensorDataset(images[:320], labels[:320])
    held_out = TensorDataset(images[320:430], labels[320:430])
    return DataLoader(training, batch_size=batch_size, shuffle=True), DataLoader(held_out, batch_size=32)
