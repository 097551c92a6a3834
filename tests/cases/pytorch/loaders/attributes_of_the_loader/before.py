"""What is read of the training loader means what it meant: the global batch size, and the samples of all processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


class Trainer:
    def __init__(self, train_loader):
        self.train_loader = train_loader
        self.warmup = 160 // self.train_loader.batch_size

    def rate(self, step):
        return min(1.0, (step + 1) / self.warmup)


def steps_per_epoch(batches):
    return len(batches.sampler) // batches.batch_sampler.batch_size


trainer = Trainer(loader)
print("batch", loader.batch_size, f"of {loader.sampler.num_samples}", "drop", loader.drop_last, loader.num_workers)
print("steps", steps_per_epoch(loader), -loader.batch_size, loader.batch_size ** 2, getattr(loader, "batch_size") + 1)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, trainer.rate)
decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=len(loader.batch_sampler) * 2)
for epoch in range(2):
    seen = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        seen += loader.batch_size
        for group in optimizer.param_groups:
            group["weight_decay"] = 0.01 * loader.batch_size / len(loader.sampler)
    print(epoch, seen, schedule.get_last_lr()[0])
