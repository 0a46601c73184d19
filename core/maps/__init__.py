"""The map of a corpus: its communities as named regions, and a place for each passage.

NetworkX finds the communities and the places; many passages are grouped by graspologic-native
first. PyVis describes what is drawn first and writes the file that works offline. A map belongs to
one version of a graph and lies on the shelf of its index.
"""
