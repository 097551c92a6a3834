"""A network of a library by a name of the configuration, which is asserted to be one of two."""
import hydra
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import resnet18, resnet34


class Classifier(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network(weights=None)
        self.network.fc = nn.Identity()
        self.head = nn.Linear(512, 10)

    def forward(self, x):
        return self.head(self.network(x))


@hydra.main(config_path=".", config_name="settings")
def main(args):
    assert args.backbone in ["resnet18", "resnet34"]
    network = eval(args.backbone)
    model = Classifier(network)
    data = TensorDataset(torch.randn(320, 3, 32, 32), torch.randint(10, (320,)))
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


main()
