"""Calls and loops."""
