"""One index in a folder: its tables, reading it, writing it."""

import os

# LanceDB warns on standard error whenever a table is made for the first time.
os.environ.setdefault("LANCE_LOG", "error")
