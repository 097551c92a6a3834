"""``python -m corro``."""

from corro.cli import console

if __name__ == "__main__":
    console()
