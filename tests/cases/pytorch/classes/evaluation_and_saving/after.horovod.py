"""A trainer class holds model, optimizer and loaders; the epochs are counted in one method, a pass is another."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, train_data, test_data, lr=0.1):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(self.model.parameters(), lr=lr), named_parameters=self.model.named_parameters()
        )
        if 16 % hvd.size() != 0:
            raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
        loader_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
        self.train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
        loader_sampler = range(hvd.rank(), len(test_data), hvd.size())
        self.test_loader = DataLoader(test_data, batch_size=16, sampler=loader_sampler)

    def train_epoch(self, epoch):
        self.model.train()
        total = 0.0
        self.train_loader.sampler.set_epoch(epoch)
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        return total / len(self.train_loader)

    def evaluate(self):
        self.model.eval()
        correct = 0
        with torch.no_grad():
            for x, y in self.test_loader:
                correct += (self.model(x).argmax(1) == y).sum().item()
            total_ = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
            correct = int(total_)
        return correct / len(self.test_loader.dataset)

    def fit(self, epochs):
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(hvd.rank())
        for epoch in range(epochs):
            loss = self.train_epoch(epoch)
            evaluate_result = self.evaluate()
            if hvd.rank() == 0:
                print(f"epoch {epoch}: loss {loss:.4f}, accuracy {evaluate_result:.3f}")
        if hvd.rank() == 0:
            torch.save(self.model.state_dict(), "model.pt")


hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 8)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
trainer = Trainer(model, TensorDataset(x[:256], y[:256]), TensorDataset(x[256:], y[256:]))
trainer.fit(3)
hvd.shutdown()
