"""Transfer learning: phases in a list, one call for both loaders, the best weights kept, uneven validation data."""
import copy

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x = torch.randn(203, 12)
y = (x[:, :3] + 0.1 * torch.randn(203, 3)).argmax(1)
datasets = {"train": TensorDataset(x[:160], y[:160]), "val": TensorDataset(x[160:], y[160:])}
dataloaders = {name: DataLoader(datasets[name], batch_size=16, shuffle=True) for name in ["train", "val"]}
sizes = {name: len(datasets[name]) for name in ["train", "val"]}


def train_model(model, criterion, optimizer, scheduler, num_epochs):
    best_weights, best_accuracy = copy.deepcopy(model.state_dict()), 0.0
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss, running_corrects = 0.0, 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(outputs.argmax(1) == labels)
            if phase == "train":
                scheduler.step()
            accuracy = running_corrects.double() / sizes[phase]
            print(f"{epoch} {phase} loss {running_loss / sizes[phase]:.5f} accuracy {accuracy:.4f}")
            if phase == "val" and accuracy > best_accuracy:
                best_weights, best_accuracy = copy.deepcopy(model.state_dict()), accuracy
    model.load_state_dict(best_weights)
    return model


backbone = nn.Sequential(nn.Linear(12, 16), nn.ReLU())
for parameter in backbone.parameters():
    parameter.requires_grad = False
net = nn.Sequential(backbone, nn.Linear(16, 3))
opt = torch.optim.SGD(net[1].parameters(), lr=0.1, momentum=0.9)
schedule = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.1)
torch.save(train_model(net, nn.CrossEntropyLoss(), opt, schedule, 3).state_dict(), "tuned.pt")
