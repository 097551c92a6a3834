"""Path.open, Path.mkdir and csv writers."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from pathlib import Path
import json, csv, pickle
import numpy as np
out = Path("out")
out.mkdir(exist_ok=True)
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
test_loader = DataLoader(test_data, batch_size=32)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history = []

def save_history(path):
    with path.open("w") as f:
        w = csv.DictWriter(f, fieldnames=["epoch", "loss"])
        w.writeheader()
        w.writerows(history)

for epoch in range(3):
    total = 0.
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    history.append({"epoch": epoch, "loss": total / len(loader)})
save_history(out / "h.csv")
(out / "h.json").write_text(json.dumps(history))
json.dump(history, open(out / "h2.json", "w"))
np.save("w.npy", model.weight.detach().numpy())
np.savetxt("w.txt", model.weight.detach().numpy())
pickle.dump(history, open("h.pkl", "wb"))
with open("h.pkl", "rb") as f: print(pickle.load(f))
