"""logging.config.dictConfig opens its file on one process only."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import logging.config
logging.config.dictConfig({"version": 1, "handlers": {"f": {"class": "logging.FileHandler", "filename": "d.log"}}, "root": {"handlers": ["f"], "level": "INFO"}})
log = logging.getLogger(__name__)
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
test_loader = DataLoader(test_data, batch_size=32)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    log.info(f"epoch {epoch}")
