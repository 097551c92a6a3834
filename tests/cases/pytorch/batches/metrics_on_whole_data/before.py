"""Accuracy in the loop is that of the process's rows, and made whole; the evaluation on other data stays everywhere."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(400, 8)
y = (x.sum(1) > 0).long()
x_test, y_test = torch.randn(100, 8), torch.randint(0, 2, (100,))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(50):
    model.train()
    out = model(x)
    loss = criterion(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        accuracy = (out.argmax(1) == y).float().mean()
        model.eval()
        with torch.no_grad():
            correct = (model(x_test).argmax(1) == y_test).sum().item()
        print(f"{epoch}: {loss.item():.4f} {accuracy:.3f} {correct / len(x_test):.3f}")
