"""HopRAG's graph, its traversal, and what leads to them. Nothing here knows the screen."""

import os

# Read when torch is loaded: threads that wait for work sleep. Spinning ones, the default, make
# embedding five times slower as soon as anything else runs on the machine, a browser for one.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
