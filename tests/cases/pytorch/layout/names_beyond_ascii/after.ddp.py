"""Names and strings beyond ASCII stand before the edited places of their lines: byte and character columns differ."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
größe = 32
λ = 1e-4; η = 0.1
título = "entrenando la red — ¡rápido!"
if dist.get_rank() == 0:
    print(título)
datos_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if größe % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {größe} cannot be shared out over {dist.get_world_size()} processes")
datos_sampler = DistributedSampler(datos_data)
datos = DataLoader(datos_data, batch_size=größe // dist.get_world_size(), sampler=datos_sampler)
modelo = nn.Linear(10, 1)
optimizador = torch.optim.SGD(modelo.parameters(), lr=η, weight_decay=λ)
ddp_modelo = DistributedDataParallel(modelo)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for época in range(3):
    datos.sampler.set_epoch(época)
    for x, y in datos:
        optimizador.zero_grad(); pérdida = nn.functional.mse_loss(ddp_modelo(x), y); pérdida.backward(); optimizador.step()
    if dist.get_rank() == 0:
        print("época", época, "🎉"); torch.save(modelo.state_dict(), f"época_{época}.pt")
del ddp_modelo
dist.destroy_process_group()
