"""A loop goes over the phases of an epoch, each with its loader beside its name."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train(model, loaders, sizes, criterion, optimizer):
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(3):
        for phase, loader in loaders.items():
            model.train(phase == "train")
            running = correct = 0
            if phase == "train":
                loader.sampler.set_epoch(epoch)
            for inputs, labels in loader:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running += loss.item() * len(inputs)
                correct += (outputs.argmax(1) == labels).sum().item()
            totals = hvd.allreduce(torch.tensor([running, correct], dtype=torch.float64), op=hvd.Sum)
            running, correct = totals[0].item(), int(totals[1])
            if hvd.rank() == 0:
                print(phase, running / sizes[phase], correct / sizes[phase])


hvd.init()
x = torch.randn(160, 8, generator=torch.Generator().manual_seed(1))
y = (x.sum(1) > 0).long()
training, held_out = TensorDataset(x[:128], y[:128]), TensorDataset(x[128:], y[128:])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
val_sampler = range(hvd.rank(), len(held_out), hvd.size())
train_sampler = DistributedSampler(training, num_replicas=hvd.size(), rank=hvd.rank())
loaders = {
    "train": DataLoader(training, batch_size=16 // hvd.size(), sampler=train_sampler),
    "val": DataLoader(held_out, batch_size=16, sampler=val_sampler),
}
torch.manual_seed(0)
model = nn.Linear(8, 2)
train(
    model,
    loaders,
    {"train": 128, "val": 32},
    nn.CrossEntropyLoss(),
    hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()),
)
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
