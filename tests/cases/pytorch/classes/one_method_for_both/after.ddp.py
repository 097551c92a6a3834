"""A method that makes the loss is called in training and in evaluation."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

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
        self.optim = torch.optim.Adam(self.model.parameters(), lr=self.config.lr)


    def loss(self, batch):
        x, y = (part.to(self.device) for part in batch)
        return nn.functional.mse_loss((self.ddp_model if torch.is_grad_enabled() else self.model)(x), y)

    def run(self, loaders):
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
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
                    total = torch.tensor(loss.item(), dtype=torch.float64)
                    dist.all_reduce(total)
                    mean_loss = total.item() / dist.get_world_size()
                    if dist.get_rank() == 0:
                        print(self.steps, mean_loss)
            val = self.validate(loaders["val"])
            if dist.get_rank() == 0:
                print("epoch", epoch, val)
            if val < self.lowest:
                self.lowest = val
                self.save("best.pt")
        del self.ddp_model

    def validate(self, loader):
        for buffer in self.model.buffers():
            dist.broadcast(buffer, src=0)
        self.model.eval()
        losses = []
        with torch.no_grad():
            for batch in loader:
                losses.append(self.loss(batch).item())
        return sum(losses) / len(losses)

    def save(self, path):
        if dist.get_rank() == 0:
            torch.save({"model": self.model.state_dict(), "optim": self.optim.state_dict(), "epoch": epoch}, path)

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
x = torch.randn(320, 8)
y = x.sum(1, keepdim=True)
train_data = TensorDataset(x[:256], y[:256])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_data) - 1) % 16 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data)
loaders = {"train": DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler), "val": DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)}
t = T(Config())
t.run(loaders)
dist.destroy_process_group()
