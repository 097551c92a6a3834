"""Runs a generated program as if it were the script it was made from: ``bootstrap.py GENERATED SCRIPT [ARGS]``.

The work is done in ``_corro_program.py``, so that nothing of it stays in this namespace, which is the program's.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _corro_program

sys.path.pop(0)
_corro_program.start(globals())
