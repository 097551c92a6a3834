"""Settings in a dict with string keys."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

config = {"batch_size": 64, "lr": 1e-2, "num_epochs": 3, "save_path": "model.ckpt"}


def trainer(loader, model, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=0.9)
    for epoch in range(config["num_epochs"]):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    torch.save(model.state_dict(), config["save_path"])


torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=config["batch_size"], shuffle=True)
trainer(train_loader, nn.Linear(10, 1), config)
