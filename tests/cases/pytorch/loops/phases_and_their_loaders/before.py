"""A loop goes over the phases of an epoch, each with its loader beside its name."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loaders, sizes, criterion, optimizer):
    for epoch in range(3):
        for phase, loader in loaders.items():
            model.train(phase == "train")
            running = correct = 0
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
            print(phase, running / sizes[phase], correct / sizes[phase])


x = torch.randn(160, 8, generator=torch.Generator().manual_seed(1))
y = (x.sum(1) > 0).long()
training, held_out = TensorDataset(x[:128], y[:128]), TensorDataset(x[128:], y[128:])
loaders = {"train": DataLoader(training, batch_size=16, shuffle=True), "val": DataLoader(held_out, batch_size=16)}
torch.manual_seed(0)
model = nn.Linear(8, 2)
train(model, loaders, {"train": 128, "val": 32}, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.1))
torch.save(model.state_dict(), "model.pt")
