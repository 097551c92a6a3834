"""Weights are written to the folder that Hydra has made for the run, under its full name, and read back."""

import os

import hydra
import torch
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg: DictConfig):
    torch.manual_seed(HydraConfig.get().job.num)
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    loader = DataLoader(data, batch_size=8, shuffle=True)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    """Trains."""
    folder = HydraConfig.get().runtime.output_dir
    best = float("inf")
    for epoch in range(2):
        total = 0.0
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        if total < best:
            best = total
            torch.save(model.state_dict(), os.path.join(folder, "best.pt"))
    model.load_state_dict(torch.load(os.path.join(folder, "best.pt")))
    print(total)


if __name__ == "__main__":
    main()
