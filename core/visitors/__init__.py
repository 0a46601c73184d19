"""Visitors: access to the application, and permissions.

`hosts` and `access` hold the server to the names that it is known by, `rules` are the settings,
`roles` say who may do what, `ledger` what each person has spent.
"""
