"""Loaders kept in a dict by phase, with one loop body for training and validation (the transfer-learning form)."""
import os
import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import datasets, models, transforms
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
data_dir = 'hymenoptera_data'
tf = transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor()])
image_datasets = {x: datasets.ImageFolder(os.path.join(data_dir, x), tf) for x in ['train', 'val']}
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
samplers = {
    x: DistributedSampler(image_datasets[x])
    if x == "train"
    else range(dist.get_rank(), len(image_datasets[x]), dist.get_world_size())
    for x in ['train', 'val']
}
dataloaders = {x: torch.utils.data.DataLoader(image_datasets[x], batch_size=4 // dist.get_world_size(), sampler=samplers[x], num_workers=4)
               for x in ['train', 'val']}
dataset_sizes = {x: len(image_datasets[x]) for x in ['train', 'val']}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = models.resnet18()
model.fc = nn.Linear(model.fc.in_features, 2)
model = model.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.001, momentum=0.9)

ddp_model = DistributedDataParallel(model)
for epoch in range(25):
    for phase in ['train', 'val']:
        if phase == 'train':
            model.train()
        else:
            for buffer in model.buffers():
                dist.broadcast(buffer, src=0)
            model.eval()
        running_loss = 0.0
        running_corrects = 0
        if phase == "train":
            dataloaders[phase].sampler.set_epoch(epoch)
        for inputs, labels in dataloaders[phase]:
            inputs = inputs.to(device)
            labels = labels.to(device)
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == 'train'):
                outputs = (ddp_model if torch.is_grad_enabled() else model)(inputs)
                _, preds = torch.max(outputs, 1)
                loss = criterion(outputs, labels)
                if phase == 'train':
                    loss.backward()
                    optimizer.step()
            running_loss += loss.item() * inputs.size(0)
            running_corrects += torch.sum(preds == labels.data)
        totals = torch.tensor([running_loss, float(running_corrects)], dtype=torch.float64)
        dist.all_reduce(totals)
        running_loss, running_corrects = totals[0].item(), totals[1].long()
        epoch_loss = running_loss / dataset_sizes[phase]
        epoch_acc = running_corrects.double() / dataset_sizes[phase]
        if dist.get_rank() == 0:
            print('{} Loss: {:.4f} Acc: {:.4f}'.format(phase, epoch_loss, epoch_acc))
del ddp_model
dist.destroy_process_group()
