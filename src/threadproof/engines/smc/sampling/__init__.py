"""Random executions, one after the other or as particles, natively or on the reference."""
