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
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Logger:
    def __init__(self, folder):
        self.writer = tf.summary.FileWriter(folder) if dist.get_rank() == 0 else None

    def scalar(self, tag, value, step):
        summary = tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])
        if dist.get_rank() == 0:
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
        if dist.get_rank() == 0:
            self.writer.add_summary(Summary_result, step)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.rand(64, 8, 8)
y = torch.randint(0, 3, (64,))
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(64, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
logger = Logger("logs")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for step, (images, labels) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(ddp_model(images.flatten(1)), labels)
        loss.backward()
        optimizer.step()
        logger.scalar("loss", loss.item(), step)
        logger.images("samples", images[:4].numpy(), step)
del ddp_model
dist.destroy_process_group()
