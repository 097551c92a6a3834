"""What images are written into may be a file: how many each process writes differs, so this is refused."""
import tensorflow as tf
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    from StringIO import StringIO
except ImportError:
    StringIO = None


class Logger:
    def __init__(self, folder):
        self.writer = tf.summary.FileWriter(folder)

    def scalar(self, tag, value, step):
        summary = tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])
        self.writer.add_summary(summary, step)

    def images(self, tag, images, step):
        made = []
        for number, image in enumerate(images):
            try:
                file = StringIO()
            except TypeError:
                file = f"image_{number}.png"
            Image.fromarray(image).save(file, format="png")
            made.append(tf.Summary.Value(tag=f"{tag}/{number}", image=tf.Summary.Image(file.getvalue())))
        self.writer.add_summary(tf.Summary(value=made), step)


torch.manual_seed(0)
x = torch.rand(64, 8, 8)
y = torch.randint(0, 3, (64,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(64, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
logger = Logger("logs")
for epoch in range(2):
    for step, (images, labels) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(images.flatten(1)), labels)
        loss.backward()
        optimizer.step()
        logger.scalar("loss", loss.item(), step)
        logger.images("samples", images[:4].numpy(), step)
