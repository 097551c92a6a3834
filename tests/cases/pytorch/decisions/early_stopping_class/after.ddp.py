"""A class that counts epochs without improvement, and keeps the best weights, is asked whether to stop."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending



class EarlyStopping:
    def __init__(self, patience=7, delta=0.0, path="checkpoint.pt"):
        self.patience = patience
        self.counter = 0
        self.best_score = None
        self.early_stop = False
        self.val_loss_min = np.inf
        self.delta = delta
        self.path = path

    def __call__(self, val_loss, model):
        score = -val_loss
        if self.best_score is None:
            self.best_score = score
            self.save_checkpoint(val_loss, model)
        elif score < self.best_score + self.delta:
            self.counter += 1
            if dist.get_rank() == 0:
                print(f"EarlyStopping counter: {self.counter} out of {self.patience}")
            if self.counter >= self.patience:
                self.early_stop = True
        else:
            self.best_score = score
            self.save_checkpoint(val_loss, model)
            self.counter = 0

    def save_checkpoint(self, val_loss, model):
        if dist.get_rank() == 0:
            print(f"Validation loss decreased ({self.val_loss_min:.6f} --> {val_loss:.6f}). Saving model ...")
            torch.save(model.state_dict(), self.path)
        self.val_loss_min = val_loss


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_data = TensorDataset(x[:320], y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
val_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
early_stopping = EarlyStopping(patience=2)


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(20):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(data), target)
        loss.backward()
        optimizer.step()
    model.eval()
    valid_losses = []
    for data, target in val_loader:
        valid_losses.append(criterion(model(data), target).item())
    valid_loss = np.average(valid_losses)
    early_stopping(valid_loss, model)
    if from_rank_0(early_stopping.early_stop):
        if dist.get_rank() == 0:
            print("Early stopping")
        break
dist.barrier()
model.load_state_dict(torch.load("checkpoint.pt"))
del ddp_model
dist.destroy_process_group()
