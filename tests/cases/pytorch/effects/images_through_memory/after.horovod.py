"""A logger of the script's own writes images into memory and from there to a summary of TensorFlow 1, on rank 0."""
import tensorflow as tf
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    from StringIO import StringIO
except ImportError:
    from io import BytesIO
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Logger:
    def __init__(self, folder):
        self.writer = tf.summary.FileWriter(folder) if hvd.rank() == 0 else None

    def scalar(self, tag, value, step):
        summary = tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])
        if hvd.rank() == 0:
            self.writer.add_summary(summary, step)

    def images(self, tag, images, step):
        made = []
        for number, image in enumerate(images):
            try:
                file = StringIO()
            except NameError:
                file = BytesIO()
            Image.fromarray(image).save(file, format="png")
            made.append(tf.Summary.Value(tag=f"{tag}/{number}", image=tf.Summary.Image(file.getvalue())))
        Summary_result = tf.Summary(value=made)
        if hvd.rank() == 0:
            self.writer.add_summary(Summary_result, step)


hvd.init()
torch.manual_seed(0)
x = torch.rand(64, 8, 8)
y = torch.randint(0, 3, (64,))
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(64, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
logger = Logger("logs")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for step, (images, labels) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(images.flatten(1)), labels)
        loss.backward()
        optimizer.step()
        logger.scalar("loss", loss.item(), step)
        logger.images("samples", images[:4].numpy(), step)
hvd.shutdown()
