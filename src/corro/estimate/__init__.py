"""What training takes of each process: memory, and bytes exchanged for each step."""

from corro.estimate.shares import Share, shares
from corro.estimate.sizes import Sizes, Unknown

__all__ = ["Share", "Sizes", "Unknown", "shares"]
