"""What tests run in other processes: functions that such a process finds by import."""

import os
import signal


def counted(tell, end):
    for each in range(end):
        tell(f"step {each}")
    return os.getpid()


def failing(tell):
    raise ValueError("no luck")


def dying(tell):
    os.kill(os.getpid(), signal.SIGKILL)
