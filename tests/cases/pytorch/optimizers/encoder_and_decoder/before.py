"""Two modules with one optimizer over a list of their parameters: both are wrapped (ddp) or named (horovod)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(256, 30), torch.randint(0, 6, (256,))), batch_size=16, shuffle=True)
encoder = nn.Sequential(nn.Linear(30, 12), nn.ReLU())
decoder = nn.Linear(12, 6)
params = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.Adam(params, lr=0.001)
criterion = nn.CrossEntropyLoss()

for epoch in range(5):
    for i, (images, captions) in enumerate(loader):
        features = encoder(images)
        outputs = decoder(features)
        loss = criterion(outputs, captions)
        encoder.zero_grad()
        decoder.zero_grad()
        loss.backward()
        optimizer.step()
torch.save(encoder.state_dict(), 'encoder.ckpt')
torch.save(decoder.state_dict(), 'decoder.ckpt')
