"""torch is imported as th and its functions by from-imports with aliases."""
import torch as th
import torch.nn as tnn
from torch.optim import SGD as GradientDescent
from torch.utils.data import DataLoader as Batches, TensorDataset as Tensors

batches = Batches(Tensors(th.randn(320, 10), th.randn(320, 1)), batch_size=32, shuffle=True)
line = tnn.Linear(10, 1)
descent = GradientDescent(line.parameters(), lr=0.01)
for sweep in range(3):
    for inputs, wanted in batches:
        descent.zero_grad()
        tnn.functional.mse_loss(line(inputs), wanted).backward()
        descent.step()
th.save(line.state_dict(), "line.pt")
