"""The Studies page: the list of studies, one of them with its tables and charts, and sweeps."""
