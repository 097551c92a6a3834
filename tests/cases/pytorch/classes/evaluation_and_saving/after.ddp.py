"""A trainer class holds model, optimizer and loaders; the epochs are counted in one method, a pass is another."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, model, train_data, test_data, lr=0.1):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        if 16 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
        loader_sampler = DistributedSampler(train_data)
        self.train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
        loader_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
        self.test_loader = DataLoader(test_data, batch_size=16, sampler=loader_sampler)

    def train_epoch(self, epoch):
        self.model.train()
        total = 0.0
        self.train_loader.sampler.set_epoch(epoch)
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.ddp_model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        return total / len(self.train_loader)

    def evaluate(self):
        self.model.eval()
        correct = 0
        with torch.no_grad():
            for x, y in self.test_loader:
                correct += (self.model(x).argmax(1) == y).sum().item()
            total_ = torch.tensor(correct, dtype=torch.float64)
            dist.all_reduce(total_)
            correct = int(total_)
        return correct / len(self.test_loader.dataset)

    def fit(self, epochs):
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for epoch in range(epochs):
            loss = self.train_epoch(epoch)
            evaluate_result = self.evaluate()
            if dist.get_rank() == 0:
                print(f"epoch {epoch}: loss {loss:.4f}, accuracy {evaluate_result:.3f}")
        del self.ddp_model
        if dist.get_rank() == 0:
            torch.save(self.model.state_dict(), "model.pt")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 8)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
trainer = Trainer(model, TensorDataset(x[:256], y[:256]), TensorDataset(x[256:], y[256:]))
trainer.fit(3)
dist.destroy_process_group()
