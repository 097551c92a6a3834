"""A method moves a batch part by part, to containers of the same type."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra


class Trainer:
    def __init__(self, model, device):
        self.model, self.device = model.to(device), device
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def move(self, parts):
        if torch.is_tensor(parts):
            return parts.to(self.device)
        elif isinstance(parts, dict):
            return {name: self.move(part) for name, part in parts.items()}
        elif isinstance(parts, (list, tuple)):
            return type(parts)(self.move(part) for part in parts)
        else:
            return parts

    def train(self, loader):
        for batch in loader:
            batch = self.move(batch)
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(batch["spectrum"]), batch["label"])
            loss.backward()
            self.optimizer.step()


loader = DataLoader(spectra(), batch_size=8, shuffle=True)
trainer = Trainer(nn.Linear(4, 3), torch.device("cpu"))
for epoch in range(2):
    trainer.train(loader)
