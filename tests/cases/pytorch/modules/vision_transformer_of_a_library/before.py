"""A network of vit_pytorch that need not be installed here: a row of logits for each picture."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from vit_pytorch import ViT

data = TensorDataset(torch.randn(320, 3, 32, 32), torch.randint(10, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = ViT(image_size=32, patch_size=8, num_classes=10, dim=64, depth=2, heads=4, mlp_dim=128, dropout=0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(f"epoch {epoch}: {total / len(data):.4f}")
