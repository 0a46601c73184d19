"""HiGraRetriever: seeds among aligned entities, and ranks over two layers."""
