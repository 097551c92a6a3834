"""Loaders kept in a dict by phase, with one loop body for training and validation (the transfer-learning form)."""
import os
import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import datasets, models, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
data_dir = 'hymenoptera_data'
tf = transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor()])
image_datasets = {x: datasets.ImageFolder(os.path.join(data_dir, x), tf) for x in ['train', 'val']}
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
samplers = {
    x: DistributedSampler(image_datasets[x], num_replicas=hvd.size(), rank=hvd.rank())
    if x == "train"
    else range(hvd.rank(), len(image_datasets[x]), hvd.size())
    for x in ['train', 'val']
}
dataloaders = {x: torch.utils.data.DataLoader(image_datasets[x], batch_size=4 // hvd.size(), sampler=samplers[x], num_workers=4)
               for x in ['train', 'val']}
dataset_sizes = {x: len(image_datasets[x]) for x in ['train', 'val']}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = models.resnet18()
model.fc = nn.Linear(model.fc.in_features, 2)
model = model.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(25):
    for phase in ['train', 'val']:
        if phase == 'train':
            model.train()
        else:
            hvd.broadcast_parameters(dict(model.named_buffers()), root_rank=0)
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
                outputs = model(inputs)
                _, preds = torch.max(outputs, 1)
                loss = criterion(outputs, labels)
                if phase == 'train':
                    loss.backward()
                    optimizer.step()
            running_loss += loss.item() * inputs.size(0)
            running_corrects += torch.sum(preds == labels.data)
        totals = hvd.allreduce(torch.tensor([running_loss, float(running_corrects)], dtype=torch.float64), op=hvd.Sum)
        running_loss, running_corrects = totals[0].item(), totals[1].long()
        epoch_loss = running_loss / dataset_sizes[phase]
        epoch_acc = running_corrects.double() / dataset_sizes[phase]
        if hvd.rank() == 0:
            print('{} Loss: {:.4f} Acc: {:.4f}'.format(phase, epoch_loss, epoch_acc))
hvd.shutdown()
