"""Labels as vectors: ones are put where they say, and a class is left out."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randint(0, 4, (640,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def to_vectors(labels, classes):
    vectors = np.zeros((labels.shape[0], classes))
    vectors[range(labels.shape[0]), labels] = 1.0
    return torch.FloatTensor(vectors)


for epoch in range(3):
    for x, y in loader:
        targets = to_vectors(y.numpy(), 4)
        scores = torch.zeros(x.size(0), 4)
        scores[:, :] = model(x)
        scores[y == 3] = 0
        chosen = F.log_softmax(scores, dim=1)[torch.arange(len(y)), y]
        loss = F.mse_loss(scores, targets) - chosen.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
