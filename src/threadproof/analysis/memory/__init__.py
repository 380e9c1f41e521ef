"""What memory there is: who can reach it, and how it is partitioned."""
