"""What is known of values: ranges, conditions, symbolic values, how often loops run."""
