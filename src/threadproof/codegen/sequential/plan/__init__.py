"""What is settled before a sequentialized program is written: threads, steps, conflicts, stops."""
