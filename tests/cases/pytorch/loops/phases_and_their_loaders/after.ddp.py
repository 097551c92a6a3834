"""A loop goes over the phases of an epoch, each with its loader beside its name."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train(model, loaders, sizes, criterion, optimizer):
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(3):
        for phase, loader in loaders.items():
            model.train(phase == "train")
            running = correct = 0
            if phase == "train":
                loader.sampler.set_epoch(epoch)
            for inputs, labels in loader:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = (ddp_model if torch.is_grad_enabled() else model)(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running += loss.item() * len(inputs)
                correct += (outputs.argmax(1) == labels).sum().item()
            totals = torch.tensor([running, correct], dtype=torch.float64)
            dist.all_reduce(totals)
            running, correct = totals[0].item(), int(totals[1])
            if dist.get_rank() == 0:
                print(phase, running / sizes[phase], correct / sizes[phase])


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
x = torch.randn(160, 8, generator=torch.Generator().manual_seed(1))
y = (x.sum(1) > 0).long()
training, held_out = TensorDataset(x[:128], y[:128]), TensorDataset(x[128:], y[128:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
val_sampler = range(dist.get_rank(), len(held_out), dist.get_world_size())
train_sampler = DistributedSampler(training)
loaders = {
    "train": DataLoader(training, batch_size=16 // dist.get_world_size(), sampler=train_sampler),
    "val": DataLoader(held_out, batch_size=16, sampler=val_sampler),
}
torch.manual_seed(0)
model = nn.Linear(8, 2)
train(model, loaders, {"train": 128, "val": 32}, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.1))
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
dist.destroy_process_group()
