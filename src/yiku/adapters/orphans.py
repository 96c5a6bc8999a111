"""What becomes of a process when the one that started it is killed, and nobody is left to end it?"""

from __future__ import annotations

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>."""


def end_with_the_parent() -> None:
    """Linux can be asked to kill this process then; elsewhere other bounds must do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
