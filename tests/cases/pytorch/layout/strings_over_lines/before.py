"""Multi-line strings are written and printed: guarding them must not change their text."""
import textwrap

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

print("""Training
    a linear model
  on noise""")
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    print(f"""epoch {epoch}
norm {model.weight.norm().item():.4f}
""")
with open("report.txt", "w") as f:
    f.write(textwrap.dedent('''\
        model: linear
          inputs: 10
    '''))
