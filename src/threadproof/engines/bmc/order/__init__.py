"""The order of events: which write a read sees, what excludes what, and the formula of it all."""
