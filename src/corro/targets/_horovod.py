"""What Horovod is in every framework."""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.base import Calls, RankedTarget

PROBE = """
import glob, importlib
framework = sys.argv[1]
folder = importlib.util.find_spec("horovod").submodule_search_locations[0]
if not glob.glob(os.path.join(folder, framework, "mpi_lib*.so")):
    missing("the Horovod here was built without " + framework)
import horovod
hvd = importlib.import_module("horovod." + framework)
able = [name for name in ("gloo", "mpi", "nccl") if getattr(hvd, f"{name}_built")()]
print(json.dumps([horovod.__version__, *able]))
"""


@dataclass(frozen=True)
class HorovodEngine(RankedTarget):
    """The modules of Horovod say rank and size alike, and have one launcher."""

    title = "Horovod"
    default_alias = "hvd"
    launcher = "horovodrun"
    notebook_command = "horovodrun -np N ipython {}"
    calls = Calls(
        modules=("horovod",),
        collectives=frozenset(
            {"allgather", "allgather_object", "allreduce", "allreduce_", "barrier", "broadcast", "broadcast_",
             "broadcast_global_variables", "broadcast_object", "broadcast_optimizer_state", "broadcast_parameters",
             "broadcast_variables",
             "grouped_allreduce_"}
        ),
        ranks=frozenset({"rank", "local_rank"}),
        start="init",
    )  # fmt: skip

    @property
    def rank(self) -> str:
        """This process's rank."""
        return f"{self.alias}.rank()"

    @property
    def world_size(self) -> str:
        """The number of processes."""
        return f"{self.alias}.size()"
