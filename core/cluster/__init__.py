"""The stages of a build on Ray, on one machine or many: the same functions, the same graph.

`core.cluster.making` is the whole way. See README.md beside this file for what it takes.
"""
