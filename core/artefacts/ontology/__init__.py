"""Entities with their aliases and types, aligned, as HiGraRetriever has them."""
