"""`before.py` with Accelerate, by hand: everything is prepared at once."""
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(cpu=True)
torch.manual_seed(0)
x = torch.randn(61, 10)
y = (x[:, 0] > 0).long()
batch_size = 8 // accelerator.num_processes
train_loader = DataLoader(TensorDataset(x[:48], y[:48]), batch_size=batch_size, shuffle=True)
test_loader = DataLoader(TensorDataset(x[48:], y[48:]), batch_size=8)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
model, optimizer, train_loader, test_loader = accelerator.prepare(model, optimizer, train_loader, test_loader)

for epoch in range(3):
    model.train()
    total = 0.0
    for a, b in train_loader:
        loss = nn.functional.cross_entropy(model(a), b)
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()
        total += accelerator.gather(loss.detach() * len(a)).sum().item()
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            output, b = accelerator.gather_for_metrics((model(a).argmax(1), b))
            correct += (output == b).sum().item()
    accelerator.print(f"epoch {epoch}: loss {total / 48:.5f}, accuracy {correct / 13:.2%}")
if accelerator.is_main_process:
    torch.save(accelerator.unwrap_model(model).state_dict(), "model.pt")
accelerator.end_training()
