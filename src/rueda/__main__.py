"""``python -m rueda``."""

from rueda.cli import main

if __name__ == "__main__":
    main()
