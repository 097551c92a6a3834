"""'cuda:0' in a help text and .cuda of the user's own object are left alone."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Notes:
    cuda = "the first GPU is called cuda:0"

    def to(self, device):
        return "note for " + device


parser = argparse.ArgumentParser(description="Trains on the CPU; cuda:0 and nn.DataParallel are not used.")
args = parser.parse_args()
print(Notes.cuda, Notes().to("cuda:0"))
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
