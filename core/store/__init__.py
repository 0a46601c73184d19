"""An index in a folder or in object storage: its tables, and how they are read and written."""
