"""Entities with aliases and types, aligned as in HiGraRetriever."""
