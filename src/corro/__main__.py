"""``python -m corro``."""

from corro.cli import main

if __name__ == "__main__":
    main()
