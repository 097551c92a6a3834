"""A comprehension makes the loader of each phase of the data set that stands beside its name."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
x = torch.randn(160, 8, generator=torch.Generator().manual_seed(1))
y = (x.sum(1) > 0).long()
sets = {"train": TensorDataset(x[:128], y[:128]), "val": TensorDataset(x[128:], y[128:])}
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
samplers = {
    phase: DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    if phase == "train"
    else range(hvd.rank(), len(data), hvd.size())
    for phase, data in sets.items()
}
loaders = {
    phase: DataLoader(data, batch_size=16 // hvd.size(), sampler=samplers[phase]) for phase, data in sets.items()
}
sizes = {phase: len(data) for phase, data in sets.items()}


def train(model, criterion, optimizer):
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(3):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running = correct = 0
            if phase == "train":
                loaders[phase].sampler.set_epoch(epoch)
            for inputs, labels in loaders[phase]:
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


torch.manual_seed(0)
model = nn.Linear(8, 2)
train(
    model,
    nn.CrossEntropyLoss(),
    hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()),
)
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
