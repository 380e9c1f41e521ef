"""The rows of the sync table, one file per family of functions. `sync/table.py` puts them together."""
