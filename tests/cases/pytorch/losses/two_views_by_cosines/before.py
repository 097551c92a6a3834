"""Two views of each sample against all others of the batch, with a mask of the batch size."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batch_size = 64
temperature = 0.5
images = torch.rand(1797, 64)
loader = DataLoader(TensorDataset(images, images.flip(1)), batch_size=batch_size, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    total_loss, total_num = 0.0, 0
    for pos_1, pos_2 in loader:
        out_1 = F.normalize(model(pos_1), dim=-1)
        out_2 = F.normalize(model(pos_2), dim=-1)
        out = torch.cat([out_1, out_2], dim=0)
        sim_matrix = torch.exp(torch.mm(out, out.t().contiguous()) / temperature)
        mask = (torch.ones_like(sim_matrix) - torch.eye(2 * batch_size, device=sim_matrix.device)).bool()
        sim_matrix = sim_matrix.masked_select(mask).view(2 * batch_size, -1)
        pos_sim = torch.exp(torch.sum(out_1 * out_2, dim=-1) / temperature)
        pos_sim = torch.cat([pos_sim, pos_sim], dim=0)
        loss = (-torch.log(pos_sim / sim_matrix.sum(dim=-1))).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_num += batch_size
        total_loss += loss.item() * batch_size
    print(epoch, total_loss / total_num)
