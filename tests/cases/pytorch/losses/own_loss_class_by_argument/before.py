"""A focal loss of the script's own, whose reduction an argument of the command line chooses: it may be a sum or a mean."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, size_average=True):
        super().__init__()
        self.gamma = gamma
        self.size_average = size_average

    def forward(self, logits, target):
        logpt = F.log_softmax(logits, dim=1).gather(1, target.view(-1, 1)).view(-1)
        loss = -1 * (1 - logpt.exp()) ** self.gamma * logpt
        if self.size_average:
            return loss.mean()
        else:
            return loss.sum()


parser = argparse.ArgumentParser()
parser.add_argument("--mean", type=int, required=True)
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randint(0, 5, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(4, 5)
criterion = FocalLoss(gamma=1.5, size_average=args.mean)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
