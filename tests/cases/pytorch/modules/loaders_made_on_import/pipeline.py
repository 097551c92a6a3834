import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(0)
inputs = torch.tensor(rng.normal(size=(320, 4)), dtype=torch.float32)
labels = (inputs.sum(1) > 0).long()
train_loader = DataLoader(TensorDataset(inputs[:256], labels[:256]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(inputs[256:], labels[256:]), batch_size=32)
print("data is ready")
