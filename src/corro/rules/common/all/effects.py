"""Let effects happen once: prints, logs, files, plots, progress bars.

Why
---
Every process runs the whole script. Unguarded, each line is printed N times, N processes write the same file at the
same time, and N progress bars fight for the terminal. What is printed or written happens on rank 0; a file opened for
writing is the null device elsewhere, so that the code around it stays as it is; progress bars are switched off
elsewhere, and show rank 0's shard; those that the script switches off stay so. Where it hangs on what is found on disk
whether rank 0 fetches, unpacks or writes, all have looked before it begins: one that is late would find what rank 0 has
just made, and take the other way. A strategy within one process changes nothing here.

Before
------
::

    print(f"epoch {epoch}: {accuracy:.2f}")
    torch.save(model.state_dict(), "model.pt")

After
-----
::

    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {accuracy:.2f}")
        torch.save(model.state_dict(), "model.pt")

Source
------
Horovod documentation, step 6 (save checkpoints only on worker 0); PyTorch DDP tutorial, "Save and Load Checkpoints".
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from corro.rules import bars, once

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer, Job

NAME = "effects"
FRONTENDS = ("keras", "pytorch", "tensorflow")


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each statement with an effect."""
    return chain(once.answers(job, NAME), bars.switches(job, NAME)) if job.has_ranks else ()
