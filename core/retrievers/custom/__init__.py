"""Retrievers that the operator of the server adds: a Python file, an installed package, a URL.

Code is loaded from what HOPRAG_RETRIEVERS and the entry points of `hoprag.retrievers` name, and
from nothing else.
"""
