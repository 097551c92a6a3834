"""One optimizer for each of two models, one backward pass for both, gradients clipped."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 2)), batch_size=32, shuffle=True)
encoder = nn.Sequential(nn.Linear(10, 16), nn.ReLU())
decoder = nn.Linear(16, 2)
criterion = nn.MSELoss()
encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.01, momentum=0.9)
decoder_optimizer = torch.optim.SGD(decoder.parameters(), lr=0.01, momentum=0.9)
for epoch in range(3):
    for x, y in loader:
        encoder_optimizer.zero_grad()
        decoder_optimizer.zero_grad()
        loss = criterion(decoder(encoder(x)), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 0.1)
        torch.nn.utils.clip_grad_norm_(decoder.parameters(), 0.1)
        encoder_optimizer.step()
        decoder_optimizer.step()
