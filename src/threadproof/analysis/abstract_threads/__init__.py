"""Abstract interpretation of abstract threads: what they hold, know and access at each place."""
