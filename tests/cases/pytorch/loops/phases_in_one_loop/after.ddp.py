"""The shape of PyTorch's transfer-learning tutorial: a dict of loaders, a loop over phases, best weights."""
import copy

import torch
import torch.nn as nn
import torch.optim as optim
from sklearn.datasets import load_digits
from torch.optim import lr_scheduler
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(2)

x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x, dtype=torch.float32) / 16, torch.tensor(y)
image_datasets = {'train': torch.utils.data.TensorDataset(x[:400], y[:400]),
                  'val': torch.utils.data.TensorDataset(x[400:603], y[400:603])}
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
samplers = {
    x: DistributedSampler(image_datasets[x])
    if x == "train"
    else range(dist.get_rank(), len(image_datasets[x]), dist.get_world_size())
    for x in ['train', 'val']
}
dataloaders = {x: torch.utils.data.DataLoader(image_datasets[x], batch_size=40 // dist.get_world_size(), sampler=samplers[x])
               for x in ['train', 'val']}
dataset_sizes = {x: len(image_datasets[x]) for x in ['train', 'val']}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train_model(model, criterion, optimizer, scheduler, num_epochs=25):
    best_model_wts = copy.deepcopy(model.state_dict())
    best_acc = 0.0

    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(2 + dist.get_rank())
    for epoch in range(num_epochs):
        if dist.get_rank() == 0:
            print('Epoch {}/{}'.format(epoch, num_epochs - 1))
            print('-' * 10)

        # Each epoch has a training and validation phase
        for phase in ['train', 'val']:
            if phase == 'train':
                model.train()  # Set model to training mode
            else:
                model.eval()   # Set model to evaluate mode

            running_loss = 0.0
            running_corrects = 0

            # Iterate over data.
            if phase == "train":
                dataloaders[phase].sampler.set_epoch(epoch)
            for inputs, labels in dataloaders[phase]:
                inputs = inputs.to(device)
                labels = labels.to(device)

                # zero the parameter gradients
                optimizer.zero_grad()

                # forward
                # track history if only in train
                with torch.set_grad_enabled(phase == 'train'):
                    outputs = (ddp_model if torch.is_grad_enabled() else model)(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)

                    # backward + optimize only if in training phase
                    if phase == 'train':
                        loss.backward()
                        optimizer.step()

                # statistics
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            totals = torch.tensor([running_loss, float(running_corrects)], dtype=torch.float64)
            dist.all_reduce(totals)
            running_loss, running_corrects = totals[0].item(), totals[1].long()
            if phase == 'train':
                scheduler.step()

            epoch_loss = running_loss / dataset_sizes[phase]
            epoch_acc = running_corrects.double() / dataset_sizes[phase]

            if dist.get_rank() == 0:
                print('{} Loss: {:.4f} Acc: {:.4f}'.format(phase, epoch_loss, epoch_acc))

            # deep copy the model
            if phase == 'val' and epoch_acc > best_acc:
                best_acc = epoch_acc
                best_model_wts = copy.deepcopy(model.state_dict())

        if dist.get_rank() == 0:
            print()

    if dist.get_rank() == 0:
        print('Best val Acc: {:4f}'.format(best_acc))

    # load best model weights
    model.load_state_dict(best_model_wts)
    return model


backbone = nn.Sequential(nn.Linear(64, 32), nn.ReLU())
for param in backbone.parameters():
    param.requires_grad = False
model_ft = nn.Sequential(backbone, nn.Linear(32, 10)).to(device)

criterion = nn.CrossEntropyLoss()
optimizer_ft = optim.SGD(model_ft[1].parameters(), lr=0.1, momentum=0.9)
exp_lr_scheduler = lr_scheduler.StepLR(optimizer_ft, step_size=2, gamma=0.1)

model_ft = train_model(model_ft, criterion, optimizer_ft, exp_lr_scheduler, num_epochs=3)
if dist.get_rank() == 0:
    torch.save(model_ft.state_dict(), 'finetuned.pt')
dist.destroy_process_group()
