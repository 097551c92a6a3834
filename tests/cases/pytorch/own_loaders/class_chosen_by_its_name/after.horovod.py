"""A class derived from DataLoader is chosen by its name in a file of settings; so are its arguments."""
import json

import loading
import torch
from torch import nn
import horovod.torch as hvd


class Epochs:
    def __init__(self, model, optimizer, train_loader, test_loader=None, steps=None):
        self.model, self.optimizer = model, optimizer
        if steps is None:
            self.train_loader = train_loader
        else:
            self.train_loader = endless(train_loader)
        self.test_loader = test_loader
        self.criterion = nn.CrossEntropyLoss()

    def train(self):
        for inputs, labels in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(inputs), labels)
            loss.backward()
            self.optimizer.step()

    def evaluate(self):
        correct = 0
        with torch.no_grad():
            for x, y in self.test_loader:
                correct += (self.model(x).argmax(1) == y).sum().item()
        return correct


def endless(loader):
    while True:
        yield from loader


def make(settings):
    return getattr(loading, settings["type"])(**settings["args"])


hvd.init()
torch.manual_seed(0)
with open("settings.json") as file:
    settings = json.load(file)
train_loader = make(settings["loader"])
test_loader = train_loader.rest()
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
epochs = Epochs(model, optimizer, train_loader, test_loader)
hvd.broadcast_parameters(epochs.model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    epochs.train()
    evaluate_result = epochs.evaluate()
    if hvd.rank() == 0:
        print(epoch, train_loader.n_samples, evaluate_result)
hvd.shutdown()
