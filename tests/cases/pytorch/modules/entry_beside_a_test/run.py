import torch
from before import Solver
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
Solver(torch.nn.Linear(4, 1), DataLoader(data, batch_size=8, shuffle=True)).train()
