"""A look at a batch of a weighted loader shows a whole batch that is drawn as the script draws."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(1)
inputs = torch.randn(400, 5)
labels = (inputs[:, 0] > 1).long()
weights = 1.0 / labels.bincount()[labels].float()
loader = DataLoader(TensorDataset(inputs, labels), batch_size=40, sampler=WeightedRandomSampler(weights, 400))
features, targets = next(iter(loader))
print(features.shape, targets.float().mean().item())
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    correct = 0
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        nn.functional.cross_entropy(output, y).backward()
        optimizer.step()
        correct += (output.argmax(1) == y).sum().item()
    print(epoch, correct / len(loader.dataset))
