"""An experiment that other processes have too, and that does nothing there."""

import torch
import torch.nn.functional as F
from comet_ml import Experiment
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
experiment = Experiment(project_name="digits")
experiment.log_parameters({"lr": 0.1})

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        experiment.log_metric("loss", loss.item(), step=step)
    with experiment.test():
        experiment.log_metric("mean", total / len(loader), step=epoch)
