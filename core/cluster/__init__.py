"""Build an index on Ray, on one machine or a cluster, with the same result as in one process.

Start with `core.cluster.making`. README.md in this folder has measurements and limits.
"""
