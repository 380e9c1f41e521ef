"""The compiled step machine at work: building, loading, batches of runs, lost memory."""
