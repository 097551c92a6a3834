"""A comprehension makes the loader of each phase of the data set that stands beside its name."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
x = torch.randn(160, 8, generator=torch.Generator().manual_seed(1))
y = (x.sum(1) > 0).long()
sets = {"train": TensorDataset(x[:128], y[:128]), "val": TensorDataset(x[128:], y[128:])}
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
samplers = {
    phase: DistributedSampler(data)
    if phase == "train"
    else range(dist.get_rank(), len(data), dist.get_world_size())
    for phase, data in sets.items()
}
loaders = {phase: DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=samplers[phase]) for phase, data in sets.items()}
sizes = {phase: len(data) for phase, data in sets.items()}


def train(model, criterion, optimizer):
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(3):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running = correct = 0
            if phase == "train":
                loaders[phase].sampler.set_epoch(epoch)
            for inputs, labels in loaders[phase]:
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


torch.manual_seed(0)
model = nn.Linear(8, 2)
train(model, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.1))
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
dist.destroy_process_group()
