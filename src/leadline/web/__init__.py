"""The web: pages fetched from outside, and from nowhere else."""
