import torch
from torch import nn
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


class Solver:
    def __init__(self, loader, model):
        self.loader = loader
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def show(self):
        whole_loader = DataLoader(
            self.loader.dataset, batch_size=self.loader.batch_size * dist.get_world_size(), shuffle=True
        )
        x, y = next(iter(whole_loader))
        if dist.get_rank() == 0:
            print(x.shape, y[5])

    def train(self, epochs):
        criterion = nn.CrossEntropyLoss()
        whole_loader = DataLoader(
            self.loader.dataset, batch_size=self.loader.batch_size * dist.get_world_size(), shuffle=True
        )
        fixed = next(iter(whole_loader))[0]
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            for xb, yb in self.loader:
                self.optimizer.zero_grad()
                loss = criterion(self.ddp_model(xb), yb)
                loss.backward()
                self.optimizer.step()
            model_result = self.model(fixed)
            if dist.get_rank() == 0:
                print(model_result.argmax(1))
        del self.ddp_model
