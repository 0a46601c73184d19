"""The public functions behind `from core import …`: for notebooks, scripts and the command line.

Import them from `core`, which loads a module here when a name of it is first used.
"""
