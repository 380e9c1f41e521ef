"""The language of goals and scores: syntax, names of the program, evaluation, C text."""
