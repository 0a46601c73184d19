"""Actions that change an index, spend money, or accept files, restricted to editors.

Pages use only these modules for them (a test checks), so that access does not depend on hidden
buttons.
"""
