"""The text of a sequentialized program."""
