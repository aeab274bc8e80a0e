"""Score passages against a question by reading both together."""
