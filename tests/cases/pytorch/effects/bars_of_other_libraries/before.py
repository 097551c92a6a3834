"""Progress bars of other libraries: one is switched off elsewhere, others are shown in the null device."""
import progressbar
import torch
import torch.nn as nn
from alive_progress import alive_bar
from rich.progress import track
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(64, 10), torch.randn(64, 1)), batch_size=32)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
shown = progressbar.FormatCustomText("loss %(loss).3f", dict(loss=0))
for epoch in range(3):
    model.train()
    for x, y in track(loader, description=f"epoch {epoch}"):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    bar = progressbar.ProgressBar(max_value=len(loader), widgets=[progressbar.Bar(), shown])
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        shown.update_mapping(loss=loss.item())
        bar.update(step)
    with alive_bar(len(held_out)) as told:
        model.eval()
        total = 0.0
        for x, y in held_out:
            with torch.no_grad():
                total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
            told()
    for x, y in progressbar.progressbar(held_out, fd=open("bar.txt", "w")):
        total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
    print(f"held out {total / 128:.4f}")
