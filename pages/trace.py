"""Placeholder while this page is being written."""

from pages.components import nav

nav.guard()
