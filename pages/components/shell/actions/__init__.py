"""Whatever changes an index, spends money, or takes files, held to who may do it.

No page does any of it but through these modules (a test checks), so that a hidden button is not
all that keeps a reader from it.
"""
