"""An auto-encoder: the loader gives (image, label), SmoothL1; the loss of the last batch is printed."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

seed = 31
torch.manual_seed(seed)
num_epochs, batch_size, learning_rate = 3, 50, 0.5
device = torch.device('cpu')

images, labels = load_digits(return_X_y=True)
dataset = torch.utils.data.TensorDataset(torch.tensor(images[:501], dtype=torch.float32) / 16,
                                         torch.tensor(labels[:501]))
dataloader = torch.utils.data.DataLoader(dataset=dataset, batch_size=batch_size, shuffle=True)


class AutoEncoder(nn.Module):
    def __init__(self):
        super(AutoEncoder, self).__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 24), nn.ReLU(True), nn.Linear(24, 8))
        self.decoder = nn.Sequential(nn.Linear(8, 24), nn.ReLU(True), nn.Linear(24, 64), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


model = AutoEncoder().to(device)
criterion = nn.SmoothL1Loss()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate, momentum=0.9)

total_step = len(dataloader)
for epoch in range(num_epochs):
    for i, (img, _) in enumerate(dataloader):
        img = img.reshape(-1, 8 * 8).to(device)

        # Forward pass
        output = model(img)
        loss = criterion(output, img)

        # Backward and optimize
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    print('Epoch [{}/{}], Steps {}, Loss: {:.5f}'.format(epoch + 1, num_epochs, total_step, loss.item()))
torch.save(model.state_dict(), 'autoencoder.ckpt')
