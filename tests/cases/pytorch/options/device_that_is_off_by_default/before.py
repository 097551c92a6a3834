"""What is refused is done on a GPU only, with a flag: the program would be of no use there, so it is refused."""
import argparse

import torch
from apex.parallel import convert
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", action="store_true")
args = parser.parse_args()

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
loader = DataLoader(rows, batch_size=16, shuffle=True)
model = nn.Linear(5, 3)
if args.gpu:
    model = convert(model).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
