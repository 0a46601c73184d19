"""Access to the server: who visits, sign-in, uploads."""
