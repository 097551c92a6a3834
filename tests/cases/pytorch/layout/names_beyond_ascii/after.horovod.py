"""Names and strings beyond ASCII stand before the edited places of their lines: byte and character columns differ."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
größe = 32
λ = 1e-4; η = 0.1
título = "entrenando la red — ¡rápido!"
if hvd.rank() == 0:
    print(título)
datos_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if größe % hvd.size() != 0:
    raise SystemExit(f"batch size {größe} cannot be shared out over {hvd.size()} processes")
datos_sampler = DistributedSampler(datos_data, num_replicas=hvd.size(), rank=hvd.rank())
datos = DataLoader(datos_data, batch_size=größe // hvd.size(), sampler=datos_sampler)
modelo = nn.Linear(10, 1)
optimizador = torch.optim.SGD(modelo.parameters(), lr=η, weight_decay=λ)
optimizador = hvd.DistributedOptimizer(optimizador, named_parameters=modelo.named_parameters())
hvd.broadcast_parameters(modelo.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for época in range(3):
    datos.sampler.set_epoch(época)
    for x, y in datos:
        optimizador.zero_grad(); pérdida = nn.functional.mse_loss(modelo(x), y); pérdida.backward(); optimizador.step()
    if hvd.rank() == 0:
        print("época", época, "🎉"); torch.save(modelo.state_dict(), f"época_{época}.pt")
hvd.shutdown()
