"""What a library calls may call what prints: by a function that it was handed, or a method of a class with a base."""
import atexit
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(json.JSONEncoder):
    def default(self, o):
        return self.named(o)

    def named(self, o):
        print("a name for", type(o))
        return str(o)


def finish():
    told()


def told():
    print("finished")


def wrapped(function):
    return torch.jit.ignore(function)


@wrapped
def traced():
    helped()


def helped():
    print("helped")


def noted(text, loud=False):
    if loud:
        shouted(text)
    return text


def shouted(text):
    print(text.upper())


atexit.register(finish)
atexit.register(noted, "the end", True)

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        noted("a step", loud=False)
with open("options.json", "w") as file:
    json.dump({"device": torch.device("cpu")}, file, cls=Encoder)
