import torch
from torch import nn
import horovod.torch as hvd
from torch.utils.data import DataLoader


class Solver:
    def __init__(self, loader, model):
        self.loader = loader
        self.model = model
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
        )

    def show(self):
        x, y = next(iter(DataLoader(self.loader.dataset, batch_size=self.loader.batch_size * hvd.size(), shuffle=True)))
        if hvd.rank() == 0:
            print(x.shape, y[5])

    def train(self, epochs):
        criterion = nn.CrossEntropyLoss()
        whole_loader = DataLoader(self.loader.dataset, batch_size=self.loader.batch_size * hvd.size(), shuffle=True)
        fixed = next(iter(whole_loader))[0]
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(hvd.rank())
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            for xb, yb in self.loader:
                self.optimizer.zero_grad()
                loss = criterion(self.model(xb), yb)
                loss.backward()
                self.optimizer.step()
            model_result = self.model(fixed)
            if hvd.rank() == 0:
                print(model_result.argmax(1))
