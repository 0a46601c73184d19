"""How the threads of numerical libraries wait for work."""

import os


def let_threads_sleep() -> None:
    """Have OpenMP's threads sleep while they wait, unless the environment says otherwise.

    Spinning threads, the default, make embedding five times slower as soon as anything else runs on
    the machine, such as a browser. It takes effect until torch is loaded, which reads it then.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
