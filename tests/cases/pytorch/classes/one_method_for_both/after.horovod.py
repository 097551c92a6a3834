"""A method that makes the loss is called in training and in evaluation."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

class Config:
    lr = 0.1
    epochs = 3
    log_every = 5

class T:
    def __init__(self, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.build()
        self.steps = 0
        self.lowest = float("inf")

    def build(self):
        self.model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.1), nn.Linear(8, 1)).to(self.device)
        self.optim = hvd.DistributedOptimizer(
            torch.optim.Adam(self.model.parameters(), lr=self.config.lr), named_parameters=self.model.named_parameters()
        )


    def loss(self, batch):
        x, y = (part.to(self.device) for part in batch)
        return nn.functional.mse_loss(self.model(x), y)

    def run(self, loaders):
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(hvd.rank())
        for epoch in range(self.config.epochs):
            self.model.train()
            loaders["train"].sampler.set_epoch(epoch)
            for batch in loaders["train"]:
                loss = self.loss(batch)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.steps += 1
                if self.steps % self.config.log_every == 0:
                    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
                    mean_loss = total.item() / hvd.size()
                    if hvd.rank() == 0:
                        print(self.steps, mean_loss)
            val = self.validate(loaders["val"])
            if hvd.rank() == 0:
                print("epoch", epoch, val)
            if val < self.lowest:
                self.lowest = val
                self.save("best.pt")

    def validate(self, loader):
        hvd.broadcast_parameters(dict(self.model.named_buffers()), root_rank=0)
        self.model.eval()
        losses = []
        with torch.no_grad():
            for batch in loader:
                losses.append(self.loss(batch).item())
        return sum(losses) / len(losses)

    def save(self, path):
        if hvd.rank() == 0:
            torch.save({"model": self.model.state_dict(), "optim": self.optim.state_dict(), "epoch": epoch}, path)

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
x = torch.randn(320, 8)
y = x.sum(1, keepdim=True)
train_data = TensorDataset(x[:256], y[:256])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(train_data) - 1) % 16 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
loaders = {"train": DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler), "val": DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)}
t = T(Config())
t.run(loaders)
hvd.shutdown()
