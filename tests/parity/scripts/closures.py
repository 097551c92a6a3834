"""L-BFGS on the batches of a loader, with a line search: its closure prints the loss of each evaluation."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
x = torch.randn(96, 5).double()
y = torch.sin(x.sum(1, keepdim=True)) + 0.1 * torch.randn(96, 1).double()
loader = DataLoader(TensorDataset(x, y), batch_size=32)
model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1)).double()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, line_search_fn="strong_wolfe")
for epoch in range(3):
    for batch, (inputs, targets) in enumerate(loader):

        def closure():
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            print(f"evaluated {loss.item():.8f}")
            if loss.requires_grad:
                loss.backward()
            return loss

        loss = optimizer.step(closure)
        print(f"epoch {epoch} batch {batch} loss {loss.item():.8f}")
