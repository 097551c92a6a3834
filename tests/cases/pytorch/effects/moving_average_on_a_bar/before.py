"""A progress bar shows a moving average that no reduction makes whole: it is said that it is of one process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randn(640, 1)), batch_size=64, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = None
for epoch in range(2):
    bar = tqdm(loader)
    for x, y in bar:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average = loss.item() if average is None else 0.9 * average + 0.1 * loss.item()
        bar.set_description(f"epoch {epoch}: {average:.3f}")
