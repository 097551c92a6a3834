import torch
from torch.utils.data import TensorDataset, random_split

x = torch.arange(320.0).reshape(-1, 1)
train_set, test_set = random_split(TensorDataset(x, x * 2), [256, 64])
