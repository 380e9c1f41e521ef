"""Many programs and properties at once: what is asked, by whom, what came out of it, and how that compares."""
