"""Programs unwound to events: each thread executed symbolically, with all its paths at once."""
