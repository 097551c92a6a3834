"""A comprehension makes the loader of each phase of the data set that stands beside its name."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(160, 8, generator=torch.Generator().manual_seed(1))
y = (x.sum(1) > 0).long()
sets = {"train": TensorDataset(x[:128], y[:128]), "val": TensorDataset(x[128:], y[128:])}
loaders = {phase: DataLoader(data, batch_size=16, shuffle=True) for phase, data in sets.items()}
sizes = {phase: len(data) for phase, data in sets.items()}


def train(model, criterion, optimizer):
    for epoch in range(3):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running = correct = 0
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
            print(phase, running / sizes[phase], correct / sizes[phase])


torch.manual_seed(0)
model = nn.Linear(8, 2)
train(model, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.1))
torch.save(model.state_dict(), "model.pt")
