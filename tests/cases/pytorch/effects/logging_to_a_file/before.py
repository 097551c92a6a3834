"""logging writes to a file and the terminal: the file is opened and the lines are written once."""
import logging
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(filename="train.log", level=logging.INFO, format="%(asctime)s %(message)s")
logger = logging.getLogger(__name__)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
logger.info("start, %d samples", len(loader.dataset))
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    logger.info("epoch %d loss %.4f", epoch, total / len(loader))
