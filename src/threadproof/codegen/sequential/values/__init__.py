"""Types, values and places of a sequentialized program."""
