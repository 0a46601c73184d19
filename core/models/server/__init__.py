"""Communication with a model server: requests, replies, retries, and errors."""
