"""A GPU's number, handed on by a name, would put all processes on one GPU."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, loader, optimizer, gpu_id):
        self.gpu_id = gpu_id
        self.model = model.to(gpu_id)
        self.loader = loader
        self.optimizer = optimizer

    def train(self, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                x, y = x.to(self.gpu_id), y.to(self.gpu_id)
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(x), y).backward()
                self.optimizer.step()


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,))), batch_size=32, shuffle=True)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
device = 0  # the first GPU
Trainer(model, loader, optimizer, device).train(2)
