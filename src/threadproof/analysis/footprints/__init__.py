"""What steps touch, now and later, and which of them commute."""
