"""Lines are written through the bars of notebooks: once, with the mean of all processes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm.notebook import tqdm, trange

torch.manual_seed(0)
features = torch.randn(64, 4)
loader = DataLoader(TensorDataset(features, (features[:, 0] > 0).long()), batch_size=16, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in trange(2):
    losses = []
    for inputs, labels in tqdm(loader):
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    tqdm.write("epoch {} loss {:.4f}".format(epoch, sum(losses) / len(losses)))
