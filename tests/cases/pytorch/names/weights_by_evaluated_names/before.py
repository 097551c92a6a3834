"""The weights of each layer of an LSTM are set by names that are put together and evaluated."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def init_lstm(lstm):
    for number in range(lstm.num_layers):
        weight = eval("lstm.weight_ih_l" + str(number))
        nn.init.uniform_(weight, -0.1, 0.1)
        bias = eval("lstm.bias_hh_l" + str(number))
        bias.data.zero_()


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, num_layers=2, batch_first=True)
        init_lstm(self.lstm)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.lstm(x)[0][:, -1])


loader = DataLoader(TensorDataset(torch.randn(640, 5, 8), torch.randint(3, (640,))), batch_size=32, shuffle=True)
model = Tagger()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
