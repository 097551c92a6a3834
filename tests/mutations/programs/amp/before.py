"""Mixed precision: the forward pass in bfloat16."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
x = torch.randn(96, 16)
y = (x[:, :4].sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)

for epoch in range(2):
    correct = 0
    for a, b in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output = model(a)
            loss = criterion(output, b)
        loss.backward()
        optimizer.step()
        correct += (output.argmax(1) == b).sum().item()
    print(f'epoch {epoch}: {correct} right')
torch.save(model.state_dict(), 'amp.pt')
